//! One way to read a shot: the events taken as true, at the times taken as true, with the questions rules ask.
//!
//! Rule book 1.2: EV-1 (simultaneous), EV-2 (one contact seen twice), EV-3 (a corner is two cushions: nothing to do,
//! they are two events), EV-4 (contacts that existed before the stroke), EV-5 (what comes after rest is no part of
//! the shot), EV-6 (touching does not ask who drove).

use crate::{
    model::{Ball, Event, EventKind, Shot, TableSpec},
    rules::{GameState, Options, Said, options, said::FrozenTo},
    units::TablePoint,
};

/// An event of a reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact<'a> {
    /// Index into the shot's events.
    pub(super) index: usize,
    /// What.
    pub(super) kind: &'a EventKind,
    /// Time from the stroke, ns.
    pub(super) ns: i64,
    /// Standard deviation of `ns`.
    pub(super) sigma_ns: f64,
    /// Probability that it happened, 0..=1.
    pub(super) confidence: f64,
    /// Where, mm.
    pub(super) place: Option<TablePoint>,
}

/// Events in order of time, with what was said.
#[derive(Clone, Debug)]
pub(super) struct Reading<'a> {
    /// The shot read.
    pub(super) shot: &'a Shot,
    /// What is taken as true, in order of time.
    pub(super) facts: Vec<Fact<'a>>,
    /// What people said.
    pub(super) said: &'a [Said],
    /// Contacts closer than this are simultaneous, ns.
    pub(super) sim_ns: i64,
}

impl<'a> Reading<'a> {
    /// Every event of the shot at its own time, after the preprocessing of the rule book.
    pub(super) fn of(state: &'a GameState, shot: &'a Shot) -> Self {
        let ns = |ms: f64| (ms * 1e6).round() as i64;
        let sim_ns = ns(state.options.number(&options::SIM_MS));
        let merge_ns = ns(state.options.number(&options::MERGE_MS));
        let mut facts: Vec<Fact<'a>> = (shot.events.iter().enumerate())
            .map(|(index, event)| fact(index, event, shot))
            .filter(|f| !after_rest(f, shot))
            .filter(|f| f.ns > sim_ns || !frozen_at_start(state, shot, f.kind))
            .collect();
        facts.sort_by_key(|f| (f.ns, f.index));
        merge_repeats(&mut facts, merge_ns);
        Self {
            shot,
            facts,
            said: &state.said,
            sim_ns,
        }
    }

    /// `a` came before `b`, not at the same time.
    pub(super) fn before(&self, a: &Fact<'_>, b: &Fact<'_>) -> bool {
        b.ns.saturating_sub(a.ns) >= self.sim_ns.max(1)
    }

    /// Contacts of a ball with others, in order of time, with the other ball.
    pub(super) fn contacts(&self, ball: Ball) -> impl Iterator<Item = (&Fact<'a>, Ball)> {
        self.facts.iter().filter_map(move |f| match *f.kind {
            EventKind::BallBall { driver, other } if driver == ball => Some((f, other)),
            EventKind::BallBall { driver, other } if other == ball => Some((f, driver)),
            _ => None,
        })
    }

    /// A ball's first contact with another one.
    pub(super) fn first_contact(&self, ball: Ball, with: Ball) -> Option<&Fact<'a>> {
        self.contacts(ball)
            .find(|(_, other)| *other == with)
            .map(|(f, _)| f)
    }

    /// Cushion contacts of a ball, in order of time.
    pub(super) fn cushions(&self, ball: Ball) -> impl Iterator<Item = &Fact<'a>> {
        self.facts
            .iter()
            .filter(move |f| matches!(f.kind, EventKind::BallCushion { ball: b, .. } if *b == ball))
    }

    /// Balls that left the bed, each with the event.
    pub(super) fn off(&self) -> impl Iterator<Item = (&Fact<'a>, Ball)> {
        self.facts.iter().filter_map(|f| match f.kind {
            EventKind::OffTable { ball } => Some((f, *ball)),
            _ => None,
        })
    }

    /// The stroke fell on moving balls, or the cue struck again: the event that shows it.
    pub(super) fn struck_in_motion(&self) -> Option<&Fact<'a>> {
        self.facts
            .iter()
            .find(|f| matches!(f.kind, EventKind::Struck { moving: true, .. }))
    }

    /// Hands, clothes, cues or jumps without explanation, during the shot; not a ball put back after it was off.
    pub(super) fn interference(&self) -> impl Iterator<Item = &Fact<'a>> {
        self.facts.iter().filter(|f| match f.kind {
            EventKind::Interference { .. } => f.ns >= 0,
            EventKind::Placed { ball } => {
                f.ns >= 0 && !self.off().any(|(off, b)| b == *ball && off.ns <= f.ns)
            }
            _ => false,
        })
    }

    /// Was the ball put somewhere by hand before the stroke?
    pub(super) fn placed_before(&self, ball: Ball) -> bool {
        self.facts
            .iter()
            .any(|f| f.ns < 0 && matches!(f.kind, EventKind::Placed { ball: b } if *b == ball))
    }

    /// Did somebody say that?
    pub(super) fn said(&self, what: &Said) -> bool {
        self.said.contains(what)
    }
}

