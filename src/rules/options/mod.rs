//! Options by the names of the rule book's section 16: declared once with default and meaning, set by name, read by declaration.

mod common;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::Game;
pub(super) use common::{
    COMMON, FROZEN_GAP, LAG_EQUAL, LAG_WINNER, MERGE_MS, SIM_MS, SPOT_CLEAR, START_LAG,
};
pub(crate) use common::{REVIEW, SETTLE, START_OPENING, START_SHOOTER, TABLE};

/// What an option may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// `true` or `false`.
    Flag(bool),
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// A whole number: default, least, greatest.
    Whole(i64, i64, i64),
    /// Any number: default, least, greatest.
    Number(f64, f64, f64),
}

/// An option's declaration. A game lists its own; a reader of the list never needs the code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// Its name in the rule book, or a technical one.
    pub name: &'static str,
    /// What it may be, and its default.
    pub kind: OptionKind,
    /// What it does, with the unit where it has one.
    pub about: &'static str,
}

impl OptionSpec {
    /// The value when nobody sets it.
    pub fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::Flag(v) => OptionValue::Flag(v),
            OptionKind::Word(words) => {
                OptionValue::Word(words.first().copied().unwrap_or("").to_owned())
            }
            OptionKind::Whole(v, ..) => OptionValue::Number(v as f64),
            OptionKind::Number(v, ..) => OptionValue::Number(v),
        }
    }

    /// What may be given, in words.
    pub fn allowed(&self) -> String {
        match self.kind {
            OptionKind::Flag(_) => "true or false".to_owned(),
            OptionKind::Word(words) => format!("one of {}", words.join(", ")),
            OptionKind::Whole(_, least, most) => format!("a whole number from {least} to {most}"),
            OptionKind::Number(_, least, most) => format!("a number from {least} to {most}"),
        }
    }

    fn accepts(&self, value: &OptionValue) -> bool {
        match (self.kind, value) {
            (OptionKind::Flag(_), OptionValue::Flag(_)) => true,
            (OptionKind::Word(words), OptionValue::Word(w)) => words.contains(&w.as_str()),
            (OptionKind::Whole(_, least, most), OptionValue::Number(n)) => {
                n.fract() == 0.0 && (least as f64..=most as f64).contains(n)
            }
            (OptionKind::Number(_, least, most), OptionValue::Number(n)) => {
                (least..=most).contains(n)
            }
            _ => false,
        }
    }

    fn read(&self, text: &str) -> OptionValue {
        match self.kind {
            OptionKind::Flag(_) => match text {
                "true" | "on" | "yes" => OptionValue::Flag(true),
                "false" | "off" | "no" => OptionValue::Flag(false),
                _ => OptionValue::Word(text.to_owned()),
            },
            OptionKind::Word(_) => OptionValue::Word(text.to_owned()),
            _ => text
                .parse()
                .map_or_else(|_| OptionValue::Word(text.to_owned()), OptionValue::Number),
        }
    }
}

/// An option's value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Flag(bool),
    /// A number, whole or not.
    Number(f64),
    /// A word.
    Word(String),
}

