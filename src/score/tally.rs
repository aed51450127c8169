//! A match as the fold of its rulings.

use std::collections::BTreeMap;

use crate::{
    model::record::ResultRecord,
    rules::{self, GameState, PerPlayer, Player, Ruling, Verdict},
};

/// A match so far: how the game stands, and the figures of all its sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    state: GameState,
    points: PerPlayer<i64>,
    innings: PerPlayer<u32>,
    high_run: PerPlayer<i64>,
    needs_review: Vec<u32>,
}

impl Match {
    /// A match nobody has played a shot of.
    pub fn new(state: GameState) -> Self {
        Self {
            state,
            points: PerPlayer::default(),
            innings: PerPlayer::default(),
            high_run: PerPlayer::default(),
            needs_review: Vec::new(),
        }
    }

    /// The match after these rulings: the same as adding them one by one.
    pub fn replay<'a>(state: GameState, rulings: impl IntoIterator<Item = &'a Ruling>) -> Self {
        let mut game = Self::new(state);
        rulings.into_iter().for_each(|ruling| game.add(ruling));
        game
    }

    /// Adds the next ruling. After the end nothing changes any more.
    pub fn add(&mut self, ruling: &Ruling) {
        if self.state.over() {
            return;
        }
        let lag = self.state.due == rules::Due::Lag;
        if !lag {
            self.count(ruling);
        }
        self.state = rules::apply(&self.state, ruling);
        if ruling.verdict == Verdict::NeedsReview {
            self.needs_review.push(self.state.shots);
        }
    }

    fn count(&mut self, ruling: &Ruling) {
        let shooter = ruling.shooter;
        if self.state.visit_shots == 0 {
            self.innings[shooter] = self.innings[shooter].saturating_add(1);
        }
        for player in Player::ALL {
            self.points[player] = self.points[player].saturating_add(ruling.points[player]);
        }
        let run = self.state.run.saturating_add(ruling.points[shooter]);
        self.high_run[shooter] = self.high_run[shooter].max(run);
    }

    /// How the game stands.
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// How the game stands, to correct it by hand (who begins, what is due, what was said).
    pub fn state_mut(&mut self) -> &mut GameState {
        &mut self.state
    }

    /// Points of each player in the running set with `ruling` counted, as a scoreboard shows them after that shot.
    pub fn score_after(&self, ruling: &Ruling) -> PerPlayer<i64> {
        match self.state.over() {
            true => self.state.score,
            false => PerPlayer::new(
                self.state.score.a + ruling.points.a,
                self.state.score.b + ruling.points.b,
            ),
        }
    }

    /// The result so far. In a match of several sets points, innings and averages are those of all sets together.
    pub fn result(&self) -> ResultRecord {
        let averages = PerPlayer::new(
            average(self.points.a, self.innings.a),
            average(self.points.b, self.innings.b),
        );
        ResultRecord {
            score: self.points.by_name(),
            sets: if self.state.set > 1 {
                self.state.sets.by_name()
            } else {
                BTreeMap::new()
            },
            innings: self.innings.by_name(),
            average: averages.by_name(),
            high_run: self.high_run.by_name(),
            winner: self.state.winner.map(|p| p.name().to_owned()),
            needs_review: self.needs_review.clone(),
        }
    }
}

/// Points per inning, three decimals, rounded down (rule book 15); exact, no rounding before the last digit.
///
/// Returns 0 before the first inning.
pub fn average(points: i64, innings: u32) -> f64 {
    match i64::from(innings) {
        0 => 0.0,
        innings => (points.saturating_mul(1000)).div_euclid(innings) as f64 / 1000.0,
    }
}

#[cfg(test)]
mod tests {
    use super::average;

    #[test]
    fn averages_are_rounded_down() {
        assert_eq!(average(500, 3), 166.666);
        assert_eq!(average(15, 12), 1.25);
        assert_eq!(average(2, 3), 0.666);
        assert_eq!(average(0, 0), 0.0);
    }
}
