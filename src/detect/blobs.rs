//! Ball-like patches of a picture, before any colour is known.

use crate::{
    calib::Calibration,
    detect::{
        bed::Bed,
        colour::{Bgr, distance_from_shaded},
        scan::pixel,
    },
    model::{Picture, Pocket},
    units::{ImagePoint, TablePoint},
};

/// Patches are thinned by this share of a ball's radius before they are judged: lines, cues and projected rings vanish,
/// touching balls come apart, a ball's core stays.
const THINNED: f64 = 0.4;

/// A patch that has a ball's size and roundness.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    /// Its middle, px.
    pub(crate) centre: [f64; 2],
    /// Radius of a ball there, px.
    pub(crate) radius: f64,
    /// Mean colour of its inner part.
    pub(crate) mean: Bgr,
    /// Colours of its inner part.
    pub(crate) pixels: Vec<Bgr>,
    /// Not drawn out by motion.
    pub(crate) round: bool,
    /// Departure from a ball's size and roundness, 0 for a perfect one.
    pub(crate) misfit: f64,
}

/// The ball-like patches of a picture that differ from `empty(x, y)` by more than `threshold` levels, darkness aside.
pub(crate) fn blobs(
    picture: &Picture,
    bed: &Bed,
    calibration: &Calibration,
    threshold: f32,
    empty: impl Fn(usize, usize) -> Bgr,
) -> Vec<Blob> {
    let (h, w, _) = picture.dim();
    let mut depth = vec![0u16; h * w];
    for y in bed.top()..bed.bottom() {
        for x in bed.span(y) {
            if distance_from_shaded(pixel(picture, x, y), empty(x, y)) > threshold {
                depth[y * w + x] = u16::MAX / 2;
            }
        }
    }
    let differs: Vec<bool> = depth.iter().map(|&d| d > 0).collect();
    fill_holes(&mut depth, [w, h], bed, calibration);
    chamfer(&mut depth, [w, h], bed);
    let mut out = vec![];
    for y in bed.top()..bed.bottom() {
        for x in bed.span(y) {
            // A core is at least two pixels deep on any table that can be measured.
            if depth[y * w + x] <= 6 {
                continue;
            }
            let place = calibration.ball_on_table(ImagePoint::new(x as f64, y as f64));
            let Some((place, radius)) = place.map(|p| (p, calibration.ball_radius_px(p))) else {
                continue;
            };
            if at_pocket(calibration, place) {
                continue;
            }
            let least = (3.0 * THINNED * radius) as u16;
            if depth[y * w + x] > least {
                let core = flood([w, h], [x, y], |at| {
                    depth[at] > least && std::mem::take(&mut depth[at]) > 0
                });
                out.extend(
                    ball_like(&core, radius, picture).filter(|b| stands_alone(b, &differs, [w, h])),
                );
            }
        }
    }
    out
}

/// Whether a place is in or at a pocket: the hole itself looks like a dark ball.
fn at_pocket(calibration: &Calibration, place: TablePoint) -> bool {
    let table = &calibration.table;
    let near = |p: Pocket| table.pocket_mouth(p).distance(place) < 1.5 * table.ball_diameter_mm;
    table.pockets && Pocket::ALL.into_iter().any(near)
}

/// Marks what is enclosed by marks and smaller than a third of a ball: a dark dot or a highlight on a ball.
fn fill_holes(depth: &mut [u16], [w, h]: [usize; 2], bed: &Bed, calibration: &Calibration) {
    let most = 0.33 * std::f64::consts::PI * calibration.middle_ball_radius_px().powi(2);
    let mut open: Vec<bool> = depth.iter().map(|&d| d == 0).collect();
    for y in bed.top()..bed.bottom() {
        for x in bed.span(y) {
            // A hole begins below a mark; everything else is reached from elsewhere.
            if open[y * w + x] && y > 0 && depth[(y - 1) * w + x] > 0 {
                let hole = flood([w, h], [x, y], |at| std::mem::take(&mut open[at]));
                if hole.len() <= most as usize {
                    for p in hole {
                        depth[p[1] * w + p[0]] = u16::MAX / 2;
                    }
                }
            }
        }
    }
}

/// The pixels connected with `start` (four neighbours) that `take` accepts. `take` is asked about an index into the
/// picture's rows and must not accept one twice.
fn flood(
    [w, h]: [usize; 2],
    start: [usize; 2],
    mut take: impl FnMut(usize) -> bool,
) -> Vec<[usize; 2]> {
    let mut stack = vec![start];
    let mut points = vec![];
    take(start[1] * w + start[0]);
    while let Some([x, y]) = stack.pop() {
        points.push([x, y]);
        for (nx, ny) in [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, y.wrapping_sub(1)),
            (x, y + 1),
        ] {
            if nx < w && ny < h && take(ny * w + nx) {
                stack.push([nx, ny]);
            }
        }
    }
    points
}

