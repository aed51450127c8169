//! Between what stages say and what files hold.

use crate::{
    model::{
        Ball, Cushion, Event, EventKind, Evidence, Layout, Pin, PinCause, Pocket, Shot, Zone,
        truth::{EventRecord, TrueShot},
    },
    units::{TablePoint, Timestamp},
};

/// A record that is no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertError {
    /// No such kind of event.
    Kind(String),
    /// A kind lacks one of its members.
    Missing {
        /// The kind.
        kind: String,
        /// The member.
        member: &'static str,
    },
    /// A member names nothing there is.
    Name {
        /// The member.
        member: &'static str,
        /// As given.
        name: String,
    },
    /// A time that is no number.
    Time,
}

impl std::fmt::Display for ConvertError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "there is no event kind \"{kind}\""),
            Self::Missing { kind, member } => {
                write!(f, "an event of kind {kind} needs \"{member}\"")
            }
            Self::Name { member, name } => write!(f, "there is no {member} \"{name}\""),
            Self::Time => f.write_str("an event's t_s is not a number"),
        }
    }
}

impl std::error::Error for ConvertError {}

impl From<&Event> for EventRecord {
    /// Every member an event has. What is exact (as in notation) has neither `sigma_s` nor `confidence`.
    fn from(event: &Event) -> Self {
        let mut record = Self {
            t_s: event.at.secs(),
            kind: event.kind.name().to_owned(),
            sigma_s: Some(event.sigma_s),
            at_mm: event.place.map(Into::into),
            confidence: Some(event.confidence),
            dv_mm_s: (event.evidence.jump_mm_s != 0.0).then_some(event.evidence.jump_mm_s),
            ..Self::default()
        };
        match &event.kind {
            EventKind::BallBall { driver, other } => {
                (record.a, record.b) = (Some(*driver), Some(*other))
            }
            EventKind::PinDown { pin, by } => {
                record.pin = Some(pin.name().to_owned());
                record.by = Some(by.name().to_owned());
            }
            kind => record.ball = kind.balls().first().copied(),
        }
        match &event.kind {
            EventKind::BallCushion { cushion, .. } => {
                record.cushion = Some(cushion.name().to_owned())
            }
            EventKind::Pocketed { pocket, .. } => record.pocket = Some(pocket.name().to_owned()),
            EventKind::ZoneExit { zone, .. } | EventKind::ZoneEntry { zone, .. } => {
                record.zone = Some(zone.0.clone())
            }
            _ => {}
        }
        record
    }
}

impl TryFrom<&EventRecord> for Event {
    type Error = ConvertError;

    /// A record without `sigma_s` or `confidence` is exact and certain.
    fn try_from(record: &EventRecord) -> Result<Self, ConvertError> {
        if !record.t_s.is_finite() {
            return Err(ConvertError::Time);
        }
        Ok(Self {
            at: Timestamp::from_secs(record.t_s),
            sigma_s: record.sigma_s.unwrap_or(0.0),
            kind: kind(record)?,
            place: record.at_mm.map(Into::into),
            confidence: record.confidence.unwrap_or(1.0),
            evidence: Evidence {
                jump_mm_s: record.dv_mm_s.unwrap_or(0.0),
                ..Evidence::default()
            },
        })
    }
}

fn kind(record: &EventRecord) -> Result<EventKind, ConvertError> {
    let missing = |member| ConvertError::Missing {
        kind: record.kind.clone(),
        member,
    };
    let ball = || record.ball.ok_or_else(|| missing("ball"));
    Ok(match record.kind.as_str() {
        "struck" => EventKind::Struck {
            ball: ball()?,
            moving: false,
        },
        "struck-moving" => EventKind::Struck {
            ball: ball()?,
            moving: true,
        },
        "ball-ball" => EventKind::BallBall {
            driver: record.a.ok_or_else(|| missing("a"))?,
            other: record.b.ok_or_else(|| missing("b"))?,
        },
        "ball-cushion" => EventKind::BallCushion {
            ball: ball()?,
            cushion: named("cushion", &record.cushion, record, Cushion::from_name)?,
        },
        "pin-down" => EventKind::PinDown {
            pin: named("pin", &record.pin, record, Pin::from_name)?,
            by: match &record.by {
                Some(_) => named("by", &record.by, record, PinCause::from_name)?,
                None => PinCause::Unknown,
            },
        },
        "pocketed" => EventKind::Pocketed {
            ball: ball()?,
            pocket: named("pocket", &record.pocket, record, Pocket::from_name)?,
        },
        "off-table" => EventKind::OffTable { ball: ball()? },
        "zone-exit" => EventKind::ZoneExit {
            ball: ball()?,
            zone: zone(record)?,
        },
        "zone-enter" => EventKind::ZoneEntry {
            ball: ball()?,
            zone: zone(record)?,
        },
        "placed" => EventKind::Placed { ball: ball()? },
        "interference" => EventKind::Interference { ball: record.ball },
        other => return Err(ConvertError::Kind(other.to_owned())),
    })
}

