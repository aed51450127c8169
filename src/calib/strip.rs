//! The strip of picture along one side of the bed, straightened, and the lines that run through it.

use super::{
    outline::Side,
    raster::{brightness, colour_at},
};
use crate::model::Picture;

/// Stations along a side.
const STATIONS: usize = 161;
/// Share of the side they cover: corners have pockets, mitres and neighbours' shadows.
const COVER: f64 = 0.93;
/// Most lines kept per side.
const MOST_LINES: usize = 9;

/// A straightened strip: colours at stations along the side and offsets across it.
pub(crate) struct Strip {
    /// Offsets run from `-reach` to `reach` px, one px apart.
    pub(crate) reach: usize,
    /// Colour at `[station * offsets + offset]`; NaN outside of the picture.
    colours: Vec<[f32; 3]>,
    /// Derivative across the side (outwards), smoothed, levels per px.
    slopes: Vec<[f32; 3]>,
}

/// A line along a side, v(t) = a + b t + c (t^2 - 1/3) px outwards of the side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Mean offset, px.
    pub(crate) a: f64,
    /// Offset's growth from the middle to the end, px.
    pub(crate) b: f64,
    /// Bow on top of the side's own, px.
    pub(crate) c: f64,
    /// Mean slope of the colours across it, blue, green, red, levels per px.
    pub(crate) slope: [f32; 3],
    /// Share of the stations that show it.
    pub(crate) cover: f64,
}

impl Line {
    /// Offset at `t`.
    pub(crate) fn at(&self, t: f64) -> f64 {
        self.a + self.b * t + self.c * (t * t - 1.0 / 3.0)
    }

    /// Size of the mean slope, levels per px.
    pub(crate) fn strength(&self) -> f64 {
        f64::from(norm(self.slope))
    }

    /// Brighter outside than inside.
    pub(crate) fn rises(&self) -> bool {
        brightness(self.slope) > 0.0
    }
}

/// Station `i`'s place along the side, -1..1.
fn station(i: usize) -> f64 {
    COVER * (2.0 * i as f64 / (STATIONS - 1) as f64 - 1.0)
}

impl Strip {
    /// Reads the strip `reach` px to both sides.
    pub(crate) fn read(picture: &Picture, side: &Side, reach: usize) -> Self {
        let offsets = 2 * reach + 1;
        let smooth = 1.5 / side.length().max(1.0);
        let mut colours = Vec::with_capacity(STATIONS * offsets);
        for i in 0..STATIONS {
            for k in 0..offsets {
                let (t, v) = (station(i), k as f64 - reach as f64);
                let three =
                    [-2.0, 0.0, 2.0].map(|s| colour_at(picture, side.point(t + s * smooth, v)));
                colours.push([0, 1, 2].map(|c| (three[0][c] + three[1][c] + three[2][c]) / 3.0));
            }
        }
        let slopes = slopes(&colours, offsets);
        Self {
            reach,
            colours,
            slopes,
        }
    }

    fn offsets(&self) -> usize {
        2 * self.reach + 1
    }

