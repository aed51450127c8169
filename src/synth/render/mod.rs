//! From what is where to pictures: a still background, and small tiles repainted where something moves.

mod background;
mod ball;
mod figure;
mod grain;
mod light;
mod moment;
mod rays;
mod surface;
mod tile;
mod tone;

use std::collections::BTreeMap;

use rayon::prelude::*;

pub use figure::Rod;
pub use surface::Frame;

use crate::{
    calib::camera::Camera,
    model::Ball,
    synth::{
        look::{Look, Rgb},
        players,
        render::{
            background::{Background, Still},
            ball::{Paint, Turn, UNTURNED, bounce, turned},
            grain::SensorNoise,
            light::{Light, MOST_LAMPS, Sphere},
            moment::{BallMoment, Figures, Moment, hash, join, outline, overlap, shadow_box},
            rays::Rays,
            surface::Surface,
            tile::{SIDE, Tile, area, middle},
            tone::Tone,
        },
        script::Script,
    },
    units::TablePoint,
};

/// A picture as video codecs take it: full luma, chroma at half size in both directions, limited range BT.709.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    /// Width, px, even.
    pub width: usize,
    /// Height, px, even.
    pub height: usize,
    /// Luma, row by row.
    pub y: Vec<u8>,
    /// Blue difference.
    pub u: Vec<u8>,
    /// Red difference.
    pub v: Vec<u8>,
}

/// How frames are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shutter {
    /// Frames per second.
    pub fps: f64,
    /// Exposure of each frame, s, centred on its presentation time.
    pub exposure_s: f64,
}

/// Renders a script's frames in order.
pub struct Renderer<'a> {
    script: &'a Script,
    look: &'a Look,
    camera: &'a Camera,
    shutter: Shutter,
    rays: Rays,
    light: Light,
    surface: Surface,
    background: Background,
    tone: Tone,
    noise: SensorNoise,
    still: Planes,
    clean: Planes,
    noisy: Planes,
    signatures: Vec<u64>,
    turns: BTreeMap<Ball, Turn>,
    frame: u64,
}

/// What painting a tile needs.
struct Painter<'a> {
    rays: &'a Rays,
    light: &'a Light,
    surface: &'a Surface,
    background: &'a Background,
    tone: &'a Tone,
    gain: Rgb,
    vignette: f32,
}

/// Displacement during the exposure that asks for another look at a moving ball, px.
const PX_PER_LOOK: f64 = 0.4;
/// Most looks over one exposure.
const MOST_LOOKS: f64 = 96.0;
/// Share of a ball's outline under a hand or cue from which it counts as covered.
const COVERED: f64 = 0.5;

impl<'a> Renderer<'a> {
    /// Prepares everything that stays: this takes as long as some hundred frames.
    pub fn new(
        script: &'a Script,
        look: &'a Look,
        camera: &'a Camera,
        frame: Frame,
        shutter: Shutter,
    ) -> Self {
        let rays = Rays::new(camera);
        let surface = Surface::new(&script.table, frame);
        let light = Light {
            lamps: look.lamps.iter().copied().take(MOST_LAMPS).collect(),
            ambient: look.ambient,
        };
        let background = Background::render(
            &rays,
            &Still {
                surface: &surface,
                light: &light,
                look,
            },
        );
        let tone = Tone::new();
        let (width, height) = (rays.width, rays.height);
        let blank = Planes {
            width,
            height,
            y: vec![16; width * height],
            u: vec![128; width * height / 4],
            v: vec![128; width * height / 4],
        };
        let tiles = width.div_ceil(SIDE) * height.div_ceil(SIDE);
        let mut renderer = Self {
            script,
            look,
            camera,
            shutter,
            light,
            surface,
            background,
            tone,
            noise: SensorNoise::new(look.noise, look.seed),
            still: blank.clone(),
            clean: blank.clone(),
            noisy: blank,
            signatures: vec![0; tiles],
            turns: BTreeMap::new(),
            frame: 0,
            rays,
        };
        let all: Vec<usize> = (0..tiles).collect();
        let painted = renderer.paint(&Moment::default(), &all);
        for (i, tile) in painted {
            let (x, y) = renderer.corner(i);
            put(&mut renderer.still, &tile, x, y);
        }
        renderer.clean = renderer.still.clone();
        renderer
    }

    /// Presentation time of the frame that [`Renderer::next_frame`] gives next, s.
    pub fn time(&self) -> f64 {
        self.frame as f64 / self.shutter.fps
    }

    /// The next frame, with noise, and the balls that were covered in it.
    pub fn next_frame(&mut self) -> (&Planes, Vec<Ball>) {
        let t = self.time();
        let moment = self.moment(t);
        let covered = self.covered(&moment);
        self.repaint(&moment);
        self.add_noise();
        self.turn_balls(t);
        self.frame += 1;
        (&self.noisy, covered)
    }

    /// The frame last given, before noise.
    pub fn clean(&self) -> &Planes {
        &self.clean
    }

