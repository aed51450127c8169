//! The options every game has.

use crate::rules::{OptionKind, OptionSpec};

/// `event.sim_ms`.
pub(crate) const SIM_MS: OptionSpec = OptionSpec {
    name: "event.sim_ms",
    kind: OptionKind::Number(8.0, 0.0, 100.0),
    about: "contacts closer in time than this are simultaneous, ms",
};
/// `event.merge_ms`.
pub(crate) const MERGE_MS: OptionSpec = OptionSpec {
    name: "event.merge_ms",
    kind: OptionKind::Number(20.0, 0.0, 200.0),
    about: "repeated contacts of the same two within this time are one, ms",
};
/// `frozen.gap_mm`.
pub(crate) const FROZEN_GAP: OptionSpec = OptionSpec {
    name: "frozen.gap_mm",
    kind: OptionKind::Number(1.0, 0.0, 10.0),
    about: "balls at rest closer than this are proposed as frozen, mm",
};
/// `spot.clear_mm`.
pub(crate) const SPOT_CLEAR: OptionSpec = OptionSpec {
    name: "spot.clear_mm",
    kind: OptionKind::Number(0.5, 0.0, 20.0),
    about: "a spot is free when a ball on it would stay this far from all others, mm",
};
/// `lag.winner`.
pub(crate) const LAG_WINNER: OptionSpec = OptionSpec {
    name: "lag.winner",
    kind: OptionKind::Word(&["decides", "must_start"]),
    about: "the winner of the lag decides who starts, or starts",
};
/// `lag.equal_mm`.
pub(crate) const LAG_EQUAL: OptionSpec = OptionSpec {
    name: "lag.equal_mm",
    kind: OptionKind::Number(3.0, 0.0, 50.0),
    about: "lag balls whose distances differ by no more than this are equal, mm",
};
/// `review.threshold`.
pub(crate) const REVIEW: OptionSpec = OptionSpec {
    name: "review.threshold",
    kind: OptionKind::Number(0.02, 0.0, 1.0),
    about: "a shot needs review when a second ruling is at least this probable",
};
/// `start.shooter`.
pub(crate) const START_SHOOTER: OptionSpec = OptionSpec {
    name: "start.shooter",
    kind: OptionKind::Word(&["A", "B"]),
    about: "who plays the first shot",
};
/// `start.opening`.
pub(crate) const START_OPENING: OptionSpec = OptionSpec {
    name: "start.opening",
    kind: OptionKind::Flag(true),
    about: "the first shot is played from the initial position; false when a recording begins in mid-match",
};
/// `start.lag`.
pub(crate) const START_LAG: OptionSpec = OptionSpec {
    name: "start.lag",
    kind: OptionKind::Flag(false),
    about: "the game begins with the lag",
};
/// `table`.
pub(crate) const TABLE: OptionSpec = OptionSpec {
    name: "table",
    kind: OptionKind::Word(&["carom-match", "carom-230", "carom-small"]),
    about: "the table whose spots are used",
};

/// `review.settle`.
pub(crate) const SETTLE: OptionSpec = OptionSpec {
    name: "review.settle",
    kind: OptionKind::Flag(true),
    about: "who plays the next stroke may settle a shot in doubt",
};

/// The options every game has.
pub(crate) const COMMON: &[&OptionSpec] = &[
    &SIM_MS,
    &MERGE_MS,
    &FROZEN_GAP,
    &SPOT_CLEAR,
    &LAG_WINNER,
    &LAG_EQUAL,
    &REVIEW,
    &SETTLE,
    &START_SHOOTER,
    &START_OPENING,
    &START_LAG,
    &TABLE,
];
