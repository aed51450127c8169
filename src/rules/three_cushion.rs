//! Three-cushion (rule book 10): three cushions before the second object ball, carom rules of section 6 around it.

use crate::{
    model::{EventKind, Layout, Shot},
    rules::{
        GameState, OptionKind, OptionSpec, Options, Respot,
        carom::{self, Discipline},
        game::{Opinion, Rules},
        reading::Reading,
    },
};

pub(super) const TARGET: OptionSpec = OptionSpec {
    name: "three.target",
    kind: OptionKind::Whole(15, 0, 1000),
    about: "points that end a set; 0 plays without end",
};
pub(super) const SETS: OptionSpec = OptionSpec {
    name: "three.sets",
    kind: OptionKind::Whole(1, 1, 99),
    about: "sets to be won; 1 is a plain game to the target",
};
pub(super) const OFF: OptionSpec = OptionSpec {
    name: "three.off",
    kind: OptionKind::Word(&["seed", "umb"]),
    about: "an object ball off the table has no consequence (seed), or any ball off is a foul and spotted alone (umb)",
};
pub(super) const FROZEN: OptionSpec = OptionSpec {
    name: "three.frozen",
    kind: OptionKind::Word(&["initial", "only_touching"]),
    about: "on demand of a frozen shooter all balls go to the initial position, or only the touching ones are spotted",
};
pub(super) const DRAWN_SET: OptionSpec = OptionSpec {
    name: "three.drawn_set",
    kind: OptionKind::Word(&["none", "half"]),
    about: "a drawn set counts for nobody, or half for both",
};

const DISCIPLINE: Discipline = Discipline {
    cushions: 3,
    proof: "TC-P1",
    lack: "TC-F1",
    target: &TARGET,
    sets: &SETS,
    off: &OFF,
    frozen: &FROZEN,
    drawn_set: &DRAWN_SET,
};

/// The game.
pub(super) struct ThreeCushion;

impl Rules for ThreeCushion {
    fn name(&self) -> &'static str {
        "three-cushion"
    }

    fn about(&self) -> &'static str {
        "a point when the cue ball touches both other balls and at least three cushions before the second of them"
    }

    fn options(&self) -> &'static [&'static OptionSpec] {
        &[
            &TARGET,
            &SETS,
            &OFF,
            &FROZEN,
            &DRAWN_SET,
            &carom::DIRECT_RED,
            &carom::STARTER_BALL,
            &carom::BALLS,
        ]
    }

    fn target(&self) -> &'static OptionSpec {
        &TARGET
    }

    fn start(&self, options: &Options) -> GameState {
        carom::start(options)
    }

    fn judge(&self, state: &GameState, reading: &Reading<'_>) -> Opinion {
        carom::judge(state, reading, &DISCIPLINE)
    }

    fn respot(&self, state: &GameState, layout: &Layout) -> Option<Respot> {
        carom::respot(state, layout, &DISCIPLINE)
    }

    fn relevant(&self, state: &GameState, shot: &Shot, kind: &EventKind) -> bool {
        carom::relevant(state, shot, kind)
    }
}
