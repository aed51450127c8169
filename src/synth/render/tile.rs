//! A small square of the picture, painted anew when something in it changed.

use crate::synth::{
    look::Rgb,
    render::{
        Painter,
        background::scale,
        ball::{colour, normal_at},
        figure::{Seen, Shadow},
        light::Lit,
        moment::{BallMoment, Box4, Moment, overlap},
        rays::tent,
    },
};

/// Side of a tile, px; even, so that it holds whole chroma samples.
pub(super) const SIDE: usize = 32;
/// Cells per direction a still ball's pixel is looked at.
const CELLS: usize = 4;
/// The same away from the ball's edge.
const FEW_CELLS: usize = 2;

/// A painted tile: luma, then the two chroma planes at half size.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) y: [u8; SIDE * SIDE],
    pub(super) u: [u8; SIDE * SIDE / 4],
    pub(super) v: [u8; SIDE * SIDE / 4],
}

/// What of a moment concerns one tile.
struct Local<'a> {
    balls: Vec<&'a BallMoment>,
    shaded: Vec<&'a BallMoment>,
    shadows: Vec<&'a Shadow>,
    rods: Vec<Vec<&'a Seen>>,
}

fn contains(b: Box4, p: [f64; 2]) -> bool {
    b[0] <= p[0] && p[0] <= b[2] && b[1] <= p[1] && p[1] <= b[3]
}

/// The tile's box in the picture.
pub(super) fn area(x0: usize, y0: usize) -> Box4 {
    [
        x0 as f64 - 1.0,
        y0 as f64 - 1.0,
        (x0 + SIDE) as f64,
        (y0 + SIDE) as f64,
    ]
}

/// A tile's middle, and the distance from it within which all its pixels lie.
pub(super) fn middle(area: Box4) -> ([f64; 2], f64) {
    let centre = [0.5 * (area[0] + area[2]), 0.5 * (area[1] + area[3])];
    let half = 0.5 * (area[2] - area[0]);
    (centre, half * std::f64::consts::SQRT_2 + 1.0)
}

impl<'a> Local<'a> {
    fn new(moment: &'a Moment, area: Box4) -> Self {
        let figures = &moment.figures;
        let (centre, reach) = middle(area);
        Self {
            balls: moment
                .balls
                .iter()
                .filter(|b| overlap(b.outline, area))
                .collect(),
            shaded: moment
                .balls
                .iter()
                .filter(|b| overlap(b.shadow, area))
                .collect(),
            shadows: figures
                .shadows
                .iter()
                .filter(|s| s.seen.near(centre, reach))
                .collect(),
            rods: figures
                .seen
                .iter()
                .map(|set| set.iter().filter(|s| s.shape.near(centre, reach)).collect())
                .collect(),
        }
    }
}

