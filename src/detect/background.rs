//! What the bed looks like without balls and people.

use rayon::prelude::*;

use crate::{
    detect::{
        bed::Bed,
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
    picture: Picture,
}

impl Background {
    /// The median of some pictures; where the median shows something that is neither cloth nor cloth in shadow (a ball
    /// at rest, a hand that stays) the cloth's own field stands in.
    pub(crate) fn new(pictures: &[&Picture], bed: Bed, cloth: &Cloth, noise: f32) -> Option<Self> {
        let mut picture = median(pictures, &bed)?;
        let spread = (3.0 * cloth.spread as f32).max(2.5 * noise);
        let (h, w, _) = picture.dim();
        let mut foreign = vec![false; h * w];
        for y in bed.top()..bed.bottom() {
            for x in bed.span(y) {
                let field = cloth.colour([x as f64, y as f64]).map(|v| v as f32);
                foreign[y * w + x] = distance_from_shaded(pixel(&picture, x, y), field) > spread;
            }
        }
        for y in bed.top()..bed.bottom() {
            for x in bed.span(y) {
                if near_foreign(&foreign, [w, h], x, y) {
                    let field = cloth.colour([x as f64, y as f64]);
                    for c in 0..3 {
                        picture[[y, x, c]] = field[c].round() as u8;
                    }
                }
            }
        }
        Some(Self { bed, picture })
    }

    /// The empty bed's colour at a pixel.
    pub(crate) fn colour(&self, x: usize, y: usize) -> Bgr {
        pixel(&self.picture, x, y)
    }

    /// Follows slow changes of the light: every pixel that shows cloth goes an eighth of the way to what it shows now.
    pub(crate) fn follow(&mut self, now: &Picture, colours: &Colours) {
        let bed = &self.bed;
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
                    if colours.explain(seen, background) == Shown::Cloth {
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

/// Whether something foreign lies within two pixels: blurred edges belong to it.
fn near_foreign(foreign: &[bool], [w, h]: [usize; 2], x: usize, y: usize) -> bool {
    (y.saturating_sub(2)..(y + 3).min(h))
        .any(|j| (x.saturating_sub(2)..(x + 3).min(w)).any(|i| foreign[j * w + i]))
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
