//! Draws what a calibration found over the picture it was found in.

use super::{Found, camera::Camera, marks::on_nose};
use crate::{
    model::{Cushion, Picture},
    units::{ImagePoint, TablePoint},
};

/// Blue, green, red.
type Ink = [u8; 3];

const NOSE: Ink = [255, 255, 255];
const GRID: Ink = [200, 160, 60];
const OUTLINE: Ink = [255, 0, 255];
const REJECTED: Ink = [0, 0, 0];

/// The picture with the outline from which the search began (magenta), a grid of eighths at ball height, the nose
/// lines as the camera has them (white), every mark in green to red by its distance from them (red from 3 mm), marks
/// that were not believed in black, and the corners.
pub fn overlay(picture: &Picture, found: &Found) -> Picture {
    let mut out = picture.clone();
    let (camera, table) = (&found.calibration.camera, &found.calibration.table);
    for i in 0..4 {
        let (a, b) = (found.outline[i], found.outline[(i + 1) % 4]);
        segment(
            &mut out,
            ImagePoint::new(a[0], a[1]),
            ImagePoint::new(b[0], b[1]),
            OUTLINE,
        );
    }
    let (l, w, r) = (table.length_mm, table.width_mm, table.ball_radius_mm());
    for i in 1..8 {
        let x = l * f64::from(i) / 8.0;
        curve(
            &mut out,
            camera,
            TablePoint::new(x, 0.0),
            TablePoint::new(x, w),
            r,
            GRID,
        );
    }
    for i in 1..4 {
        let y = w * f64::from(i) / 4.0;
        curve(
            &mut out,
            camera,
            TablePoint::new(0.0, y),
            TablePoint::new(l, y),
            r,
            GRID,
        );
    }
    let z = table.nose_height_mm;
    for cushion in Cushion::ALL {
        let end = super::marks::nose_length(table, cushion);
        curve(
            &mut out,
            camera,
            on_nose(table, cushion, 0.0),
            on_nose(table, cushion, end),
            z,
            NOSE,
        );
    }
    for mark in &found.rejected {
        dot(&mut out, mark.seen, 1, REJECTED);
    }
    for (mark, off) in &found.marks {
        dot(&mut out, mark.seen, 1, heat(*off));
    }
    for (x, y) in [(0.0, 0.0), (l, 0.0), (l, w), (0.0, w)] {
        cross(&mut out, camera.project(TablePoint::new(x, y), z));
    }
    out
}

/// Green at none, yellow at 1.5 mm, red from 3 mm.
fn heat(off_mm: f64) -> Ink {
    let t = (off_mm.abs() / 3.0).min(1.0);
    [
        0,
        (255.0 * (2.0 - 2.0 * t).min(1.0)) as u8,
        (255.0 * (2.0 * t).min(1.0)) as u8,
    ]
}

fn curve(out: &mut Picture, camera: &Camera, a: TablePoint, b: TablePoint, height: f64, ink: Ink) {
    let n = 64;
    let at = |i: i32| {
        let s = f64::from(i) / f64::from(n);
        camera.project(
            TablePoint::new(a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)),
            height,
        )
    };
    for i in 0..n {
        segment(out, at(i), at(i + 1), ink);
    }
}

fn segment(out: &mut Picture, a: ImagePoint, b: ImagePoint, ink: Ink) {
    let n = a.distance(b).min(20_000.0).ceil();
    if !n.is_finite() {
        return;
    }
    for i in 0..=n as usize {
        let s = i as f64 / n.max(1.0);
        dot(
            out,
            ImagePoint::new(a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)),
            0,
            ink,
        );
    }
}

fn cross(out: &mut Picture, at: ImagePoint) {
    for d in [-8.0, 8.0] {
        segment(out, at, ImagePoint::new(at.x + d, at.y), NOSE);
        segment(out, at, ImagePoint::new(at.x, at.y + d), NOSE);
    }
}

/// A square of `2 half + 1` px.
fn dot(out: &mut Picture, at: ImagePoint, half: i64, ink: Ink) {
    if !(at.x.is_finite() && at.y.is_finite()) {
        return;
    }
    let (h, w, _) = out.dim();
    let (x0, y0) = (at.x.round() as i64, at.y.round() as i64);
    for y in (y0 - half).max(0)..=(y0 + half).min(h as i64 - 1) {
        for x in (x0 - half).max(0)..=(x0 + half).min(w as i64 - 1) {
            for (c, v) in ink.iter().enumerate() {
                out[[y as usize, x as usize, c]] = *v;
            }
        }
    }
}
