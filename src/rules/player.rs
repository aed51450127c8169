//! The two sides of every game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A side. `A` opens the first set unless an option says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Player {
    A,
    B,
}

impl Player {
    /// Both.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// `A` or `B`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The player of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing for each player; in JSON an object with the members `A` and `B`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerPlayer<T> {
    /// A's.
    #[serde(rename = "A")]
    pub a: T,
    /// B's.
    #[serde(rename = "B")]
    pub b: T,
}

impl<T> PerPlayer<T> {
    /// A's thing, B's thing.
    pub const fn new(a: T, b: T) -> Self {
        Self { a, b }
    }

    /// Both with their owners, A first.
    pub fn iter(&self) -> impl Iterator<Item = (Player, &T)> {
        [(Player::A, &self.a), (Player::B, &self.b)].into_iter()
    }

    /// The same shape with other contents.
    pub fn map<U>(&self, f: impl Fn(&T) -> U) -> PerPlayer<U> {
        PerPlayer::new(f(&self.a), f(&self.b))
    }
}

impl<T: Copy> PerPlayer<T> {
    /// By the players' identifiers, as files hold it.
    pub fn by_name(&self) -> BTreeMap<String, T> {
        self.iter()
            .map(|(player, value)| (player.name().to_owned(), *value))
            .collect()
    }
}

impl<T: Clone + Default> PerPlayer<T> {
    /// `value` for one player, the default for the other.
    pub fn only(player: Player, value: T) -> Self {
        let mut both = Self::new(T::default(), T::default());
        both[player] = value;
        both
    }
}

impl<T> std::ops::Index<Player> for PerPlayer<T> {
    type Output = T;
    fn index(&self, player: Player) -> &T {
        match player {
            Player::A => &self.a,
            Player::B => &self.b,
        }
    }
}

impl<T> std::ops::IndexMut<Player> for PerPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::A => &mut self.a,
            Player::B => &mut self.b,
        }
    }
}