impl Serialize for OptionValue {
    /// Whole numbers are written without a point.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(v) => serializer.serialize_bool(*v),
            Self::Number(v) if v.fract() == 0.0 && v.abs() < 1e15 => {
                serializer.serialize_i64(*v as i64)
            }
            Self::Number(v) => serializer.serialize_f64(*v),
            Self::Word(v) => serializer.serialize_str(v),
        }
    }
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(v) => write!(f, "{v}"),
            Self::Number(v) => write!(f, "{v}"),
            Self::Word(v) => f.write_str(v),
        }
    }
}

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No such game.
    UnknownGame {
        /// As given.
        name: String,
    },
    /// No such option.
    Unknown {
        /// The game.
        game: Game,
        /// As given.
        name: String,
    },
    /// The option cannot have that value.
    Value {
        /// The option.
        name: &'static str,
        /// As given.
        value: String,
        /// What it may be.
        allowed: String,
    },
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownGame { name } => {
                let games: Vec<_> = Game::ALL.into_iter().map(Game::name).collect();
                write!(
                    f,
                    "there is no game \"{name}\"; there are: {}",
                    games.join(", ")
                )
            }
            Self::Unknown { game, name } => {
                let known: Vec<_> = game.options().map(|s| s.name).collect();
                write!(
                    f,
                    "{} has no option \"{name}\"; it has: {}",
                    game.name(),
                    known.join(", ")
                )
            }
            Self::Value {
                name,
                value,
                allowed,
            } => {
                write!(f, "option {name} cannot be \"{value}\"; allowed: {allowed}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// A game with its options: those that were set, and the defaults of all others.
///
/// In JSON the two members `game` and `options` (an object with what was set).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawOptions", into = "RawOptions")]
pub struct Options {
    game: Game,
    set: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// A game with every option at its default.
    pub const fn new(game: Game) -> Self {
        Self {
            game,
            set: BTreeMap::new(),
        }
    }

    /// The game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Sets an option from text, as in `--set NAME=VALUE`.
    ///
    /// # Errors
    /// Names the options there are, or the values allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = self.spec(name)?;
        self.store(spec, spec.read(value.trim()))
    }

    /// Sets an option from a value. A word is read as [`Options::set`] reads it.
    ///
    /// # Errors
    /// As [`Options::set`].
    pub fn set_value(&mut self, name: &str, value: OptionValue) -> Result<(), OptionError> {
        let spec = self.spec(name)?;
        match value {
            OptionValue::Word(text) => self.store(spec, spec.read(&text)),
            value => self.store(spec, value),
        }
    }

    /// Sets the number of points that ends a game (or set), as `--target N` does; 0 plays without end.
    ///
    /// # Errors
    /// As [`Options::set`].
    pub fn set_target(&mut self, target: i64) -> Result<(), OptionError> {
        self.set_value(
            self.game.target_option(),
            OptionValue::Number(target as f64),
        )
    }

    /// What was set, by name.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &OptionValue)> {
        self.set.iter().map(|(name, value)| (*name, value))
    }

    /// A flag's value.
    pub fn flag(&self, spec: &OptionSpec) -> bool {
        match (self.set.get(spec.name), spec.kind) {
            (Some(OptionValue::Flag(v)), _) => *v,
            (_, OptionKind::Flag(v)) => v,
            _ => false,
        }
    }

    /// A number's value.
    pub fn number(&self, spec: &OptionSpec) -> f64 {
        match (self.set.get(spec.name), spec.kind) {
            (Some(OptionValue::Number(v)), _) => *v,
            (_, OptionKind::Number(v, ..)) => v,
            (_, OptionKind::Whole(v, ..)) => v as f64,
            _ => 0.0,
        }
    }

    /// A whole number's value.
    pub fn whole(&self, spec: &OptionSpec) -> i64 {
        self.number(spec) as i64
    }

    /// Is the option this word?
    pub fn is(&self, spec: &OptionSpec, word: &str) -> bool {
        self.word(spec) == word
    }

    /// A word's value.
    pub fn word(&self, spec: &OptionSpec) -> &str {
        match (self.set.get(spec.name), spec.kind) {
            (Some(OptionValue::Word(v)), _) => v,
            (_, OptionKind::Word(words)) => words.first().copied().unwrap_or_default(),
            _ => "",
        }
    }

    fn spec(&self, name: &str) -> Result<&'static OptionSpec, OptionError> {
        self.game
            .options()
            .find(|s| s.name == name)
            .ok_or_else(|| OptionError::Unknown {
                game: self.game,
                name: name.to_owned(),
            })
    }

    fn store(&mut self, spec: &'static OptionSpec, value: OptionValue) -> Result<(), OptionError> {
        if !spec.accepts(&value) {
            return Err(OptionError::Value {
                name: spec.name,
                value: value.to_string(),
                allowed: spec.allowed(),
            });
        }
        self.set.insert(spec.name, value);
        Ok(())
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct RawOptions {
    game: String,
    #[serde(default)]
    options: BTreeMap<String, OptionValue>,
}

impl TryFrom<RawOptions> for Options {
    type Error = OptionError;
    fn try_from(raw: RawOptions) -> Result<Self, OptionError> {
        let mut options = Self::new(Game::named(&raw.game)?);
        for (name, value) in raw.options {
            options.set_value(&name, value)?;
        }
        Ok(options)
    }
}

impl From<Options> for RawOptions {
    fn from(options: Options) -> Self {
        Self {
            game: options.game.name().to_owned(),
            options: options
                .set
                .into_iter()
                .map(|(n, v)| (n.to_owned(), v))
                .collect(),
        }
    }
}
