//! What the table shows, in the table frame, with names.

use crate::{
    model::Ball,
    units::{TablePoint, TableVec, Timestamp},
};

/// A detection carried into the table frame: raw, unfiltered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Ball centre at the middle of the exposure, mm.
    pub pos: TablePoint,
    /// Covariance of `pos`, mm^2: xx, xy, yy.
    pub covariance: [f64; 3],
    /// Displacement of the centre during the exposure, mm, sign unknown; `None` when too short to be seen.
    pub streak: Option<TableVec>,
    /// Share of the ball seen, 0..=1.
    pub visible: f64,
}

impl Measurement {
    /// Standard deviation of the place in the mean direction, mm.
    pub fn sigma_mm(&self) -> f64 {
        (0.5 * (self.covariance[0] + self.covariance[2]))
            .max(0.0)
            .sqrt()
    }
}

/// A named ball at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallState {
    /// Which ball.
    pub id: Ball,
    /// Filtered place, mm.
    pub pos: TablePoint,
    /// Filtered velocity, mm/s.
    pub vel: TableVec,
    /// Standard deviation of `pos`, mm.
    pub sigma_mm: f64,
    /// What was seen in this frame; `None` when the place is only predicted (hidden, or missed).
    pub seen: Option<Measurement>,
    /// Something that is not a ball (hand, cue) touches or covers the ball's place in the picture.
    pub handled: bool,
}

/// All named balls at one frame. A ball that is not on the table is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackedFrame {
    /// The frame's number.
    pub seq: u64,
    /// The frame's time.
    pub at: Timestamp,
    /// The balls in play, ordered by name.
    pub balls: Vec<BallState>,
    /// Nothing could be seen at this moment.
    pub blind: bool,
}

impl TrackedFrame {
    /// The state of one ball, if it is on the table.
    pub fn ball(&self, id: Ball) -> Option<&BallState> {
        self.balls.iter().find(|b| b.id == id)
    }
}
