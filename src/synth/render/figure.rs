//! Cues, arms and hands: tapered rods with round ends, seen and shading.

use crate::{
    calib::camera::Camera,
    synth::{look::Rgb, render::light::Light},
    units::{ImagePoint, TablePoint},
};

/// A rod from `a` to `b`, mm in the table frame, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// One end.
    pub a: [f64; 3],
    /// The other.
    pub b: [f64; 3],
    /// Radius at `a`.
    pub ra: f64,
    /// Radius at `b`.
    pub rb: f64,
    /// Colour.
    pub colour: Rgb,
    /// Shines like varnish.
    pub gloss: bool,
    /// Ends straight at `a` and `b` instead of round.
    pub blunt: bool,
}

/// A rod in the picture.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) shape: Flat,
    /// Colour across the rod, from its left to its right edge.
    across: [Rgb; ACROSS],
    blunt: bool,
}

const ACROSS: usize = 9;

/// A tapered rod in a plane (picture or bed).
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat {
    a: [f64; 2],
    d: [f64; 2],
    length: f64,
    ra: f64,
    rb: f64,
}

/// Where a point lies relative to a flat rod.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    /// Distance outside its edge; negative inside.
    pub(super) outside: f64,
    /// -1 at its left edge, 1 at its right one.
    pub(super) across: f64,
    /// Distance beyond its ends; negative between them.
    pub(super) beyond: f64,
}

impl Flat {
    fn new(a: [f64; 2], b: [f64; 2], ra: f64, rb: f64) -> Self {
        let d = [b[0] - a[0], b[1] - a[1]];
        let length = d[0].hypot(d[1]).max(1e-6);
        Self {
            a,
            d: [d[0] / length, d[1] / length],
            length,
            ra,
            rb,
        }
    }

    pub(super) fn relation(&self, p: [f64; 2]) -> Relation {
        let (x, y) = (p[0] - self.a[0], p[1] - self.a[1]);
        let along = x * self.d[0] + y * self.d[1];
        let aside = x * self.d[1] - y * self.d[0];
        let on = along.clamp(0.0, self.length);
        let r = self.ra + (self.rb - self.ra) * on / self.length;
        Relation {
            outside: ((along - on) * (along - on) + aside * aside).sqrt() - r,
            across: aside / r,
            beyond: (along - self.length).max(-along),
        }
    }

    /// Comes within `margin` of a circle's edge.
    pub(super) fn near(&self, centre: [f64; 2], margin: f64) -> bool {
        self.relation(centre).outside < margin
    }
}

impl Seen {
    /// Projects a rod and lights it. `None` when it is not in front of the lens.
    pub(super) fn new(rod: &Rod, camera: &Camera, light: &Light) -> Option<Self> {
        let project = |p: [f64; 3]| -> Option<([f64; 2], f64)> {
            let place = TablePoint::new(p[0], p[1]);
            let ImagePoint { x, y } = camera.project(place, p[2]);
            (x.is_finite() && y.is_finite()).then(|| ([x, y], camera.px_per_mm(place, p[2])))
        };
        let ((a, ka), (b, kb)) = (project(rod.a)?, project(rod.b)?);
        let shape = Flat::new(a, b, rod.ra * ka, rod.rb * kb);
        Some(Self {
            across: std::array::from_fn(|i| {
                lit(rod, i as f64 / (ACROSS - 1) as f64 * 2.0 - 1.0, light)
            }),
            shape,
            blunt: rod.blunt,
        })
    }

    /// Share of a pixel the rod covers, and its colour there.
    pub(super) fn at(&self, p: [f64; 2]) -> Option<(f32, Rgb)> {
        let r = self.shape.relation(p);
        let edge = if self.blunt {
            r.outside.max(r.beyond)
        } else {
            r.outside
        };
        let cover = (0.5 - 0.7 * edge).clamp(0.0, 1.0) as f32;
        if cover <= 0.0 {
            return None;
        }
        let place = (r.across.clamp(-1.0, 1.0) * 0.5 + 0.5) * (ACROSS - 1) as f64;
        let i = (place as usize).min(ACROSS - 2);
        let f = (place - i as f64) as f32;
        let (c, d) = (self.across[i], self.across[i + 1]);
        Some((cover, std::array::from_fn(|k| c[k] + (d[k] - c[k]) * f)))
    }
}

