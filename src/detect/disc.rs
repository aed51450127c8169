//! The outline of one ball, still or in motion, fitted to the share of each pixel that it covers.

use nalgebra::{SMatrix, SVector};

/// What is known of one pixel of a window: how much of it the ball covers, and how far that can be believed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covered {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// Share covered by the ball, 0..=1.
    pub(crate) share: f32,
    /// 0 where something else hides what is there.
    pub(crate) weight: f32,
}

/// A disc that moved on a straight line during the exposure: centre at the middle of it, half the way it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disc {
    pub(crate) centre: [f64; 2],
    pub(crate) half: [f64; 2],
    pub(crate) radius: f64,
}

/// How well it fits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fit {
    pub(crate) disc: Disc,
    /// Covariance of the centre, px^2: xx, xy, yy.
    pub(crate) covariance: [f64; 3],
    /// Standard deviation of the half way along itself, px.
    pub(crate) half_sigma: f64,
    /// Mean squared residual with forgiveness for single pixels, share^2.
    pub(crate) variance: f64,
    /// Sum of squared residuals without forgiveness, share^2: what is left unexplained in all.
    pub(crate) unexplained: f64,
    /// Share of the outline's area that was seen at all.
    pub(crate) visible: f64,
    /// Covered share inside, against what the disc says: 1 for a ball.
    pub(crate) filled: f64,
    /// Covered share in a ring around the outline: 0 for a ball on its own, 1 inside something larger.
    pub(crate) ring: f64,
}

/// Width over which the outline goes from covered to bare, px: lens, pixel and the halved chroma of video.
const EDGE_PX: f64 = 2.0;
/// Below this a way is no streak: it changes no pixel by more than the noise.
pub(crate) const SHORTEST_HALF_PX: f64 = 0.8;
/// What shading, highlights and shadows displace an outline by, px; added to the fit's own sigma.
const SYSTEMATIC_PX: f64 = 0.15;

