//! Which of the lines along each side are the noses.
//!
//! Along every side several lines run: the inner border of the shadow under the nose, the nose, the cloth's outer
//! border, trims of the frame. The shape alone does not tell them apart on a table twice as long as wide: with
//! cushions of width w, (L + 2 w) : (W + w) is 2 : 1 again. So a choice is judged by its fit to the table *and* by
//! what lies beside each line: cloth on both sides of a nose, the frame one cushion's width further out, equally far
//! on all four sides.

use nalgebra::{DMatrix, DVector};

use super::{
    orient::straight_above,
    outline::Side,
    raster::brightness,
    solve::{Mark, Prior, Problem, px_per_mm},
    strip::{Line, Strip},
};
use crate::{
    model::{Cushion, TableSpec},
    units::ImagePoint,
};

/// Where along a side its lines are compared with the table.
const AT: [f64; 9] = [-0.9, -0.7, -0.45, -0.2, 0.0, 0.2, 0.45, 0.7, 0.9];
/// How far a line at a whole pixel may be off, px.
const LINE_SIGMA_PX: f64 = 1.2;
/// How far noses are off their lines: tables are not built truer, mm.
pub(crate) const BUILT_MM: f64 = 1.3;
/// Choices that are kept.
const FEW: usize = 4;
/// Width of a cushion's cloth from the nose to the frame, mm.
const CUSHION_MM: [f64; 2] = [22.0, 85.0];

/// One side with what was found along it.
pub(crate) struct Seen {
    pub(crate) side: Side,
    pub(crate) cushion: Cushion,
    /// px per mm along it.
    pub(crate) scale: f64,
    pub(crate) lines: Vec<Line>,
    /// How much each line looks like a nose by itself, about 0 to 6.
    pub(crate) looks: Vec<f64>,
}

/// A choice of one line per side.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Index of the line of each side.
    pub(crate) lines: [usize; 4],
    /// The larger the likelier: evidence in nats, roughly.
    pub(crate) score: f64,
    /// The part of the score that speaks of what lies beside the lines, not of the table's shape.
    pub(crate) structure: f64,
    /// Length over width that fits best.
    pub(crate) aspect: f64,
}

/// Judges every line of a side by its neighbourhood. `scale`: px per mm.
pub(crate) fn looks(strip: &Strip, lines: &[Line], scale: f64) -> Vec<f64> {
    let bed = lines
        .iter()
        .filter_map(|l| strip.colour_beside(l, -1e4, -60.0 * scale))
        .next();
    let strongest = lines.iter().map(Line::strength).fold(1e-9, f64::max);
    lines
        .iter()
        .map(|l| {
            let beside = |near: f64, far: f64, how: Likeness| match (
                strip.colour_beside(l, near * scale, far * scale),
                bed,
            ) {
                (Some(c), Some(bed)) => likeness(c, bed, how),
                _ => 0.0,
            };
            let outside = beside(6.0, 22.0, CLOTH);
            let inside = beside(-25.0, -5.0, CLOTH);
            // Behind every cushion there is a frame: a line on the cloth with more cloth far behind it is no nose.
            let beyond = beside(90.0, 120.0, SAME_CLOTH);
            2.0 * l.cover
                + 0.5 * (l.strength() / strongest).ln().max(-3.0)
                + 1.5 * f64::from(u8::from(l.rises()))
                + 4.0 * outside
                + 1.5 * inside
                - 10.0 * beyond
        })
        .collect()
}

/// How far a colour may be from the bed's: in share of red, green and blue, and in the logarithm of brightness.
#[derive(Clone, Copy)]
struct Likeness {
    chroma: f64,
    light: f64,
}

/// Cloth of the bed's kind in more or less light, as on a cushion.
const CLOTH: Likeness = Likeness {
    chroma: 0.13,
    light: 0.9,
};
/// The same cloth in the same light.
const SAME_CLOTH: Likeness = Likeness {
    chroma: 0.05,
    light: 0.35,
};

/// How much a colour is that of the bed, 0..=1.
fn likeness(colour: [f32; 3], bed: [f32; 3], how: Likeness) -> f64 {
    let chroma = |c: [f32; 3]| {
        let sum = c[0] + c[1] + c[2] + 20.0;
        c.map(|v| v / sum)
    };
    let (p, q) = (chroma(colour), chroma(bed));
    let off = (0..3).map(|n| (p[n] - q[n]).powi(2)).sum::<f32>().sqrt();
    let light = (brightness(colour) + 4.0) / (brightness(bed) + 4.0);
    let lit = f64::from(light.ln().abs());
    (-(f64::from(off) / how.chroma).powi(2)).exp() * (-(lit / how.light).powi(4)).exp()
}

/// Deviation of one mark of a line, px: nine marks on a line known by three numbers, each counts for a third.
fn sigma_px(scale: f64) -> f64 {
    LINE_SIGMA_PX.hypot(BUILT_MM * scale) * 3f64.sqrt()
}

/// The marks a line gives, nine along the side.
pub(crate) fn marks(seen: &Seen, line: &Line) -> impl Iterator<Item = Mark> {
    let (side, cushion, line) = (seen.side, seen.cushion, *line);
    let sigma_px = sigma_px(seen.scale);
    AT.iter().map(move |t| {
        let [x, y] = side.point(*t, line.at(*t));
        Mark {
            cushion,
            seen: ImagePoint::new(x, y),
            sigma_px,
        }
    })
}

