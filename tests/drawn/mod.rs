//! Draws tables as a camera would see them, ray by ray, for tests.

use marqueur::{
    calib::camera::Camera,
    model::{Picture, TableSpec},
    units::{ImagePoint, TablePoint},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Blue, green, red.
pub type Colour = [f64; 3];

/// A table to draw, and what is around it.
#[derive(Clone)]
pub struct Scene {
    pub table: TableSpec,
    pub camera: Camera,
    pub cloth: Colour,
    pub frame: Colour,
    pub floor: Colour,
    /// Light on the cushions' tops against the bed's.
    pub cushion_light: f64,
    /// Light in the shadow strip under the noses, and its width, mm; each side gets a different share of the width.
    pub shadow: (f64, f64),
    /// Width of the cushions, mm.
    pub cushion_mm: f64,
    /// Rectangles (left, top, right, bottom, px) of a person's colour.
    pub people: Vec<[f64; 4]>,
    /// Balls, mm.
    pub balls: Vec<TablePoint>,
    /// Light's growth from the near left to the far right corner, as a share.
    pub slope: f64,
    pub noise: f64,
}

impl Scene {
    /// A match table, straight below a usual camera.
    pub fn new() -> Self {
        let table = TableSpec::named("carom-match").unwrap();
        Self {
            camera: above(&table, [960, 540], 0.0, 0.0, 0.0),
            table,
            cloth: [150.0, 90.0, 30.0],
            frame: [30.0, 50.0, 90.0],
            floor: [70.0, 75.0, 80.0],
            cushion_light: 1.05,
            shadow: (0.5, 24.0),
            cushion_mm: 50.0,
            people: Vec::new(),
            balls: vec![
                TablePoint::new(500.0, 400.0),
                TablePoint::new(1800.0, 1000.0),
                TablePoint::new(2300.0, 300.0),
            ],
            slope: 0.15,
            noise: 2.0,
        }
    }

    /// The picture.
    pub fn draw(&self) -> Picture {
        let [w, h] = self.camera.size.map(|s| s as usize);
        let rows: Vec<Vec<u8>> = (0..h)
            .into_par_iter()
            .map(|y| {
                let mut rng = ChaCha8Rng::seed_from_u64(y as u64);
                (0..w).flat_map(|x| self.pixel(x, y, &mut rng)).collect()
            })
            .collect();
        Picture::from_shape_vec((h, w, 3), rows.concat()).unwrap()
    }

    fn pixel(&self, x: usize, y: usize, rng: &mut ChaCha8Rng) -> [u8; 3] {
        let mut sum = [0.0; 3];
        for (dx, dy) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
            let c = self.colour(ImagePoint::new(x as f64 + dx, y as f64 + dy));
            for k in 0..3 {
                sum[k] += 0.25 * c[k];
            }
        }
        sum.map(|v| {
            (v + self.noise * rng.random_range(-1.7..1.7))
                .round()
                .clamp(0.0, 255.0) as u8
        })
    }

    fn colour(&self, p: ImagePoint) -> Colour {
        if self
            .people
            .iter()
            .any(|[l, t, r, b]| p.x > *l && p.x < *r && p.y > *t && p.y < *b)
        {
            return [60.0, 60.0, 70.0];
        }
        let Some(n) = self.camera.unproject(p, self.table.nose_height_mm) else {
            return self.floor;
        };
        let light = 1.0
            + self.slope * ((n.x / self.table.length_mm + n.y / self.table.width_mm) / 2.0 - 0.5);
        let lit = |c: Colour, k: f64| c.map(|v| v * k * light);
        let out = self.outside(n);
        if out > self.cushion_mm + 110.0 {
            return self.floor;
        }
        if out > self.cushion_mm {
            return lit(self.frame, 1.0);
        }
        if out > 0.0 {
            return lit(self.cloth, self.cushion_light);
        }
        let Some(b) = self.camera.unproject(p, 0.0) else {
            return self.floor;
        };
        let r = self.table.ball_radius_mm();
        if self.balls.iter().any(|ball| {
            self.camera
                .unproject(p, r)
                .is_some_and(|q| q.distance(*ball) < r)
        }) {
            return [210.0, 225.0, 235.0];
        }
        let (l, w) = (self.table.length_mm, self.table.width_mm);
        let (dark, width) = self.shadow;
        let shaded =
            b.x < width || b.x > l - 0.8 * width || b.y < 0.6 * width || b.y > w - 1.2 * width;
        lit(self.cloth, if shaded { dark } else { 1.0 })
    }

    /// How far outside of the noses' rectangle, mm.
    fn outside(&self, p: TablePoint) -> f64 {
        let (l, w) = (self.table.length_mm, self.table.width_mm);
        (-p.x).max(p.x - l).max(-p.y).max(p.y - w)
    }

    /// Placement errors of a camera over the bed at ball height, mm: root mean square and worst of 9 x 5 places.
    pub fn errors(&self, found: &Camera) -> (f64, f64) {
        let (t, r) = (&self.table, self.table.ball_radius_mm());
        let off: Vec<f64> = (0..45)
            .map(|i| {
                let p = TablePoint::new(
                    r + (t.length_mm - 2.0 * r) * f64::from(i % 9) / 8.0,
                    r + (t.width_mm - 2.0 * r) * f64::from(i / 9) / 4.0,
                );
                found
                    .unproject(self.camera.project(p, r), r)
                    .map_or(1e9, |q| q.distance(p))
            })
            .collect();
        let rms = (off.iter().map(|o| o * o).sum::<f64>() / off.len() as f64).sqrt();
        (rms, off.into_iter().fold(0.0, f64::max))
    }
}

/// A camera that looks at the middle of a table so that it fills three quarters of the picture: tilted about the
/// picture's horizontal and vertical axes, and rolled, degrees.
pub fn above(table: &TableSpec, size: [u32; 2], pitch: f64, yaw: f64, roll: f64) -> Camera {
    let focal = 0.85 * f64::from(size[0]);
    let distance = 0.85 * table.length_mm / 0.72;
    let turn = |x: f64, y: f64, z: f64| {
        Camera::new(
            size,
            focal,
            ImagePoint::default(),
            [0.0; 2],
            [x, y, z],
            [0.0; 3],
        )
        .rotation
    };
    let rotation =
        turn(pitch.to_radians(), yaw.to_radians(), 0.0) * turn(0.0, 0.0, roll.to_radians());
    let mut camera = Camera::new(
        size,
        focal,
        ImagePoint::new(
            0.5 * f64::from(size[0]) - 0.5,
            0.5 * f64::from(size[1]) - 0.5,
        ),
        [0.0; 2],
        [0.0; 3],
        [0.0, 0.0, distance],
    );
    camera.rotation = rotation;
    let middle = [0.5 * table.length_mm, 0.5 * table.width_mm];
    for row in 0..3 {
        camera.translation[row] -= rotation[(row, 0)] * middle[0] + rotation[(row, 1)] * middle[1];
    }
    camera
}
