//! The still part of the picture: table, frame and floor, rendered once per scene.

use rayon::prelude::*;

use crate::{
    model::Cushion,
    synth::{
        look::{Look, Rgb},
        render::{
            grain::{lattice, smooth},
            light::Light,
            rays::{Rays, tent},
            surface::{Hit, Matter, Surface},
        },
    },
};

/// Looks per pixel in each direction where nothing changes, and where an edge runs through.
const FEW: usize = 2;
const MANY: usize = 7;
/// Relative difference between looks above which a pixel has an edge.
const EDGE: f32 = 0.04;

/// The still picture in linear light, with the height of what each pixel's centre shows.
#[derive(Clone, Debug)]
pub(super) struct Background {
    /// Light towards the lens, before exposure.
    pub(super) light: Vec<Rgb>,
    /// Height of the surface at the pixel's centre, mm; NaN where nothing of the table is seen.
    pub(super) height: Vec<f32>,
}

/// What the still picture is made from.
pub(super) struct Still<'a> {
    pub(super) surface: &'a Surface,
    pub(super) light: &'a Light,
    pub(super) look: &'a Look,
}

impl Background {
    pub(super) fn render(rays: &Rays, still: &Still<'_>) -> Self {
        let pixels: Vec<(Rgb, f32)> = (0..rays.width * rays.height)
            .into_par_iter()
            .map(|i| still.pixel(rays, i % rays.width, i / rays.width))
            .collect();
        let (light, height) = pixels.into_iter().unzip();
        Self { light, height }
    }
}

impl Still<'_> {
    fn pixel(&self, rays: &Rays, x: usize, y: usize) -> (Rgb, f32) {
        let local = rays.local(x, y);
        let centre = self.surface.hit(rays.lens, local.at(0.0, 0.0));
        let look_at = |i: usize, side: usize| {
            let (dx, dy) = tent(i, side);
            self.colour(&self.surface.hit(rays.lens, local.at(dx, dy)))
        };
        let few: Vec<Rgb> = (0..FEW * FEW).map(|i| look_at(i, FEW)).collect();
        let colour = if differ(&few) {
            mean((0..MANY * MANY).map(|i| look_at(i, MANY)), MANY * MANY)
        } else {
            mean(few.into_iter(), FEW * FEW)
        };
        let height = match centre.matter {
            Matter::Floor | Matter::Pocket => f32::NAN,
            _ => centre.at[2] as f32,
        };
        (colour, height)
    }

    /// Light from a point of the still scene towards the lens.
    fn colour(&self, hit: &Hit) -> Rgb {
        let seed = self.look.seed;
        let [x, y, _] = hit.at;
        let up = [0.0, 0.0, 1.0];
        let lit = |n: [f64; 3]| self.light.on_table(self.surface, hit.at, n).sum();
        match hit.matter {
            Matter::Bed => scale(self.cloth(x, y), lit(up)),
            Matter::CushionTop(_) => scale(self.cloth(x, y), 1.04 * lit(up)),
            Matter::CushionFace(c) => {
                let n = face_normal(c);
                scale(self.cloth(x, y), lit(n))
            }
            Matter::Wood { along_x } => {
                let (along, across) = if along_x { (x, y) } else { (y, x) };
                let grain = smooth(along * 0.008, across * 0.22, seed)
                    + 0.5 * smooth(along * 0.03, across * 0.6, seed ^ 1);
                scale(self.look.wood, lit(up) * (1.0 + 0.22 * grain))
            }
            Matter::Diamond => scale([0.72, 0.70, 0.64], lit(up)),
            Matter::Pocket => [0.006; 3],
            Matter::Trim => scale(self.look.trim, lit(up)),
            Matter::Floor => self.floor(x, y),
        }
    }

    /// The cloth's colour with its fibres, worn patches and chalk specks.
    fn cloth(&self, x: f64, y: f64) -> Rgb {
        let seed = self.look.seed;
        let wear =
            smooth(x * 0.002, y * 0.002, seed ^ 2) + 0.6 * smooth(x * 0.009, y * 0.009, seed ^ 3);
        let fibre = smooth(x * 0.12, y * 0.12, seed ^ 4);
        let shade = 1.0 + self.look.texture * (wear + 0.6 * fibre);
        let colour = scale(self.look.cloth, shade);
        let speck = chalk(x, y, seed ^ 5);
        mix(colour, [0.45, 0.50, 0.55], 0.35 * speck)
    }

    fn floor(&self, x: f64, y: f64) -> Rgb {
        let seed = self.look.seed;
        let blotch = 1.0
            + 0.18 * smooth(x * 0.003, y * 0.003, seed ^ 6)
            + 0.06 * smooth(x * 0.05, y * 0.05, seed ^ 7);
        let mut colour = scale(self.look.floor, blotch);
        for i in 0..self.look.clutter as i64 {
            if let Some(board) = self.board(i, x, y) {
                colour = board;
            }
        }
        // The table keeps the lamps' light from the floor beside it.
        let out = self.surface.floor_distance(x, y);
        let shade = 0.35 + 0.4 * (1.0 - (-out.max(0.0) / 500.0).exp()) as f32;
        scale(colour, shade * (self.light.ambient + 0.25))
    }

    /// Boards, chairs and bags around the table: rounded rectangles of any colour.
    fn board(&self, i: i64, x: f64, y: f64) -> Option<Rgb> {
        let seed = self.look.seed ^ 8;
        let r = |k: i64| f64::from(lattice(i, k, seed));
        let s = self.surface;
        let margin = s.frame.width() + 120.0 + 500.0 * r(0);
        let centre = match (r(1) * 4.0) as usize {
            0 => [s.l * r(2), -margin],
            1 => [s.l * r(2), s.w + margin],
            2 => [-margin, s.w * r(2)],
            _ => [s.l + margin, s.w * r(2)],
        };
        let half = [60.0 + 350.0 * r(3), 60.0 + 180.0 * r(4)];
        let (dx, dy) = (
            (x - centre[0]).abs() - half[0],
            (y - centre[1]).abs() - half[1],
        );
        let corner = dx.max(0.0).hypot(dy.max(0.0));
        let inside = corner < 30.0;
        inside.then(|| {
            let tint = |k: i64| 0.03 + 0.6 * lattice(i, k, seed).powi(2);
            let stripes = if r(5) > 0.5 && ((x * 0.02).floor() as i64) % 3 == 0 {
                0.6
            } else {
                1.0
            };
            [tint(6) * stripes, tint(7) * stripes, tint(8) * stripes]
        })
    }
}

