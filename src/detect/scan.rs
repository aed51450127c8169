//! A coarse look over the whole bed: where could balls be, and what else lies over the cloth?

use crate::{
    detect::{
        background::Background,
        colour::{Bgr, Colours, Shown},
    },
    model::Picture,
};

/// A connected patch of one ball's colour on the coarse grid.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// Index of the colour.
    pub(crate) colour: usize,
    /// Number of grid points.
    pub(crate) count: usize,
    /// Mean place, px.
    pub(crate) centre: [f64; 2],
    /// Second moments about it, px^2: xx, xy, yy.
    pub(crate) moments: [f64; 3],
    /// Grid points, for a closer look at patches that are too large.
    pub(crate) points: Vec<[usize; 2]>,
}

impl Patch {
    /// Larger and smaller variance, and the direction of the larger.
    pub(crate) fn axes(&self) -> (f64, f64, [f64; 2]) {
        let [a, b, c] = self.moments;
        let mean = 0.5 * (a + c);
        let off = (0.5 * (a - c)).hypot(b);
        let angle = 0.5 * (2.0 * b).atan2(a - c);
        (mean + off, mean - off, [angle.cos(), angle.sin()])
    }
}

/// The coarse grid of one picture.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    /// Distance of grid points, px.
    pub(crate) step: usize,
    width: usize,
    height: usize,
    origin: [usize; 2],
    /// 0 cloth or shadow, 1 something else, 2 + k ball k.
    cells: Vec<u8>,
    /// Grid points that lie on the bed.
    pub(crate) on_bed: usize,
    /// Those of them that show something else.
    pub(crate) other: usize,
}

const OTHER: u8 = 1;
const FIRST_BALL: u8 = 2;
/// A ball must cover this share of a grid point's pixel to count there.
const LEAST_SHARE: f32 = 0.3;

impl Scan {
    /// Looks at every `step`-th pixel of every `step`-th row of the bed.
    pub(crate) fn new(
        picture: &Picture,
        background: &Background,
        colours: &Colours,
        step: usize,
    ) -> Self {
        let bed = &background.bed;
        let rows: Vec<usize> = (bed.top()..bed.bottom()).step_by(step).collect();
        let left = rows.iter().map(|&y| bed.span(y).start).min().unwrap_or(0);
        let right = rows.iter().map(|&y| bed.span(y).end).max().unwrap_or(0);
        let width = right.saturating_sub(left) / step + 1;
        let mut cells = vec![0; width * rows.len()];
        let (mut on_bed, mut other) = (0, 0);
        for (j, &y) in rows.iter().enumerate() {
            let span = bed.span(y);
            let first = span.start.saturating_sub(left).div_ceil(step);
            for (i, x) in (left + first * step..span.end).step_by(step).enumerate() {
                on_bed += 1;
                let value = match colours.explain(pixel(picture, x, y), background.colour(x, y)) {
                    Shown::Other => {
                        other += 1;
                        OTHER
                    }
                    Shown::Ball(k, share) if share >= LEAST_SHARE => FIRST_BALL + k,
                    _ => continue,
                };
                cells[j * width + first + i] = value;
            }
        }
        Self {
            step,
            width,
            height: rows.len(),
            origin: [left, bed.top()],
            cells,
            on_bed,
            other,
        }
    }

    /// The connected patches of ball colours (eight neighbours, one empty grid point bridged), largest first.
    pub(crate) fn patches(&self) -> Vec<Patch> {
        let mut seen = vec![false; self.cells.len()];
        let mut out = vec![];
        for start in 0..self.cells.len() {
            if self.cells[start] >= FIRST_BALL && !seen[start] {
                out.push(self.grow(start, &mut seen));
            }
        }
        out.sort_by(|a, b| {
            b.count
                .cmp(&a.count)
                .then(a.centre[0].total_cmp(&b.centre[0]))
        });
        out
    }