    fn painter(&self) -> Painter<'_> {
        Painter {
            rays: &self.rays,
            light: &self.light,
            surface: &self.surface,
            background: &self.background,
            tone: &self.tone,
            gain: self.look.gain,
            vignette: self.look.vignette,
        }
    }

    fn paint(&self, moment: &Moment, tiles: &[usize]) -> Vec<(usize, Tile)> {
        let painter = self.painter();
        tiles
            .par_iter()
            .map(|&i| {
                let (x, y) = self.corner(i);
                (i, painter.tile(moment, x, y))
            })
            .collect()
    }

    /// First pixel of a tile.
    fn corner(&self, tile: usize) -> (usize, usize) {
        let columns = self.rays.width.div_ceil(SIDE);
        (tile % columns * SIDE, tile / columns * SIDE)
    }

    fn repaint(&mut self, moment: &Moment) {
        let now: Vec<u64> = (0..self.signatures.len())
            .map(|i| {
                let (x, y) = self.corner(i);
                moment.signature(area(x, y))
            })
            .collect();
        let changed: Vec<usize> = (0..now.len())
            .filter(|&i| now[i] != self.signatures[i])
            .collect();
        let (busy, empty): (Vec<usize>, Vec<usize>) =
            changed.into_iter().partition(|&i| now[i] != 0);
        for (i, tile) in self.paint(moment, &busy) {
            let (x, y) = self.corner(i);
            put(&mut self.clean, &tile, x, y);
        }
        for i in empty {
            let (x, y) = self.corner(i);
            restore(&mut self.clean, &self.still, x, y);
        }
        self.signatures = now;
    }

    fn add_noise(&mut self) {
        let (w, frame, noise, clean) = (self.rays.width, self.frame, &self.noise, &self.clean);
        let rows = self.noisy.y.par_chunks_mut(w).zip(clean.y.par_chunks(w));
        rows.enumerate()
            .for_each(|(i, (out, row))| noise.luma(row, out, i as u64, frame));
        let planes = [
            (&mut self.noisy.u, &clean.u, 1),
            (&mut self.noisy.v, &clean.v, 2),
        ];
        for (out, plane, n) in planes {
            out.par_chunks_mut(w / 2)
                .zip(plane.par_chunks(w / 2))
                .enumerate()
                .for_each(|(i, (out, row))| noise.chroma(row, out, i as u64, frame, n));
        }
    }

    fn covered(&self, moment: &Moment) -> Vec<Ball> {
        if moment.figures.is_empty() {
            return Vec::new();
        }
        let hidden = |b: &&BallMoment| {
            let middle = b.places[b.places.len() / 2];
            let place = TablePoint::new(middle.at[0], middle.at[1]);
            let centre = self.camera.project(place, middle.at[2]);
            let r = self.camera.px_per_mm(place, middle.at[2]) * middle.r;
            moment.figures.cover([centre.x, centre.y], r) > COVERED
        };
        moment.balls.iter().filter(hidden).map(|b| b.name).collect()
    }
}

mod exposure;
#[cfg(test)]
mod tests;

impl Moment {
    /// Zero for a tile nothing of the moment concerns; else different whenever its picture may differ.
    fn signature(&self, area: moment::Box4) -> u64 {
        let mut signature = 0;
        for ball in &self.balls {
            if overlap(ball.shadow, area) || overlap(ball.outline, area) {
                signature = hash(signature, [f64::from_bits(ball.signature)]);
            }
        }
        let f = &self.figures;
        let (centre, reach) = middle(area);
        let seen = f.seen.iter().flatten().any(|s| s.shape.near(centre, reach));
        if seen || f.shadows.iter().any(|s| s.seen.near(centre, reach)) {
            signature = hash(signature, [f64::from_bits(f.signature)]);
        }
        signature
    }
}

impl Painter<'_> {
    /// Codes of light that falls on a pixel.
    fn codes(&self, light: Rgb, x: usize, y: usize) -> [f32; 3] {
        let (w, h) = (self.rays.width as f32, self.rays.height as f32);
        let (dx, dy) = (2.0 * x as f32 / w - 1.0, (2.0 * y as f32 - h) / w);
        let fall = 1.0 - self.vignette * (dx * dx + dy * dy);
        self.tone
            .yuv(std::array::from_fn(|i| light[i] * self.gain[i] * fall))
    }
}

/// Copies a tile into the picture.
fn put(planes: &mut Planes, tile: &Tile, x0: usize, y0: usize) {
    let (w, h) = (planes.width, planes.height);
    let (nx, ny) = (SIDE.min(w - x0), SIDE.min(h - y0));
    for j in 0..ny {
        let at = (y0 + j) * w + x0;
        planes.y[at..at + nx].copy_from_slice(&tile.y[j * SIDE..j * SIDE + nx]);
    }
    for j in 0..ny / 2 {
        let (at, from) = ((y0 / 2 + j) * (w / 2) + x0 / 2, j * (SIDE / 2));
        planes.u[at..at + nx / 2].copy_from_slice(&tile.u[from..from + nx / 2]);
        planes.v[at..at + nx / 2].copy_from_slice(&tile.v[from..from + nx / 2]);
    }
}

/// Copies a tile's area back from the still picture.
fn restore(planes: &mut Planes, still: &Planes, x0: usize, y0: usize) {
    let (w, h) = (planes.width, planes.height);
    let (nx, ny) = (SIDE.min(w - x0), SIDE.min(h - y0));
    for j in 0..ny {
        let at = (y0 + j) * w + x0;
        planes.y[at..at + nx].copy_from_slice(&still.y[at..at + nx]);
    }
    for j in 0..ny / 2 {
        let at = (y0 / 2 + j) * (w / 2) + x0 / 2;
        planes.u[at..at + nx / 2].copy_from_slice(&still.u[at..at + nx / 2]);
        planes.v[at..at + nx / 2].copy_from_slice(&still.v[at..at + nx / 2]);
    }
}
