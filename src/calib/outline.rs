//! The four sides of the bed as slightly bowed lines: where to look for the noses.

use nalgebra::{Matrix3, Vector3};

use super::{
    combine::Small,
    region::{Region, Spot, distance},
};

/// One side of the bed in the picture: a chord with a bow. Sides run clockwise as seen, outwards is to their left.
///
/// # Units
/// px of the full picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// Where it begins.
    pub(crate) from: Spot,
    /// Where it ends.
    pub(crate) to: Spot,
    /// Outward offset of its middle third's mean from the chord: v(t) = bow (t^2 - 1/3), t from -1 to 1.
    pub(crate) bow: f64,
}

impl Side {
    /// Length of the chord, px.
    pub(crate) fn length(&self) -> f64 {
        distance(self.from, self.to)
    }

    /// Unit vector along the chord.
    pub(crate) fn along(&self) -> Spot {
        let n = self.length().max(1e-9);
        [
            (self.to[0] - self.from[0]) / n,
            (self.to[1] - self.from[1]) / n,
        ]
    }

    /// Unit vector out of the table.
    pub(crate) fn outward(&self) -> Spot {
        let [x, y] = self.along();
        [y, -x]
    }

    /// The point at `t` (-1..1 from end to end), `v` px outwards of the bowed line.
    pub(crate) fn point(&self, t: f64, v: f64) -> Spot {
        let n = self.outward();
        let s = 0.5 * (t + 1.0);
        let v = v + self.bow * (t * t - 1.0 / 3.0);
        [
            self.from[0] + s * (self.to[0] - self.from[0]) + v * n[0],
            self.from[1] + s * (self.to[1] - self.from[1]) + v * n[1],
        ]
    }

    /// The place of a point against the chord: t along, v px outwards of it (not of the bow).
    fn against(&self, p: Spot) -> [f64; 2] {
        let (a, n) = (self.along(), self.outward());
        let d = [p[0] - self.from[0], p[1] - self.from[1]];
        [
            2.0 * (d[0] * a[0] + d[1] * a[1]) / self.length().max(1e-9) - 1.0,
            d[0] * n[0] + d[1] * n[1],
        ]
    }

    /// The same side turned and shifted by the line v = a + b t, with another bow.
    fn moved(&self, [a, b, bow]: [f64; 3]) -> Self {
        let n = self.outward();
        let shift = |p: Spot, v: f64| [p[0] + v * n[0], p[1] + v * n[1]];
        Self {
            from: shift(self.from, a - b),
            to: shift(self.to, a + b),
            bow,
        }
    }
}

/// Fits the sides to the rim of a region, robustly: what stands out or is bitten out (hands, pockets) has no say.
pub(crate) fn sides(small: &Small, region: &Region) -> [Side; 4] {
    let rim: Vec<Spot> = region
        .rim
        .iter()
        .map(|p| p.map(|c| small.to_full(c)))
        .collect();
    let quad = region.quad.map(|p| p.map(|c| small.to_full(c)));
    let mut sides = [0, 1, 2, 3].map(|i| Side {
        from: quad[i],
        to: quad[(i + 1) % 4],
        bow: 0.0,
    });
    let pixel = small.step as f64;
    sides = joined(&sides.map(|s| voted(&s, &rim, pixel)));
    for reach in [4.0, 3.0, 3.0] {
        let fitted = sides.map(|s| fit(&s, &rim, reach * pixel));
        sides = joined(&fitted);
    }
    sides
}

/// Outlines of the right shape from one of the wrong shape: each of the two sides that may be bitten off (by a row of
/// balls, by people along a rail) is moved outwards until length and width fit. Empty when the shape is right.
pub(crate) fn stretched(sides: &[Side; 4], aspect: f64) -> Vec<[Side; 4]> {
    let [a, b] = [0, 1].map(|i| 0.5 * (sides[i].length() + sides[i + 2].length()));
    let (long, length, width) = if a >= b { (0, a, b) } else { (1, b, a) };
    // Sides at the ends of the long ones are moved when the length is short, the long ones when the width is.
    let (short_of, first) = if length < aspect * width {
        (aspect * width - length, 1 - long)
    } else {
        (length / aspect - width, long)
    };
    if short_of < 0.04 * length {
        return Vec::new();
    }
    [first, first + 2]
        .map(|i| {
            let mut moved = *sides;
            moved[i] = moved[i].moved([short_of, 0.0, 0.0]);
            joined(&moved)
        })
        .to_vec()
}

