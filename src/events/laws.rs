//! The laws of contacts and of friction, with their tolerances, as residuals and as priors.

use std::f64::consts::TAU;

use crate::{
    events::{
        friction::Spread,
        path::{Leg, Path, dot, normal, unit},
        plan::Plan,
        reading::Detail,
        scene::Touch,
    },
    units::TablePoint,
};

/// Tolerances of one contact's laws, held fixed during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Laws {
    sigma: [f64; 4],
    /// Of the acceleration of the first and of the second ball's new leg.
    acc: [Spread; 2],
    /// Of its time, s.
    when: f64,
}

impl Plan<'_> {
    /// The tolerances at a point of the search.
    pub(super) fn laws(&self, p: &[f64], paths: &[Path]) -> Vec<Laws> {
        let options = self.scene.options;
        (0..self.contacts.len())
            .map(|k| {
                let touch = self.contacts[k].touch;
                let a = touch.first();
                let (v, w, _) = self.around(k, a, &paths[a]);
                let jump = (w[0] - v[0]).hypot(w[1] - v[1]);
                let acc = [Some(a), touch.second()].map(|i| match i {
                    Some(i) => self.friction_spread(k, i, &paths[i]),
                    None => [0.0; 2],
                });
                let when = self.when(k, p, paths).1;
                let sigma = match touch {
                    Touch::Kink { .. } => [1.0; 4],
                    Touch::Stop { .. } => [8.0; 4],
                    Touch::Cushion { cushion, .. } => {
                        let vn = dot(v, normal(cushion)).abs();
                        [
                            0.15 * vn + 25.0,
                            0.2 * vn + 15.0,
                            options.cushion_gap_mm,
                            1.0,
                        ]
                    }
                    Touch::Balls { .. } => [
                        0.02 * jump + 8.0,
                        0.05 * jump + 8.0,
                        options.ball_gap_mm,
                        0.04 * jump + 10.0,
                    ],
                    Touch::Jaw { .. } | Touch::Strike { .. } | Touch::Unknown { .. } => [2000.0; 4],
                };
                Laws { sigma, acc, when }
            })
            .collect()
    }

    /// Residuals of contact `k`: when it is looked for, how the balls are slowed after it, its own laws.
    pub(super) fn contact_rows(
        &self,
        k: usize,
        p: &[f64],
        paths: &[Path],
        laws: &Laws,
        rows: &mut Vec<f64>,
    ) {
        let touch = self.contacts[k].touch;
        let (middle, _) = self.when(k, p, paths);
        rows.push((p[self.slots[k][2]] - middle) / laws.when);
        self.friction_rows(k, paths, &laws.acc, rows);
        let a = touch.first();
        let (v, w, pos) = self.around(k, a, &paths[a]);
        let s = laws.sigma;
        match touch {
            Touch::Kink { .. } => {}
            Touch::Stop { .. } => rows.extend([v[0] / s[0], v[1] / s[0]]),
            Touch::Cushion { cushion, .. } => {
                let n = normal(cushion);
                let side = [-n[1], n[0]];
                rows.push((dot(w, n) + 0.8 * dot(v, n)) / s[0]);
                rows.push((dot(w, side) - dot(v, side)) / s[1]);
                let gap = self.scene.table.cushion_gap(TablePoint::from(pos), cushion);
                rows.push(soft(gap / s[2]));
            }
            Touch::Balls { b, .. } => {
                let (v2, w2, pos2) = self.around(k, b, &paths[b]);
                let apart = [pos2[0] - pos[0], pos2[1] - pos[1]];
                let n = unit(apart);
                let side = [-n[1], n[0]];
                let sum = [0, 1].map(|i| w[i] - v[i] + w2[i] - v2[i]);
                rows.push(sum[0] / s[0]);
                rows.push(sum[1] / s[0]);
                rows.push((dot(w, side) - dot(v, side)) / s[1]);
                let gap = apart[0].hypot(apart[1]) - self.scene.table.ball_diameter_mm;
                rows.push(soft(gap / s[2]));
                let (near, far) = (dot(v, n) - dot(v2, n), dot(w2, n) - dot(w, n));
                rows.push((far - 0.94 * near) / s[3]);
            }
            Touch::Jaw { .. } | Touch::Strike { .. } | Touch::Unknown { .. } => {
                rows.push((w[0] - v[0]) / s[0]);
                rows.push((w[1] - v[1]) / s[0]);
            }
        }
    }

    pub(super) fn leg_after(&self, k: usize, actor: usize, path: &Path) -> Leg {
        path.legs[1 + self.contacts[..k]
            .iter()
            .filter(|d| d.touch.involves(actor))
            .count()]
    }

    /// Logarithm of the normalizing factors of a contact's laws, and how likely such a contact is at all.
    pub(super) fn prior(&self, k: usize, laws: &Laws, detail: &Detail) -> f64 {
        let half = 0.5 * TAU.ln();
        let uniform = -laws.when.ln() - half;
        let [acc, acc_other] = laws.acc.map(|s| -s[0].ln() - s[1].ln() - 2.0 * half);
        let s = laws.sigma;
        let wrong_way = if detail.approach < -15.0 { -20.0 } else { 0.0 };
        match self.contacts[k].touch {
            Touch::Kink { .. } => uniform + acc,
            Touch::Stop { .. } => uniform,
            Touch::Cushion { .. } => {
                let time = detail.approach.max(30.0).ln() - s[2].ln() - half;
                acc + time - s[0].ln() - s[1].ln() - 2.0 * half + wrong_way
            }
            Touch::Balls { .. } => {
                let time = detail.approach.max(30.0).ln() - s[2].ln() - half;
                let jump = -2.0 * s[0].ln() - s[1].ln() - s[3].ln() + 2f64.ln() - 4.0 * half;
                acc + acc_other + time + jump + wrong_way - 0.5
            }
            Touch::Jaw { .. } => uniform + acc - 2.0 * (s[0].ln() + half) - 1.0,
            Touch::Strike { .. } => {
                let again = self.contacts[..k]
                    .iter()
                    .any(|c| matches!(c.touch, Touch::Strike { .. }));
                let first = if self.scene.may_strike && !again {
                    0.0
                } else {
                    -9.0
                };
                uniform + acc - 2.0 * (s[0].ln() + half) + first
            }
            Touch::Unknown { .. } => uniform + acc - 2.0 * (s[0].ln() + half) - 9.0,
        }
    }

    pub(super) fn detail(&self, k: usize, paths: &[Path]) -> Detail {
        let touch = self.contacts[k].touch;
        let a = touch.first();
        let (v, w, place) = self.around(k, a, &paths[a]);
        let mut detail = Detail {
            jump: (w[0] - v[0]).hypot(w[1] - v[1]),
            place,
            speeds: [v[0].hypot(v[1]), 0.0],
            ..Detail::default()
        };
        match touch {
            Touch::Cushion { cushion, .. } => {
                detail.gap = self
                    .scene
                    .table
                    .cushion_gap(TablePoint::from(place), cushion);
                detail.approach = dot(v, normal(cushion));
            }
            Touch::Balls { b, .. } => {
                let (v2, w2, pos2) = self.around(k, b, &paths[b]);
                let apart = [pos2[0] - place[0], pos2[1] - place[1]];
                let n = unit(apart);
                detail.gap = apart[0].hypot(apart[1]) - self.scene.table.ball_diameter_mm;
                detail.speeds[1] = v2[0].hypot(v2[1]);
                detail.jump_other = (w2[0] - v2[0]).hypot(w2[1] - v2[1]);
                detail.approach = dot(v, n) - dot(v2, n);
            }
            _ => {}
        }
        detail
    }
}

/// A residual whose square grows linearly beyond two: gaps may be far off where the calibration is.
fn soft(r: f64) -> f64 {
    if r.abs() <= 2.0 {
        r
    } else {
        r.signum() * (4.0 * r.abs() - 4.0).sqrt()
    }
}
