//! What the bed looks like without balls and people.

use rayon::prelude::*;

use crate::{
    calib::Calibration,
    detect::{
        bed::Bed,
        blobs::{Blob, blobs},
        cloth::Cloth,
        colour::{Bgr, Colours, Shown, distance_from_shaded},
        scan::pixel,
    },
    model::Picture,
};

/// Bare cloth in less than one of so many pictures is chance: something of the bed's own lies there.
const LEAST_BARE: usize = 4;

/// The empty bed, pixel by pixel: cloth with its lines, spots and the strips of shadow under the noses.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    pub(crate) bed: Bed,
    cloth: Cloth,
    picture: Picture,
}

impl Background {
    /// What the pictures show where nothing lies: the median of what looks like cloth, of everything where too little
    /// does (lines, spots, the strips under the noses), and the cloth's own field where balls lay all the time.
    pub(crate) fn new(
        pictures: &[&Picture],
        bed: Bed,
        cloth: Cloth,
        noise: f32,
        calibration: &Calibration,
    ) -> Option<Self> {
        let threshold = (3.0 * cloth.spread as f32).max(2.0 * noise);
        let field = |x: usize, y: usize| cloth.colour([x as f64, y as f64]).map(|v| v as f32);
        let lay: Vec<Vec<Blob>> = pictures
            .par_iter()
            .map(|p| blobs(p, &bed, calibration, threshold, field))
            .collect();
        let lay = under_balls(lay.iter().flatten(), pictures.first()?);
        let mut picture = (*pictures.first()?).clone();
        let (_, width, _) = picture.dim();
        let rows = picture.as_slice_mut()?;
        rows.par_chunks_mut(3 * width)
            .enumerate()
            .for_each(|(y, row)| {
                let mut bare: Vec<Bgr> = Vec::with_capacity(pictures.len());
                for x in bed.span(y) {
                    let all = || pictures.iter().map(|p| pixel(p, x, y));
                    let cloth_like = |&c: &Bgr| distance_from_shaded(c, field(x, y)) <= threshold;
                    bare.clear();
                    bare.extend(all().filter(cloth_like));
                    if lay[y * width + x] {
                        if bare.is_empty() {
                            bare.push(field(x, y));
                        }
                    } else if bare.len() * LEAST_BARE < pictures.len() {
                        bare.clear();
                        bare.extend(all());
                    }
                    for c in 0..3 {
                        bare.sort_unstable_by(|a, b| a[c].total_cmp(&b[c]));
                        row[3 * x + c] = bare[bare.len() / 2][c].round() as u8;
                    }
                }
            });
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

/// The pixels on which a ball lay in some picture, with its edge and the shadow at its foot.
fn under_balls<'a>(balls: impl Iterator<Item = &'a Blob>, picture: &Picture) -> Vec<bool> {
    let (h, w, _) = picture.dim();
    let mut out = vec![false; h * w];
    for ball in balls {
        let ([cx, cy], reach) = (ball.centre, 1.4 * ball.radius);
        for y in (cy - reach).max(0.0) as usize..((cy + reach) as usize + 1).min(h) {
            for x in (cx - reach).max(0.0) as usize..((cx + reach) as usize + 1).min(w) {
                out[y * w + x] |= (x as f64 - cx).hypot(y as f64 - cy) < reach;
            }
        }
    }
    out
}
