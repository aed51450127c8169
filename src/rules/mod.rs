//! The rules: a shot and how the game stands go in, a ruling with its reasons comes out.
//!
//! Pure: no pixels, no clock, no chance, no files. Everything here is total: any list of events gets a ruling.
//! A game is one file of this room, entered in [`Game`], and one `.cases` file in `testdata/rules/`.
//!
//! [`start`] gives a game's first state, [`judge`] rules on a shot, [`apply`] makes the next state.

mod apply;
mod carom;
pub mod cases;
mod doubt;
mod game;
mod lag;
pub mod messages;
pub mod options;
mod player;
mod reading;
mod record;
mod ruling;
mod said;
pub mod spots;
mod state;
mod three_cushion;

pub use apply::apply;
pub use game::Game;
pub use messages::{Arg, Message, Messages};
pub use options::{OptionError, OptionKind, OptionSpec, OptionValue, Options};
pub use player::{PerPlayer, Player};
pub use ruling::{Alternative, Placement, Reason, RuleId, Ruling, SetResult, Verdict};
pub use said::{Said, SaidError};
pub use state::{Due, GameState};

use crate::model::{Layout, Shot};

/// A game's first state.
pub fn start(options: &Options) -> GameState {
    options.game().rules().start(options)
}

/// Rules on a shot.
///
/// Doubtful events are read in every likely way; where the readings leave the game standing differently and the
/// second one has at least the probability of option `review.threshold`, the verdict is
/// [`Verdict::NeedsReview`] with all of them. A shot that was not seen whole is judged on what was seen and says so.
///
/// Never panics and always returns a ruling, whatever the events are.
pub fn judge(state: &GameState, shot: &Shot) -> Ruling {
    doubt::judge(state, shot)
}

/// A demand to spot frozen balls that was granted: the game with what is due and what belongs where now, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Respot {
    /// The game as it stands after the demand.
    pub state: GameState,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Answers the shooter's demand to spot frozen balls; `None` when his ball touches none that matters.
///
/// `layout`: where the balls lie. What an operator said (`frozen white-red`) counts as much as what the places show.
pub fn respot(state: &GameState, layout: &Layout) -> Option<Respot> {
    state.options.game().rules().respot(state, layout)
}

/// What belongs where before the next shot: the initial position, or the balls to be spotted.
pub fn placements(state: &GameState) -> &[Placement] {
    &state.placements
}
