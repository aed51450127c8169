//! How much light falls on a place, and what stands in its way.

use crate::{
    model::Cushion,
    synth::{look::Lamp, render::surface::Surface},
};

/// A ball that throws a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sphere {
    pub(super) at: [f64; 3],
    pub(super) r: f64,
}

/// Further inside the noses than this they shade nothing to speak of, mm: less than 0.3 % of the sky.
const NOSE_REACH: f64 = 350.0;

/// Light on a surface, split so that a moving thing can take its part away.
#[derive(Clone, Debug)]
pub(super) struct Lit {
    /// From each lamp.
    pub(super) lamps: [f32; MOST_LAMPS],
    /// From everywhere.
    pub(super) ambient: f32,
}

/// Lamps a scene can have.
pub(super) const MOST_LAMPS: usize = 8;

impl Lit {
    pub(super) fn sum(&self) -> f32 {
        self.lamps.iter().sum::<f32>() + self.ambient
    }
}

/// The light of a scene.
#[derive(Clone, Debug)]
pub(super) struct Light {
    pub(super) lamps: Vec<Lamp>,
    pub(super) ambient: f32,
}

fn smoothstep(lo: f64, hi: f64, x: f64) -> f32 {
    let t = ((x - lo) / (hi - lo).max(1e-9)).clamp(0.0, 1.0);
    (t * t * (3.0 - 2.0 * t)) as f32
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Light {
    /// Light on the still table at `p` with normal `n`: the noses shade what lies below them.
    pub(super) fn on_table(&self, surface: &Surface, p: [f64; 3], n: [f64; 3]) -> Lit {
        let mut lit = Lit {
            lamps: [0.0; MOST_LAMPS],
            ambient: self.ambient,
        };
        let below_nose = p[2] < surface.nose - 1e-6;
        let near_nose = below_nose && surface.inset([p[0], p[1]]) < NOSE_REACH;
        for (out, lamp) in lit.lamps.iter_mut().zip(&self.lamps) {
            *out = lamp.on(p, n);
            if near_nose && *out > 0.0 {
                *out *= past_noses(surface, lamp, p);
            }
        }
        if near_nose {
            lit.ambient *= open_sky(surface, p) * (0.5 + 0.5 * n[2]) as f32;
        }
        lit
    }

    /// Takes away what a ball hides from a place: its share of every lamp and of the sky.
    pub(super) fn shade(&self, lit: &mut Lit, p: [f64; 3], ball: &Sphere) {
        let to = sub(ball.at, p);
        let square = dot(to, to);
        for (light, lamp) in lit.lamps.iter_mut().zip(&self.lamps) {
            let up = sub(lamp.at, p);
            let far = dot(up, up).sqrt();
            let along = dot(to, up) / far;
            if along <= 0.0 || *light == 0.0 {
                continue;
            }
            let aside = (square - along * along).max(0.0).sqrt();
            let soft = (lamp.radius * along / far).max(0.3);
            *light *= smoothstep(ball.r - soft, ball.r + soft, aside);
        }
        let hidden = ball.r * ball.r * to[2].max(0.0) / (square * square.sqrt()).max(1e-6);
        lit.ambient *= 1.0 - hidden.min(1.0) as f32;
    }
}

/// Share of a lamp seen from below the noses.
fn past_noses(surface: &Surface, lamp: &Lamp, p: [f64; 3]) -> f32 {
    let rise = surface.nose - p[2];
    let share = rise / (lamp.at[2] - p[2]).max(1.0);
    let crossing = [
        p[0] + (lamp.at[0] - p[0]) * share,
        p[1] + (lamp.at[1] - p[1]) * share,
    ];
    let soft = (lamp.radius * share).max(0.2);
    Cushion::ALL
        .into_iter()
        .map(|c| 1.0 - smoothstep(-soft, soft, surface.outside(crossing, c)))
        .product()
}

/// Share of the sky seen from below the noses: each cushion is a wall that hides its part of it.
fn open_sky(surface: &Surface, p: [f64; 3]) -> f32 {
    let rise = surface.nose - p[2];
    Cushion::ALL
        .into_iter()
        .map(|c| {
            let away = -surface.outside([p[0], p[1]], c);
            0.5 * (1.0 + away / away.hypot(rise)) as f32
        })
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::TableSpec, synth::render::surface::Frame};

    fn scene() -> (Light, Surface) {
        let lamp = Lamp {
            at: [1420.0, 710.0, 2000.0],
            radius: 50.0,
            power: 1.0,
        };
        let table = TableSpec::named("carom-match").unwrap();
        (
            Light {
                lamps: vec![lamp],
                ambient: 0.3,
            },
            Surface::new(&table, Frame::default()),
        )
    }

    #[test]
    fn a_ball_shades_what_lies_below_it_and_nothing_beside_it() {
        let (light, surface) = scene();
        let ball = Sphere {
            at: [1420.0, 710.0, 30.75],
            r: 30.75,
        };
        let shaded = |x: f64| {
            let p = [1420.0 + x, 710.0, 0.0];
            let mut lit = light.on_table(&surface, p, [0.0, 0.0, 1.0]);
            let free = lit.sum();
            light.shade(&mut lit, p, &ball);
            lit.sum() / free
        };
        assert!(shaded(5.0) < 0.1);
        assert!(shaded(32.0) > shaded(25.0));
        assert!(shaded(300.0) > 0.99);
    }

    #[test]
    fn it_is_darker_below_the_nose() {
        let (light, surface) = scene();
        let up = [0.0, 0.0, 1.0];
        let open = light.on_table(&surface, [1420.0, 300.0, 0.0], up).ambient;
        let near = light.on_table(&surface, [1420.0, 3.0, 0.0], up).ambient;
        assert!(near < 0.7 * open);
    }
}
