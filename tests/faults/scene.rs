//! Plain pictures of a table through a pinhole camera, for tests of what can go wrong. Nothing here is meant to be
//! pretty: `marqueur synth` renders scenes.

use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage};
use marqueur::{
    calib::camera::Camera,
    model::TableSpec,
    units::{ImagePoint, TablePoint},
};

const SIZE: [u32; 2] = [1280, 720];
const CLOTH: [u8; 3] = [30, 110, 150];
const RUBBER: [u8; 3] = [24, 92, 128];
const WOOD: [u8; 3] = [92, 58, 36];
const FLOOR: [u8; 3] = [52, 50, 48];

/// A ball: colour, place, and velocity in mm per frame.
#[derive(Clone, Copy)]
pub(crate) struct Drawn {
    pub(crate) rgb: [u8; 3],
    pub(crate) at: [f64; 2],
    pub(crate) step: [f64; 2],
}

pub(crate) fn white(at: [f64; 2], step: [f64; 2]) -> Drawn {
    let rgb = [240, 238, 228];
    Drawn { rgb, at, step }
}

pub(crate) fn resting_balls() -> Vec<Drawn> {
    let yellow = Drawn {
        rgb: [235, 190, 40],
        at: [2000.0, 400.0],
        step: [0.0; 2],
    };
    let red = Drawn {
        rgb: [190, 40, 34],
        at: [2130.0, 1000.0],
        step: [0.0; 2],
    };
    vec![white([700.0, 700.0], [0.0; 2]), yellow, red]
}

/// A table, a camera over it, balls on it.
pub(crate) struct Scene {
    pub(crate) table: TableSpec,
    pub(crate) camera: Camera,
    pub(crate) balls: Vec<Drawn>,
    /// A second table of the same kind, displaced by this, mm.
    pub(crate) neighbour: Option<[f64; 2]>,
}

impl Scene {
    /// A carom table seen whole from 3.5 m, a little off the middle.
    pub(crate) fn whole() -> Self {
        Self {
            table: TableSpec::named("carom-match").unwrap(),
            camera: camera([1450.0, 690.0], 3500.0),
            balls: resting_balls(),
            neighbour: None,
        }
    }

    /// Writes pictures into a new folder; the balls go on by their step from one to the next.
    pub(crate) fn write(&self, folder: &Path, pictures: u32) -> PathBuf {
        std::fs::create_dir_all(folder).unwrap();
        let empty = self.empty_table();
        for n in 0..pictures {
            let mut picture = empty.clone();
            for ball in &self.balls {
                let k = f64::from(n);
                let at =
                    TablePoint::new(ball.at[0] + k * ball.step[0], ball.at[1] + k * ball.step[1]);
                self.draw_ball(&mut picture, at, ball.rgb);
            }
            picture.save(folder.join(format!("{n:04}.bmp"))).unwrap();
        }
        folder.to_owned()
    }

    fn empty_table(&self) -> RgbImage {
        RgbImage::from_fn(SIZE[0], SIZE[1], |x, y| {
            let seen = ImagePoint::new(f64::from(x), f64::from(y));
            let nose = self.camera.unproject(seen, self.table.nose_height_mm);
            let mut rgb = nose.map_or(FLOOR, |p| self.colour_at(p));
            // A little grain, the same in every picture: no cloth is perfectly even.
            let grain = (x.wrapping_mul(73) ^ y.wrapping_mul(151)) % 7;
            for c in &mut rgb {
                *c = c.saturating_add(grain as u8);
            }
            Rgb(rgb)
        })
    }

    fn colour_at(&self, p: TablePoint) -> [u8; 3] {
        let here = self.ring_at(p);
        let there = self.neighbour.map_or(FLOOR, |[dx, dy]| {
            self.ring_at(TablePoint::new(p.x - dx, p.y - dy))
        });
        if here == FLOOR { there } else { here }
    }

    fn ring_at(&self, p: TablePoint) -> [u8; 3] {
        let dx = (-p.x).max(p.x - self.table.length_mm);
        let dy = (-p.y).max(p.y - self.table.width_mm);
        match dx.max(dy) {
            d if d <= 0.0 => CLOTH,
            d if d <= 50.0 => RUBBER,
            d if d <= 170.0 => WOOD,
            _ => FLOOR,
        }
    }

    fn draw_ball(&self, picture: &mut RgbImage, at: TablePoint, rgb: [u8; 3]) {
        let height = self.table.ball_radius_mm();
        let centre = self.camera.project(at, height);
        let radius = self.camera.px_per_mm(at, height) * height;
        let reach = radius.ceil() as i64 + 1;
        let (cx, cy) = (centre.x.round() as i64, centre.y.round() as i64);
        for y in cy - reach..=cy + reach {
            for x in cx - reach..=cx + reach {
                let inside = x >= 0 && y >= 0 && x < i64::from(SIZE[0]) && y < i64::from(SIZE[1]);
                if !inside {
                    continue;
                }
                let distance = (x as f64 - centre.x).hypot(y as f64 - centre.y);
                let share = (radius + 0.5 - distance).clamp(0.0, 1.0);
                // Darker towards the outline, as lamps above make it.
                let light = 1.0 - 0.35 * (distance / radius).min(1.0).powi(3);
                let pixel = picture.get_pixel_mut(x as u32, y as u32);
                for (old, new) in pixel.0.iter_mut().zip(rgb) {
                    let lit = f64::from(new) * light;
                    *old = (f64::from(*old) * (1.0 - share) + lit * share) as u8;
                }
            }
        }
    }
}

/// A camera `height_mm` above a place of the table, looking straight down, axes along the table's.
pub(crate) fn camera(above: [f64; 2], height_mm: f64) -> Camera {
    let middle = ImagePoint::new(
        0.5 * f64::from(SIZE[0]) - 0.5,
        0.5 * f64::from(SIZE[1]) - 0.5,
    );
    let place = [-above[0], -above[1], height_mm];
    Camera::new(SIZE, 1250.0, middle, [0.0; 2], [0.02, -0.01, 0.004], place)
}

/// Pictures without any table: a grey wall with some structure.
pub(crate) fn wall(folder: &Path, pictures: u32) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let wall = RgbImage::from_fn(SIZE[0], SIZE[1], |x, y| {
        let v = 110 + ((x / 160 + y / 90) % 3 * 14 + ((x * 7) ^ (y * 13)) % 11) as u8;
        Rgb([v, v, v - 6])
    });
    for n in 0..pictures {
        wall.save(folder.join(format!("{n:04}.bmp"))).unwrap();
    }
    folder.to_owned()
}