/// The best few choices of lines, best first, with the table's width as told or free.
///
/// Every combination is weighed. The cost of a combination is the least-squares rest after the camera's numbers
/// have taken their part, linearised about the camera that fits the outline: shifting a line by a cushion's width
/// changes the derivatives by two hundredths, which is a millimetre.
pub(crate) fn best(
    seen: &[Seen; 4],
    table: &TableSpec,
    size: [u32; 2],
    free_width: bool,
) -> Option<Vec<Choice>> {
    let (base, about) = about_outline(seen, table, size, free_width);
    let scale = px_per_mm(&base.start, table);
    let zero = DVector::zeros(base.unknowns());
    let j = base.jacobian(&zero, &about, scale);
    let qr = j.clone().qr();
    let solved = qr.r().solve_upper_triangular(&qr.q().transpose())?;
    let rest = DMatrix::identity(j.nrows(), j.nrows()) - qr.q() * qr.q().transpose();
    let offs = residuals_of_lines(seen, &base, scale);
    let prior = base.residuals(&zero, &[], scale);
    let sigma_mm = sigma_px(scale) / scale;
    let mut all: Vec<Choice> = combinations(&offs)
        .into_iter()
        .map(|lines| {
            let off = (0..4).flat_map(|i| offs[i][lines[i]].iter().copied());
            let r = DVector::from_iterator(j.nrows(), off.chain(prior.iter().copied()));
            let offsets = [0, 1, 2, 3].map(|i| mean(&offs[i][lines[i]]) * sigma_mm);
            let looks: f64 = (0..4).map(|i| seen[i].looks[lines[i]]).sum();
            let structure = looks + frame_bonus(&offs, &lines, &offsets, sigma_mm);
            let wider = solved.row(solved.nrows() - 1).transpose().dot(&r);
            let width = if free_width { 1.0 - wider } else { 1.0 };
            Choice {
                lines,
                score: structure - 0.5 * (&rest * &r).dot(&r),
                structure,
                aspect: table.length_mm / (table.width_mm * width),
            }
        })
        .filter(|c| c.score.is_finite())
        .collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all.truncate(FEW);
    Some(all)
}

/// The camera that fits the bed's outline, and the outline's marks.
fn about_outline<'a>(
    seen: &[Seen; 4],
    table: &'a TableSpec,
    size: [u32; 2],
    free_width: bool,
) -> (Problem<'a>, Vec<Mark>) {
    let sides = [0, 1, 2, 3].map(|i| seen[i].side);
    let cushions = [0, 1, 2, 3].map(|i| seen[i].cushion);
    let outline = Line {
        a: 0.0,
        b: 0.0,
        c: 0.0,
        slope: [0.0; 3],
        cover: 0.0,
    };
    let mut base = Problem {
        table,
        prior: Prior::ANY_CAMERA,
        start: straight_above(&sides, &cushions, table, size),
        free_width,
    };
    let about: Vec<Mark> = seen.iter().flat_map(|s| marks(s, &outline)).collect();
    base.start = base.solve(&about, None).camera;
    (base, about)
}

/// Residuals of the marks of each line of each side.
fn residuals_of_lines(seen: &[Seen; 4], base: &Problem<'_>, scale: f64) -> Vec<Vec<Vec<f64>>> {
    let zero = DVector::zeros(base.unknowns());
    let of = |s: &Seen, line: &Line| {
        let m: Vec<Mark> = marks(s, line).collect();
        let all = base.residuals(&zero, &m, scale);
        all.rows(0, AT.len()).iter().copied().collect()
    };
    let of_side = |s: &Seen| s.lines.iter().map(|l| of(s, l)).collect();
    seen.iter().map(of_side).collect()
}

fn combinations(offs: &[Vec<Vec<f64>>]) -> Vec<[usize; 4]> {
    let n: Vec<usize> = offs.iter().map(Vec::len).collect();
    let mut out = Vec::new();
    for a in 0..n[0] {
        for b in 0..n[1] {
            for c in 0..n[2] {
                for d in 0..n[3] {
                    out.push([a, b, c, d]);
                }
            }
        }
    }
    out
}

fn mean(v: &[f64]) -> f64 {
    v.iter().sum::<f64>() / v.len().max(1) as f64
}

/// Up to 2 per side for a further line that runs one cushion's width outside of the chosen one, the same width on
/// all sides.
fn frame_bonus(
    offs: &[Vec<Vec<f64>>],
    lines: &[usize; 4],
    chosen: &[f64; 4],
    sigma_mm: f64,
) -> f64 {
    let further: Vec<Vec<f64>> = (0..4)
        .map(|i| {
            (0..offs[i].len())
                .filter(|k| *k != lines[i])
                .map(|k| mean(&offs[i][k]) * sigma_mm - chosen[i])
                .filter(|w| (CUSHION_MM[0]..CUSHION_MM[1]).contains(w))
                .collect()
        })
        .collect();
    let bonus = |width: f64| -> f64 {
        further
            .iter()
            .map(|side| {
                side.iter()
                    .map(|w| 2.0 * (-((w - width) / 5.0).powi(2)).exp())
                    .fold(0.0, f64::max)
            })
            .sum()
    };
    further
        .iter()
        .flatten()
        .map(|w| bonus(*w))
        .fold(0.0, f64::max)
}
