//! What moves during one exposure, made ready for painting.

use super::*;

/// Dots on a ball of that name.
fn dots(look: &Look, ball: Ball) -> Option<Rgb> {
    let red = [0.42, 0.02, 0.02];
    match ball {
        Ball::Spot => Some(red),
        _ if !look.dots => None,
        Ball::White => Some(red),
        Ball::Yellow => Some([0.02, 0.05, 0.30]),
        Ball::Red => Some([0.75, 0.62, 0.05]),
        _ => None,
    }
}

/// A box grown by a share of its height on every side.
fn grown(b: [f64; 4], share: f64) -> [f64; 4] {
    let by = share * (b[3] - b[1]).min(b[2] - b[0]);
    [b[0] - by, b[1] - by, b[2] + by, b[3] + by]
}

impl Renderer<'_> {
    /// Everything that moves, around `t`.
    pub(super) fn moment(&self, t: f64) -> Moment {
        Moment {
            balls: self
                .script
                .layout_at(t)
                .into_keys()
                .map(|ball| self.ball_moment(ball, t))
                .collect(),
            figures: self.figures(t),
        }
    }

    fn sphere(&self, ball: Ball, t: f64) -> Sphere {
        let r = self.script.table.ball_radius_mm();
        let place = self
            .script
            .paths
            .get(&ball)
            .map(|p| p.at(t))
            .unwrap_or_default();
        Sphere {
            at: [place.x, place.y, r + self.script.lift_mm(ball, t)],
            r,
        }
    }

    fn ball_moment(&self, ball: Ball, t: f64) -> BallMoment {
        let half = 0.5 * self.shutter.exposure_s;
        let ends = [t - half, t, t + half].map(|t| self.sphere(ball, t));
        let [a, m, b] = ends.map(|s| {
            self.camera
                .project(TablePoint::new(s.at[0], s.at[1]), s.at[2])
        });
        let travel = a.distance(m) + m.distance(b);
        let looks = (travel / PX_PER_LOOK).ceil().clamp(1.0, MOST_LOOKS);
        let places = (0..looks as usize)
            .map(|i| {
                self.sphere(
                    ball,
                    t - half + (i as f64 + 0.5) * self.shutter.exposure_s / looks,
                )
            })
            .collect();
        let turn = self.turns.get(&ball).copied().unwrap_or(UNTURNED);
        let paint = Paint {
            colour: self.look.balls.get(&ball).copied().unwrap_or([0.5; 3]),
            dots: dots(self.look, ball),
        };
        let [x, y, _] = ends[1].at;
        let on_bed = self
            .light
            .on_table(&self.surface, [x, y, 0.0], [0.0, 0.0, 1.0])
            .sum();
        let turn_bits = paint.dots.map(|_| turn.into_iter().flatten());
        let state = ends
            .iter()
            .flat_map(|s| s.at)
            .chain(turn_bits.into_iter().flatten());
        let seen = ends
            .iter()
            .map(|s| outline(self.camera, s))
            .reduce(join)
            .unwrap_or_default();
        BallMoment {
            name: ball,
            places,
            paint,
            turn,
            below: bounce(self.look.cloth, on_bed),
            foot: grown(seen, 0.35),
            outline: seen,
            shadow: ends
                .iter()
                .map(|s| shadow_box(self.camera, &self.light, s))
                .reduce(join)
                .unwrap_or_default(),
            signature: hash(ball as u64 + 2, state),
        }
    }

    /// Rods at as many moments of the exposure as their speed asks for.
    fn figures(&self, t: f64) -> Figures {
        let at = |t: f64| players::at(self.script, self.look, t);
        let half = 0.5 * self.shutter.exposure_s;
        let (first, last) = (at(t - half), at(t + half));
        let travel = first
            .iter()
            .zip(&last)
            .map(|(a, b)| (a.a[0] - b.a[0]).hypot(a.a[1] - b.a[1]))
            .fold(0.0, f64::max);
        let middle = TablePoint::new(
            0.5 * self.script.table.length_mm,
            0.5 * self.script.table.width_mm,
        );
        let px = travel * self.camera.px_per_mm(middle, 0.0);
        let sets = (px / 2.5).ceil().clamp(1.0, 8.0);
        let moments: Vec<Vec<Rod>> = (0..sets as usize)
            .map(|i| at(t - half + (i as f64 + 0.5) * self.shutter.exposure_s / sets))
            .collect();
        Figures::new(&moments, self.camera, &self.light)
    }

    /// Turns the balls as they roll from this frame to the next: about the axis across their way, without slip.
    pub(super) fn turn_balls(&mut self, t: f64) {
        const STEPS: usize = 4;
        let dt = 1.0 / (self.shutter.fps * STEPS as f64);
        let r = self.script.table.ball_radius_mm();
        for (&ball, path) in &self.script.paths {
            let turn = self.turns.entry(ball).or_insert(UNTURNED);
            for i in 0..STEPS {
                let v = path.velocity_at(t + (i as f64 + 0.5) * dt) * (dt / r);
                *turn = turned(turn, [-v.y, v.x, 0.0]);
            }
        }
    }
}
