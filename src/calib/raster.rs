//! Reading a picture between its pixels.

use crate::{calib::region::Spot, model::Picture};

/// Colour at a place between pixels, blue, green, red, 0..=255; NaN outside of the picture.
pub(crate) fn colour_at(picture: &Picture, [x, y]: Spot) -> [f32; 3] {
    let (h, w, _) = picture.dim();
    if !(x >= 0.0 && y >= 0.0 && x <= (w - 1) as f64 && y <= (h - 1) as f64) {
        return [f32::NAN; 3];
    }
    let (x0, y0) = ((x as usize).min(w - 2), (y as usize).min(h - 2));
    let (fx, fy) = ((x - x0 as f64) as f32, (y - y0 as f64) as f32);
    let at = |dy: usize, dx: usize, c: usize| f32::from(picture[[y0 + dy, x0 + dx, c]]);
    [0, 1, 2].map(|c| {
        let upper = at(0, 0, c) + fx * (at(0, 1, c) - at(0, 0, c));
        let lower = at(1, 0, c) + fx * (at(1, 1, c) - at(1, 0, c));
        upper + fy * (lower - upper)
    })
}

/// Brightness as the eye weighs it.
pub(crate) fn brightness(colour: [f32; 3]) -> f32 {
    0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
}
