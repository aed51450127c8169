//! One ball's raw measurements, made ready for fitting: finite, in order of time, with honest weights.

use crate::model::{Ball, Measurement};

/// A measured place of a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// s from the shot's own zero.
    pub t: f64,
    /// mm.
    pub pos: [f64; 2],
    /// Inverse covariance, mm^-2: xx, xy, yy.
    pub info: [f64; 3],
    /// Isotropic weight, mm^-2: one over the mean variance.
    pub weight: f64,
    /// Taken to be no measurement of this ball.
    pub outlier: bool,
}

impl Sample {
    /// From a measurement; `None` when it is not finite.
    pub(super) fn from_measurement(t: f64, m: &Measurement, floor_mm: f64) -> Option<Self> {
        let finite = t.is_finite() && m.pos.x.is_finite() && m.pos.y.is_finite();
        if !finite {
            return None;
        }
        let floor = floor_mm * floor_mm;
        let [xx, xy, yy] = m.covariance;
        let usable = xx.is_finite() && yy.is_finite() && xy.is_finite() && xx >= 0.0 && yy >= 0.0;
        let (xx, yy) = if usable {
            (xx + floor, yy + floor)
        } else {
            (4.0, 4.0)
        };
        let xy = if usable && xy * xy < 0.98 * xx * yy {
            xy
        } else {
            0.0
        };
        let det = xx * yy - xy * xy;
        Some(Self {
            t,
            pos: [m.pos.x, m.pos.y],
            info: [yy / det, -xy / det, xx / det],
            weight: 2.0 / (xx + yy),
            outlier: false,
        })
    }

    /// The same place, `factor` times less certain.
    pub(super) fn widened(mut self, factor: f64) -> Self {
        let k = 1.0 / (factor * factor);
        self.info = self.info.map(|v| v * k);
        self.weight *= k;
        self
    }

    /// Standard deviation, mm.
    pub(super) fn sigma(&self) -> f64 {
        self.weight.max(1e-12).sqrt().recip()
    }
}

/// All samples of one ball.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// Which ball.
    pub ball: Ball,
    /// In order of time, no two at one time.
    pub samples: Vec<Sample>,
}

impl Series {
    /// Scales the claimed deviations to the scatter that is there.
    ///
    /// The scatter is measured against the line through each sample's neighbours, separately for a ball that lies
    /// still and one that moves; medians, so contacts and outliers do not count. Never claims better than 0.7 of
    /// what was said, nor worse than six times.
    pub(super) fn calibrate_noise(&mut self) {
        let (still, moving): (Vec<_>, Vec<_>) = self.scatter().partition(|s| !s.moves);
        let still_factor = noise_factor(still.iter().map(|s| s.ratio).collect());
        let moving_factor = noise_factor(moving.iter().map(|s| s.ratio).collect());
        let marks: Vec<bool> = self.scatter().map(|s| s.moves).collect();
        let n = self.samples.len();
        for (i, sample) in self.samples.iter_mut().enumerate() {
            let j = i.saturating_sub(1).min(n.saturating_sub(3));
            let moves = marks.get(j).copied().unwrap_or(false);
            *sample = sample.widened(if moves { moving_factor } else { still_factor });
        }
    }

    fn scatter(&self) -> impl Iterator<Item = Scatter> + '_ {
        self.samples.windows(3).map(|w| {
            let span = w[2].t - w[0].t;
            let k = (w[1].t - w[0].t) / span;
            let spread = (w[1].sigma().powi(2)
                + ((1.0 - k) * w[0].sigma()).powi(2)
                + (k * w[2].sigma()).powi(2))
            .sqrt();
            let off =
                |axis: usize| w[1].pos[axis] - (1.0 - k) * w[0].pos[axis] - k * w[2].pos[axis];
            let run = (w[2].pos[0] - w[0].pos[0]).hypot(w[2].pos[1] - w[0].pos[1]);
            Scatter {
                ratio: off(0).hypot(off(1)) / spread,
                moves: run > 6.0 * w[1].sigma(),
            }
        })
    }
}

struct Scatter {
    ratio: f64,
    moves: bool,
}

/// Robust spread of two-dimensional ratios; their median is 1.177 when the claimed deviations are right.
fn noise_factor(mut ratios: Vec<f64>) -> f64 {
    ratios.retain(|r| r.is_finite());
    if ratios.len() < 8 {
        return 1.0;
    }
    let middle = ratios.len() / 2;
    let (_, median, _) = ratios.select_nth_unstable_by(middle, f64::total_cmp);
    (*median / 1.1774).clamp(0.7, 6.0)
}