/// Replaces the marks by three times their distance to the nearest unmarked pixel (3-4 chamfer).
fn chamfer(depth: &mut [u16], [w, h]: [usize; 2], bed: &Bed) {
    let (top, bottom) = (bed.top().max(1), bed.bottom().min(h - 1));
    let relax = |depth: &mut [u16], at: usize, from: [(isize, u16); 4]| {
        let least = from
            .iter()
            .map(|&(o, c)| depth[at.wrapping_add_signed(o)].saturating_add(c))
            .min();
        depth[at] = depth[at].min(least.unwrap_or(0));
    };
    let row = w as isize;
    for y in top..bottom {
        for x in 1..w - 1 {
            if depth[y * w + x] > 0 {
                relax(
                    depth,
                    y * w + x,
                    [(-1, 3), (-row, 3), (-row - 1, 4), (-row + 1, 4)],
                );
            }
        }
    }
    for y in (top..bottom).rev() {
        for x in (1..w - 1).rev() {
            if depth[y * w + x] > 0 {
                relax(
                    depth,
                    y * w + x,
                    [(1, 3), (row, 3), (row + 1, 4), (row - 1, 4)],
                );
            }
        }
    }
}

/// Whether at most half of a ring around a patch is different from the empty bed: fingertips and sleeves go on, a ball
/// ends (a cue, a ring of light or another ball may touch it).
fn stands_alone(blob: &Blob, differs: &[bool], [w, h]: [usize; 2]) -> bool {
    const POINTS: u32 = 48;
    let covered = (0..POINTS).filter(|&k| {
        let angle = f64::from(k) * std::f64::consts::TAU / f64::from(POINTS);
        let x = (blob.centre[0] + 1.4 * blob.radius * angle.cos()).round();
        let y = (blob.centre[1] + 1.4 * blob.radius * angle.sin()).round();
        x >= 0.0 && y >= 0.0 && x < w as f64 && y < h as f64 && differs[y as usize * w + x as usize]
    });
    covered.count() * 2 <= POINTS as usize
}

/// The pixels of a picture nearer than `reach` to a place, row by row.
pub(crate) fn within(
    [cx, cy]: [f64; 2],
    reach: f64,
    [w, h]: [usize; 2],
) -> impl Iterator<Item = [usize; 2]> {
    let span = move |c: f64, end: usize| {
        (c - reach).max(0.0) as usize..((c + reach) as usize + 1).min(end)
    };
    span(cy, h)
        .flat_map(move |y| span(cx, w).map(move |x| [x, y]))
        .filter(move |&[x, y]| (x as f64 - cx).hypot(y as f64 - cy) < reach)
}

/// Judges size and roundness of a core against that of a ball at that place.
fn ball_like(core: &[[usize; 2]], radius: f64, picture: &Picture) -> Option<Blob> {
    let n = core.len() as f64;
    let cx = core.iter().map(|p| p[0] as f64).sum::<f64>() / n;
    let cy = core.iter().map(|p| p[1] as f64).sum::<f64>() / n;
    // What is left of the disc; outlines are up to a fifth narrower than the ball on some cloths.
    let inner = (1.0 - THINNED) * radius;
    let size = n / (std::f64::consts::PI * inner * inner);
    let moment = |f: fn(f64, f64) -> f64| {
        core.iter()
            .map(|p| f(p[0] as f64 - cx, p[1] as f64 - cy))
            .sum::<f64>()
            / n
    };
    let (xx, xy, yy) = (
        moment(|x, _| x * x),
        moment(|x, y| x * y),
        moment(|_, y| y * y),
    );
    let (mean, off) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
    // Variance along the shorter axis, against the disc's: a streak keeps it, a hand or a sleeve does not.
    let narrow = (mean - off) / (0.25 * inner * inner);
    let long = (mean + off) / (mean - off).max(1e-9);
    // How full the ellipse of these moments is: 1 for a disc, near it for a streak.
    let full = n / (4.0 * std::f64::consts::PI * ((mean * mean - off * off).max(1e-9)).sqrt());
    if !(0.3..4.0).contains(&size) || !(0.3..1.6).contains(&narrow) || long > 16.0 || full < 0.85 {
        return None;
    }
    let (h, w, _) = picture.dim();
    let reach = if long > 1.5 { 0.4 } else { 0.8 } * radius;
    let pixels: Vec<Bgr> = within([cx, cy], reach, [w, h])
        .map(|[x, y]| pixel(picture, x, y))
        .collect();
    let sum = pixels
        .iter()
        .fold([0.0; 3], |s, p| [s[0] + p[0], s[1] + p[1], s[2] + p[2]]);
    let mean = sum.map(|s| s / pixels.len().max(1) as f32);
    let misfit = narrow.ln().abs() + 0.3 * long.ln();
    Some(Blob {
        centre: [cx, cy],
        radius,
        mean,
        pixels,
        round: long < 1.5,
        misfit,
    })
}
