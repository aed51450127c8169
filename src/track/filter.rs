//! A Kalman filter of one ball in table space.

use crate::{
    model::Measurement,
    units::{TablePoint, TableVec},
};

/// Random acceleration a rolling or sliding ball may show, mm/s^2 (friction is at most 0.2 g).
const ACCELERATION: f64 = 2500.0;
/// Speed a ball may have after a contact it was not known to have, mm/s.
const CONTACT_SPEED: f64 = 3000.0;

/// Place and velocity with their covariance, the same in all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) pos: TablePoint,
    pub(crate) vel: TableVec,
    /// Variances of place (mm^2) and velocity (mm^2/s^2), and their covariance (mm^2/s).
    place: f64,
    cross: f64,
    speed: f64,
}

impl Filter {
    /// A ball seen for the first time: at rest, as far as is known.
    pub(crate) fn new(seen: &Measurement) -> Self {
        Self {
            pos: seen.pos,
            vel: TableVec::ZERO,
            place: variance(seen),
            cross: 0.0,
            speed: 500.0 * 500.0,
        }
    }

    /// Standard deviation of the place, mm.
    pub(crate) fn sigma_mm(&self) -> f64 {
        self.place.max(0.0).sqrt()
    }

    /// Moves on by `dt` seconds with constant velocity.
    pub(crate) fn predict(&mut self, dt: f64) {
        let q = ACCELERATION * ACCELERATION;
        self.pos = self.pos + self.vel * dt;
        self.place += dt * (2.0 * self.cross + dt * self.speed) + 0.25 * q * dt.powi(4);
        self.cross += dt * self.speed + 0.5 * q * dt.powi(3);
        self.speed += q * dt * dt;
    }

    /// Out of sight for long: the ball is not carried on for ever, and never off the table.
    pub(crate) fn coast(&mut self, limits: TableVec) {
        self.vel = self.vel * 0.8;
        self.pos = TablePoint::new(
            self.pos.x.clamp(0.0, limits.x),
            self.pos.y.clamp(0.0, limits.y),
        );
    }

    /// Takes in what was seen. A place more than four sigmas off says that the velocity jumped: the old one is forgotten.
    pub(crate) fn update(&mut self, seen: &Measurement, dt: f64) {
        let off = seen.pos - self.pos;
        if off.norm() > 4.0 * (self.place + variance(seen)).sqrt() {
            let jump = (off.norm() / dt.max(1e-3)).max(CONTACT_SPEED);
            self.speed += jump * jump;
            self.cross += jump * jump * dt;
            self.place += jump * jump * dt * dt;
        }
        let total = self.place + variance(seen);
        let (gain, gain_v) = (self.place / total, self.cross / total);
        self.pos = self.pos + off * gain;
        self.vel += off * gain_v;
        self.speed = (self.speed - gain_v * self.cross).max(1.0);
        self.cross *= 1.0 - gain;
        self.place *= 1.0 - gain;
    }
}

fn variance(seen: &Measurement) -> f64 {
    seen.sigma_mm().powi(2).max(0.01)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Measurement {
        Measurement {
            pos: TablePoint::new(x, 0.0),
            covariance: [0.25, 0.0, 0.25],
            streak: None,
            visible: 1.0,
        }
    }

    #[test]
    fn follows_a_struck_ball_within_a_few_frames_and_stays_on_a_rolling_one() {
        let dt = 1.0 / 60.0;
        let mut f = Filter::new(&at(0.0));
        for _ in 0..60 {
            f.predict(dt);
            f.update(&at(0.0), dt);
        }
        assert!(f.vel.norm() < 20.0);
        for k in 1..=4 {
            f.predict(dt);
            f.update(&at(4000.0 * dt * f64::from(k)), dt);
        }
        assert!((f.vel.x - 4000.0).abs() < 200.0, "{f:?}");
    }
}
