//! The next state.

use crate::rules::{Due, GameState, PerPlayer, Player, Ruling};

/// How the game stands after a ruling. A game's score is nothing but its rulings applied one after another.
pub fn apply(state: &GameState, ruling: &Ruling) -> GameState {
    let mut next = state.clone();
    next.said.clear();
    next.shots = next.shots.saturating_add(1);
    match state.due {
        Due::Over => return state.clone(),
        Due::Lag => after_lag(&mut next, ruling),
        _ => after_shot(&mut next, ruling),
    }
    next.due = ruling.due;
    next.equalizing = ruling.equalizing;
    next.placements.clone_from(&ruling.placements);
    next.winner = ruling.winner;
    next
}

fn after_shot(next: &mut GameState, ruling: &Ruling) {
    let shooter = ruling.shooter;
    if next.visit_shots == 0 {
        next.innings[shooter] = next.innings[shooter].saturating_add(1);
    }
    next.visit_shots = next.visit_shots.saturating_add(1);
    next.run = next.run.saturating_add(ruling.points[shooter]);
    for player in Player::ALL {
        next.score[player] = next.score[player].saturating_add(ruling.points[player]);
    }
    if let Some(set) = ruling.set {
        next.sets = PerPlayer::new(next.sets.a + set.worth.a, next.sets.b + set.worth.b);
        if !ruling.game_end {
            new_set(next, ruling);
        }
    }
    if let Some(player) = ruling
        .next
        .filter(|p| *p != shooter || ruling.set.is_some())
    {
        next.shooter = player;
        next.run = 0;
        next.visit_shots = 0;
    }
}

fn new_set(next: &mut GameState, ruling: &Ruling) {
    next.set = next.set.saturating_add(1);
    next.score = PerPlayer::default();
    next.innings = PerPlayer::default();
    next.starter = ruling.next.unwrap_or(next.starter.other());
}

fn after_lag(next: &mut GameState, ruling: &Ruling) {
    if let Some(player) = ruling.lag_strike {
        next.lag_strikes[player] = next.lag_strikes[player].saturating_add(1);
    }
    if let Some(player) = ruling.next.filter(|_| ruling.due != Due::Lag) {
        next.shooter = player;
        next.starter = player;
    }
}
