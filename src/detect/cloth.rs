//! The cloth's own light: a smooth field over the bed, fitted to what most of the bed looks like.

use nalgebra::{Matrix6, SMatrix, Vector6};

use crate::{detect::bed::Bed, model::Picture};

/// Colour of the bare cloth as a polynomial of second order in picture coordinates, one for each of blue, green, red.
///
/// Lamps, falling-off light and a gradient of sunlight are smooth over the bed to about 3 % of the brightness;
/// hard shadows, lines and the strip under the noses are not in it (the background picture holds those).
#[derive(Clone, Debug)]
pub(crate) struct Cloth {
    coefficients: SMatrix<f64, 6, 3>,
    centre: [f64; 2],
    scale: f64,
    /// Spread of the cloth's pixels around the field, levels of 0..=255 (weave, noise, chalk).
    pub(crate) spread: f64,
}

impl Cloth {
    /// Fits the field by least squares that are repeated without the pixels that do not belong (balls, hands,
    /// shadows, lines): four rounds, each keeping what lies within three spreads of the round before.
    ///
    /// Returns `None` when the bed holds too few pixels or nothing like a common colour.
    pub(crate) fn fit(picture: &Picture, bed: &Bed) -> Option<Self> {
        let samples = sample(picture, bed);
        if samples.len() < 200 {
            return None;
        }
        let (h, w, _) = picture.dim();
        let centre = [0.5 * w as f64, 0.5 * h as f64];
        let scale = 2.0 / w.max(h) as f64;
        let median: [f64; 3] = std::array::from_fn(|c| {
            let mut v: Vec<f64> = samples.iter().map(|s| s.1[c]).collect();
            v.sort_by(f64::total_cmp);
            v[v.len() / 2]
        });
        let mut field = Self {
            coefficients: SMatrix::zeros(),
            centre,
            scale,
            spread: 40.0,
        };
        for (c, level) in median.iter().enumerate() {
            field.coefficients[(0, c)] = *level;
        }
        for _ in 0..4 {
            let near: Vec<_> = samples
                .iter()
                .filter(|s| field.distance(s.0, s.1) < 3.0 * field.spread)
                .collect();
            if near.len() * 4 < samples.len() {
                return None;
            }
            let mut normal = Matrix6::zeros();
            let mut right = SMatrix::<f64, 6, 3>::zeros();
            for (at, colour) in &near {
                let b = field.basis(*at);
                normal += b * b.transpose();
                for (c, level) in colour.iter().enumerate() {
                    right.set_column(c, &(right.column(c) + b * *level));
                }
            }
            field.coefficients = normal.cholesky()?.solve(&right);
            let mut distances: Vec<f64> = near.iter().map(|s| field.distance(s.0, s.1)).collect();
            distances.sort_by(f64::total_cmp);
            field.spread = (distances[distances.len() / 2] * 1.3).max(2.0);
        }
        Some(field)
    }

    fn basis(&self, at: [f64; 2]) -> Vector6<f64> {
        let (x, y) = (
            (at[0] - self.centre[0]) * self.scale,
            (at[1] - self.centre[1]) * self.scale,
        );
        Vector6::new(1.0, x, y, x * x, x * y, y * y)
    }

    /// The cloth's colour at a pixel: blue, green, red.
    pub(crate) fn colour(&self, at: [f64; 2]) -> [f64; 3] {
        let b = self.basis(at);
        std::array::from_fn(|c| self.coefficients.column(c).dot(&b).clamp(0.0, 255.0))
    }

    fn distance(&self, at: [f64; 2], colour: [f64; 3]) -> f64 {
        let f = self.colour(at);
        (0..3)
            .map(|c| (f[c] - colour[c]).powi(2))
            .sum::<f64>()
            .sqrt()
    }
}

/// About ten thousand pixels spread over the bed.
fn sample(picture: &Picture, bed: &Bed) -> Vec<([f64; 2], [f64; 3])> {
    let step = (((bed.area() as f64) / 10_000.0).sqrt().round() as usize).max(1);
    let mut out = Vec::with_capacity(12_000);
    for y in (bed.top()..bed.bottom()).step_by(step) {
        let span = bed.span(y);
        for x in span.step_by(step) {
            let p = [
                picture[[y, x, 0]] as f64,
                picture[[y, x, 1]] as f64,
                picture[[y, x, 2]] as f64,
            ];
            out.push(([x as f64, y as f64], p));
        }
    }
    out
}
