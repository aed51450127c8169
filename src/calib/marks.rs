//! The noses to a fraction of a pixel, at many stations.

use super::{camera::Camera, raster::colour_at, solve::Mark};
use crate::{
    model::{Cushion, Picture, TableSpec},
    units::{ImagePoint, TablePoint},
};

/// Steps per pixel across the nose.
const FINE: f64 = 4.0;

/// How a cushion's nose shows in the picture: slope of the colours across it, outwards, levels per px.
pub(crate) type Slope = [f32; 3];

/// The point of a cushion's nose line `along` mm from its first end.
pub(crate) fn on_nose(table: &TableSpec, cushion: Cushion, along: f64) -> TablePoint {
    match cushion {
        Cushion::S => TablePoint::new(0.0, along),
        Cushion::N => TablePoint::new(table.length_mm, along),
        Cushion::W => TablePoint::new(along, 0.0),
        Cushion::E => TablePoint::new(along, table.width_mm),
    }
}

/// Length of a cushion's nose line, mm.
pub(crate) fn nose_length(table: &TableSpec, cushion: Cushion) -> f64 {
    match cushion {
        Cushion::S | Cushion::N => table.width_mm,
        Cushion::W | Cushion::E => table.length_mm,
    }
}

/// Finds the noses within `reach` px of where the camera expects them, at `stations` per long side and as many per mm
/// on the short ones.
///
/// Left out: the ends (mitres, pockets) and, on tables with pockets, the middle of the long sides; stations whose
/// step is much weaker or much stronger than the side's usual one (hands, balls, tags).
pub(crate) fn marks(
    picture: &Picture,
    camera: &Camera,
    table: &TableSpec,
    slopes: &[(Cushion, Slope)],
    (stations, reach): (usize, f64),
) -> Vec<Mark> {
    let mut out = Vec::new();
    for (cushion, slope) in slopes {
        let found: Vec<(Mark, f32)> = places(table, *cushion, stations)
            .filter_map(|along| mark(picture, camera, table, *cushion, along, *slope, reach))
            .collect();
        let mut strengths: Vec<f32> = found.iter().map(|f| f.1).collect();
        strengths.sort_by(f32::total_cmp);
        let usual = strengths.get(strengths.len() / 2).copied().unwrap_or(0.0);
        out.extend(
            found
                .into_iter()
                .filter(|f| f.1 > 0.4 * usual && f.1 < 2.5 * usual)
                .map(|f| f.0),
        );
    }
    out
}

/// Places along a nose line where it is looked for, mm from its first end.
fn places(table: &TableSpec, cushion: Cushion, stations: usize) -> impl Iterator<Item = f64> {
    let length = nose_length(table, cushion);
    let d = table.ball_diameter_mm;
    let end = if table.pockets { 2.4 * d } else { 1.0 * d };
    let middle = if table.pockets && matches!(cushion, Cushion::W | Cushion::E) {
        2.0 * d
    } else {
        0.0
    };
    let n = (stations as f64 * length / table.length_mm) as usize;
    (0..n)
        .map(move |i| (i as f64 + 0.5) / n as f64 * length)
        .filter(move |a| *a > end && *a < length - end && (a - 0.5 * length).abs() >= middle)
}

/// The nose at one station: the steepest place of the side's own kind of step, between pixels.
fn mark(
    picture: &Picture,
    camera: &Camera,
    table: &TableSpec,
    cushion: Cushion,
    along: f64,
    slope: Slope,
    reach: f64,
) -> Option<(Mark, f32)> {
    let z = table.nose_height_mm;
    let at = camera.project(on_nose(table, cushion, along), z);
    let next = camera.project(on_nose(table, cushion, along + 1.0), z);
    let middle = TablePoint::new(0.5 * table.length_mm, 0.5 * table.width_mm);
    let inner = camera.project(middle, z);
    let (dx, dy) = (next.x - at.x, next.y - at.y);
    let n = dx.hypot(dy);
    let (dx, dy) = (dx / n, dy / n);
    // Of the two directions across the nose, the one away from the middle.
    let flip = ((inner.x - at.x) * dy - (inner.y - at.y) * dx).signum();
    let (nx, ny) = (-dy * flip, dx * flip);
    let steps = ((reach + 3.0) * FINE) as isize;
    let size = slope.iter().map(|s| s * s).sum::<f32>().sqrt().max(1e-6);
    let level: Vec<f32> = (-steps..=steps)
        .map(|k| {
            let v = k as f64 / FINE;
            let mut sum = 0.0;
            for s in [-2.0, -1.0, 0.0, 1.0, 2.0] {
                let c = colour_at(picture, [at.x + v * nx + s * dx, at.y + v * ny + s * dy]);
                sum += (c[0] * slope[0] + c[1] * slope[1] + c[2] * slope[2]) / size;
            }
            sum / 5.0
        })
        .collect();
    let d = derivative(&level);
    let (v, strength) = peak(&d, reach)?;
    let seen = ImagePoint::new(at.x + v * nx, at.y + v * ny);
    Some((
        Mark {
            cushion,
            seen,
            sigma_px: 0.5,
        },
        strength,
    ))
}

/// Derivative of a Gaussian of 0.9 px, levels per px.
fn derivative(level: &[f32]) -> Vec<f32> {
    let half = (2.5 * FINE) as isize;
    let sigma = 0.9 * FINE;
    let kernel: Vec<f32> = (-half..=half)
        .map(|k| {
            let x = k as f64;
            (x / sigma.powi(2) * (-0.5 * (x / sigma).powi(2)).exp()
                / (sigma * (2.0 * std::f64::consts::PI).sqrt())
                * FINE) as f32
        })
        .collect();
    let n = level.len() as isize;
    (0..n)
        .map(|i| {
            if i < half || i + half >= n {
                return 0.0;
            }
            (-half..=half)
                .map(|k| kernel[(k + half) as usize] * level[(i + k) as usize])
                .sum()
        })
        .collect()
}

/// The highest local maximum within `reach` px of the middle, refined by a parabola: offset in px, and its height.
fn peak(d: &[f32], reach: f64) -> Option<(f64, f32)> {
    let middle = (d.len() / 2) as isize;
    let r = (reach * FINE) as isize;
    let k = (middle - r..=middle + r)
        .filter(|k| {
            let k = *k as usize;
            k > 0 && k + 1 < d.len() && d[k] > 0.0 && d[k] >= d[k - 1] && d[k] > d[k + 1]
        })
        .max_by(|p, q| d[*p as usize].total_cmp(&d[*q as usize]))?;
    let (l, m, n) = (d[k as usize - 1], d[k as usize], d[k as usize + 1]);
    let curve = l - 2.0 * m + n;
    let shift = if curve < 0.0 {
        0.5 * (l - n) / curve
    } else {
        0.0
    };
    Some(((k - middle) as f64 / FINE + f64::from(shift) / FINE, m))
}
