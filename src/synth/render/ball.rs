//! A ball as the lens sees it: a sphere in perspective with shading and highlights.

use crate::synth::{
    look::Rgb,
    render::{
        background::{mix, scale},
        light::{Light, Sphere},
    },
};

/// Turn of a ball: columns are its own axes in the table frame.
pub(super) type Turn = [[f64; 3]; 3];

/// A ball not turned.
pub(super) const UNTURNED: Turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// What a ball is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    pub(super) colour: Rgb,
    /// Colour of its six dots, if it has any.
    pub(super) dots: Option<Rgb>,
}

/// Radius of a dot as an angle seen from the ball's centre: cosine. Six dots of 10 mm on a ball of 61.5 mm.
const DOT_COSINE: f64 = 0.986;
/// Shine of polished resin at normal view.
const GLOSS: f32 = 0.045;

fn dot3(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Where a line of sight first meets a sphere: the outward normal there.
///
/// `run`: horizontal run per mm of descent. Measured from the line's crossing of the sphere's equator plane, so that
/// the numbers are small and a lens metres away costs no precision.
pub(super) fn normal_at(lens: [f64; 3], run: [f64; 2], ball: &Sphere) -> Option<[f64; 3]> {
    let down = lens[2] - ball.at[2];
    let e = [
        lens[0] + down * run[0] - ball.at[0],
        lens[1] + down * run[1] - ball.at[1],
    ];
    // Points of the line: e + s * (run, -1); nearest the lens is the smaller s.
    let a = run[0] * run[0] + run[1] * run[1] + 1.0;
    let b = e[0] * run[0] + e[1] * run[1];
    let c = e[0] * e[0] + e[1] * e[1] - ball.r * ball.r;
    let discriminant = b * b - a * c;
    if discriminant <= 0.0 {
        return None;
    }
    let s = (-b - discriminant.sqrt()) / a;
    let k = 1.0 / ball.r;
    Some([(e[0] + s * run[0]) * k, (e[1] + s * run[1]) * k, -s * k])
}

/// Light from a ball's surface towards the lens.
///
/// `below`: light that the cloth around the ball throws back.
pub(super) fn colour(
    light: &Light,
    ball: &Sphere,
    normal: [f64; 3],
    run: [f64; 2],
    paint: &Paint,
    turn: &Turn,
    below: Rgb,
) -> Rgb {
    let p: [f64; 3] = std::array::from_fn(|i| ball.at[i] + ball.r * normal[i]);
    let sky = (0.5 + 0.5 * normal[2]) as f32;
    let mut received = [light.ambient * sky; 3];
    for lamp in &light.lamps {
        let direct = lamp.on(p, normal);
        received = received.map(|v| v + direct);
    }
    for (v, b) in received.iter_mut().zip(below) {
        *v += (1.0 - sky) * b;
    }
    let base = dotted(paint, turn, normal);
    let diffuse: Rgb = std::array::from_fn(|i| base[i] * received[i]);
    let shine = gloss(light, p, normal, run);
    std::array::from_fn(|i| diffuse[i] + shine)
}

fn dotted(paint: &Paint, turn: &Turn, normal: [f64; 3]) -> Rgb {
    let Some(dots) = paint.dots else {
        return paint.colour;
    };
    let nearest = turn
        .iter()
        .map(|axis| dot3(*axis, normal).abs())
        .fold(0.0, f64::max);
    let soft = ((nearest - DOT_COSINE) / 0.004 + 0.5).clamp(0.0, 1.0) as f32;
    mix(paint.colour, dots, soft)
}

/// Mirror images of the lamps and a faint one of the room, stronger towards the rim (Fresnel, by Schlick).
fn gloss(light: &Light, p: [f64; 3], normal: [f64; 3], run: [f64; 2]) -> f32 {
    let length = (run[0] * run[0] + run[1] * run[1] + 1.0).sqrt();
    let view = [-run[0] / length, -run[1] / length, 1.0 / length];
    let facing = dot3(view, normal).clamp(0.0, 1.0);
    let mirror: [f64; 3] = std::array::from_fn(|i| 2.0 * facing * normal[i] - view[i]);
    let fresnel = GLOSS + (1.0 - GLOSS) * ((1.0 - facing) as f32).powi(5);
    let mut seen = 0.25 * light.ambient * (0.5 + 0.5 * mirror[2]) as f32;
    for lamp in &light.lamps {
        let to: [f64; 3] = std::array::from_fn(|i| lamp.at[i] - p[i]);
        let far = dot3(to, to).sqrt();
        let aside = (1.0 - (dot3(mirror, to) / far).clamp(-1.0, 1.0)).max(0.0) * 2.0;
        let size = lamp.radius / far;
        // The lamp's own brightness follows from its power and size; the polish is not perfect, so the image has a
        // soft edge and a faint glow.
        let inside =
            ((size * size * 1.3 - aside) / (0.5 * size * size) + 0.5).clamp(0.0, 1.0) as f32;
        let glow = (1.0 / (1.0 + aside / (12.0 * size * size + 0.04))).powi(4) as f32;
        let brightness =
            lamp.power * (4e6 / (std::f64::consts::PI * lamp.radius * lamp.radius)) as f32;
        seen += brightness.min(60.0) * inside + 1.2 * lamp.power * glow;
    }
    fresnel * seen
}

/// Light thrown back by the cloth around a ball at rest on it.
pub(super) fn bounce(cloth: Rgb, on_bed: f32) -> Rgb {
    scale(cloth, 0.8 * on_bed)
}

/// Turns `turn` further by the rotation vector `w` (axis times angle, rad, table frame with z up).
///
/// The table frame is left-handed (x far, y right, z up); the cross product is taken in it as it stands, so `w` obeys
/// the left-hand rule: a ball rolling along x turns about +y.
pub(super) fn turned(turn: &Turn, w: [f64; 3]) -> Turn {
    let angle = dot3(w, w).sqrt();
    if angle < 1e-12 {
        return *turn;
    }
    let k = w.map(|v| v / angle);
    let (sin, cos) = angle.sin_cos();
    turn.map(|v| {
        let cross = [
            k[1] * v[2] - k[2] * v[1],
            k[2] * v[0] - k[0] * v[2],
            k[0] * v[1] - k[1] * v[0],
        ];
        let along = dot3(k, v) * (1.0 - cos);
        std::array::from_fn(|i| v[i] * cos + cross[i] * sin + k[i] * along)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_below_the_lens_is_hit_on_its_top() {
        let ball = Sphere {
            at: [100.0, 50.0, 30.0],
            r: 30.0,
        };
        let n = normal_at([100.0, 50.0, 3000.0], [0.0, 0.0], &ball).unwrap();
        assert!((n[2] - 1.0).abs() < 1e-12);
        assert!(normal_at([100.0, 50.0, 3000.0], [31.0 / 2970.0, 0.0], &ball).is_none());
        assert!(normal_at([100.0, 50.0, 3000.0], [29.0 / 2970.0, 0.0], &ball).is_some());
    }

    #[test]
    fn rolling_carries_the_top_forwards() {
        // Rolling along x by a quarter turn: what was on top is now in front.
        let quarter = turned(&UNTURNED, [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
        assert!((quarter[2][0] - 1.0).abs() < 1e-12);
    }
}
