//! Where the camera hangs.

use nalgebra::{Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    calib::camera::Camera,
    model::TableSpec,
    units::{ImagePoint, TablePoint},
};

/// Limits within which a camera is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewLimits {
    /// Angle from straight down, degrees.
    pub tilt_deg: f64,
    /// Turn of the picture about its axis, degrees.
    pub roll_deg: f64,
    /// Height of the lens above the cloth, mm.
    pub height_mm: [f64; 2],
    /// First radial distortion coefficient.
    pub k1: [f64; 2],
    /// Share of the picture the table with its frame takes up.
    pub fill: [f64; 2],
}

impl Default for ViewLimits {
    fn default() -> Self {
        Self {
            tilt_deg: 4.0,
            roll_deg: 2.0,
            height_mm: [2700.0, 4200.0],
            k1: [-0.10, 0.04],
            fill: [0.80, 0.95],
        }
    }
}

/// Draws a camera over the table from a seed: within the limits, not quite centred, the whole frame in the picture.
///
/// # Units
/// `size`: px. `frame_mm`: width of cushion and frame outside the noses, mm.
pub fn random(
    table: &TableSpec,
    size: [u32; 2],
    frame_mm: f64,
    limits: &ViewLimits,
    seed: u64,
) -> Camera {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let tilt = rng.random_range(0.0..limits.tilt_deg).to_radians();
    let towards = rng.random_range(0.0..std::f64::consts::TAU);
    let roll = rng
        .random_range(-limits.roll_deg..limits.roll_deg)
        .to_radians();
    let height = rng.random_range(limits.height_mm[0]..limits.height_mm[1]);
    let k1 = rng.random_range(limits.k1[0]..limits.k1[1]);
    let fill = rng.random_range(limits.fill[0]..limits.fill[1]);
    let off = [rng.random_range(-0.01..0.01), rng.random_range(-0.01..0.01)];
    let aside = [rng.random_range(-40.0..40.0), rng.random_range(-40.0..40.0)];
    let rotation = Rotation3::new(Vector3::new(0.0, 0.0, roll))
        * Rotation3::new(Vector3::new(
            tilt * towards.cos(),
            tilt * towards.sin(),
            0.0,
        ));
    let aim = Vector3::new(
        0.5 * table.length_mm + aside[0],
        0.5 * table.width_mm + aside[1],
        0.0,
    );
    let axis = rotation.inverse() * Vector3::z();
    let lens = aim - axis * (height / axis.z);
    let [w, h] = size.map(f64::from);
    let mut camera = Camera::new(
        size,
        w,
        ImagePoint::new(w * (0.5 + off[0]), h * (0.5 + off[1])),
        [k1, 0.0],
        rotation.scaled_axis().into(),
        (-(rotation * lens)).into(),
    );
    fit(&mut camera, table, frame_mm, fill);
    camera
}

/// Chooses the focal length so that the frame's outline takes up `fill` of the picture in the tighter direction.
fn fit(camera: &mut Camera, table: &TableSpec, frame_mm: f64, fill: f64) {
    let [w, h] = camera.size.map(f64::from);
    let used = |camera: &Camera| {
        outline(table, frame_mm)
            .map(|p| {
                let seen = camera.project(p, table.nose_height_mm);
                let x = (2.0 * seen.x / w - 1.0).abs();
                let y = (2.0 * seen.y / h - 1.0).abs();
                x.max(y)
            })
            .fold(0.0, f64::max)
    };
    for _ in 0..12 {
        camera.focal_px *= fill / used(camera).max(1e-3);
    }
}

/// Points along the frame's outer edge.
fn outline(table: &TableSpec, frame_mm: f64) -> impl Iterator<Item = TablePoint> {
    let (l, w, f) = (table.length_mm, table.width_mm, frame_mm);
    (0..=8).flat_map(move |i| {
        let s = f64::from(i) / 8.0;
        let (x, y) = (-f + (l + 2.0 * f) * s, -f + (w + 2.0 * f) * s);
        [
            TablePoint::new(x, -f),
            TablePoint::new(x, w + f),
            TablePoint::new(-f, y),
            TablePoint::new(l + f, y),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_frame_is_in_every_picture() {
        let table = TableSpec::named("carom-match").unwrap();
        for seed in 0..50 {
            let camera = random(&table, [1280, 720], 150.0, &ViewLimits::default(), seed);
            for p in outline(&table, 150.0) {
                let seen = camera.project(p, table.nose_height_mm);
                assert!((0.0..1280.0).contains(&seen.x) && (0.0..720.0).contains(&seen.y));
            }
        }
    }
}
