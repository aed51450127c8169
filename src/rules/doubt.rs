//! Ruling under doubt: every likely reading of the events is ruled on, and the rulings are weighed.

use crate::{
    model::Shot,
    rules::{GameState, Ruling, reading::Reading},
};

/// Rules on a shot under all likely readings.
pub(super) fn judge(state: &GameState, shot: &Shot) -> Ruling {
    let reading = Reading::of(state, shot);
    state.options.game().rules().judge(state, &reading).ruling
}