/// 0..=1: how much of a chalk speck lies at a place. Specks are a few mm wide and rare.
fn chalk(x: f64, y: f64, seed: u64) -> f32 {
    const CELL: f64 = 120.0;
    let (i, j) = ((x / CELL).floor(), (y / CELL).floor());
    let r = |k: u64| f64::from(lattice(i as i64, j as i64, seed.wrapping_add(k)));
    if r(0) > 0.10 {
        return 0.0;
    }
    let (dx, dy) = (
        x - (i + 0.2 + 0.6 * r(1)) * CELL,
        y - (j + 0.2 + 0.6 * r(2)) * CELL,
    );
    let radius = 1.0 + 4.0 * r(3);
    (1.0 - dx.hypot(dy) / radius).clamp(0.0, 1.0) as f32
}

/// Where the cushion's face looks: inwards and a little down.
fn face_normal(cushion: Cushion) -> [f64; 3] {
    let (inward, down) = (0.94, -0.33);
    match cushion {
        Cushion::S => [inward, 0.0, down],
        Cushion::N => [-inward, 0.0, down],
        Cushion::W => [0.0, inward, down],
        Cushion::E => [0.0, -inward, down],
    }
}

pub(super) fn scale(c: Rgb, k: f32) -> Rgb {
    c.map(|v| v * k)
}

pub(super) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

fn mean(colours: impl Iterator<Item = Rgb>, n: usize) -> Rgb {
    let sum = colours.fold([0.0; 3], |s: Rgb, c| std::array::from_fn(|i| s[i] + c[i]));
    scale(sum, 1.0 / n as f32)
}

fn differ(colours: &[Rgb]) -> bool {
    (0..3).any(|i| {
        let lo = colours.iter().map(|c| c[i]).fold(f32::INFINITY, f32::min);
        let hi = colours.iter().map(|c| c[i]).fold(0.0, f32::max);
        hi - lo > EDGE * (hi + 0.05)
    })
}
