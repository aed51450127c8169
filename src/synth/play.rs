//! A shot whose course is known exactly.

use std::collections::BTreeMap;

use crate::{
    model::{Ball, Cushion, EventKind, Layout, TableSpec, truth::EventRecord},
    synth::path::{Path, Phase},
    units::TablePoint,
};

/// Two contacts of the same pair closer than this are one (rule book EV-2), s.
const MERGE_S: f64 = 0.020;
/// Unless the pair was this far apart in between, mm.
const APART_MM: f64 = 1.0;

/// A contact as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// When, s from the stroke (or from the scene's begin, in a scene).
    pub t: f64,
    /// What.
    pub kind: EventKind,
    /// Where the (first) ball's centre was, mm.
    pub place: Option<TablePoint>,
    /// Size of the change of velocity, mm/s.
    pub dv_mm_s: f64,
}

impl Contact {
    /// The contact as truth.json writes it, `offset_s` later. Times are kept to a microsecond, places to a micrometre.
    pub fn record(&self, offset_s: f64) -> EventRecord {
        let mut record = EventRecord {
            t_s: round(self.t + offset_s, 1e6),
            at_mm: self.place.map(|p| [round(p.x, 1e3), round(p.y, 1e3)]),
            dv_mm_s: Some(round(self.dv_mm_s, 10.0)),
            ..EventRecord::default()
        };
        match &self.kind {
            EventKind::BallBall { driver, other } => {
                "ball-ball".clone_into(&mut record.kind);
                record.a = Some(*driver);
                record.b = Some(*other);
            }
            EventKind::BallCushion { ball, cushion } => {
                "ball-cushion".clone_into(&mut record.kind);
                record.ball = Some(*ball);
                record.cushion = Some(cushion.name().to_owned());
            }
            EventKind::Pocketed { ball, pocket } => {
                "pocketed".clone_into(&mut record.kind);
                record.ball = Some(*ball);
                record.pocket = Some(pocket.name().to_owned());
            }
            other => {
                "interference".clone_into(&mut record.kind);
                record.ball = other.balls().first().copied();
            }
        }
        record
    }
}

/// `value` to the nearest part: `parts` per unit.
pub(super) fn round(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// A shot: where every ball is at every moment, and every contact.
///
/// # Units
/// s from the stroke, mm.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// The table.
    pub table: TableSpec,
    /// The ball struck.
    pub struck: Ball,
    /// Every ball's history from the stroke on.
    pub paths: BTreeMap<Ball, Path>,
    /// Contacts in order of time.
    pub contacts: Vec<Contact>,
    /// When the last ball comes to rest.
    pub stop_s: f64,
}

impl Play {
    /// Where the balls on the table are at `t`.
    pub fn layout_at(&self, t: f64) -> Layout {
        self.paths
            .iter()
            .filter(|(_, path)| path.phase_at(t) != Phase::Pocketed)
            .map(|(&ball, path)| (ball, path.at(t)))
            .collect()
    }

    /// The layout before the stroke.
    pub fn before(&self) -> Layout {
        self.layout_at(0.0)
    }

    /// The layout at rest.
    pub fn after(&self) -> Layout {
        self.layout_at(self.stop_s + 1e-9)
    }
}

/// The pair that touches, whichever drives.
fn pair(kind: &EventKind) -> (Vec<Ball>, Option<Cushion>) {
    let mut balls = kind.balls();
    balls.sort_unstable();
    match kind {
        EventKind::BallCushion { cushion, .. } => (balls, Some(*cushion)),
        _ => (balls, None),
    }
}

/// Joins contacts that follow each other within [`MERGE_S`] without a gap of [`APART_MM`] in between: the first's
/// time and place, the larger change of velocity.
pub(super) fn merge_repeats(
    contacts: Vec<Contact>,
    paths: &BTreeMap<Ball, Path>,
    diameter_mm: f64,
) -> Vec<Contact> {
    let mut merged: Vec<(Contact, f64)> = Vec::with_capacity(contacts.len());
    for contact in contacts {
        let key = pair(&contact.kind);
        let earlier = merged
            .iter_mut()
            .rev()
            .find(|(c, last)| contact.t - last < MERGE_S && pair(&c.kind) == key);
        match earlier {
            Some((first, last)) if !parted(&first.kind, paths, diameter_mm, *last, contact.t) => {
                first.dv_mm_s = first.dv_mm_s.max(contact.dv_mm_s);
                *last = contact.t;
            }
            _ => {
                let t = contact.t;
                merged.push((contact, t));
            }
        }
    }
    merged.into_iter().map(|(c, _)| c).collect()
}

/// The pair was apart by more than [`APART_MM`] half-way between two contacts.
fn parted(
    kind: &EventKind,
    paths: &BTreeMap<Ball, Path>,
    diameter_mm: f64,
    from: f64,
    to: f64,
) -> bool {
    let middle = 0.5 * (from + to);
    let place = |ball: &Ball, t: f64| paths.get(ball).map(|p| p.at(t));
    match kind {
        EventKind::BallBall { driver, other } => place(driver, middle)
            .zip(place(other, middle))
            .is_some_and(|(a, b)| a.distance(b) - diameter_mm > APART_MM),
        EventKind::BallCushion { ball, cushion } => place(ball, middle)
            .zip(place(ball, from))
            .is_some_and(|(p, at_contact)| {
                let d = p - at_contact;
                let away = match cushion {
                    Cushion::S | Cushion::N => d.x,
                    Cushion::W | Cushion::E => d.y,
                };
                away.abs() > APART_MM
            }),
        _ => true,
    }
}
