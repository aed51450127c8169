//! Several pictures into one without the passers-by, and one picture into a small one.

use ndarray::{Array3, ArrayView3, Axis, parallel::prelude::*};

use super::error::CalibError;
use crate::model::Picture;

/// Most pictures that enter the median: more change nothing and cost time.
const MOST_FRAMES: usize = 7;

/// The median of several pictures, byte by byte: what moves through fewer than half of them is gone.
///
/// Takes at most seven, evenly spread over what is given.
///
/// # Errors
/// No picture at all, or pictures of different sizes.
pub(crate) fn median(frames: &[Picture]) -> Result<Picture, CalibError> {
    let first = frames.first().ok_or(CalibError::NoPicture)?;
    if let Some(other) = frames.iter().find(|f| f.dim() != first.dim()) {
        return Err(CalibError::MixedSizes {
            first: size(first),
            other: size(other),
        });
    }
    let chosen = spread(frames);
    if chosen.len() < 3 {
        return Ok(first.clone());
    }
    let mut out = Array3::<u8>::zeros(first.dim());
    out.axis_iter_mut(Axis(0))
        .into_par_iter()
        .enumerate()
        .for_each(|(y, mut row)| {
            let mut rows: Vec<Vec<u8>> = chosen
                .iter()
                .map(|f| f.index_axis(Axis(0), y).iter().copied().collect())
                .collect();
            sort_columns(&mut rows);
            let middle = &rows[rows.len() / 2];
            for (o, m) in row.iter_mut().zip(middle) {
                *o = *m;
            }
        });
    Ok(out)
}

/// An odd number of pictures, evenly spread.
fn spread(frames: &[Picture]) -> Vec<&Picture> {
    let mut n = frames.len().min(MOST_FRAMES);
    if n.is_multiple_of(2) {
        n -= 1;
    }
    (0..n)
        .map(|i| &frames[i * (frames.len() - 1) / n.saturating_sub(1).max(1)])
        .collect()
}

/// Sorts every column of the rows by odd-even transposition: plain loops over bytes, which the compiler turns into
/// vector minima and maxima.
fn sort_columns(rows: &mut [Vec<u8>]) {
    let n = rows.len();
    for round in 0..n {
        for i in (round % 2..n.saturating_sub(1)).step_by(2) {
            let (low, high) = rows.split_at_mut(i + 1);
            for (a, b) in low[i].iter_mut().zip(high[0].iter_mut()) {
                let (x, y) = (*a, *b);
                *a = x.min(y);
                *b = x.max(y);
            }
        }
    }
}

/// Width and height, px.
pub(crate) fn size(picture: &Picture) -> [u32; 2] {
    let (h, w, _) = picture.dim();
    [w as u32, h as u32]
}

/// A picture reduced by a whole number in both directions, each pixel the mean of a square.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    /// Width, small px.
    pub(crate) width: usize,
    /// Height, small px.
    pub(crate) height: usize,
    /// Side of the square, px.
    pub(crate) step: usize,
    /// Blue, green, red, 0..=255, row by row.
    pub(crate) pixels: Vec<[f32; 3]>,
}

impl Small {
    /// Reduces a picture until its longer side has at most `longest` px. Rests at the right and lower edge are left out.
    pub(crate) fn of(picture: &Picture, longest: usize) -> Self {
        let (h, w, _) = picture.dim();
        let step = w.max(h).div_ceil(longest).max(1);
        let (width, height) = (w / step, h / step);
        let pixels = (0..width * height)
            .into_par_iter()
            .with_min_len(width.max(1))
            .map(|i| mean_of_square(picture.view(), (i % width) * step, (i / width) * step, step))
            .collect();
        Self {
            width,
            height,
            step,
            pixels,
        }
    }

    /// Where the middle of a small pixel lies in the picture, px.
    pub(crate) fn to_full(&self, small: f64) -> f64 {
        (small + 0.5) * self.step as f64 - 0.5
    }

    /// The brightness that `share` of the pixels stay below.
    pub(crate) fn brightness(&self, share: f64) -> f64 {
        let mut levels: Vec<f32> = self
            .pixels
            .iter()
            .map(|p| p[0].max(p[1]).max(p[2]))
            .collect();
        levels.sort_by(f32::total_cmp);
        let i = (share * levels.len() as f64) as usize;
        levels
            .get(i.min(levels.len().saturating_sub(1)))
            .map_or(0.0, |l| f64::from(*l))
    }
}

fn mean_of_square(picture: ArrayView3<'_, u8>, x0: usize, y0: usize, step: usize) -> [f32; 3] {
    let mut sum = [0u32; 3];
    for y in y0..y0 + step {
        for x in x0..x0 + step {
            for (c, s) in sum.iter_mut().enumerate() {
                *s += u32::from(picture[[y, x, c]]);
            }
        }
    }
    let k = 1.0 / (step * step) as f32;
    sum.map(|s| s as f32 * k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_forgets_what_only_passes() {
        let mut frames = vec![Array3::<u8>::from_elem((4, 5, 3), 90); 5];
        frames[1].fill(255);
        frames[3][[2, 2, 1]] = 0;
        let m = median(&frames).unwrap();
        assert!(m.iter().all(|v| *v == 90));
    }

    #[test]
    fn pictures_of_different_sizes_are_refused() {
        let frames = [Array3::zeros((4, 5, 3)), Array3::zeros((5, 5, 3))];
        assert!(matches!(
            median(&frames),
            Err(CalibError::MixedSizes { .. })
        ));
        assert!(matches!(median(&[]), Err(CalibError::NoPicture)));
    }

    #[test]
    fn a_small_picture_keeps_the_mean_and_the_place() {
        let mut p = Array3::<u8>::zeros((8, 8, 3));
        p[[4, 4, 2]] = 160;
        let s = Small::of(&p, 2);
        assert_eq!((s.width, s.height, s.step), (2, 2, 4));
        assert_eq!(s.pixels[3], [0.0, 0.0, 10.0]);
        assert_eq!(s.to_full(0.0), 1.5);
    }
}
