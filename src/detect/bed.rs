//! Which pixels show the bed.

use std::ops::Range;

use crate::{
    calib::Calibration,
    units::{ImagePoint, TablePoint},
};

/// The part of the picture where balls can be: the rectangle between the noses, with a margin, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Bed {
    top: usize,
    spans: Vec<Range<usize>>,
    area: usize,
}

impl Bed {
    /// The bed in pictures of the calibration's size, widened by `margin_mm` on all sides (narrowed when negative).
    pub(crate) fn new(calibration: &Calibration, margin_mm: f64) -> Self {
        let outline = outline(calibration, margin_mm);
        let [w, h] = calibration.camera.size;
        let row = |y: f64| (y.max(0.0) as usize).min(h as usize);
        let top = row(outline.iter().map(|p| p.y).fold(f64::MAX, f64::min).ceil());
        let bottom =
            row(outline.iter().map(|p| p.y).fold(f64::MIN, f64::max).floor() + 1.0).max(top);
        let spans: Vec<_> = (top..bottom)
            .map(|y| crossing(&outline, y as f64, w as usize))
            .collect();
        let area = spans.iter().map(ExactSizeIterator::len).sum();
        Self { top, spans, area }
    }

    /// First row.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// Row after the last.
    pub(crate) fn bottom(&self) -> usize {
        self.top + self.spans.len()
    }

    /// Columns of a row, empty outside.
    pub(crate) fn span(&self, y: usize) -> Range<usize> {
        y.checked_sub(self.top)
            .and_then(|i| self.spans.get(i))
            .cloned()
            .unwrap_or(0..0)
    }

    /// Number of pixels.
    pub(crate) fn area(&self) -> usize {
        self.area
    }

    /// Whether a pixel belongs.
    pub(crate) fn holds(&self, x: f64, y: f64) -> bool {
        x >= 0.0
            && y >= 0.0
            && self
                .span(y.round() as usize)
                .contains(&(x.round() as usize))
    }
}

/// Outline of the nose rectangle in the picture, finely sampled so that bent lines stay bent.
fn outline(calibration: &Calibration, margin_mm: f64) -> Vec<ImagePoint> {
    let (l, w, m) = (
        calibration.table.length_mm,
        calibration.table.width_mm,
        margin_mm,
    );
    let corners = [(-m, -m), (l + m, -m), (l + m, w + m), (-m, w + m)];
    let mut out = Vec::with_capacity(160);
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        for k in 0..40 {
            let s = f64::from(k) / 40.0;
            let p = TablePoint::new(a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s);
            out.push(
                calibration
                    .camera
                    .project(p, calibration.table.nose_height_mm),
            );
        }
    }
    out.retain(|p| p.x.is_finite() && p.y.is_finite());
    out
}

/// Columns between the outermost crossings of a row with the outline.
fn crossing(outline: &[ImagePoint], y: f64, width: usize) -> Range<usize> {
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for i in 0..outline.len() {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        if (a.y <= y) != (b.y <= y) {
            let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
            low = low.min(x);
            high = high.max(x);
        }
    }
    if low > high {
        return 0..0;
    }
    let start = (low.ceil().max(0.0) as usize).min(width);
    start
        ..(high.floor().max(-1.0) + 1.0)
            .max(start as f64)
            .min(width as f64) as usize
}
