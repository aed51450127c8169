//! How a game stands between two shots.

use serde::{Deserialize, Serialize};

use crate::{
    model::{Ball, TableSpec},
    rules::{Options, PerPlayer, Placement, Player, Said},
};

/// What the next shot is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Due {
    /// The lag: both players strike at the same time for the choice.
    Lag,
    /// A set's first shot, from the initial position.
    Opening,
    /// A later shot from the initial position.
    Start,
    /// A shot from where the balls lie.
    #[default]
    Play,
    /// The game is over.
    Over,
}

impl Due {
    /// All there are.
    pub const ALL: [Self; 5] = [
        Self::Lag,
        Self::Opening,
        Self::Start,
        Self::Play,
        Self::Over,
    ];

    /// The word in JSON and in cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lag => "lag",
            Self::Opening => "opening",
            Self::Start => "start",
            Self::Play => "play",
            Self::Over => "over",
        }
    }

    /// What that word means.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|due| due.name() == name)
    }

    /// Is the shot played from the initial position?
    pub const fn from_start(self) -> bool {
        matches!(self, Self::Opening | Self::Start)
    }
}

/// How a game stands: all a judge needs besides the shot. Every member is described in docs/STATE.md.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameState {
    /// The game and its options (members `game` and `options`).
    #[serde(flatten)]
    pub options: Options,
    /// The table.
    pub table: TableSpec,
    /// The cue balls.
    pub balls: PerPlayer<Ball>,
    /// Whose shot the next one is.
    pub shooter: Player,
    /// Who opened the running set.
    pub starter: Player,
    /// What the next shot is.
    pub due: Due,
    /// The running inning is the equalizing one.
    #[serde(default)]
    pub equalizing: bool,
    /// Points in the running set.
    pub score: PerPlayer<i64>,
    /// Innings (visits) in the running set, the running one included once its first shot was played.
    #[serde(default)]
    pub innings: PerPlayer<u32>,
    /// Points of the running visit.
    #[serde(default)]
    pub run: i64,
    /// Shots of the running visit.
    #[serde(default)]
    pub visit_shots: u32,
    /// Number of the running set, from 1.
    #[serde(default = "one")]
    pub set: u32,
    /// Sets won; a drawn set may count a half for both.
    #[serde(default)]
    pub sets: PerPlayer<f64>,
    /// How often each player spoiled the lag.
    #[serde(default)]
    pub lag_strikes: PerPlayer<u32>,
    /// Shots judged so far, all sets.
    #[serde(default)]
    pub shots: u32,
    /// The game's winner, when it is over and not drawn.
    #[serde(default)]
    pub winner: Option<Player>,
    /// What belongs where before the next shot.
    #[serde(default)]
    pub placements: Vec<Placement>,
    /// What people said about the next shot: calls and what no camera sees.
    #[serde(default)]
    pub said: Vec<Said>,
}

const fn one() -> u32 {
    1
}

impl GameState {
    /// The ball that is nobody's cue ball.
    pub const RED: Ball = Ball::Red;

    /// A game nobody has played a shot of.
    pub(super) fn new(
        options: Options,
        table: TableSpec,
        balls: PerPlayer<Ball>,
        shooter: Player,
        due: Due,
    ) -> Self {
        Self {
            options,
            table,
            balls,
            shooter,
            starter: shooter,
            due,
            equalizing: false,
            score: PerPlayer::default(),
            innings: PerPlayer::default(),
            run: 0,
            visit_shots: 0,
            set: 1,
            sets: PerPlayer::default(),
            lag_strikes: PerPlayer::default(),
            shots: 0,
            winner: None,
            placements: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Whose cue ball `ball` is.
    pub fn owner(&self, ball: Ball) -> Option<Player> {
        Player::ALL.into_iter().find(|p| self.balls[*p] == ball)
    }

    /// The same game with `player` at the table first, as when a recording begins in the middle of a match and the
    /// first ball struck tells whose turn it is. Before a set's opening shot that player becomes its starter.
    #[must_use]
    pub fn start_with(mut self, player: Player) -> Self {
        let unplayed = self.visit_shots == 0 && self.innings == PerPlayer::default();
        if unplayed {
            self.starter = player;
        }
        self.shooter = player;
        if self.due.from_start() {
            self.placements = crate::rules::spots::start_position(&self, player);
        }
        self
    }

    /// The same game from where the balls lie: the recording does not begin at the initial position.
    #[must_use]
    pub fn from_the_middle(mut self) -> Self {
        if self.due.from_start() {
            self.due = Due::Play;
            self.placements.clear();
        }
        self
    }

    /// Is there nothing more to shoot?
    pub fn over(&self) -> bool {
        self.due == Due::Over
    }
}
