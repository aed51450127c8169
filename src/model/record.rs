//! `match.json`: what a match looked like, shot by shot, with the reason for every point.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{Ball, truth::EventRecord};

/// The format's name and number.
pub const FORMAT: &str = "marqueur-match/1";

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// [`FORMAT`].
    pub format: String,
    /// The game.
    pub game: String,
    /// Its variant, where it has any.
    pub variant: Option<String>,
    /// Options that were set.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The table.
    pub table: TableRecord,
    /// What was watched.
    pub source: SourceRecord,
    /// How places were measured.
    pub calibration: CalibrationRecord,
    /// Who plays which ball.
    pub players: Vec<PlayerRecord>,
    /// Every shot, in order.
    pub shots: Vec<ShotRecord>,
    /// How it stands.
    pub result: ResultRecord,
}

/// The table of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub struct TableRecord {
    pub name: String,
    pub length_mm: f64,
    pub width_mm: f64,
}

/// The source of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// File name without folders, or the stream's address without secrets.
    pub name: String,
    /// Frames read.
    pub frames: u64,
    /// Mean frames per second.
    pub fps: f64,
    /// Frames lost on the way.
    pub dropped: u64,
    /// From the first frame to the last, s.
    pub duration_s: f64,
}

/// The calibration of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationRecord {
    /// Root mean square residual of the marks, mm.
    pub residual_mm: f64,
    /// `automatic` or the file's name.
    pub from: String,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// `A`, `B`, ...
    pub id: String,
    /// The name to show.
    pub name: String,
    /// The cue ball, where each player has his own.
    pub ball: Option<Ball>,
}

/// A shot with its ruling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShotRecord {
    /// Counts from 1.
    pub n: u32,
    /// Whose shot.
    pub player: String,
    /// The ball struck, where it was seen.
    pub struck: Option<Ball>,
    /// The stroke, s from the first frame.
    pub start_s: f64,
    /// All at rest, s.
    pub stop_s: f64,
    /// Stroke and rest were both seen.
    pub complete: bool,
    /// Layout before, mm.
    pub before: BTreeMap<Ball, [f64; 2]>,
    /// Layout after, mm.
    pub after: BTreeMap<Ball, [f64; 2]>,
    /// Pins standing before.
    pub pins_before: Vec<String>,
    /// Pins standing after.
    pub pins_after: Vec<String>,
    /// What happened.
    pub events: Vec<EventRecord>,
    /// What the rules say.
    pub ruling: RulingRecord,
    /// Score after the shot.
    pub score: BTreeMap<String, i64>,
    /// The shot in the rule book's notation.
    pub notation: String,
    /// In words, what makes the shot doubtful.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// A ruling.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RulingRecord {
    /// `awarded`, `nothing`, `foul` or `needs-review`.
    pub verdict: String,
    /// Points earned by each player.
    pub points: BTreeMap<String, i64>,
    /// Identifiers of the fouls.
    pub fouls: Vec<String>,
    /// Who shoots next; absent when the game is over.
    pub next: Option<String>,
    /// What belongs where before the next shot.
    pub placements: Vec<PlacementRecord>,
    /// Why, rule by rule.
    pub reasons: Vec<ReasonRecord>,
    /// Probability that this ruling is the right one.
    pub confidence: f64,
    /// With `needs-review`: the rulings that compete.
    pub alternatives: Vec<AlternativeRecord>,
    /// What only a person can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs_operator: Vec<String>,
    /// The game is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub game_end: bool,
}

/// A ball or pin and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRecord {
    /// Ball or pin, by name.
    pub what: String,
    /// The place, mm; absent for a ball in hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_mm: Option<[f64; 2]>,
    /// The spot's name, or the zone a ball in hand may be put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<String>,
}

/// A reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReasonRecord {
    /// Rule book identifier.
    pub rule: String,
    /// One sentence.
    pub text: String,
    /// Indices into the shot's events.
    pub events: Vec<usize>,
}

/// A ruling that competes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as in RulingRecord")]
pub struct AlternativeRecord {
    pub probability: f64,
    pub verdict: String,
    pub points: BTreeMap<String, i64>,
    pub fouls: Vec<String>,
    pub next: Option<String>,
    pub reasons: Vec<ReasonRecord>,
}

/// The result so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// Points.
    pub score: BTreeMap<String, i64>,
    /// Sets won, in a match of several; a drawn set may count a half.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, f64>,
    /// Innings (visits), the running one included.
    pub innings: BTreeMap<String, u32>,
    /// Points per inning, three decimals, rounded down.
    pub average: BTreeMap<String, f64>,
    /// Best series.
    pub high_run: BTreeMap<String, i64>,
    /// The winner, when the game is over and not drawn.
    pub winner: Option<String>,
    /// Numbers of the shots that need a person.
    pub needs_review: Vec<u32>,
}
