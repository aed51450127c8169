//! Which region of the picture is the bed of a table.

use super::{
    cloth,
    combine::Small,
    error::CalibError,
    segment::{Segments, bridged, segments},
};

/// A point of the small picture.
pub(crate) type Spot = [f64; 2];

/// A region that may be a bed, on the small picture.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Share of the picture it fills.
    pub(crate) area: f64,
    /// Share of its convex hull it fills.
    pub(crate) solid: f64,
    /// Share of its convex hull that the largest quadrilateral in it fills.
    pub(crate) square: f64,
    /// Share of each edge of the picture it touches: left, right, top, bottom.
    pub(crate) touches: [f64; 4],
    /// The largest quadrilateral in its hull, clockwise as seen.
    pub(crate) quad: [Spot; 4],
    /// Mean colour, blue, green, red.
    pub(crate) colour: [f64; 3],
    /// Outermost points: first and last of each row and column.
    pub(crate) rim: Vec<Spot>,
    /// Its pixels.
    inside: Vec<bool>,
}

impl Region {
    /// How much it looks like a whole bed: large, full, four-cornered, in the middle, clear of the edges.
    pub(crate) fn score(&self, small: &Small) -> f64 {
        let middle = self.middle();
        let off =
            (middle[0] / small.width as f64 - 0.5).hypot(middle[1] / small.height as f64 - 0.5);
        let clear = 1.0 - self.touches.iter().fold(0.0f64, |a, t| a.max(*t));
        self.area.sqrt() * self.solid.powi(2) * self.square.powi(3) * (1.0 - off) * clear.powi(2)
    }

    /// Middle of its quadrilateral.
    pub(crate) fn middle(&self) -> Spot {
        [0, 1].map(|c| self.quad.iter().map(|p| p[c]).sum::<f64>() / 4.0)
    }

    /// Longer over shorter pair of opposite sides, in the picture.
    fn aspect(&self) -> f64 {
        let side = |i: usize| distance(self.quad[i], self.quad[(i + 1) % 4]);
        let (a, b) = (side(0) + side(2), side(1) + side(3));
        a.max(b) / a.min(b).max(1e-9)
    }

    fn plausible(&self) -> bool {
        self.area > 0.04 && self.solid > 0.72 && self.square > 0.8
    }
}

/// Most outlines that are looked at closely.
const MOST: usize = 6;

/// Finds what may be the bed, likeliest first. Several loosenesses of the cut are tried, every region as it is, with
/// its neighbours behind thin lines, and grown to all cloth of its colour.
///
/// # Errors
/// No table, one that runs out of the picture, or two.
pub(crate) fn beds(small: &Small) -> Result<Vec<Region>, CalibError> {
    let mut all = plausible(small);
    let order = |a: &Region, b: &Region| b.score(small).total_cmp(&a.score(small));
    all.sort_by(order);
    let grown: Vec<Region> = all
        .iter()
        .take(3)
        .filter_map(|r| described(small, cloth::grown(small, &r.inside)))
        .filter(Region::plausible)
        .collect();
    all.extend(grown);
    all.sort_by(order);
    let Some(bed) = all.first() else {
        return Err(CalibError::NoTable {
            why: "no four-cornered area of even colour is large enough to be a bed of cloth"
                .to_owned(),
        });
    };
    if bed.touches.iter().all(|t| *t > 0.5) {
        return Err(CalibError::NoTable {
            why: "one even colour fills the picture to all its edges, without cushions".to_owned(),
        });
    }
    if let Some(second) = all.iter().find(|r| is_second_table(bed, r)) {
        let [x, y] = second.middle();
        return Err(CalibError::TwoTables {
            x: small.to_full(x),
            y: small.to_full(y),
        });
    }
    let mut different: Vec<Region> = Vec::new();
    for region in all {
        let known = |d: &Region| (0..4).all(|i| distance(d.quad[i], region.quad[i]) < 2.5);
        if different.len() < MOST && !different.iter().any(known) {
            different.push(region);
        }
    }
    Ok(different)
}

/// All regions that may be a bed.
fn plausible(small: &Small) -> Vec<Region> {
    let mut all = Vec::new();
    for looseness in [60.0, 200.0, 600.0] {
        let cut = segments(small, looseness);
        let whole = bridged(small, &cut);
        all.extend(
            regions(small, &cut)
                .into_iter()
                .chain(regions(small, &whole)),
        );
    }
    all.retain(Region::plausible);
    all
}

/// The names of the picture's edges that the region runs out of.
pub(crate) fn cut_off(region: &Region) -> Option<String> {
    let names = ["left", "right", "top", "bottom"];
    let cut: Vec<&str> = names
        .iter()
        .zip(region.touches)
        .filter(|(_, t)| *t > 0.08)
        .map(|(n, _)| *n)
        .collect();
    (!cut.is_empty()).then(|| cut.join(" and "))
}

