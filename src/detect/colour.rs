//! Colours relative to this cloth and this light: every pixel is explained as a mixture of cloth and something.

use crate::model::Ball;

/// Colour of a pixel: blue, green, red, 0..=255.
pub(crate) type Bgr = [f32; 3];

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// Bare cloth, within the noise.
    Cloth,
    /// Cloth in shadow, or a dark line on it.
    Shadow,
    /// A ball of the set (index into the colours), covering this share of the pixel.
    Ball(u8, f32),
    /// Anything else: a hand, a cue, chalk.
    Other,
}

/// The looks of one ball: the colours its surface shows under this light, lit and shaded.
#[derive(Clone, Debug)]
pub(crate) struct BallColour {
    /// Which ball.
    pub(crate) ball: Ball,
    /// Typical surface colours.
    pub(crate) palette: Vec<Bgr>,
    /// Radius of the outline that can be told from cloth and shadow, as a share of the ball's true outline: the dark
    /// edge of a ball, which mirrors the cloth, is lost on some cloths.
    pub(crate) outline: f64,
}

/// The looks of all balls, and of nothing.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    /// One per ball of the set that was found.
    pub(crate) balls: Vec<BallColour>,
    /// Pixels nearer than this to the background show it, levels.
    pub(crate) noise: f32,
}

/// A shadow keeps at least this share of the cloth's light: lamps are wide, and the room adds its own.
const DARKEST_SHADOW: f32 = 0.25;
/// A pixel that is this far (as a share of its own distance from the cloth) from every mixture is something else.
const MIXTURE_TOLERANCE: f32 = 0.30;

impl Colours {
    /// Explains a pixel over a background colour: a mixture of the background and one surface colour of a ball,
    /// the background in shadow, or something else.
    ///
    /// The mixture is linear in the picture's levels. Real pictures mix light, not levels; the difference moves
    /// an edge by less than a tenth of a pixel, on all sides alike.
    pub(crate) fn explain(&self, pixel: Bgr, background: Bgr) -> Shown {
        let d = sub(pixel, background);
        let d2 = dot(d, d);
        if d2 < self.noise * self.noise {
            return Shown::Cloth;
        }
        let shadow = distance_to_segment(d, scale(background, DARKEST_SHADOW - 1.0)).0;
        let mut best = (f32::MAX, 0u8, 0.0f32);
        for (k, ball) in self.balls.iter().enumerate() {
            for &surface in &ball.palette {
                let (far, share) = distance_to_segment(d, sub(surface, background));
                if far < best.0 {
                    best = (far, k as u8, share);
                }
            }
        }
        let allowed =
            (MIXTURE_TOLERANCE * MIXTURE_TOLERANCE * d2).max(2.0 * self.noise * self.noise);
        if shadow <= best.0 && shadow <= allowed {
            Shown::Shadow
        } else if best.0 <= allowed {
            Shown::Ball(best.1, best.2)
        } else {
            Shown::Other
        }
    }
}

/// Squared distance from `p` to the segment from the origin to `end`, and how far along the nearest point lies (0..=1).
fn distance_to_segment(p: Bgr, end: Bgr) -> (f32, f32) {
    let length2 = dot(end, end).max(1e-6);
    let t = (dot(p, end) / length2).clamp(0.0, 1.0);
    let off = sub(p, scale(end, t));
    (dot(off, off), t)
}

pub(crate) fn sub(a: Bgr, b: Bgr) -> Bgr {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: Bgr, b: Bgr) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn scale(a: Bgr, k: f32) -> Bgr {
    [a[0] * k, a[1] * k, a[2] * k]
}

/// How far a colour is from being the background in some shadow, levels: chroma counts, darkness does not.
pub(crate) fn distance_from_shaded(pixel: Bgr, background: Bgr) -> f32 {
    let d = sub(pixel, background);
    distance_to_segment(d, scale(background, DARKEST_SHADOW - 1.0))
        .0
        .sqrt()
}

/// The few colours that stand for many: k-means from evenly spaced starts in order of brightness, so that the same
/// samples give the same palette.
pub(crate) fn palette(samples: &mut [Bgr], size: usize) -> Vec<Bgr> {
    if samples.is_empty() {
        return vec![];
    }
    samples.sort_by(|a, b| (a[0] + a[1] + a[2]).total_cmp(&(b[0] + b[1] + b[2])));
    let mut centres: Vec<Bgr> = (0..size)
        .map(|i| samples[(2 * i + 1) * samples.len() / (2 * size)])
        .collect();
    for _ in 0..8 {
        let mut sums = vec![([0.0f32; 3], 0u32); size];
        for &s in samples.iter() {
            let nearest = (0..size).min_by(|&i, &j| {
                let (a, b) = (sub(s, centres[i]), sub(s, centres[j]));
                dot(a, a).total_cmp(&dot(b, b))
            });
            let slot = &mut sums[nearest.unwrap_or(0)];
            slot.0 = [slot.0[0] + s[0], slot.0[1] + s[1], slot.0[2] + s[2]];
            slot.1 += 1;
        }
        for (centre, (sum, n)) in centres.iter_mut().zip(sums) {
            if n > 0 {
                *centre = scale(sum, 1.0 / n as f32);
            }
        }
    }
    centres
}

