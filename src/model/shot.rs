//! A shot: from the stroke to rest, as the rules are asked about it.

use std::collections::BTreeMap;

use crate::{
    model::{Ball, Event},
    units::{TablePoint, Timestamp},
};

/// Where the balls lie at rest, mm. A ball that is not on the table is absent.
pub type Layout = BTreeMap<Ball, TablePoint>;

/// One shot.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// The ball the cue struck; `None` when the recording begins in mid-shot and it was not seen.
    pub struck: Option<Ball>,
    /// The stroke (or the recording's begin).
    pub start: Timestamp,
    /// All balls at rest again (or the recording's end).
    pub stop: Timestamp,
    /// What happened in between, in order of time; does not hold the stroke itself.
    pub events: Vec<Event>,
    /// Layout before the stroke.
    pub before: Layout,
    /// Layout at `stop`.
    pub after: Layout,
    /// Both the stroke and the rest were seen.
    pub complete: bool,
    /// In words, what makes this shot doubtful beyond its events' own confidence.
    pub doubts: Vec<String>,
}