/// The line near a side that most of the rim lies on: every pair of rim points proposes one.
///
/// Corners of the first quadrilateral may be cut by pockets or hands; the straight part of the side outvotes them.
fn voted(side: &Side, rim: &[Spot], pixel: f64) -> Side {
    let reach = 0.14 * side.length() + 6.0 * pixel;
    let near: Vec<[f64; 2]> = rim
        .iter()
        .map(|p| side.against(*p))
        .filter(|[t, v]| t.abs() < 1.1 && v.abs() < reach)
        .collect();
    let step = near.len().div_ceil(150).max(1);
    let few: Vec<[f64; 2]> = near.iter().step_by(step).copied().collect();
    let mut best = (0.0, [0.0; 3]);
    for (i, p) in few.iter().enumerate() {
        for q in few[i + 1..].iter().filter(|q| (q[0] - p[0]).abs() > 0.5) {
            let b = (q[1] - p[1]) / (q[0] - p[0]);
            let a = p[1] - b * p[0];
            let votes: f64 = few
                .iter()
                .map(|[t, v]| (1.0 - ((v - a - b * t) / (1.5 * pixel)).powi(2)).max(0.0))
                .sum();
            // Hands and balls bite into a region; little makes it larger: of two lines the outer one is meant.
            let votes = votes * (1.0 + 0.5 * a / reach);
            if votes > best.0 {
                best = (votes, [a, b, 0.0]);
            }
        }
    }
    side.moved(best.1)
}

/// Robust parabola through the rim points within `reach` of the side.
fn fit(side: &Side, rim: &[Spot], reach: f64) -> Side {
    let near: Vec<[f64; 2]> = rim
        .iter()
        .map(|p| side.against(*p))
        .filter(|[t, v]| t.abs() < 0.94 && (v - side.bow * (t * t - 1.0 / 3.0)).abs() < reach)
        .collect();
    if near.len() < 12 {
        return *side;
    }
    let mut q = [0.0, 0.0, side.bow];
    for _ in 0..8 {
        let Some(next) = weighted_parabola(&near, &q, 0.5 * reach) else {
            break;
        };
        q = next;
    }
    side.moved(q)
}

/// One step of reweighted least squares with Tukey's weights about the parabola `q`.
fn weighted_parabola(points: &[[f64; 2]], q: &[f64; 3], scale: f64) -> Option<[f64; 3]> {
    let (mut m, mut r) = (Matrix3::zeros(), Vector3::zeros());
    for [t, v] in points {
        let basis = Vector3::new(1.0, *t, t * t - 1.0 / 3.0);
        let off = (v - basis.dot(&Vector3::from(*q))) / scale;
        let weight = (1.0 - off * off).max(0.0).powi(2);
        m += basis * basis.transpose() * weight;
        r += basis * (*v * weight);
    }
    m += Matrix3::from_diagonal(&Vector3::new(1e-9, 1e-3, 1e-1));
    Some((m.try_inverse()? * r).into())
}

/// Lets every side run from its crossing with the last to its crossing with the next.
fn joined(sides: &[Side; 4]) -> [Side; 4] {
    let corner = [0, 1, 2, 3].map(|i| crossing(&sides[(i + 3) % 4], &sides[i]));
    [0, 1, 2, 3].map(|i| {
        let old = &sides[i];
        Side {
            from: corner[i].unwrap_or(old.from),
            to: corner[(i + 1) % 4].unwrap_or(old.to),
            bow: old.bow,
        }
    })
}

/// Where the two chords cross.
fn crossing(p: &Side, q: &Side) -> Option<Spot> {
    let (a, b) = (p.along(), q.along());
    let det = a[0] * b[1] - a[1] * b[0];
    if det.abs() < 0.2 {
        return None;
    }
    let d = [q.from[0] - p.from[0], q.from[1] - p.from[1]];
    let s = (d[0] * b[1] - d[1] * b[0]) / det;
    Some([p.from[0] + s * a[0], p.from[1] + s * a[1]])
}