impl Painter<'_> {
    /// Paints the tile whose first pixel is `x0`, `y0`.
    pub(super) fn tile(&self, moment: &Moment, x0: usize, y0: usize) -> Tile {
        let local = Local::new(moment, area(x0, y0));
        let mut tile = Tile {
            y: [16; SIDE * SIDE],
            u: [128; SIDE * SIDE / 4],
            v: [128; SIDE * SIDE / 4],
        };
        let (w, h) = (self.rays.width, self.rays.height);
        for y in (y0..(y0 + SIDE).min(h)).step_by(2) {
            for x in (x0..(x0 + SIDE).min(w)).step_by(2) {
                let shared = self.shade(&local.shadows, &local.shaded, x, y);
                let (mut u, mut v) = (0.0, 0.0);
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let [luma, cb, cr] = self.pixel(&local, shared, x + dx, y + dy);
                    tile.y[(y + dy - y0) * SIDE + x + dx - x0] = (luma + 0.5) as u8;
                    u += cb;
                    v += cr;
                }
                let i = (y - y0) / 2 * (SIDE / 2) + (x - x0) / 2;
                tile.u[i] = (0.25 * u + 0.5) as u8;
                tile.v[i] = (0.25 * v + 0.5) as u8;
            }
        }
        tile
    }

    /// Codes of one pixel; `shared` is what moving things leave of the light in its neighbourhood.
    fn pixel(&self, local: &Local<'_>, shared: f32, x: usize, y: usize) -> [f32; 3] {
        let p = [x as f64, y as f64];
        let left = if local.shaded.iter().any(|b| contains(b.foot, p)) {
            self.shade(&local.shadows, &local.shaded, x, y)
        } else {
            shared
        };
        let mut light = scale(self.background.light[y * self.rays.width + x], left);
        let balls: Vec<&BallMoment> = local
            .balls
            .iter()
            .copied()
            .filter(|b| contains(b.outline, p))
            .collect();
        if !balls.is_empty() {
            light = self.with_balls(light, &balls, x, y);
        }
        light = with_rods(light, &local.rods, p);
        self.codes(light, x, y)
    }

    /// Share of the still light that is left at a pixel when moving things stand in its way.
    fn shade(&self, rods: &[&Shadow], near: &[&BallMoment], x: usize, y: usize) -> f32 {
        let height = f64::from(self.background.height[y * self.rays.width + x]);
        let pixel = [x as f64, y as f64];
        let balls: Vec<&BallMoment> = near
            .iter()
            .copied()
            .filter(|b| contains(b.shadow, pixel))
            .collect();
        if (rods.is_empty() && balls.is_empty()) || !height.is_finite() {
            return 1.0;
        }
        let run = self.rays.run(x, y);
        let down = self.rays.lens[2] - height;
        let p = [
            self.rays.lens[0] + down * run[0],
            self.rays.lens[1] + down * run[1],
            height,
        ];
        let mut lit = self.light.on_table(self.surface, p, [0.0, 0.0, 1.0]);
        let free = lit.sum();
        for rod in rods {
            lit.lamps[rod.lamp] *= rod.passes([p[0], p[1]]);
        }
        if balls.is_empty() {
            return lit.sum() / free;
        }
        self.shade_balls(&lit, &balls, p) / free
    }

    /// Light left by balls, averaged over the exposure.
    fn shade_balls(&self, lit: &Lit, balls: &[&BallMoment], p: [f64; 3]) -> f32 {
        let moments = balls
            .iter()
            .map(|b| b.places.len())
            .max()
            .unwrap_or(1)
            .min(12);
        let sum: f32 = (0..moments)
            .map(|k| {
                let mut now = lit.clone();
                for ball in balls {
                    let i = (2 * k + 1) * ball.places.len() / (2 * moments);
                    self.light.shade(&mut now, p, &ball.places[i]);
                }
                now.sum()
            })
            .sum();
        sum / moments as f32
    }

    /// The line of sight meets the middle of a ball, where nothing changes fast.
    fn plain(&self, balls: &[&BallMoment], run: [f64; 2]) -> bool {
        let [ball] = balls else { return false };
        normal_at(self.rays.lens, run, &ball.places[0]).is_some_and(|n| n[2] > 0.6)
    }

    /// Looks at a pixel many times over its area and the exposure; where a ball is met, its light replaces `behind`.
    pub(super) fn with_balls(&self, behind: Rgb, balls: &[&BallMoment], x: usize, y: usize) -> Rgb {
        let local = self.rays.local(x, y);
        let most = balls.iter().map(|b| b.places.len()).max().unwrap_or(1);
        let side = if most == 1 && self.plain(balls, local.at(0.0, 0.0)) {
            FEW_CELLS
        } else {
            CELLS
        };
        let cells = side * side;
        let n = most.next_multiple_of(cells);
        let mut sum = [0.0f32; 3];
        for i in 0..n {
            // Seven is prime to the number of cells: so many looks in a row see every cell once.
            let (dx, dy) = tent(i * 7 % cells, side);
            let run = local.at(dx, dy);
            let mut seen = behind;
            let mut top = f64::NEG_INFINITY;
            for ball in balls {
                let sphere = &ball.places[(2 * i + 1) * ball.places.len() / (2 * n)];
                let Some(normal) = normal_at(self.rays.lens, run, sphere) else {
                    continue;
                };
                let height = sphere.at[2] + sphere.r * normal[2];
                if height > top {
                    top = height;
                    seen = colour(
                        self.light,
                        sphere,
                        normal,
                        run,
                        &ball.paint,
                        &ball.turn,
                        ball.below,
                    );
                }
            }
            for (s, v) in sum.iter_mut().zip(seen) {
                *s += v;
            }
        }
        scale(sum, 1.0 / n as f32)
    }
}

/// Lays the rods over a pixel, from the topmost down, averaged over the exposure.
fn with_rods(behind: Rgb, sets: &[Vec<&Seen>], p: [f64; 2]) -> Rgb {
    if sets.iter().all(Vec::is_empty) {
        return behind;
    }
    let mut sum = [0.0f32; 3];
    for set in sets {
        let (mut now, mut open) = ([0.0f32; 3], 1.0f32);
        for rod in set.iter().rev() {
            if let Some((cover, colour)) = rod.at(p) {
                now = std::array::from_fn(|i| now[i] + colour[i] * cover * open);
                open *= 1.0 - cover;
                if open <= 0.0 {
                    break;
                }
            }
        }
        now = std::array::from_fn(|i| now[i] + behind[i] * open);
        for (s, v) in sum.iter_mut().zip(now) {
            *s += v;
        }
    }
    scale(sum, 1.0 / sets.len() as f32)
}