fn fact<'a>(index: usize, event: &'a Event, shot: &Shot) -> Fact<'a> {
    let sigma_ns = event.sigma_s * 1e9;
    Fact {
        index,
        kind: &event.kind,
        ns: event.at.nanos().saturating_sub(shot.start.nanos()),
        sigma_ns: if sigma_ns.is_finite() {
            sigma_ns.max(0.0)
        } else {
            0.0
        },
        confidence: if event.confidence.is_nan() {
            0.0
        } else {
            event.confidence.clamp(0.0, 1.0)
        },
        place: event.place,
    }
}

/// EV-5.
fn after_rest(fact: &Fact<'_>, shot: &Shot) -> bool {
    shot.complete && fact.ns > shot.stop.nanos().saturating_sub(shot.start.nanos())
}

/// EV-2: of contacts of the same two that follow each other within `merge_ns` the surest stays, the first of equals.
fn merge_repeats(facts: &mut Vec<Fact<'_>>, merge_ns: i64) {
    let mut kept: Vec<Fact<'_>> = Vec::with_capacity(facts.len());
    let mut last_seen: Vec<i64> = Vec::with_capacity(facts.len());
    for fact in facts.drain(..) {
        let same = (kept.iter().zip(&last_seen)).rposition(|(k, last)| {
            same_pair(k.kind, fact.kind) && fact.ns.saturating_sub(*last) < merge_ns
        });
        match same {
            Some(i) => {
                last_seen[i] = fact.ns;
                if fact.confidence > kept[i].confidence {
                    kept[i] = fact;
                }
            }
            None => {
                kept.push(fact);
                last_seen.push(fact.ns);
            }
        }
    }
    kept.sort_by_key(|f| (f.ns, f.index));
    *facts = kept;
}

fn same_pair(a: &EventKind, b: &EventKind) -> bool {
    match (a, b) {
        (
            EventKind::BallBall {
                driver: d1,
                other: o1,
            },
            EventKind::BallBall {
                driver: d2,
                other: o2,
            },
        ) => (d1, o1) == (d2, o2) || (d1, o1) == (o2, d2),
        (EventKind::BallCushion { .. }, EventKind::BallCushion { .. }) => a == b,
        _ => false,
    }
}

/// EV-4: a contact reported at the stroke's own time between two that touched before it.
fn frozen_at_start(state: &GameState, shot: &Shot, kind: &EventKind) -> bool {
    match *kind {
        EventKind::BallBall { driver, other } => frozen(state, shot, driver, FrozenTo::Ball(other)),
        EventKind::BallCushion { ball, cushion } => {
            frozen(state, shot, ball, FrozenTo::Cushion(cushion))
        }
        _ => false,
    }
}

/// Did the ball touch the other thing before the stroke, by what was said or by where they lay?
pub(super) fn frozen(state: &GameState, shot: &Shot, ball: Ball, to: FrozenTo) -> bool {
    let said = state.said.iter().any(|s| match *s {
        Said::Frozen(b, t) => {
            (b, t) == (ball, to) || to == FrozenTo::Ball(b) && t == FrozenTo::Ball(ball)
        }
        _ => false,
    });
    said || gap(&state.table, shot, ball, to).is_some_and(|g| g < frozen_gap(&state.options))
}

/// Balls at rest closer than this are proposed as frozen, mm.
pub(super) fn frozen_gap(options: &Options) -> f64 {
    options.number(&options::FROZEN_GAP)
}

fn gap(table: &TableSpec, shot: &Shot, ball: Ball, to: FrozenTo) -> Option<f64> {
    let at = *shot.before.get(&ball)?;
    match to {
        FrozenTo::Ball(other) => {
            Some(at.distance(*shot.before.get(&other)?) - table.ball_diameter_mm)
        }
        FrozenTo::Cushion(cushion) => Some(table.cushion_gap(at, cushion)),
    }
}
