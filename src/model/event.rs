//! Physical facts, each with the time, the doubt and the evidence. Never "point" or "foul".

use serde::{Deserialize, Serialize};

use crate::{
    model::{Ball, Cushion, Pocket},
    units::{TablePoint, Timestamp},
};

/// A pin by its place: centre, far, near, left, right, and seven-pins' two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Pin {
    C,
    N,
    S,
    W,
    E,
    P1,
    P3,
}

/// What toppled a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum PinCause {
    Ball(Ball),
    Pin(Pin),
    Unknown,
}

/// A zone of the bed that some game counts in, by its rule book name (for example `corner:SW`, `cadre:12`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zone(pub String);

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The cue struck the ball.
    Struck {
        /// The ball struck.
        ball: Ball,
        /// Some ball was still moving.
        moving: bool,
    },
    /// Two balls touched. The driver is the one that moved, or the faster of two.
    BallBall {
        /// The ball that moved.
        driver: Ball,
        /// The ball it ran into.
        other: Ball,
    },
    /// A ball touched a cushion's nose.
    BallCushion {
        /// The ball.
        ball: Ball,
        /// The cushion.
        cushion: Cushion,
    },
    /// A pin fell.
    PinDown {
        /// The pin.
        pin: Pin,
        /// What toppled it.
        by: PinCause,
    },
    /// A ball fell into a pocket.
    Pocketed {
        /// The ball.
        ball: Ball,
        /// The pocket.
        pocket: Pocket,
    },
    /// A ball left the bed.
    OffTable {
        /// The ball.
        ball: Ball,
    },
    /// A ball left a zone.
    ZoneExit {
        /// The ball.
        ball: Ball,
        /// The zone.
        zone: Zone,
    },
    /// A ball entered a zone.
    ZoneEntry {
        /// The ball.
        ball: Ball,
        /// The zone.
        zone: Zone,
    },
    /// A hand placed or moved the ball.
    Placed {
        /// The ball.
        ball: Ball,
    },
    /// Something that is no part of the game touched the balls, or a ball's motion jumped without an explanation.
    Interference {
        /// The ball concerned, where one is known.
        ball: Option<Ball>,
    },
}

impl EventKind {
    /// The balls that took part.
    pub fn balls(&self) -> Vec<Ball> {
        match self {
            Self::Struck { ball, .. }
            | Self::BallCushion { ball, .. }
            | Self::Pocketed { ball, .. }
            | Self::OffTable { ball }
            | Self::ZoneExit { ball, .. }
            | Self::ZoneEntry { ball, .. }
            | Self::Placed { ball } => vec![*ball],
            Self::BallBall { driver, other } => vec![*driver, *other],
            Self::PinDown {
                by: PinCause::Ball(ball),
                ..
            } => vec![*ball],
            Self::PinDown { .. } => vec![],
            Self::Interference { ball } => ball.iter().copied().collect(),
        }
    }
}

/// Why an event is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Logarithm of the likelihood ratio between the best explanation with the event and the best without it.
    pub log_ratio: f64,
    /// Change of the (first) ball's velocity at the event, mm/s.
    pub jump_mm_s: f64,
    /// Gap to the thing touched at the time of the event, mm; near zero for a true contact.
    pub gap_mm: f64,
}

/// Something that happened on the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, to a fraction of a frame.
    pub at: Timestamp,
    /// Standard deviation of `at`, s.
    pub sigma_s: f64,
    /// What.
    pub kind: EventKind,
    /// Where: the (first) ball's centre, mm.
    pub place: Option<TablePoint>,
    /// Probability that it happened, 0..=1.
    pub confidence: f64,
    /// Why it is believed.
    pub evidence: Evidence,
}