/// Names the colours of balls that were found: which found colour plays which ball, by hue and whiteness relative
/// to each other, not by fixed thresholds: television yellow is orange, a venue's white is another's yellow.
///
/// `found`: each colour with a cost of its own, for being seldom seen. Returns for each of `set` the index of its colour in `found`, or `None` where there are fewer colours than balls.
pub(crate) fn name(found: &[(Bgr, f32)], set: &[Ball]) -> Vec<Option<usize>> {
    let mut best = (f32::MAX, vec![None; set.len()]);
    let mut current = vec![None; set.len()];
    assign(found, set, 0, 0.0, &mut current, &mut best);
    best.1
}

/// A colour that suits a name worse than this is not given it.
const WORST_MISFIT: f32 = 1.0;

/// Tries every assignment of colours to the balls from `k` on; leaving a ball without colour costs as much as the
/// worst misfit.
fn assign(
    found: &[(Bgr, f32)],
    set: &[Ball],
    k: usize,
    cost: f32,
    current: &mut Vec<Option<usize>>,
    best: &mut (f32, Vec<Option<usize>>),
) {
    if cost >= best.0 {
        return;
    }
    if k == set.len() {
        *best = (cost, current.clone());
        return;
    }
    for i in 0..found.len() {
        if current[..k].contains(&Some(i)) {
            continue;
        }
        current[k] = Some(i);
        assign(
            found,
            set,
            k + 1,
            cost + misfit(found[i].0, set[k]) + found[i].1,
            current,
            best,
        );
    }
    current[k] = None;
    assign(found, set, k + 1, cost + WORST_MISFIT, current, best);
}

/// How badly a colour suits a ball's name.
fn misfit(colour: Bgr, ball: Ball) -> f32 {
    let [b, g, r] = colour;
    let most = b.max(g).max(r).max(1.0);
    let saturation = 1.0 - b.min(g).min(r) / most;
    let green = g / r.max(1.0);
    match ball {
        Ball::White | Ball::Spot | Ball::White1 | Ball::White2 => {
            1.2 * saturation + (1.0 - most / 255.0)
        }
        Ball::Yellow => (green - 0.8).abs() + (saturation - 0.8).abs(),
        Ball::Red | Ball::Red1 | Ball::Red2 => 1.5 * green + (saturation - 0.85).abs(),
        _ => 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: [Ball; 3] = [Ball::White, Ball::Yellow, Ball::Red];

    #[test]
    fn television_orange_is_the_yellow_ball() {
        let found = [
            [30.0, 140.0, 240.0],
            [20.0, 20.0, 150.0],
            [215.0, 240.0, 245.0],
        ]
        .map(|c| (c, 0.0));
        assert_eq!(name(&found, &SET), [Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn a_warm_lamp_turns_white_to_cream_and_yellow_stays_the_more_yellow_one() {
        let found = [
            [90.0, 190.0, 235.0],
            [150.0, 215.0, 240.0],
            [40.0, 45.0, 190.0],
        ]
        .map(|c| (c, 0.0));
        assert_eq!(name(&found, &SET), [Some(1), Some(0), Some(2)]);
    }

    #[test]
    fn two_colours_for_three_balls_leave_the_unlikeliest_out() {
        let found = [[200.0, 215.0, 240.0], [30.0, 30.0, 230.0]].map(|c| (c, 0.0));
        assert_eq!(name(&found, &SET), [Some(0), None, Some(1)]);
    }

    #[test]
    fn shadow_is_not_a_ball_and_half_covered_is_half() {
        let colours = Colours {
            balls: vec![BallColour {
                ball: Ball::White,
                palette: vec![[220.0, 240.0, 245.0]],
                outline: 1.0,
            }],
            noise: 10.0,
        };
        let cloth = [150.0, 90.0, 40.0];
        assert_eq!(colours.explain([150.0, 92.0, 41.0], cloth), Shown::Cloth);
        assert_eq!(colours.explain([75.0, 45.0, 20.0], cloth), Shown::Shadow);
        assert_eq!(colours.explain([40.0, 60.0, 200.0], cloth), Shown::Other);
        let Shown::Ball(0, share) = colours.explain([185.0, 165.0, 142.0], cloth) else {
            panic!("not a ball")
        };
        assert!((share - 0.5).abs() < 0.02);
    }
}
