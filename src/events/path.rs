//! Motion of a ball through a scene: legs of constant acceleration, end to end.

use crate::model::Cushion;

/// Most legs of a ball in one scene.
pub(super) const LEGS: usize = 7;

/// A stretch of constant acceleration from `t` on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    pub t: f64,
    pub pos: [f64; 2],
    pub vel: [f64; 2],
    pub acc: [f64; 2],
}

impl Leg {
    pub(super) fn at(&self, t: f64) -> [f64; 2] {
        let d = t - self.t;
        [0, 1].map(|k| self.pos[k] + d * (self.vel[k] + 0.5 * d * self.acc[k]))
    }

    pub(super) fn velocity_at(&self, t: f64) -> [f64; 2] {
        let d = t - self.t;
        [0, 1].map(|k| self.vel[k] + d * self.acc[k])
    }
}

/// The legs of one ball.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    pub legs: [Leg; LEGS],
    pub count: usize,
}

impl Path {
    /// The leg valid at `t`.
    pub(super) fn leg(&self, t: f64) -> &Leg {
        let mut found = 0;
        for k in 1..self.count {
            if self.legs[k].t <= t {
                found = k;
            }
        }
        &self.legs[found]
    }

    /// Place at `t`.
    pub(super) fn at(&self, t: f64) -> [f64; 2] {
        self.leg(t).at(t)
    }
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn unit(a: [f64; 2]) -> [f64; 2] {
    let n = a[0].hypot(a[1]).max(1e-9);
    [a[0] / n, a[1] / n]
}

/// Direction into the cushion.
pub(super) fn normal(cushion: Cushion) -> [f64; 2] {
    match cushion {
        Cushion::S => [-1.0, 0.0],
        Cushion::N => [1.0, 0.0],
        Cushion::W => [0.0, -1.0],
        Cushion::E => [0.0, 1.0],
    }
}