impl Disc {
    /// Distance of a place from the outline's way, px: negative inside.
    pub(crate) fn away(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = (x - self.centre[0], y - self.centre[1]);
        let length2 = self.half[0].powi(2) + self.half[1].powi(2);
        let s = if length2 > 0.0 {
            ((dx * self.half[0] + dy * self.half[1]) / length2).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        length(dx - s * self.half[0], dy - s * self.half[1]) - self.radius
    }

    /// The share and its derivatives by centre x, y and half way x, y; `None` where all of them are zero.
    fn share_and_gradient(&self, x: f64, y: f64, streaked: bool) -> Option<(f64, SVector<f64, 4>)> {
        if !streaked {
            let (dx, dy) = (x - self.centre[0], y - self.centre[1]);
            let d2 = dx * dx + dy * dy;
            let (inner, outer) = (self.radius - 0.5 * EDGE_PX, self.radius + 0.5 * EDGE_PX);
            if d2 > outer * outer || d2 < inner * inner {
                return None;
            }
            let d = d2.sqrt();
            let share = edge(self.radius - d);
            let on_edge = share > 0.0 && share < 1.0 && d > 0.0;
            let k = 1.0 / (EDGE_PX * d);
            return on_edge.then(|| (share, SVector::from([dx * k, dy * k, 0.0, 0.0])));
        }
        if self.away(x, y) > EDGE_PX {
            return None;
        }
        let h = 0.25;
        let g = SVector::from_fn(|i, _| {
            let (mut more, mut less) = (*self, *self);
            let of = |disc: &mut Self, by: f64| {
                if i < 2 {
                    disc.centre[i] += by
                } else {
                    disc.half[i - 2] += by
                }
            };
            of(&mut more, h);
            of(&mut less, -h);
            (more.share(x, y) - less.share(x, y)) / (2.0 * h)
        });
        Some((self.share(x, y), g))
    }

    /// Share of the exposure (and of the pixel) for which the disc covers the pixel at (x, y).
    fn share(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = (x - self.centre[0], y - self.centre[1]);
        let half = length(self.half[0], self.half[1]);
        if half < SHORTEST_HALF_PX {
            return edge(self.radius - length(dx, dy));
        }
        let (ux, uy) = (self.half[0] / half, self.half[1] / half);
        let (along, across) = (dx * ux + dy * uy, dx * uy - dy * ux);
        if half < 3.0 {
            let steps = 6;
            let sum: f64 = (0..steps)
                .map(|i| {
                    let s = (2.0 * f64::from(i) + 1.0) / f64::from(steps) - 1.0;
                    edge(self.radius - length(along - s * half, across))
                })
                .sum();
            return sum / f64::from(steps);
        }
        let chord2 = self.radius * self.radius - across * across;
        if chord2 <= 0.0 {
            return 0.0;
        }
        let chord = chord2.sqrt();
        let overlap = (along + chord).min(half) - (along - chord).max(-half);
        (overlap / (2.0 * half)).clamp(0.0, 1.0)
    }
}

/// Length of a vector. Not `hypot`, whose care for very large and very small numbers costs a tenth of all detection.
pub(crate) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Coverage of a pixel whose centre lies `inside` px within the outline.
fn edge(inside: f64) -> f64 {
    (inside / EDGE_PX + 0.5).clamp(0.0, 1.0)
}

/// Fits a disc of known radius to a window, starting from `start`; its way during the exposure is fitted as well
/// when `start` has one. Gauss-Newton with weights that let single pixels (dots, highlights, crumbs) lie.
///
/// Returns `None` when the window does not determine the place.
pub(crate) fn fit(window: &[Covered], start: Disc) -> Option<Fit> {
    let streaked = length(start.half[0], start.half[1]) >= SHORTEST_HALF_PX;
    let mut disc = start;
    let mut normal = SMatrix::<f64, 4, 4>::zeros();
    for round in 0..10 {
        let scale = if round < 2 { 1.0 } else { 0.35 };
        let mut right = SVector::<f64, 4>::zeros();
        normal = SMatrix::identity() * 1e-6;
        for p in window {
            let (x, y) = (f64::from(p.x), f64::from(p.y));
            // Far from the outline a pixel says nothing about where the outline is.
            let Some((share, g)) = disc.share_and_gradient(x, y, streaked) else {
                continue;
            };
            let residual = f64::from(p.share) - share;
            let lie = residual / scale;
            let w = f64::from(p.weight) / (1.0 + lie * lie);
            normal += g * g.transpose() * w;
            right += g * (w * residual);
        }
        if !streaked {
            normal[(2, 2)] = 1.0;
            normal[(3, 3)] = 1.0;
        }
        let step = normal.cholesky()?.solve(&right);
        let limit = 0.5 * disc.radius;
        let size = length(step[0], step[1]);
        let damp = if size > limit { limit / size } else { 1.0 };
        disc.centre = [
            disc.centre[0] + damp * step[0],
            disc.centre[1] + damp * step[1],
        ];
        disc.half = [disc.half[0] + damp * step[2], disc.half[1] + damp * step[3]];
        if streaked && length(disc.half[0], disc.half[1]) < SHORTEST_HALF_PX {
            return fit(
                window,
                Disc {
                    half: [0.0; 2],
                    ..disc
                },
            );
        }
        if size < 0.003 {
            break;
        }
    }
    summary(window, disc, &normal)
}

fn summary(window: &[Covered], disc: Disc, normal: &SMatrix<f64, 4, 4>) -> Option<Fit> {
    let (variance, unexplained) = variance(window, &disc);
    // Neighbouring pixels share their errors (blur, compression): about four of them say what one would.
    let spread = normal.try_inverse()? * (4.0 * variance.max(1e-4));
    let half = length(disc.half[0], disc.half[1]);
    let (mut area, mut seen, mut model, mut filled, mut around, mut ring) =
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let wide = Disc {
        radius: disc.radius + 4.0,
        ..disc
    };
    for p in window {
        let (x, y) = (f64::from(p.x), f64::from(p.y));
        let share = disc.share(x, y);
        let weight = f64::from(p.weight.min(1.0));
        area += share;
        seen += share * weight;
        model += share * weight;
        filled += f64::from(p.share) * weight * f64::from(u8::from(share > 0.0));
        if share <= 0.0 && wide.share(x, y) >= 0.2 {
            around += 1.0;
            ring += f64::from(p.share) * weight;
        }
    }
    // What else is around (a cue, a hand of the ball's colour) pulls the outline towards it.
    let mixed = 0.3 * disc.radius * (ring / f64::max(around, 1.0) - 0.15).max(0.0);
    let floor = SYSTEMATIC_PX * SYSTEMATIC_PX + mixed * mixed;
    (area > 0.0 && disc.centre[0].is_finite() && disc.centre[1].is_finite()).then(|| Fit {
        disc,
        covariance: [
            spread[(0, 0)] + floor,
            spread[(0, 1)],
            spread[(1, 1)] + floor,
        ],
        half_sigma: if half > 0.0 {
            (spread[(2, 2)] + spread[(3, 3)] + floor).sqrt()
        } else {
            0.0
        },
        variance,
        unexplained,
        visible: (seen / area).min(1.0),
        filled: filled / f64::max(model, 1e-9),
        ring: ring / f64::max(around, 1.0),
    })
}

/// Mean squared residual, with the same forgiveness for single pixels as the fit, and their sum without.
fn variance(window: &[Covered], disc: &Disc) -> (f64, f64) {
    let (mut sum, mut weights, mut all) = (0.0, 0.0, 0.0);
    for p in window {
        let residual = f64::from(p.share) - disc.share(f64::from(p.x), f64::from(p.y));
        let lie = residual / 0.35;
        let w = f64::from(p.weight) / (1.0 + lie * lie);
        sum += w * residual * residual;
        weights += w;
        all += f64::from(p.weight) * residual * residual;
    }
    (sum / f64::max(weights, 1.0), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window painted by brute force: the ball stands at many moments of the exposure, each pixel at many points.
    fn painted(centre: [f64; 2], half: [f64; 2], radius: f64) -> Vec<Covered> {
        let mut out = vec![];
        for y in 0..60 {
            for x in 0..60 {
                let mut n = 0.0;
                for s in 0..41 {
                    let s = f64::from(s) / 20.0 - 1.0;
                    for (ox, oy) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                        let dx = f64::from(x) + ox - centre[0] - s * half[0];
                        let dy = f64::from(y) + oy - centre[1] - s * half[1];
                        n += f64::from(u8::from(dx.hypot(dy) < radius));
                    }
                }
                out.push(Covered {
                    x: x as f32,
                    y: y as f32,
                    share: (n / 164.0) as f32,
                    weight: 1.0,
                });
            }
        }
        out
    }

    #[test]
    fn a_ball_at_rest_is_placed_to_a_thirtieth_of_a_pixel() {
        let w = painted([30.3, 27.8], [0.0; 2], 9.4);
        let f = fit(
            &w,
            Disc {
                centre: [33.0, 25.0],
                half: [0.0; 2],
                radius: 9.4,
            },
        )
        .unwrap();
        assert!(
            (f.disc.centre[0] - 30.3).abs() < 0.033 && (f.disc.centre[1] - 27.8).abs() < 0.033,
            "{f:?}"
        );
        assert!(
            f.visible > 0.99 && f.ring < 0.05 && (f.filled - 1.0).abs() < 0.05,
            "{f:?}"
        );
    }

    #[test]
    fn a_streak_gives_the_middle_of_the_exposure_and_the_way() {
        let w = painted([31.0, 29.0], [9.0, -4.0], 8.0);
        let f = fit(
            &w,
            Disc {
                centre: [28.0, 30.0],
                half: [6.0, -1.0],
                radius: 8.0,
            },
        )
        .unwrap();
        assert!(
            (f.disc.centre[0] - 31.0).abs() < 0.05 && (f.disc.centre[1] - 29.0).abs() < 0.05,
            "{f:?}"
        );
        assert!(
            (f.disc.half[0] - 9.0).abs() < 0.3 && (f.disc.half[1] + 4.0).abs() < 0.3,
            "{f:?}"
        );
    }

    #[test]
    fn a_hidden_third_does_not_pull_the_centre() {
        let mut w = painted([30.0, 30.0], [0.0; 2], 10.0);
        for p in &mut w {
            if p.x > 33.0 {
                *p = Covered {
                    share: 0.0,
                    weight: 0.0,
                    ..*p
                };
            }
        }
        let f = fit(
            &w,
            Disc {
                centre: [28.0, 31.0],
                half: [0.0; 2],
                radius: 10.0,
            },
        )
        .unwrap();
        assert!(
            (f.disc.centre[0] - 30.0).abs() < 0.1 && (f.disc.centre[1] - 30.0).abs() < 0.1,
            "{f:?}"
        );
        assert!(f.visible < 0.8);
    }
}
