//! Numbers at the contacts, and what each number is.

use crate::{
    draw::{
        shot::{FAINT_INK, INK},
        svg::{Svg, n},
        table::{Place, disc},
    },
    model::{Ball, record::ShotRecord, truth::EventRecord},
    units::TablePoint,
};

const RADIUS: f64 = 27.0;
/// From a contact to its number, mm: outside the ball, and on the cushion's rubber or the wood for a cushion.
const REACH_MM: f64 = 78.0;
pub(super) const LINE_HEIGHT: f64 = 64.0;
const COLUMNS: usize = 3;
/// Contacts less sure than this are marked with a question mark.
const SURE: f64 = 0.9;

/// Lines of the legend.
pub(super) fn legend_lines(shot: &ShotRecord) -> usize {
    shot.events.len().div_ceil(COLUMNS)
}

/// Draws a number beside each contact whose place is known, none over another.
pub(super) fn draw(svg: &mut Svg, place: Place, shot: &ShotRecord) {
    let mut taken: Vec<[f64; 2]> = shot
        .after
        .values()
        .map(|p| place.of(TablePoint::from(*p)))
        .collect();
    for (i, event) in shot.events.iter().enumerate() {
        let Some(at) = event.at_mm else { continue };
        let contact = place.of(TablePoint::from(at));
        let spot = free_spot(contact, towards(event), &taken);
        taken.push(spot);
        leader(svg, contact, spot);
        badge(svg, spot, i + 1, event);
    }
}

/// The direction from a contact to its number, rad: out over the cushion, else up to the right.
fn towards(event: &EventRecord) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    match event.cushion.as_deref() {
        Some("W") => -FRAC_PI_2,
        Some("E") => FRAC_PI_2,
        Some("S") => PI,
        Some("N") => 0.0,
        _ => -FRAC_PI_4,
    }
}

/// The nearest place to the wanted one where no number or ball is: further round, then further out.
fn free_spot(contact: [f64; 2], angle: f64, taken: &[[f64; 2]]) -> [f64; 2] {
    let clear = |p: &[f64; 2]| {
        taken
            .iter()
            .all(|q| (p[0] - q[0]).hypot(p[1] - q[1]) > 2.0 * RADIUS + 4.0)
    };
    let spots = (0..4).flat_map(|ring| {
        let reach = REACH_MM + 40.0 * f64::from(ring);
        [0.0, 0.6, -0.6, 1.2, -1.2, 1.9, -1.9, 2.6, -2.6].map(|turn| {
            let (sin, cos) = f64::sin_cos(angle + turn);
            [contact[0] + reach * cos, contact[1] + reach * sin]
        })
    });
    let wanted = [
        contact[0] + REACH_MM * angle.cos(),
        contact[1] + REACH_MM * angle.sin(),
    ];
    spots.into_iter().find(clear).unwrap_or(wanted)
}

fn leader(svg: &mut Svg, from: [f64; 2], to: [f64; 2]) {
    svg.element(
        "line",
        &[
            ("x1", &n(from[0])),
            ("y1", &n(from[1])),
            ("x2", &n(to[0])),
            ("y2", &n(to[1])),
            ("stroke", "#fff"),
            ("stroke-opacity", "0.75"),
            ("stroke-width", "3"),
        ],
    );
    disc(svg, from, 7.0, "#fff");
}

fn badge(svg: &mut Svg, at: [f64; 2], number: usize, event: &EventRecord) {
    let sure = event.confidence.is_none_or(|c| c >= SURE);
    svg.element(
        "circle",
        &[
            ("cx", &n(at[0])),
            ("cy", &n(at[1])),
            ("r", &n(RADIUS)),
            ("fill", if sure { "#ffffff" } else { "#ffdf9e" }),
            ("stroke", INK),
            ("stroke-width", "3"),
        ],
    );
    let size = if number < 100 { "34" } else { "26" };
    let style = [
        ("font-size", size),
        ("font-weight", "700"),
        ("fill", INK),
        ("text-anchor", "middle"),
    ];
    svg.text(at[0], at[1] + 12.0, &style, &number.to_string());
}

/// Draws what each number is, in columns, read downwards; times count from the stroke.
pub(super) fn legend(svg: &mut Svg, shot: &ShotRecord, left: f64, top: f64, width: f64) {
    let lines = legend_lines(shot).max(1);
    let column_width = width / COLUMNS as f64;
    for (i, event) in shot.events.iter().enumerate() {
        let x = left + RADIUS + (i / lines) as f64 * column_width;
        let y = top + (i % lines) as f64 * LINE_HEIGHT;
        badge(svg, [x, y], i + 1, event);
        let time = format!("{:.2} s", event.t_s - shot.start_s);
        let style = [
            ("font-size", "42"),
            ("fill", FAINT_INK),
            ("text-anchor", "end"),
        ];
        svg.text(x + 185.0, y + 15.0, &style, &time);
        let style = [("font-size", "44"), ("fill", INK)];
        svg.text(x + 210.0, y + 15.0, &style, &sentence(event));
    }
}

/// What happened, in a few words.
fn sentence(event: &EventRecord) -> String {
    let ball = |b: Option<Ball>| b.map_or("a ball", Ball::name);
    let named = |t: &Option<String>| t.clone().unwrap_or_default();
    let text = match event.kind.as_str() {
        "ball-ball" => format!("{} hits {}", ball(event.a), ball(event.b)),
        "ball-cushion" => format!("{}, cushion {}", ball(event.ball), named(&event.cushion)),
        "pocketed" => format!("{} into {}", ball(event.ball), named(&event.pocket)),
        "pin-down" => format!("pin {} falls", named(&event.pin)),
        "off-table" => format!("{} leaves the table", ball(event.ball)),
        "zone-exit" => format!("{} leaves {}", ball(event.ball), named(&event.zone)),
        "zone-enter" => format!("{} enters {}", ball(event.ball), named(&event.zone)),
        "struck" => format!("the cue strikes {}", ball(event.ball)),
        "struck-moving" => format!("{} struck, balls moving", ball(event.ball)),
        "interference" => format!("{}: unexplained", ball(event.ball)),
        "placed" => format!("{} placed by hand", ball(event.ball)),
        other => format!("{} {other}", event.ball.map_or("", Ball::name)),
    };
    match event.confidence {
        Some(c) if c < SURE => format!("{text} ? ({:.0} %)", 100.0 * c),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_cover_each_other() {
        let mut taken = Vec::new();
        for _ in 0..12 {
            let spot = free_spot([500.0, 500.0], 0.0, &taken);
            assert!(
                taken
                    .iter()
                    .all(|q: &[f64; 2]| (spot[0] - q[0]).hypot(spot[1] - q[1]) > 2.0 * RADIUS)
            );
            taken.push(spot);
        }
    }

    #[test]
    fn doubtful_contacts_say_so() {
        let mut event = EventRecord {
            kind: "ball-ball".to_owned(),
            a: Some(Ball::White),
            b: Some(Ball::Red),
            ..EventRecord::default()
        };
        assert_eq!(sentence(&event), "white hits red");
        event.confidence = Some(0.634);
        assert_eq!(sentence(&event), "white hits red ? (63 %)");
    }
}