fn named<T>(
    member: &'static str,
    name: &Option<String>,
    record: &EventRecord,
    find: fn(&str) -> Option<T>,
) -> Result<T, ConvertError> {
    let name = name.as_ref().ok_or_else(|| ConvertError::Missing {
        kind: record.kind.clone(),
        member,
    })?;
    find(name).ok_or_else(|| ConvertError::Name {
        member,
        name: name.clone(),
    })
}

fn zone(record: &EventRecord) -> Result<Zone, ConvertError> {
    named("zone", &record.zone, record, |name| {
        Some(Zone(name.to_owned()))
    })
}

/// A layout as files write it.
pub fn layout_record(layout: &Layout) -> std::collections::BTreeMap<Ball, [f64; 2]> {
    layout
        .iter()
        .map(|(ball, at)| (*ball, (*at).into()))
        .collect()
}

/// A layout as files write it, read.
pub fn layout_from(record: &std::collections::BTreeMap<Ball, [f64; 2]>) -> Layout {
    record
        .iter()
        .map(|(ball, at)| (*ball, TablePoint::from(*at)))
        .collect()
}

impl TryFrom<&TrueShot> for Shot {
    type Error = ConvertError;

    /// A true shot is complete and without doubt.
    fn try_from(truth: &TrueShot) -> Result<Self, ConvertError> {
        Ok(Self {
            struck: Some(truth.struck),
            start: Timestamp::from_secs(truth.start_s),
            stop: Timestamp::from_secs(truth.stop_s),
            events: truth
                .events
                .iter()
                .map(Event::try_from)
                .collect::<Result<_, _>>()?,
            before: layout_from(&truth.before),
            after: layout_from(&truth.after),
            complete: true,
            doubts: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_kinds() -> Vec<EventKind> {
        let (ball, zone) = (Ball::White, Zone("cadre:12".to_owned()));
        vec![
            EventKind::Struck {
                ball,
                moving: false,
            },
            EventKind::Struck { ball, moving: true },
            EventKind::BallBall {
                driver: ball,
                other: Ball::Red,
            },
            EventKind::BallCushion {
                ball,
                cushion: Cushion::E,
            },
            EventKind::PinDown {
                pin: Pin::P3,
                by: PinCause::Ball(ball),
            },
            EventKind::PinDown {
                pin: Pin::C,
                by: PinCause::Pin(Pin::N),
            },
            EventKind::PinDown {
                pin: Pin::W,
                by: PinCause::Unknown,
            },
            EventKind::Pocketed {
                ball,
                pocket: Pocket::ME,
            },
            EventKind::OffTable { ball },
            EventKind::ZoneExit {
                ball,
                zone: zone.clone(),
            },
            EventKind::ZoneEntry { ball, zone },
            EventKind::Placed { ball },
            EventKind::Interference { ball: None },
            EventKind::Interference { ball: Some(ball) },
        ]
    }

    #[test]
    fn every_kind_comes_back_from_its_record() {
        for kind in all_kinds() {
            let event = Event {
                at: Timestamp::from_secs(1.25),
                sigma_s: 0.002,
                kind,
                place: Some(TablePoint::new(1.5, 2.5)),
                confidence: 0.75,
                evidence: Evidence {
                    jump_mm_s: 40.0,
                    ..Evidence::default()
                },
            };
            assert_eq!(Event::try_from(&EventRecord::from(&event)), Ok(event));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let record = |kind: &str| EventRecord {
            kind: kind.to_owned(),
            ball: Some(Ball::Red),
            ..EventRecord::default()
        };
        let wrong = |r: EventRecord| Event::try_from(&r).unwrap_err().to_string();
        assert_eq!(wrong(record("kiss")), "there is no event kind \"kiss\"");
        assert_eq!(
            wrong(record("ball-ball")),
            "an event of kind ball-ball needs \"a\""
        );
        let jaw = EventRecord {
            cushion: Some("jaw".to_owned()),
            ..record("ball-cushion")
        };
        assert_eq!(wrong(jaw), "there is no cushion \"jaw\"");
    }
}
