//! Writing notation.

use crate::model::{
    Ball, Event, EventKind, PinCause, Shot,
    notation::{AtRestIn, Entry, Names, Precision, Script, Term, Written},
};

/// Events of a shot closer than this stand in braces, s: the rule book's EV-1.
const TOGETHER_S: f64 = 0.008;

pub(super) fn script(script: &Script, names: &Names) -> String {
    let group = |entries: &Vec<Entry>| match entries.as_slice() {
        [one] => entry(one, names),
        many => format!(
            "{{{}}}",
            many.iter()
                .map(|e| entry(e, names))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    script
        .groups
        .iter()
        .map(group)
        .collect::<Vec<_>>()
        .join("; ")
}

fn entry(entry: &Entry, names: &Names) -> String {
    term(&entry.term, names) + &precision(&entry.precision)
}

fn term(term: &Term, names: &Names) -> String {
    let b = |ball: &Ball| names.of(*ball);
    match term {
        Term::Strike { ball, moving } => {
            format!("S({}{})", b(ball), if *moving { "!moving" } else { "" })
        }
        Term::Contact { driver, other } => format!("{}>{}", b(driver), b(other)),
        Term::Cushion { ball, cushion } => format!("{}/{}", b(ball), cushion.name()),
        Term::Pocketed { ball, pocket } => format!("{}@{}", b(ball), pocket.name()),
        Term::Off { ball } => format!("{}^", b(ball)),
        Term::Hand { ball } => format!("H({})", b(ball)),
        Term::ZoneExit { ball, zone } => format!("{}-{}", b(ball), zone.0),
        Term::ZoneEntry { ball, zone } => format!("{}+{}", b(ball), zone.0),
        Term::Pins { pins, by } => toppled(pins.iter().map(|p| p.name()), *by, names),
        Term::PinMoved { pin } => format!("{}~", pin.name()),
        Term::PinLeaning { pin, on } => format!("{}^{}", pin.name(), b(on)),
        Term::PinOnRail { pin } => format!("{}_", pin.name()),
        Term::LyingPushed { ball, pin } => format!("{}>{}_lying", b(ball), pin.name()),
        Term::Interference { ball } => {
            let ball = ball
                .as_ref()
                .map(|ball| format!(" {}", b(ball)))
                .unwrap_or_default();
            format!("OP(interference{ball})")
        }
        Term::Operator { text } => format!("OP({text})"),
        Term::Call { words } => format!("CALL({})", words.join(",")),
        Term::Rest { places, zones } => rest(places, zones, names),
        Term::Cut => "CUT".to_owned(),
    }
}

fn toppled(pins: impl Iterator<Item = &'static str>, by: PinCause, names: &Names) -> String {
    let pins: Vec<_> = pins.collect();
    match by {
        PinCause::Unknown if pins.len() == 1 => format!("{}!", pins.concat()),
        PinCause::Ball(ball) => format!("{}*{}", pins.join(","), names.of(ball)),
        by => format!("{}*{}", pins.join(","), by.name()),
    }
}

fn rest(places: &[(Ball, Written)], zones: &[AtRestIn], names: &Names) -> String {
    let place = |(ball, at): &(Ball, Written)| match at.y {
        Some(y) => format!("{}={},{y}", names.of(*ball), at.x),
        None => format!("{} x={}", names.of(*ball), at.x),
    };
    let zone = |part: &AtRestIn| {
        let balls: Vec<_> = part.balls.iter().map(|ball| names.of(*ball)).collect();
        let who = if balls.is_empty() {
            "all".to_owned()
        } else {
            balls.join(",")
        };
        let relation = if part.inside { "in" } else { "outside" };
        let zone = part
            .zone
            .as_ref()
            .map(|z| format!(" {}", z.0))
            .unwrap_or_default();
        format!("{who} {relation}{zone}")
    };
    let parts: Vec<String> = places
        .iter()
        .map(place)
        .chain(zones.iter().map(zone))
        .collect();
    format!("REST {}", parts.join(", ")).trim_end().to_owned()
}

fn precision(known: &Precision) -> String {
    let parts: Vec<String> = [
        known.ms.map(|v| format!("{v}ms")),
        known.sigma_ms.map(|v| format!("±{v}ms")),
        known.percent.map(|v| format!("{v}%")),
        known.at.map(|p| format!("@{},{}", p.x, p.y)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" [{}]", parts.join(" "))
    }
}

/// A shot in short form with full ball names; events that are simultaneous in the sense of EV-1 stand in braces.
pub fn of_shot(shot: &Shot) -> String {
    let mut parts: Vec<String> = shot
        .struck
        .iter()
        .map(|ball| format!("S({ball})"))
        .collect();
    let together = |a: &Event, b: &Event| b.at.since(a.at).abs() < TOGETHER_S;
    for group in shot.events.chunk_by(together) {
        let events: Vec<String> = group.iter().map(|e| of_event(&e.kind)).collect();
        parts.push(if events.len() == 1 {
            events.concat()
        } else {
            format!("{{{}}}", events.join(", "))
        });
    }
    parts.join("; ")
}

/// An event in short form with full ball names.
pub fn of_event(kind: &EventKind) -> String {
    let full = Names::full();
    let written = |t: Term| term(&t, &full);
    match kind.clone() {
        EventKind::Struck { ball, moving } => written(Term::Strike { ball, moving }),
        EventKind::BallBall { driver, other } => written(Term::Contact { driver, other }),
        EventKind::BallCushion { ball, cushion } => written(Term::Cushion { ball, cushion }),
        EventKind::PinDown { pin, by } => written(Term::Pins {
            pins: vec![pin],
            by,
        }),
        EventKind::Pocketed { ball, pocket } => written(Term::Pocketed { ball, pocket }),
        EventKind::OffTable { ball } => written(Term::Off { ball }),
        EventKind::ZoneExit { ball, zone } => written(Term::ZoneExit { ball, zone }),
        EventKind::ZoneEntry { ball, zone } => written(Term::ZoneEntry { ball, zone }),
        EventKind::Placed { ball } => written(Term::Hand { ball }),
        EventKind::Interference { ball } => written(Term::Interference { ball }),
    }
}
