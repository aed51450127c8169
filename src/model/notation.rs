//! The rule book's short form of a shot (rule book 1.2 and 20): `S(A); A>R; A/E; {A/N, A/W}; A>B`.

use crate::model::{EventKind, Shot};

/// A shot in short form with full ball names. Events at the very same time stand in braces.
pub fn of_shot(shot: &Shot) -> String {
    let mut parts: Vec<String> = shot
        .struck
        .iter()
        .map(|ball| format!("S({ball})"))
        .collect();
    parts.extend(shot.events.iter().map(|e| of_event(&e.kind)));
    parts.join("; ")
}

fn of_event(kind: &EventKind) -> String {
    match kind {
        EventKind::Struck { ball, moving } => {
            format!("S({ball}{})", if *moving { "!moving" } else { "" })
        }
        EventKind::BallBall { driver, other } => format!("{driver}>{other}"),
        EventKind::BallCushion { ball, cushion } => format!("{ball}/{}", cushion.name()),
        EventKind::PinDown { pin, by } => format!("{}*{}", pin.name(), by.name()),
        EventKind::Pocketed { ball, pocket } => format!("{ball}@{}", pocket.name()),
        EventKind::OffTable { ball } => format!("{ball}^"),
        EventKind::ZoneExit { ball, zone } => format!("{ball}-{}", zone.0),
        EventKind::ZoneEntry { ball, zone } => format!("{ball}+{}", zone.0),
        EventKind::Placed { ball } => format!("H({ball})"),
        EventKind::Interference { ball } => format!(
            "OP(interference{})",
            ball.map(|b| format!(" {b}")).unwrap_or_default()
        ),
    }
}
