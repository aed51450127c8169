//! The rule book's short form of a shot (rule book 1.2 and 20): `S(A); A>R; A/E; {A/N, A/W}; A>B; REST A=120,85`.
//!
//! | written | means |
//! |---|---|
//! | `S(A)`, `S(A!moving)` | the cue strikes A; some ball is still moving |
//! | `A>R` | ball A runs into ball R |
//! | `A/E` or `A\|E` | A touches cushion E |
//! | `R1@NE` | R1 falls into pocket NE |
//! | `A^` | A leaves the table |
//! | `H(A)` | A is placed or touched by hand |
//! | `R-cadre:12`, `R+corner:SW` | R leaves, enters a zone |
//! | `n*O`, `n,s*O`, `s*n`, `n!` | pins toppled by a ball, by a pin, by themselves |
//! | `n~`, `n^A`, `n_`, `C>n_lying` | a pin moved but standing, leaning on A, lying on the rail; a lying pin pushed |
//! | `OP(interference)`, `OP(interference A)` | something that is no part of the game touched the balls, or A |
//! | `OP(double hit)`, `CALL(R1,NE)` | said by the operator; called before the shot |
//! | `REST A=1400,700 R=210,300`, `REST A x=120, B x=85`, `REST A,R in Z, B outside` | all at rest, with places or zones |
//! | `CUT` | the recording ends here |
//! | `{A>R, A>B}` | at the same time |
//! | `A>B [120ms ±3ms 95% @700,650]` | time from the stroke, standard deviation, probability, place |
//!
//! Balls go by letters, given as [`Names`], or by their full names. Text in parentheses after a term is a comment.

mod cursor;
mod format;
mod parse;
mod shot;
#[cfg(test)]
mod tests;

use crate::{
    model::{Ball, Cushion, Pin, PinCause, Pocket, Zone},
    units::TablePoint,
};

pub use format::{of_event, of_shot};
pub use shot::Sketch;

/// Letters for balls. Full names are always understood too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<(String, Ball)>);

impl Names {
    /// Full names only.
    pub const fn full() -> Self {
        Self(Vec::new())
    }

    /// The carom games' letters: A and B for the players' cue balls, R for the red.
    pub fn carom(a: Ball, b: Ball) -> Self {
        Self::full().with("A", a).with("B", b).with("R", Ball::Red)
    }

    /// With one more letter.
    #[must_use]
    pub fn with(mut self, letter: &str, ball: Ball) -> Self {
        self.0.push((letter.to_owned(), ball));
        self
    }

    /// The ball of a letter or full name.
    pub fn ball(&self, name: &str) -> Option<Ball> {
        let by_letter = self
            .0
            .iter()
            .find(|(letter, _)| letter == name)
            .map(|(_, ball)| *ball);
        by_letter.or_else(|| Ball::from_name(name))
    }

    /// A ball's letter, or its full name.
    pub fn of(&self, ball: Ball) -> &str {
        self.0
            .iter()
            .find(|(_, b)| *b == ball)
            .map_or(ball.name(), |(letter, _)| letter)
    }
}

/// Where a ball lies, as far as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// From the near cushion, mm.
    pub x: f64,
    /// From the left cushion, mm; absent where only the distance from the near cushion matters.
    pub y: Option<f64>,
}

/// Balls in or out of a zone at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct AtRestIn {
    /// The balls; empty for `all` of them, or `both` object balls.
    pub balls: Vec<Ball>,
    /// In it, or outside.
    pub inside: bool,
    /// The zone, where one is named.
    pub zone: Option<Zone>,
}

/// Something that happened, or was said.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the table above is the documentation")]
pub enum Term {
    Strike {
        ball: Ball,
        moving: bool,
    },
    Contact {
        driver: Ball,
        other: Ball,
    },
    Cushion {
        ball: Ball,
        cushion: Cushion,
    },
    Pocketed {
        ball: Ball,
        pocket: Pocket,
    },
    Off {
        ball: Ball,
    },
    Hand {
        ball: Ball,
    },
    ZoneExit {
        ball: Ball,
        zone: Zone,
    },
    ZoneEntry {
        ball: Ball,
        zone: Zone,
    },
    Pins {
        pins: Vec<Pin>,
        by: PinCause,
    },
    PinMoved {
        pin: Pin,
    },
    PinLeaning {
        pin: Pin,
        on: Ball,
    },
    PinOnRail {
        pin: Pin,
    },
    LyingPushed {
        ball: Ball,
        pin: Pin,
    },
    Interference {
        ball: Option<Ball>,
    },
    Operator {
        text: String,
    },
    Call {
        words: Vec<String>,
    },
    Rest {
        places: Vec<(Ball, Written)>,
        zones: Vec<AtRestIn>,
    },
    Cut,
}

/// How exactly an event is known, where it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Precision {
    /// Time from the stroke, ms.
    pub ms: Option<f64>,
    /// Standard deviation of the time, ms.
    pub sigma_ms: Option<f64>,
    /// Probability, %.
    pub percent: Option<f64>,
    /// Place, mm.
    pub at: Option<TablePoint>,
}

/// A term with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What.
    pub term: Term,
    /// How exactly.
    pub precision: Precision,
}

/// A shot as it is written: groups of simultaneous terms in order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The groups; most hold one term.
    pub groups: Vec<Vec<Entry>>,
}

impl Script {
    /// Reads a shot.
    ///
    /// # Errors
    /// Names the column of the first thing not understood, and what could stand there.
    pub fn parse(text: &str, names: &Names) -> Result<Self, NotationError> {
        parse::script(text, names)
    }

    /// Writes a shot; reading the result gives the same script.
    pub fn format(&self, names: &Names) -> String {
        format::script(self, names)
    }

    /// Every term in order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flatten()
    }
}

/// A text that is no notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Column of the first character not understood, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for NotationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for NotationError {}
