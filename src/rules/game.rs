//! The list of games, and what a game is.

use serde::{Deserialize, Serialize};

use crate::{
    model::{EventKind, Layout, Shot},
    rules::{
        GameState, OptionError, OptionSpec, Options, Respot, Ruling, options, reading::Reading,
        three_cushion::ThreeCushion,
    },
};

/// A game of the rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Game {
    /// Three-cushion carom.
    ThreeCushion,
}

impl Game {
    /// All there are.
    pub const ALL: [Self; 1] = [Self::ThreeCushion];

    /// Its identifier.
    pub fn name(self) -> &'static str {
        self.rules().name()
    }

    /// The game of that identifier.
    ///
    /// # Errors
    /// Names the games there are.
    pub fn named(name: &str) -> Result<Self, OptionError> {
        Self::ALL
            .into_iter()
            .find(|g| g.name() == name)
            .ok_or_else(|| OptionError::UnknownGame {
                name: name.to_owned(),
            })
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        self.rules().about()
    }

    /// Its options: its own, then those every game has.
    pub fn options(self) -> impl Iterator<Item = &'static OptionSpec> {
        self.rules()
            .options()
            .iter()
            .copied()
            .chain(options::COMMON.iter().copied())
    }

    /// The option that holds the number of points to play to.
    pub fn target_option(self) -> &'static str {
        self.rules().target().name
    }

    pub(super) fn rules(self) -> &'static dyn Rules {
        match self {
            Self::ThreeCushion => &ThreeCushion,
        }
    }
}

/// What a game has to say. One implementation per file of this room.
pub(super) trait Rules: Sync {
    /// Identifier in the rule book.
    fn name(&self) -> &'static str;
    /// One line for people.
    fn about(&self) -> &'static str;
    /// Its options, without those of [`options::COMMON`].
    fn options(&self) -> &'static [&'static OptionSpec];
    /// The option with the number of points to play to.
    fn target(&self) -> &'static OptionSpec;
    /// The first state.
    fn start(&self, options: &Options) -> GameState;
    /// Rules on one reading of a shot, taken as true.
    fn judge(&self, state: &GameState, reading: &Reading<'_>) -> Opinion;
    /// Answers the shooter's demand to spot frozen balls; `None` when there is nothing to demand.
    fn respot(&self, state: &GameState, layout: &Layout) -> Option<Respot>;
    /// Can an event of this kind make a difference to the ruling on this shot?
    fn relevant(&self, state: &GameState, shot: &Shot, kind: &EventKind) -> bool;
}

/// A ruling on one reading, and rulings that what was not seen could still turn it into.
#[derive(Clone, Debug)]
pub(super) struct Opinion {
    /// The ruling on what was seen.
    pub(super) ruling: Ruling,
    /// Each with its probability given this reading; together less than one.
    pub(super) rivals: Vec<(f64, Ruling)>,
}

impl From<Ruling> for Opinion {
    fn from(ruling: Ruling) -> Self {
        Self {
            ruling,
            rivals: Vec::new(),
        }
    }
}
