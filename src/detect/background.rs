//! What the bed looks like without balls and people.

use rayon::prelude::*;

use crate::{
    calib::Calibration,
    detect::{
        bed::Bed,
        blobs::{Blob, blobs, within},
        cloth::Cloth,
        colour::{Bgr, Colours, Shown, distance_from_shaded},
        scan::pixel,
    },
    model::Picture,
};

/// Rows follow the light in so many turns.
const TURNS: usize = 4;
/// Levels by which a picture's noise lets nothing follow.
const STILL: u8 = 2;
/// Bare cloth in less than one of so many pictures is chance: something of the bed's own lies there.
const LEAST_BARE: usize = 4;

/// The empty bed, pixel by pixel: cloth with its lines, spots and the strips of shadow under the noses.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    pub(crate) bed: Bed,
    cloth: Cloth,
    picture: Picture,
    /// Which rows follow the light next.
    turn: usize,
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
            turn: 0,
        })
    }

    /// The empty bed's colour at a pixel.
    pub(crate) fn colour(&self, x: usize, y: usize) -> Bgr {
        pixel(&self.picture, x, y)
    }

    /// Follows slow changes of the light: what shows cloth goes an eighth of the way to what it shows now. A quarter of
    /// the rows is looked at each time, in turn.
    pub(crate) fn follow(&mut self, now: &Picture, colours: &Colours) {
        let (bed, cloth) = (&self.bed, &self.cloth);
        let width = 3 * self.picture.dim().1;
        let turn = self.turn;
        self.turn = (turn + 1) % TURNS;
        let (Some(pixels), Some(now)) = (self.picture.as_slice_mut(), now.as_slice()) else {
            return;
        };
        pixels
            .par_chunks_mut(width)
            .zip(now.par_chunks(width))
            .enumerate()
            .filter(|(y, _)| y % TURNS == turn)
            .for_each(|(y, (row, now))| {
                for x in bed.span(y) {
                    let here = &mut row[3 * x..3 * x + 3];
                    let now = &now[3 * x..3 * x + 3];
                    if here.iter().zip(now).all(|(h, n)| h.abs_diff(*n) <= STILL) {
                        continue;
                    }
                    let [background, seen] =
                        [&*here, now].map(|p| [f32::from(p[0]), f32::from(p[1]), f32::from(p[2])]);
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
        for [x, y] in within(ball.centre, 1.4 * ball.radius, [w, h]) {
            out[y * w + x] = true;
        }
    }
    out
}
