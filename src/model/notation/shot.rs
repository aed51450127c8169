//! A written shot as the rules are asked about it.

use crate::{
    model::{
        Ball, Event, EventKind, Evidence, Layout, Shot,
        notation::{AtRestIn, Entry, Precision, Script, Term, Written},
    },
    units::{TablePoint, Timestamp},
};

/// Between two terms whose times are not written, ms: far more than any two contacts that could be simultaneous.
const STEP_MS: f64 = 100.0;

/// A shot with what notation says beyond events.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// The shot. Places before it are not written and stay empty; a place of which only x is written has y NaN.
    pub shot: Shot,
    /// What the operator says.
    pub operator: Vec<String>,
    /// Calls before the shot, word by word.
    pub calls: Vec<Vec<String>>,
    /// Balls in or out of zones at rest.
    pub zones: Vec<AtRestIn>,
    /// Pins that moved, lean, lie on the rail or were pushed lying.
    pub pins: Vec<Term>,
}

impl Script {
    /// The shot that is written: certain events, the stroke at time zero, 100 ms from one group to the next unless a
    /// time is written. A shot without `CUT` is complete.
    pub fn sketch(&self) -> Sketch {
        let mut sketch = Sketch {
            shot: Shot {
                struck: self.entries().find_map(struck),
                start: Timestamp::ZERO,
                stop: Timestamp::ZERO,
                events: Vec::new(),
                before: Layout::new(),
                after: Layout::new(),
                complete: true,
                doubts: Vec::new(),
            },
            operator: Vec::new(),
            calls: Vec::new(),
            zones: Vec::new(),
            pins: Vec::new(),
        };
        let strokes = self.entries().filter(|e| struck(e).is_some()).count();
        let mut stop = None;
        for (group, ms) in self.groups.iter().zip(self.times()) {
            for entry in group {
                let ms = entry.precision.ms.unwrap_or(ms);
                if matches!(entry.term, Term::Rest { .. } | Term::Cut) {
                    stop = Some(ms);
                }
                sketch.add(entry, ms, strokes > 1);
            }
        }
        sketch.shot.events.sort_by_key(|e| e.at);
        let last = sketch
            .shot
            .events
            .iter()
            .map(|e| e.at)
            .max()
            .unwrap_or_default()
            .max(Timestamp::ZERO);
        sketch.shot.stop =
            stop.map_or_else(|| last.plus_secs(1.0), |ms| Timestamp::from_secs(ms * 1e-3));
        sketch
    }

    /// Each group's time from the stroke, ms.
    fn times(&self) -> Vec<f64> {
        let stroke = self
            .groups
            .iter()
            .position(|g| g.iter().any(|e| struck(e).is_some()));
        let mut ms = match stroke {
            Some(before) => -STEP_MS * before as f64,
            None => STEP_MS,
        };
        let mut times = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let written = group.iter().filter_map(|e| e.precision.ms);
            ms = written.reduce(f64::max).unwrap_or(ms);
            times.push(ms);
            ms += STEP_MS;
        }
        times
    }
}

fn struck(entry: &Entry) -> Option<Ball> {
    match entry.term {
        Term::Strike { ball, .. } => Some(ball),
        _ => None,
    }
}

impl Sketch {
    fn add(&mut self, entry: &Entry, ms: f64, several_strokes: bool) {
        let mut happened = |kind| self.shot.events.push(event(kind, ms, &entry.precision));
        match entry.term.clone() {
            Term::Strike { ball, moving } if moving || several_strokes => {
                happened(EventKind::Struck { ball, moving })
            }
            Term::Strike { .. } => {}
            Term::Contact { driver, other } => happened(EventKind::BallBall { driver, other }),
            Term::Cushion { ball, cushion } => happened(EventKind::BallCushion { ball, cushion }),
            Term::Pocketed { ball, pocket } => happened(EventKind::Pocketed { ball, pocket }),
            Term::Off { ball } => happened(EventKind::OffTable { ball }),
            Term::Hand { ball } => happened(EventKind::Placed { ball }),
            Term::ZoneExit { ball, zone } => happened(EventKind::ZoneExit { ball, zone }),
            Term::ZoneEntry { ball, zone } => happened(EventKind::ZoneEntry { ball, zone }),
            Term::Pins { pins, by } => pins
                .into_iter()
                .for_each(|pin| happened(EventKind::PinDown { pin, by })),
            Term::Interference { ball } => happened(EventKind::Interference { ball }),
            Term::Operator { text } => self.operator.push(text),
            Term::Call { words } => self.calls.push(words),
            Term::Rest { places, zones } => {
                self.shot.after = places
                    .into_iter()
                    .map(|(ball, at)| (ball, place(at)))
                    .collect();
                self.zones = zones;
            }
            Term::Cut => self.shot.complete = false,
            pin => self.pins.push(pin),
        }
    }
}

fn event(kind: EventKind, ms: f64, known: &Precision) -> Event {
    Event {
        at: Timestamp::from_secs(ms * 1e-3),
        sigma_s: known.sigma_ms.unwrap_or(0.0) * 1e-3,
        kind,
        place: known.at,
        confidence: known.percent.map_or(1.0, |p| p / 100.0),
        evidence: Evidence::default(),
    }
}

fn place(at: Written) -> TablePoint {
    TablePoint::new(at.x, at.y.unwrap_or(f64::NAN))
}