/// Light from the rod's middle at `across` of its width.
fn lit(rod: &Rod, across: f64, light: &Light) -> Rgb {
    let d = [rod.b[0] - rod.a[0], rod.b[1] - rod.a[1]];
    let length = d[0].hypot(d[1]).max(1e-6);
    let side = [d[1] / length, -d[0] / length];
    let up = (1.0 - across * across).max(0.0).sqrt();
    let n = [side[0] * across, side[1] * across, up];
    let p: [f64; 3] = std::array::from_fn(|i| 0.5 * (rod.a[i] + rod.b[i]));
    let direct: f32 = light.lamps.iter().map(|l| l.on(p, n)).sum();
    let sky = light.ambient * (0.55 + 0.45 * up) as f32;
    let shine = if rod.gloss {
        0.10 * direct * (up as f32).powi(24)
    } else {
        0.0
    };
    rod.colour.map(|c| c * (direct + sky) + shine)
}

/// A rod's shadow on the bed by one lamp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    pub(super) lamp: usize,
    pub(super) shape: Flat,
    /// Half-width of its soft edge, mm.
    pub(super) soft: f64,
    /// All it darkens, as seen in the picture.
    pub(super) seen: Flat,
}

/// The shadows of a rod on the bed.
pub(super) fn shadows<'a>(
    rod: &'a Rod,
    camera: &'a Camera,
    light: &'a Light,
) -> impl Iterator<Item = Shadow> + 'a {
    light.lamps.iter().enumerate().filter_map(move |(i, lamp)| {
        let cast = |p: [f64; 3]| {
            let share = p[2] / (lamp.at[2] - p[2]);
            [
                p[0] + (p[0] - lamp.at[0]) * share,
                p[1] + (p[1] - lamp.at[1]) * share,
            ]
        };
        if rod.a[2].max(rod.b[2]) > 0.8 * lamp.at[2] {
            return None;
        }
        let height = 0.5 * (rod.a[2] + rod.b[2]);
        let soft = (lamp.radius * height / (lamp.at[2] - height)).max(1.0);
        let (a, b) = (cast(rod.a), cast(rod.b));
        let [pa, pb] = [a, b].map(|p| camera.project(TablePoint::new(p[0], p[1]), 0.0));
        let [ka, kb] = [a, b].map(|p| camera.px_per_mm(TablePoint::new(p[0], p[1]), 0.0));
        let seen = Flat::new(
            [pa.x, pa.y],
            [pb.x, pb.y],
            (rod.ra + soft) * ka,
            (rod.rb + soft) * kb,
        );
        pa.x.is_finite()
            .then_some(())
            .and(pb.x.is_finite().then_some(Shadow {
                lamp: i,
                shape: Flat::new(a, b, rod.ra, rod.rb),
                soft,
                seen,
            }))
    })
}

impl Shadow {
    /// Share of the lamp's light that passes, at a place of the bed.
    pub(super) fn passes(&self, p: [f64; 2]) -> f32 {
        let edge = self.shape.relation(p).outside;
        // A lamp wider than the rod is never hidden by it altogether.
        let depth = (self.shape.ra.max(self.shape.rb) / self.soft).min(1.0);
        let t = ((self.soft - edge) / (2.0 * self.soft)).clamp(0.0, 1.0);
        1.0 - (depth * t * t * (3.0 - 2.0 * t)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_signed_distances() {
        let rod = Flat::new([0.0, 0.0], [10.0, 0.0], 2.0, 2.0);
        assert!((rod.relation([5.0, 3.0]).outside - 1.0).abs() < 1e-12);
        assert!((rod.relation([5.0, 0.0]).outside + 2.0).abs() < 1e-12);
        assert!((rod.relation([13.0, 0.0]).outside - 1.0).abs() < 1e-12);
        assert!((rod.relation([13.0, 0.0]).beyond - 3.0).abs() < 1e-12);
    }
}
