//! The names of match files, both ways.

use crate::model::{Ball, Cushion, EventKind, Pin, PinCause, Pocket};

impl Pin {
    /// Every pin there is.
    pub const ALL: [Self; 7] = [
        Self::C,
        Self::N,
        Self::S,
        Self::W,
        Self::E,
        Self::P1,
        Self::P3,
    ];

    /// The name in match files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::N => "n",
            Self::S => "s",
            Self::W => "w",
            Self::E => "e",
            Self::P1 => "p1",
            Self::P3 => "p3",
        }
    }

    /// The pin of that name; the rule book also calls the centre one `K`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "K" {
            return Some(Self::C);
        }
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

impl PinCause {
    /// The name in match files: a ball, a pin or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ball(ball) => ball.name(),
            Self::Pin(pin) => pin.name(),
            Self::Unknown => "unknown",
        }
    }

    /// The cause of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "unknown" => Some(Self::Unknown),
            _ => Ball::from_name(name)
                .map(Self::Ball)
                .or_else(|| Pin::from_name(name).map(Self::Pin)),
        }
    }
}

impl Cushion {
    /// The cushion of that letter.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }
}

impl Pocket {
    /// The pocket of those letters.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

impl EventKind {
    /// The word in match files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Struck { moving: false, .. } => "struck",
            Self::Struck { moving: true, .. } => "struck-moving",
            Self::BallBall { .. } => "ball-ball",
            Self::BallCushion { .. } => "ball-cushion",
            Self::PinDown { .. } => "pin-down",
            Self::Pocketed { .. } => "pocketed",
            Self::OffTable { .. } => "off-table",
            Self::ZoneExit { .. } => "zone-exit",
            Self::ZoneEntry { .. } => "zone-enter",
            Self::Placed { .. } => "placed",
            Self::Interference { .. } => "interference",
        }
    }
}
