//! Balls by name.

use serde::{Deserialize, Serialize};

/// A ball of any game, by its name in match files. Names say what the rules call it, not what the camera sees:
/// under a lamp `yellow` may look orange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Ball {
    White,
    /// The dotted white second cue ball of a set without yellow.
    Spot,
    Yellow,
    Red,
    White1,
    White2,
    Red1,
    Red2,
    Blue,
    Green,
    Orange,
    Purple,
    Brown,
    Pink,
    Black,
}

impl Ball {
    /// Every ball there is a name for.
    pub const ALL: [Self; 15] = [
        Self::White,
        Self::Spot,
        Self::Yellow,
        Self::Red,
        Self::White1,
        Self::White2,
        Self::Red1,
        Self::Red2,
        Self::Blue,
        Self::Green,
        Self::Orange,
        Self::Purple,
        Self::Brown,
        Self::Pink,
        Self::Black,
    ];

    /// The name in match files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Spot => "spot",
            Self::Yellow => "yellow",
            Self::Red => "red",
            Self::White1 => "white1",
            Self::White2 => "white2",
            Self::Red1 => "red1",
            Self::Red2 => "red2",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Orange => "orange",
            Self::Purple => "purple",
            Self::Brown => "brown",
            Self::Pink => "pink",
            Self::Black => "black",
        }
    }

    /// The ball of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }
}

impl std::fmt::Display for Ball {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The balls a game is played with, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BallSet(pub Vec<Ball>);

impl BallSet {
    /// White, yellow, red: the carom set.
    pub fn carom() -> Self {
        Self(vec![Ball::White, Ball::Yellow, Ball::Red])
    }

    /// White, dotted white, red: the older carom set.
    pub fn carom_dotted() -> Self {
        Self(vec![Ball::White, Ball::Spot, Ball::Red])
    }
}