    fn grow(&self, start: usize, seen: &mut [bool]) -> Patch {
        let value = self.cells[start];
        let mut stack = vec![start];
        seen[start] = true;
        let mut points = vec![];
        while let Some(at) = stack.pop() {
            let (i, j) = (at % self.width, at / self.width);
            points.push([i, j]);
            for nj in j.saturating_sub(2)..(j + 3).min(self.height) {
                for ni in i.saturating_sub(2)..(i + 3).min(self.width) {
                    let next = nj * self.width + ni;
                    if self.cells[next] == value && !seen[next] {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
        }
        let n = points.len() as f64;
        let at = |p: &[usize; 2]| self.place(*p);
        let centre = points
            .iter()
            .fold([0.0; 2], |s, p| [s[0] + at(p)[0] / n, s[1] + at(p)[1] / n]);
        let mut moments = [0.0; 3];
        for p in &points {
            let (dx, dy) = (at(p)[0] - centre[0], at(p)[1] - centre[1]);
            moments = [
                moments[0] + dx * dx / n,
                moments[1] + dx * dy / n,
                moments[2] + dy * dy / n,
            ];
        }
        Patch {
            colour: usize::from(value - FIRST_BALL),
            count: points.len(),
            centre,
            moments,
            points,
        }
    }

    /// Place of a grid point, px.
    pub(crate) fn place(&self, p: [usize; 2]) -> [f64; 2] {
        [
            (self.origin[0] + p[0] * self.step) as f64,
            (self.origin[1] + p[1] * self.step) as f64,
        ]
    }

    /// Share of the grid points between two radii around a place that show the colour; `None` where there are none.
    pub(crate) fn share_around(
        &self,
        colour: usize,
        centre: [f64; 2],
        radii: [f64; 2],
    ) -> Option<f64> {
        let reach = (radii[1] / self.step as f64).ceil() as isize;
        let ci = ((centre[0] - self.origin[0] as f64) / self.step as f64).round() as isize;
        let cj = ((centre[1] - self.origin[1] as f64) / self.step as f64).round() as isize;
        let (mut n, mut hits) = (0u32, 0u32);
        for j in (cj - reach).max(0)..(cj + reach + 1).min(self.height as isize) {
            for i in (ci - reach).max(0)..(ci + reach + 1).min(self.width as isize) {
                let p = self.place([i as usize, j as usize]);
                let d = (p[0] - centre[0]).hypot(p[1] - centre[1]);
                if d >= radii[0] && d <= radii[1] {
                    n += 1;
                    let value = self.cells[j as usize * self.width + i as usize];
                    hits += u32::from(value == FIRST_BALL + colour as u8);
                }
            }
        }
        (n > 0).then(|| f64::from(hits) / f64::from(n))
    }

    /// Turns grid points of a patch that is no ball into "something else".
    pub(crate) fn demote(&mut self, patch: &Patch) {
        for p in &patch.points {
            self.cells[p[1] * self.width + p[0]] = OTHER;
        }
    }

    /// Whether a grid point and its neighbours all show something that is no ball: lines, rings and cues are too thin.
    fn inside_other(&self, at: usize) -> bool {
        let (i, j) = (at % self.width, at / self.width);
        let inner = i > 0 && j > 0 && i + 1 < self.width && j + 1 < self.height;
        inner
            && (j - 1..j + 2)
                .all(|j| (i - 1..i + 2).all(|i| self.cells[j * self.width + i] == OTHER))
    }

    /// Boxes of 6 x 6 grid points with at least a few of them well inside something that is no ball.
    pub(crate) fn occluded(&self) -> Vec<[f64; 4]> {
        const TILE: usize = 6;
        let across = self.width.div_ceil(TILE);
        let mut counts = vec![0u32; across * self.height.div_ceil(TILE)];
        for at in 0..self.cells.len() {
            if self.inside_other(at) {
                counts[(at / self.width / TILE) * across + at % self.width / TILE] += 1;
            }
        }
        let reach = ((TILE - 1) * self.step) as f64;
        counts
            .iter()
            .enumerate()
            .filter(|c| *c.1 >= 3)
            .map(|(t, _)| {
                let [x, y] = self.place([t % across * TILE, t / across * TILE]);
                [x, y, x + reach, y + reach]
            })
            .collect()
    }
}

/// A pixel of the picture.
pub(crate) fn pixel(picture: &Picture, x: usize, y: usize) -> Bgr {
    [
        f32::from(picture[[y, x, 0]]),
        f32::from(picture[[y, x, 1]]),
        f32::from(picture[[y, x, 2]]),
    ]
}
