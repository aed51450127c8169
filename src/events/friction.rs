//! What the cloth does to a ball after a contact.
//!
//! A ball that rolled (or lay still) keeps its spin through a contact, so it slips by just the change of its velocity:
//! it is slowed along that change until the slip is used up, and rolls from then on. Nothing of the kind can be said of
//! a ball that was sliding already.

use crate::events::{
    path::{Leg, Path, unit},
    plan::Plan,
    scene::{SLIDE_S, Touch},
};

/// Deceleration of a slipping ball, mm/s^2: 0.2 g, with what cloths differ by.
pub(super) const SLIDING_MM_S2: f64 = 1950.0;
const SLIDING_SPREAD_MM_S2: f64 = 400.0;
/// The direction of the slip is known better.
const ACROSS_SPREAD_MM_S2: f64 = 200.0;
/// Deceleration of a rolling ball, mm/s^2: 0.01 g, with slope and cloth.
const ROLLING_MM_S2: f64 = 100.0;
const ROLLING_SPREAD_MM_S2: f64 = 100.0;
/// Bending of a fast ball's path by calibration error that changes along it, 1/mm: 1.5 mm over half a metre.
const BENDING_PER_MM: f64 = 3e-5;

/// How a ball is slowed after a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Friction {
    /// It slides with a spin nobody knows.
    Any,
    /// It slips by the change of its velocity.
    Pushed,
    /// It rolls.
    Rolling,
}

/// Seconds until a ball pushed by that change of velocity rolls, mm/s. A cushion takes a part of the spin.
pub(super) fn slide_s(jump: f64, cushion: bool) -> f64 {
    let share = if cushion { 0.7 } else { 1.0 };
    share * 2.0 / 7.0 * jump / SLIDING_MM_S2
}

/// Deviations of the acceleration after a contact: along its expected direction and across.
pub(super) type Spread = [f64; 2];

impl Plan<'_> {
    /// What slows an actor after contact `k`.
    pub(super) fn friction(&self, k: usize, actor: usize) -> Friction {
        let first = !self.contacts[..k].iter().any(|d| d.touch.involves(actor));
        let who = &self.scene.actors[actor];
        match self.contacts[k].touch {
            Touch::Kink { .. } => Friction::Rolling,
            Touch::Balls { .. } | Touch::Cushion { .. } if first && (who.rest || who.rolls) => {
                Friction::Pushed
            }
            _ => Friction::Any,
        }
    }

    /// Deviations of an actor's acceleration after contact `k`.
    pub(super) fn friction_spread(&self, k: usize, actor: usize, path: &Path) -> Spread {
        match self.friction(k, actor) {
            Friction::Any => [self.scene.options.acceleration_mm_s2; 2],
            Friction::Pushed => [SLIDING_SPREAD_MM_S2, ACROSS_SPREAD_MM_S2],
            Friction::Rolling => {
                let (_, w, _) = self.around(k, actor, path);
                [ROLLING_SPREAD_MM_S2 + BENDING_PER_MM * (w[0] * w[0] + w[1] * w[1]); 2]
            }
        }
    }

    /// Residuals of the acceleration after contact `k`, of each ball that takes part.
    pub(super) fn friction_rows(
        &self,
        k: usize,
        paths: &[Path],
        spread: &[Spread; 2],
        rows: &mut Vec<f64>,
    ) {
        let touch = self.contacts[k].touch;
        if matches!(touch, Touch::Stop { .. }) {
            return;
        }
        for (i, s) in [Some(touch.first()), touch.second()]
            .into_iter()
            .zip(spread)
        {
            let Some(i) = i else { continue };
            let (v, w, _) = self.around(k, i, &paths[i]);
            let acc = self.leg_after(k, i, &paths[i]).acc;
            let (slip, slows) = match self.friction(k, i) {
                Friction::Any => (w, 0.0),
                Friction::Pushed => ([w[0] - v[0], w[1] - v[1]], SLIDING_MM_S2),
                Friction::Rolling => (w, ROLLING_MM_S2),
            };
            let n = unit(slip);
            rows.push((acc[0] * n[0] + acc[1] * n[1] + slows) / s[0]);
            rows.push((acc[1] * n[0] - acc[0] * n[1]) / s[1]);
        }
    }

    /// Residuals of the first leg's acceleration.
    pub(super) fn first_friction(&self, actor: usize, leg: &Leg) -> [f64; 2] {
        let who = &self.scene.actors[actor];
        let any = self.scene.options.acceleration_mm_s2;
        if !who.rolls {
            return leg.acc.map(|a| a / any);
        }
        // The guess decides on the deviation, so that it is the same for every reading.
        let speed = who.before.fit.vel.norm();
        let spread = ROLLING_SPREAD_MM_S2 + BENDING_PER_MM * speed * speed;
        let n = unit(leg.vel);
        [0, 1].map(|k| (leg.acc[k] + ROLLING_MM_S2 * n[k]) / spread)
    }

    /// Where in time a contact is looked for: middle and spread, s. `paths` decide for the end of a known slide.
    pub(super) fn when(&self, k: usize, p: &[f64], paths: &[Path]) -> (f64, f64) {
        let (from, to) = self.scene.window;
        let touch = self.contacts[k].touch;
        if let (Touch::Kink { a }, Some(j)) = (touch, self.previous(k))
            && self.friction(j, a) == Friction::Pushed
        {
            let (v, w, _) = self.around(j, a, &paths[a]);
            let jump = (w[0] - v[0]).hypot(w[1] - v[1]);
            let slide = slide_s(
                jump,
                matches!(self.contacts[j].touch, Touch::Cushion { .. }),
            );
            return (p[self.slots[j][2]] + slide, 0.005 + 0.3 * slide);
        }
        match touch {
            Touch::Kink { .. } | Touch::Stop { .. } => {
                (0.5 * (from + to + SLIDE_S), 0.5 * (to - from + SLIDE_S))
            }
            _ => (0.5 * (from + to), 0.5 * (to - from) + 0.004),
        }
    }

    /// The contact before `k` of the same (first) ball.
    fn previous(&self, k: usize) -> Option<usize> {
        let a = self.contacts[k].touch.first();
        (0..k).rev().find(|&j| self.contacts[j].touch.involves(a))
    }
}
