//! A camera with faults: noise, blur, smooth calibration error, lost and wrong measurements.

use marqueur::{
    model::{BallState, Measurement, TrackedFrame},
    units::{TablePoint, TableVec, Timestamp},
};

use super::trajectory::{Trajectory, ball};

/// SplitMix64: small, and its numbers never change.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn gauss(&mut self) -> f64 {
        let r = (-2.0 * self.uniform().max(1e-300).ln()).sqrt();
        r * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Camera {
    pub fps: f64,
    pub sigma_mm: f64,
    /// Share of the blur's length that is added to the deviation.
    pub blur: f64,
    pub exposure_s: f64,
    pub dropout: f64,
    pub outlier: f64,
    /// Size of the smooth calibration error, mm, and its scale error.
    pub bias_mm: f64,
    pub scale: f64,
    /// Seconds of rest before the stroke and after the end.
    pub lead_s: f64,
    pub tail_s: f64,
}

impl Camera {
    pub fn usual(fps: f64, sigma_mm: f64) -> Self {
        Self {
            fps,
            sigma_mm,
            blur: 0.03,
            exposure_s: (0.4 / fps).min(0.008),
            dropout: 0.03,
            outlier: 0.003,
            bias_mm: 1.5,
            scale: 0.001,
            lead_s: 0.7,
            tail_s: 0.7,
        }
    }

    /// What it sees of a shot. The stroke is at `lead_s` plus a part of a frame; returns that time too.
    pub fn watch(&self, shot: &Trajectory, seed: u64) -> (Vec<TrackedFrame>, f64) {
        let mut dice = Dice::new(seed);
        let stroke = self.lead_s + dice.uniform() / self.fps;
        let field = [0; 4].map(|_| std::f64::consts::TAU * dice.uniform());
        let count = ((stroke + shot.stop + self.tail_s) * self.fps) as usize;
        let frames = (0..=count)
            .map(|i| {
                let at = Timestamp::from_secs(i as f64 / self.fps);
                let mut balls: Vec<BallState> = shot
                    .balls
                    .keys()
                    .filter_map(|n| self.see(shot, n, at.secs() - stroke, &field, &mut dice))
                    .collect();
                balls.sort_by_key(|b| b.id);
                TrackedFrame {
                    seq: i as u64,
                    at,
                    balls,
                    blind: false,
                }
            })
            .collect();
        (frames, stroke)
    }

    fn see(
        &self,
        shot: &Trajectory,
        name: &str,
        t: f64,
        field: &[f64; 4],
        dice: &mut Dice,
    ) -> Option<BallState> {
        let (place, speed) = shot.at(name, t)?;
        let place = self.displaced(place, shot, field);
        let sigma = self.sigma_mm + self.blur * speed * self.exposure_s;
        let wrong = dice.uniform() < self.outlier;
        let missed = dice.uniform() < self.dropout;
        let kick = if wrong { 10.0 } else { 0.0 };
        let turn = std::f64::consts::TAU * dice.uniform();
        let pos = TablePoint::new(
            place[0] + sigma * dice.gauss() + kick * turn.cos(),
            place[1] + sigma * dice.gauss() + kick * turn.sin(),
        );
        let seen = (!missed).then_some(Measurement {
            pos,
            covariance: [sigma * sigma, 0.0, sigma * sigma],
            streak: None,
            visible: 1.0,
        });
        Some(BallState {
            id: ball(name),
            pos,
            vel: TableVec::ZERO,
            sigma_mm: sigma,
            seen,
            handled: false,
        })
    }

    fn displaced(&self, p: [f64; 2], shot: &Trajectory, field: &[f64; 4]) -> [f64; 2] {
        let wave =
            |v: f64, length: f64, phase: f64| (std::f64::consts::TAU * v / length + phase).sin();
        let half = 0.5 * self.bias_mm;
        let off = [
            half * (wave(p[0], 1700.0, field[0]) + wave(p[1], 1100.0, field[1])),
            half * (wave(p[1], 1500.0, field[2]) + wave(p[0], 1300.0, field[3])),
        ];
        let middle = [0.5 * shot.table.length, 0.5 * shot.table.width];
        [0, 1].map(|k| p[k] + off[k] + self.scale * (p[k] - middle[k]))
    }
}
