//! What really happened in a rendered scene: `truth.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{Ball, TableSpec};

/// The format's name and number.
pub const FORMAT: &str = "marqueur-truth/1";

/// A scene's truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// [`FORMAT`].
    pub format: String,
    /// The game shown.
    pub game: String,
    /// The table.
    pub table: TableSpec,
    /// The camera, for people and for tests of the calibration; free form.
    #[serde(default)]
    pub camera: serde_json::Value,
    /// Nominal frames per second.
    pub fps: f64,
    /// The seed it was made from.
    #[serde(default)]
    pub seed: u64,
    /// The shots, in order.
    pub shots: Vec<TrueShot>,
    /// Final score, where known.
    #[serde(default)]
    pub score: BTreeMap<String, i64>,
    /// Every frame.
    #[serde(default)]
    pub frames: Vec<TrueFrame>,
}

/// A shot as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueShot {
    /// Whose shot, where known.
    #[serde(default)]
    pub player: Option<String>,
    /// The ball struck.
    pub struck: Ball,
    /// The stroke, s from the first frame.
    pub start_s: f64,
    /// All at rest, s.
    pub stop_s: f64,
    /// Contacts.
    pub events: Vec<EventRecord>,
    /// Layout before.
    #[serde(default)]
    pub before: BTreeMap<Ball, [f64; 2]>,
    /// Layout after.
    pub after: BTreeMap<Ball, [f64; 2]>,
    /// Points of the player who shot, where known.
    #[serde(default)]
    pub points: Option<i64>,
}

/// An event as match.json and truth.json write it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// s from the first frame.
    pub t_s: f64,
    /// Standard deviation of `t_s`, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_s: Option<f64>,
    /// `ball-ball`, `ball-cushion`, `pin-down`, `pocketed`, `off-table`, `zone-exit`, `zone-enter`, `placed`, `interference`.
    pub kind: String,
    /// `ball-ball`: the driver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<Ball>,
    /// `ball-ball`: the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<Ball>,
    /// The ball of every kind with one ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<Ball>,
    /// `ball-cushion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cushion: Option<String>,
    /// `pocketed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pocket: Option<String>,
    /// `pin-down`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<String>,
    /// `pin-down`: a ball, a pin or `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// `zone-exit` and `zone-enter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The (first) ball's centre, mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_mm: Option<[f64; 2]>,
    /// Probability that it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Change of the ball's speed at the event, mm/s, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dv_mm_s: Option<f64>,
}

/// Where the balls were in one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueFrame {
    /// Presentation time, s from the first frame.
    pub t_s: f64,
    /// Centres at the middle of the exposure, mm.
    pub balls: BTreeMap<Ball, [f64; 2]>,
    /// Balls covered by something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covered: Vec<Ball>,
}
