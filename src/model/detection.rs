//! What the picture shows, in the picture's own frame.

use crate::{
    model::Ball,
    units::{ImagePoint, Timestamp},
};

/// The blur of a ball that moved during the exposure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Streak {
    /// Half the displacement of the centre during the exposure, px: the centre ran from `centre - half` to
    /// `centre + half` or the other way round (a streak does not tell which).
    pub half: ImagePoint,
    /// Standard deviation of `half` along the motion, px.
    pub sigma_px: f64,
}

/// A ball seen in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct BallDetection {
    /// Likelihood of the colour under each ball of the set, same order as the set, each in 0..=1.
    pub likelihood: Vec<f64>,
    /// The ball whose colour fits best.
    pub colour: Ball,
    /// Projection of the ball's centre, at the middle of the exposure.
    pub centre: ImagePoint,
    /// Radius of the ball's outline, px.
    pub radius_px: f64,
    /// Covariance of `centre`, px^2: xx, xy, yy.
    pub covariance: [f64; 3],
    /// Blur, when the ball moved by more than a pixel or so during the exposure.
    pub streak: Option<Streak>,
    /// Share of the ball's outline that was really seen, 0..=1: low under a hand or another ball.
    pub visible: f64,
    /// How sure we are that this is a ball, 0..=1.
    pub confidence: f64,
}

/// All that was detected in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detections {
    /// The frame's number.
    pub seq: u64,
    /// The frame's time.
    pub at: Timestamp,
    /// Balls, in no promised order.
    pub balls: Vec<BallDetection>,
    /// Regions of the bed covered by something that is not a ball (hand, cue, body): boxes
    /// `[x0, y0, x1, y1]`, px, inclusive.
    pub occluded: Vec<[f64; 4]>,
    /// The picture repeats the one before (television and phone files do this): it shows no new moment.
    pub repeated: bool,
    /// Nothing of the table could be seen (black frame, lights off).
    pub blind: bool,
}