    /// Lines that run along most of the side, strongest first.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let offsets = self.offsets();
        let mut best: Vec<(f32, [f64; 2])> = vec![(0.0, [0.0; 2]); offsets];
        for b in -8..=8 {
            for c in -4..=4 {
                let bend = [f64::from(b), f64::from(c)];
                for (k, s) in self.gathered(bend).iter().enumerate() {
                    if norm(*s) > best[k].0 {
                        best[k] = (norm(*s), bend);
                    }
                }
            }
        }
        let mut peaks: Vec<usize> = (3..offsets - 3)
            .filter(|k| best[*k].0 > 0.0 && (k - 3..=k + 3).all(|n| best[n].0 <= best[*k].0))
            .collect();
        peaks.sort_by(|p, q| best[*q].0.total_cmp(&best[*p].0));
        peaks.truncate(MOST_LINES);
        let floor = 0.06 * peaks.first().map_or(0.0, |p| best[*p].0);
        peaks
            .into_iter()
            .filter(|k| best[*k].0 > floor.max(0.4))
            .map(|k| self.line(k, best[k].1))
            .collect()
    }

    /// For every mean offset the mean slope along the line with that bend. Single stations count no more than four
    /// times the usual: a hand's edge must not make a line.
    fn gathered(&self, [b, c]: [f64; 2]) -> Vec<[f32; 3]> {
        let offsets = self.offsets();
        let mut sum = vec![[0.0f32; 3]; offsets];
        for i in 0..STATIONS {
            let t = station(i);
            let shift = (b * t + c * (t * t - 1.0 / 3.0)).round() as isize;
            let row = &self.slopes[i * offsets..(i + 1) * offsets];
            let from = shift.max(0) as usize;
            let to = (offsets as isize + shift.min(0)) as usize;
            for k in from..to {
                let s = row[k];
                let target = &mut sum[(k as isize - shift) as usize];
                for n in 0..3 {
                    target[n] += s[n];
                }
            }
        }
        sum.iter().map(|s| s.map(|v| v / STATIONS as f32)).collect()
    }

    fn line(&self, k: usize, [b, c]: [f64; 2]) -> Line {
        let around = self.gathered([b, c]);
        let (l, m, r) = (norm(around[k - 1]), norm(around[k]), norm(around[k + 1]));
        let curve = l - 2.0 * m + r;
        let shift = if curve < 0.0 {
            f64::from(0.5 * (l - r) / curve).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        let mut line = Line {
            a: k as f64 - self.reach as f64 + shift,
            b,
            c,
            slope: around[k],
            cover: 0.0,
        };
        line.cover = self.cover(&line);
        line
    }

    /// Share of the stations where the slope at the line points the line's way at no less than a third of its size.
    fn cover(&self, line: &Line) -> f64 {
        let least = 0.33 * norm(line.slope).powi(2);
        let seen = (0..STATIONS)
            .filter(|i| {
                let v = line.at(station(*i)).round() as isize + self.reach as isize;
                (-1..=1).any(|d| {
                    self.slopes
                        .get(i * self.offsets() + (v + d).max(0) as usize)
                        .is_some_and(|s| (0..3).map(|n| s[n] * line.slope[n]).sum::<f32>() > least)
                })
            })
            .count();
        seen as f64 / STATIONS as f64
    }

    /// Median colour between two offsets from a line, px, over all stations.
    pub(crate) fn colour_beside(&self, line: &Line, near: f64, far: f64) -> Option<[f32; 3]> {
        let mut found: [Vec<f32>; 3] = Default::default();
        for i in 0..STATIONS {
            let v = line.at(station(i)) + self.reach as f64;
            let (lo, hi) = (v + near.min(far), v + near.max(far));
            for k in lo.round().max(0.0) as usize..=(hi.round().max(0.0) as usize) {
                if k >= self.offsets() {
                    break;
                }
                let c = self.colours[i * self.offsets() + k];
                for n in 0..3 {
                    if c[n].is_finite() {
                        found[n].push(c[n]);
                    }
                }
            }
        }
        (found[0].len() > STATIONS / 3).then(|| {
            found.map(|mut f| {
                let middle = f.len() / 2;
                *f.select_nth_unstable_by(middle, f32::total_cmp).1
            })
        })
    }
}

/// Derivative of a Gaussian (sigma 1 px) across the side; zero at the ends and outside of the picture; single slopes
/// are capped at 40 levels per px.
fn slopes(colours: &[[f32; 3]], offsets: usize) -> Vec<[f32; 3]> {
    let kernel = [0.054f32, 0.242, 0.0];
    let mut out = vec![[0.0f32; 3]; colours.len()];
    for (row, target) in colours.chunks(offsets).zip(out.chunks_mut(offsets)) {
        for k in 3..offsets.saturating_sub(3) {
            let at = |d: isize| row[(k as isize + d) as usize];
            let s = [0, 1, 2].map(|n| {
                kernel[1] * (at(1)[n] - at(-1)[n]) + 2.0 * kernel[0] * (at(2)[n] - at(-2)[n])
            });
            if s.iter().all(|v| v.is_finite()) {
                let cap = 40.0 / norm(s).max(40.0);
                target[k] = s.map(|v| v * cap);
            }
        }
    }
    out
}

fn norm(s: [f32; 3]) -> f32 {
    (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt()
}
