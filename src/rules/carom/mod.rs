//! The carom disciplines' common rules (rule book 6): start, carom, fouls, balls off, turn, end.

mod conclude;
mod count;
mod fouls;
mod notes;
mod respot;
mod unseen;

use crate::{
    model::{Ball, EventKind, Shot, TableSpec},
    rules::{
        Due, GameState, OptionKind, OptionSpec, Options, PerPlayer, Player, Reason, Ruling, Said,
        Verdict, game::Opinion, lag, options, reading::Reading, spots,
    },
};
use count::Count;
pub(super) use respot::respot;

/// `break.direct_red`.
pub(super) const DIRECT_RED: OptionSpec = OptionSpec {
    name: "break.direct_red",
    kind: OptionKind::Flag(true),
    about: "from the initial position no cushion may come before the red",
};
/// `carom.starter_ball`.
pub(super) const STARTER_BALL: OptionSpec = OptionSpec {
    name: "carom.starter_ball",
    kind: OptionKind::Word(&["dotted", "white"]),
    about: "A, who starts, plays the dotted ball of a set that has one, or always the plain white",
};
/// `carom.balls`.
pub(super) const BALLS: OptionSpec = OptionSpec {
    name: "carom.balls",
    kind: OptionKind::Word(&["yellow", "dotted"]),
    about: "the second cue ball of the set is yellow, or a dotted white (`spot`)",
};

/// What tells one carom discipline from another.
pub(super) struct Discipline {
    /// Cushions the cue ball must touch before the second object ball.
    pub(super) cushions: usize,
    /// Identifier for enough cushions.
    pub(super) proof: &'static str,
    /// Identifier for too few cushions.
    pub(super) lack: &'static str,
    /// Points that end a set.
    pub(super) target: &'static OptionSpec,
    /// Sets to be won.
    pub(super) sets: &'static OptionSpec,
    /// Balls off the table.
    pub(super) off: &'static OptionSpec,
    /// What a demand of a frozen shooter brings.
    pub(super) frozen: &'static OptionSpec,
    /// What a drawn set counts.
    pub(super) drawn_set: &'static OptionSpec,
}

/// A shot under judgement.
pub(super) struct Case<'r, 'a> {
    state: &'r GameState,
    reading: &'r Reading<'a>,
    discipline: &'r Discipline,
    /// The ball struck; the shooter's own when the stroke was not seen.
    struck: Ball,
    /// The shot is played from the initial position.
    from_start: bool,
}

impl Case<'_, '_> {
    fn shooter(&self) -> Player {
        self.state.shooter
    }

    fn own(&self) -> Ball {
        self.state.balls[self.shooter()]
    }

    /// The two balls the struck one has to touch.
    fn objects(&self) -> [Ball; 2] {
        let PerPlayer { a, b } = self.state.balls;
        match self.struck {
            s if s == a => [b, GameState::RED],
            s if s == b => [a, GameState::RED],
            _ => [a, b],
        }
    }

    fn umb_off(&self) -> bool {
        self.state.options.is(self.discipline.off, "umb")
    }
}

/// The state before the first shot.
pub(super) fn start(options: &Options) -> GameState {
    let table = TableSpec::named(options.word(&options::TABLE))
        .unwrap_or_else(|| TableSpec::custom(2840.0, 1420.0, 61.5, false));
    let dotted = options.is(&BALLS, "dotted");
    let second = if dotted { Ball::Spot } else { Ball::Yellow };
    let balls = match dotted && options.is(&STARTER_BALL, "dotted") {
        true => PerPlayer::new(second, Ball::White),
        false => PerPlayer::new(Ball::White, second),
    };
    let shooter = if options.is(&options::START_SHOOTER, "B") {
        Player::B
    } else {
        Player::A
    };
    let due = match (
        options.flag(&options::START_LAG),
        options.flag(&options::START_OPENING),
    ) {
        (true, _) => Due::Lag,
        (_, true) => Due::Opening,
        _ => Due::Play,
    };
    let mut state = GameState::new(options.clone(), table, balls, shooter, due);
    state.placements = match due {
        Due::Lag => lag::placements(&state),
        Due::Opening => spots::start_position(&state, shooter),
        _ => Vec::new(),
    };
    state
}

/// Rules on one reading of a shot.
pub(super) fn judge(state: &GameState, reading: &Reading<'_>, discipline: &Discipline) -> Opinion {
    match state.due {
        Due::Over => over(state).into(),
        Due::Lag => lag::judge(state, reading).into(),
        _ => judge_shot(state, reading, discipline),
    }
}

fn judge_shot(state: &GameState, reading: &Reading<'_>, discipline: &Discipline) -> Opinion {
    let case = Case {
        state,
        reading,
        discipline,
        struck: reading.shot.struck.unwrap_or(state.balls[state.shooter]),
        from_start: from_start(state, reading, discipline),
    };
    let count = Count::of(&case);
    let fouls = fouls::find(&case, &count);
    let seen = conclude::rule(&case, &count, &fouls, count.valid(discipline));
    let rivals = unseen::rivals(&case, &count, &fouls, &seen);
    let mut opinion = Opinion {
        ruling: seen,
        rivals,
    };
    notes::add(&case, &count, &mut opinion);
    opinion
}

/// CC-ST4/5 hold for a shot that is due from the initial position, and after all balls were put there (CC-Z3).
///
/// Where the balls were seen to lie otherwise before the stroke, the shot is not from the initial position.
fn from_start(state: &GameState, reading: &Reading<'_>, discipline: &Discipline) -> bool {
    let balls = [state.balls.a, state.balls.b, GameState::RED];
    let initial = state.options.is(discipline.frozen, "initial");
    let demanded =
        reading.said(&Said::Respot) || balls.into_iter().all(|b| reading.placed_before(b));
    let due = state.due.from_start() || demanded && initial;
    due && !lie_otherwise(state, reading)
}

/// All three balls were seen before the stroke, and not in the initial position.
fn lie_otherwise(state: &GameState, reading: &Reading<'_>) -> bool {
    let before = &reading.shot.before;
    let seen = [state.balls.a, state.balls.b, GameState::RED]
        .iter()
        .all(|b| before.contains_key(b));
    seen && !spots::is_start_position(state, before)
}

fn over(state: &GameState) -> Ruling {
    let mut ruling = Ruling::nothing(state.shooter);
    ruling.next = None;
    ruling.due = Due::Over;
    ruling.game_end = true;
    ruling.winner = state.winner;
    ruling.reasons.push(Reason::plain("CC-G1"));
    ruling
}

/// Can an event of this kind make a difference?
pub(super) fn relevant(state: &GameState, shot: &Shot, kind: &EventKind) -> bool {
    let struck = shot.struck.unwrap_or(state.balls[state.shooter]);
    match kind {
        EventKind::BallBall { driver, other } => {
            state.due == Due::Lag || *driver == struck || *other == struck
        }
        EventKind::BallCushion { ball, .. } => state.due == Due::Lag || *ball == struck,
        EventKind::ZoneExit { .. }
        | EventKind::ZoneEntry { .. }
        | EventKind::PinDown { .. }
        | EventKind::Pocketed { .. } => false,
        EventKind::Struck { .. }
        | EventKind::OffTable { .. }
        | EventKind::Placed { .. }
        | EventKind::Interference { .. } => true,
    }
}

/// The verdict on certain facts.
fn verdict(points: i64, fouls: &[fouls::Foul]) -> Verdict {
    match (fouls.is_empty(), points) {
        (false, _) => Verdict::Foul,
        (true, 0) => Verdict::Nothing,
        (true, _) => Verdict::Awarded,
    }
}
