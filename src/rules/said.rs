//! What people say about a shot: calls, demands, and what no camera sees.

use serde::{Deserialize, Serialize};

use crate::{
    model::{Ball, Cushion},
    rules::Player,
};

/// What a ball is frozen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrozenTo {
    /// Another ball.
    Ball(Ball),
    /// A cushion.
    Cushion(Cushion),
}

/// Something said by the operator or the referee. In JSON its text, such as `"double hit"` or `"frozen white-red"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Said {
    /// `foot`: no foot on the floor during the stroke.
    Foot,
    /// `tip`: not the tip of the cue struck the ball.
    Tip,
    /// `double hit`: the tip touched the ball twice.
    DoubleHit,
    /// `push`: the tip stayed at the ball when it reached another.
    Push,
    /// `touch`: a ball was touched with hand, clothes or cue.
    Touch,
    /// `marking`: the table was marked.
    Marking,
    /// `frozen play`: played straight onto a frozen ball or cushion.
    FrozenPlay,
    /// `conduct`: conduct against the rules.
    Conduct,
    /// `respot`: the shooter demanded that frozen balls be spotted.
    Respot,
    /// `no foul`: the referee saw no foul where the camera proposes one.
    NoFoul,
    /// `forfeit A`: the game is lost for a player.
    Forfeit(Player),
    /// `frozen white-red`, `frozen white-W`: balls, or a ball and a cushion, touch before the shot.
    Frozen(Ball, FrozenTo),
    /// `call red1,NE`: the call before the shot.
    Call(String),
}

/// A text that is nothing a person could say here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidError(pub String);

impl std::fmt::Display for SaidError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "\"{}\" is nothing an operator can say; allowed: {}, forfeit A, forfeit B, frozen BALL-BALL, frozen BALL-CUSHION, call BALL,POCKET",
            self.0,
            WORDS.map(|(w, _)| w).join(", ")
        )
    }
}

impl std::error::Error for SaidError {}

const WORDS: [(&str, Said); 10] = [
    ("foot", Said::Foot),
    ("tip", Said::Tip),
    ("double hit", Said::DoubleHit),
    ("push", Said::Push),
    ("touch", Said::Touch),
    ("marking", Said::Marking),
    ("frozen play", Said::FrozenPlay),
    ("conduct", Said::Conduct),
    ("respot", Said::Respot),
    ("no foul", Said::NoFoul),
];

impl Said {
    /// Reads what was said; `ball_named` tells which ball a name or letter means.
    ///
    /// # Errors
    /// Says what may be said.
    pub fn parse(text: &str, ball_named: impl Fn(&str) -> Option<Ball>) -> Result<Self, SaidError> {
        let text = text.trim();
        if let Some((_, said)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(said.clone());
        }
        let wrong = || SaidError(text.to_owned());
        let (verb, rest) = text.split_once(' ').ok_or_else(wrong)?;
        match verb {
            "forfeit" => Player::from_name(rest).map(Self::Forfeit).ok_or_else(wrong),
            "call" => Ok(Self::Call(rest.to_owned())),
            "frozen" => {
                let (one, other) = rest.split_once('-').ok_or_else(wrong)?;
                let ball = ball_named(one).ok_or_else(wrong)?;
                let to = ball_named(other)
                    .map(FrozenTo::Ball)
                    .or_else(|| cushion(other))
                    .ok_or_else(wrong)?;
                Ok(Self::Frozen(ball, to))
            }
            _ => Err(wrong()),
        }
    }
}

fn cushion(name: &str) -> Option<FrozenTo> {
    Cushion::ALL
        .into_iter()
        .find(|c| c.name() == name)
        .map(FrozenTo::Cushion)
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Forfeit(player) => write!(f, "forfeit {player}"),
            Self::Call(call) => write!(f, "call {call}"),
            Self::Frozen(ball, FrozenTo::Ball(other)) => write!(f, "frozen {ball}-{other}"),
            Self::Frozen(ball, FrozenTo::Cushion(c)) => write!(f, "frozen {ball}-{}", c.name()),
            word => f.write_str(
                WORDS
                    .iter()
                    .find(|(_, said)| said == word)
                    .map_or("", |(w, _)| w),
            ),
        }
    }
}

impl TryFrom<String> for Said {
    type Error = SaidError;
    fn try_from(text: String) -> Result<Self, SaidError> {
        Self::parse(&text, Ball::from_name)
    }
}

impl From<Said> for String {
    fn from(said: Said) -> Self {
        said.to_string()
    }
}
