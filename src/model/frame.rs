//! Pictures with their time.

use ndarray::Array3;

use crate::units::Timestamp;

/// A picture: height x width x 3, blue, green, red, 0..=255, rows top to bottom.
pub type Picture = Array3<u8>;

/// One picture of a source with the time it shows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Counts from 0 in presentation order; gaps are frames that were dropped.
    pub seq: u64,
    /// Presentation time since the first frame.
    pub at: Timestamp,
    /// What was seen.
    pub pixels: Picture,
}
