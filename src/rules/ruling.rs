//! What the rules say about a shot, as data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    model::Ball,
    rules::{Due, Message, PerPlayer, Player},
    units::TablePoint,
};

/// A rule's identifier in the rule book, such as `TC-P1`.
pub type RuleId = Cow<'static, str>;

/// The ruling in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Points were earned.
    Awarded,
    /// Nothing was earned and no rule broken.
    #[default]
    Nothing,
    /// A rule was broken.
    Foul,
    /// Readings of the shot compete: a person should look. The ruling's contents are those of the likeliest one.
    NeedsReview,
}

impl Verdict {
    /// The word in match files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Awarded => "awarded",
            Self::Nothing => "nothing",
            Self::Foul => "foul",
            Self::NeedsReview => "needs-review",
        }
    }
}

/// Why, in one sentence, with what happened to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// The rule.
    pub rule: RuleId,
    /// The sentence.
    pub message: Message,
    /// Indices into the shot's events.
    #[serde(default)]
    pub events: Vec<usize>,
}

impl Reason {
    /// A rule with its own sentence.
    pub fn new(rule: &'static str, message: Message, events: Vec<usize>) -> Self {
        Self {
            rule: Cow::Borrowed(rule),
            message,
            events,
        }
    }

    /// A rule whose sentence has the rule's name as key and needs no values.
    pub fn plain(rule: &'static str) -> Self {
        Self::new(rule, Message::new(rule), Vec::new())
    }
}

/// A ball and the place it belongs to before the next shot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// The ball.
    pub ball: Ball,
    /// The place, mm; where the shooter may choose between places, the first of them.
    pub at: Option<TablePoint>,
    /// The spot's name, or the names to choose from (`SIDE-L/SIDE-R`).
    pub spot: String,
}

/// How a set ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    /// Who won it; `None` for a draw.
    pub winner: Option<Player>,
    /// What it adds to the sets won.
    pub worth: PerPlayer<f64>,
}

/// One of the rulings that compete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// Its probability, 0..=1.
    pub probability: f64,
    /// The ruling; has no alternatives itself.
    pub ruling: Ruling,
}

/// What the rules say about one shot, and all that follows from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// In one word.
    pub verdict: Verdict,
    /// Whose shot it was.
    pub shooter: Player,
    /// Points earned by each player.
    pub points: PerPlayer<i64>,
    /// Rules broken.
    pub fouls: Vec<RuleId>,
    /// Who shoots next; `None` when the game is over.
    pub next: Option<Player>,
    /// What the next shot is.
    pub due: Due,
    /// The next shot belongs to the equalizing inning.
    pub equalizing: bool,
    /// What belongs where before the next shot.
    pub placements: Vec<Placement>,
    /// Why, rule by rule.
    pub reasons: Vec<Reason>,
    /// What happened in short, part after part, for a line of text.
    pub story: Vec<Message>,
    /// Probability that this ruling is the right one, 0..=1.
    pub confidence: f64,
    /// With [`Verdict::NeedsReview`]: the rulings that compete, likeliest first.
    pub alternatives: Vec<Alternative>,
    /// What only a person can tell.
    pub needs_operator: Vec<Message>,
    /// The set ended with this shot.
    pub set: Option<SetResult>,
    /// The game ended with this shot.
    pub game_end: bool,
    /// The game's winner, when it ended and is not drawn.
    pub winner: Option<Player>,
    /// Who spoiled the lag with this shot.
    pub lag_strike: Option<Player>,
}

impl Ruling {
    /// Nothing happened: `shooter` stays where he is. The start of every other ruling.
    pub fn nothing(shooter: Player) -> Self {
        Self {
            verdict: Verdict::Nothing,
            shooter,
            points: PerPlayer::default(),
            fouls: Vec::new(),
            next: Some(shooter),
            due: Due::Play,
            equalizing: false,
            placements: Vec::new(),
            reasons: Vec::new(),
            story: Vec::new(),
            confidence: 1.0,
            alternatives: Vec::new(),
            needs_operator: Vec::new(),
            set: None,
            game_end: false,
            winner: None,
            lag_strike: None,
        }
    }

    /// Would both rulings leave the game standing the same? Wording, reasons and confidence do not matter.
    pub fn same_consequences(&self, other: &Self) -> bool {
        self.points == other.points
            && self.next == other.next
            && self.due == other.due
            && self.equalizing == other.equalizing
            && self.placements == other.placements
            && self.set == other.set
            && self.game_end == other.game_end
            && self.winner == other.winner
            && self.lag_strike == other.lag_strike
    }

    /// Does some reason name this rule?
    pub fn names(&self, rule: &str) -> bool {
        self.reasons.iter().any(|r| r.rule == rule)
    }
}