fn is_second_table(first: &Region, other: &Region) -> bool {
    let apart = !within(&first.quad, other.middle()) && !within(&other.quad, first.middle());
    let alike = (0..3).all(|c| {
        let ratio = (other.colour[c] + 12.0) / (first.colour[c] + 12.0);
        (0.6..1.7).contains(&ratio)
    });
    apart
        && alike
        && other.area > 0.45 * first.area
        && other.solid > 0.85
        && other.square > 0.88
        && (1.3..3.2).contains(&other.aspect())
        && (1.3..3.2).contains(&first.aspect())
}

/// All regions of at least three hundredths of the picture.
fn regions(small: &Small, cut: &Segments) -> Vec<Region> {
    let mut size = vec![0usize; cut.count];
    for l in &cut.label {
        size[*l as usize] += 1;
    }
    let least = small.pixels.len() * 3 / 100;
    (0..cut.count)
        .filter(|l| size[*l] > least)
        .filter_map(|l| described(small, cut.label.iter().map(|k| *k as usize == l).collect()))
        .collect()
}

/// Measures the region of the marked pixels.
fn described(small: &Small, inside: Vec<bool>) -> Option<Region> {
    let (w, h) = (small.width, small.height);
    let mut rows = vec![[usize::MAX, 0]; h];
    let mut columns = vec![[usize::MAX, 0]; w];
    let (mut n, mut colour) = (0usize, [0.0; 3]);
    for y in 0..h {
        for x in 0..w {
            if inside[y * w + x] {
                rows[y] = [rows[y][0].min(x), rows[y][1].max(x)];
                columns[x] = [columns[x][0].min(y), columns[x][1].max(y)];
                n += 1;
                for (c, m) in colour.iter_mut().enumerate() {
                    *m += f64::from(small.pixels[y * w + x][c]);
                }
            }
        }
    }
    let mut rim = Vec::new();
    for (y, r) in rows.iter().enumerate().filter(|(_, r)| r[0] <= r[1]) {
        rim.extend([[r[0] as f64, y as f64], [r[1] as f64, y as f64]]);
    }
    for (x, c) in columns.iter().enumerate().filter(|(_, c)| c[0] <= c[1]) {
        rim.extend([[x as f64, c[0] as f64], [x as f64, c[1] as f64]]);
    }
    let hull = hull(&rim);
    let quad = largest_quad(&hull)?;
    let hull_area = area(&hull);
    let edge = |count: usize, of: usize| count as f64 / of as f64;
    Some(Region {
        area: n as f64 / (w * h) as f64,
        solid: (n as f64 / hull_area.max(1.0)).min(1.0),
        square: area(&quad) / hull_area.max(1.0),
        touches: [
            edge((0..h).filter(|y| inside[y * w]).count(), h),
            edge((0..h).filter(|y| inside[y * w + w - 1]).count(), h),
            edge((0..w).filter(|x| inside[*x]).count(), w),
            edge((0..w).filter(|x| inside[(h - 1) * w + x]).count(), w),
        ],
        quad,
        colour: colour.map(|c| c / n.max(1) as f64),
        rim,
        inside,
    })
}

/// Convex hull, clockwise as seen (y down).
fn hull(points: &[Spot]) -> Vec<Spot> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    let half = |points: &mut dyn Iterator<Item = Spot>| {
        let mut chain: Vec<Spot> = Vec::new();
        for p in points {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut out = half(&mut sorted.iter().copied());
    out.extend(half(&mut sorted.iter().rev().copied()));
    out
}

/// The four corners of a hull that enclose most, clockwise as seen; the hull is first thinned to its 20 sharpest corners.
fn largest_quad(hull: &[Spot]) -> Option<[Spot; 4]> {
    let mut h = hull.to_vec();
    while h.len() > 20 {
        let n = h.len();
        let blunt = |i: usize| turn(h[(i + n - 1) % n], h[i], h[(i + 1) % n]).abs();
        let drop = (0..n).min_by(|a, b| blunt(*a).total_cmp(&blunt(*b)))?;
        h.remove(drop);
    }
    let n = h.len();
    let mut best: Option<(f64, [Spot; 4])> = None;
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                for d in c + 1..n {
                    let quad = [h[a], h[b], h[c], h[d]];
                    let size = area(&quad);
                    if best.is_none_or(|x| size > x.0) {
                        best = Some((size, quad));
                    }
                }
            }
        }
    }
    best.map(|b| b.1)
}

/// Positive when a, b, c turn clockwise as seen (y down).
fn turn(a: Spot, b: Spot, c: Spot) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn area(polygon: &[Spot]) -> f64 {
    let n = polygon.len();
    let twice: f64 = (0..n)
        .map(|i| {
            let (p, q) = (polygon[i], polygon[(i + 1) % n]);
            p[0] * q[1] - p[1] * q[0]
        })
        .sum();
    0.5 * twice.abs()
}

fn within(quad: &[Spot; 4], p: Spot) -> bool {
    (0..4).all(|i| turn(quad[i], quad[(i + 1) % 4], p) >= 0.0)
}

pub(crate) fn distance(a: Spot, b: Spot) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}
