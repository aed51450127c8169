//! What the bed looks like without balls and people.

use rayon::prelude::*;

use crate::{
    calib::Calibration,
    detect::{
        bed::Bed,
        blobs::blobs,
        cloth::Cloth,
        colour::{Bgr, Colours, Shown, distance_from_shaded},
        scan::pixel,
    },
    model::Picture,
};

/// The empty bed, pixel by pixel: cloth with its lines, spots and the strips of shadow under the noses.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    pub(crate) bed: Bed,
    cloth: Cloth,
    picture: Picture,
}

impl Background {
    /// The median of some pictures; where the median shows a ball at rest the cloth's own field stands in.
    pub(crate) fn new(
        pictures: &[&Picture],
        bed: Bed,
        cloth: Cloth,
        noise: f32,
        calibration: &Calibration,
    ) -> Option<Self> {
        let mut picture = median(pictures, &bed)?;
        let (h, w, _) = picture.dim();
        let threshold = (3.0 * cloth.spread as f32).max(2.0 * noise);
        let field = |x: usize, y: usize| cloth.colour([x as f64, y as f64]).map(|v| v as f32);
        for ball in blobs(&picture, &bed, calibration, threshold, field) {
            let ([cx, cy], reach) = (ball.centre, 1.4 * ball.radius);
            for y in (cy - reach).max(0.0) as usize..((cy + reach) as usize + 1).min(h) {
                for x in (cx - reach).max(0.0) as usize..((cx + reach) as usize + 1).min(w) {
                    if (x as f64 - cx).hypot(y as f64 - cy) < reach {
                        let cloth = field(x, y);
                        for c in 0..3 {
                            picture[[y, x, c]] = cloth[c].round() as u8;
                        }
                    }
                }
            }
        }
        Some(Self {
            bed,
            cloth,
            picture,
        })
    }

    /// The empty bed's colour at a pixel.
    pub(crate) fn colour(&self, x: usize, y: usize) -> Bgr {
        pixel(&self.picture, x, y)
    }

    /// Follows slow changes of the light: every pixel that shows cloth goes an eighth of the way to what
    /// it shows now.
    pub(crate) fn follow(&mut self, now: &Picture, colours: &Colours) {
        let (bed, cloth) = (&self.bed, &self.cloth);
        let width = self.picture.dim().1;
        let Some(pixels) = self.picture.as_slice_mut() else {
            return;
        };
        pixels
            .par_chunks_mut(3 * width)
            .enumerate()
            .for_each(|(y, row)| {
                for x in bed.span(y) {
                    let here: &mut [u8] = &mut row[3 * x..3 * x + 3];
                    let background = [f32::from(here[0]), f32::from(here[1]), f32::from(here[2])];
                    let seen = pixel(now, x, y);
                    // Where something stood that has gone (a hand that lay there at the start), the cloth's field tells.
                    let field = || cloth.colour([x as f64, y as f64]).map(|v| v as f32);
                    if colours.explain(seen, background) == Shown::Cloth
                        || distance_from_shaded(seen, field()) < colours.noise
                    {
                        for c in 0..3 {
                            let away = seen[c] - background[c];
                            let step = (away.abs() / 8.0).ceil() * away.signum();
                            here[c] = (background[c] + step).clamp(0.0, 255.0) as u8;
                        }
                    }
                }
            });
    }
}

/// Pixel-wise median of the pictures over the bed; the first picture elsewhere.
fn median(pictures: &[&Picture], bed: &Bed) -> Option<Picture> {
    let mut out = (*pictures.first()?).clone();
    let width = out.dim().1;
    let rows = out.as_slice_mut()?;
    rows.par_chunks_mut(3 * width)
        .enumerate()
        .for_each(|(y, row)| {
            let mut values = Vec::with_capacity(pictures.len());
            for x in bed.span(y) {
                for c in 0..3 {
                    values.clear();
                    values.extend(pictures.iter().map(|p| p[[y, x, c]]));
                    values.sort_unstable();
                    row[3 * x + c] = values[values.len() / 2];
                }
            }
        });
    Some(out)
}
