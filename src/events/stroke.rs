//! Tells strokes from balls moved by people, and what a stroke begins with.

use crate::{
    events::{
        analyse::{Doubt, Findings, Start},
        series::Sample,
        stage::Track,
    },
    model::{Ball, Event, EventKind, Evidence, TableSpec},
    units::Timestamp,
};

/// A stroke moves the ball by at least this, mm, at this speed, mm/s.
const STROKE_MM: f64 = 5.0;
const STROKE_MM_S: f64 = 30.0;
/// Balls that lay this close touched, mm; a cushion's nose is known less well.
const FROZEN_MM: f64 = 0.8;
const FROZEN_CUSHION_MM: f64 = 2.0;
/// Such a contact comes this close to the stroke, s.
const FROZEN_S: f64 = 0.012;
/// A ball still covered by a hand this long after it began to move is carried, s.
const HAND_S: f64 = 0.2;
/// For how long that is looked at, s.
const LOOK_S: f64 = 0.6;
/// A ball that runs freely is never faster than at the stroke, but for noise.
const COASTING: f64 = 0.75;
/// A ball driven this hard was not nudged while another was put down beside it, mm/s.
const DRIVEN_MM_S: f64 = 100.0;
/// Confidence of what is as likely something else.
const EVEN_BET: f64 = 0.5;
/// So many unexplained jumps of one ball are a hand's.
const CARRIED_JUMPS: usize = 3;

/// A contact that existed when the stroke began (rule book EV-4): both lay there touching, and it came with the stroke.
pub(super) fn frozen(e: &Event, strike: &Start, tracks: &[Track], table: &TableSpec) -> bool {
    let lay = |b: &Ball| {
        let track = tracks.iter().find(|t| t.series.ball == *b)?;
        let first = track.segments.first().filter(|s| s.rest)?;
        Some(first.fit.pos)
    };
    if (e.at.secs() - strike.t).abs() > FROZEN_S + 2.0 * e.sigma_s {
        return false;
    }
    match &e.kind {
        EventKind::BallBall { driver, other } => {
            let apart = lay(driver)
                .zip(lay(other))
                .map(|(p, q)| p.distance(q) - table.ball_diameter_mm);
            apart.is_some_and(|gap| gap < FROZEN_MM)
        }
        EventKind::BallCushion { ball, cushion } => {
            lay(ball).is_some_and(|p| table.cushion_gap(p, *cushion) < FROZEN_CUSHION_MM)
        }
        _ => false,
    }
}

/// The ball ran freely: seen on its way, fast enough, not under a hand all the time, not jerked about.
pub(super) fn is_stroke(start: &Start, tracks: &[Track], findings: &Findings) -> bool {
    let Some(track) = tracks.iter().find(|t| t.series.ball == start.ball) else {
        return false;
    };
    let after: Vec<&Sample> = track
        .series
        .samples
        .iter()
        .filter(|s| !s.outlier && s.t > start.t && s.t < start.t + LOOK_S)
        .collect();
    let place = track.place_at(start.t);
    let away = |s: &&&Sample| (s.pos[0] - place[0]).hypot(s.pos[1] - place[1]) > STROKE_MM;
    let on_its_way: Vec<&&Sample> = after.iter().filter(away).collect();
    let later: Vec<_> = after.iter().filter(|s| s.t > start.t + HAND_S).collect();
    let covered = later.iter().filter(|s| s.handled).count();
    let under_hand = 2 * covered > later.len();
    let jumps = findings
        .doubts
        .iter()
        .filter(|d| d.jumped == Some(start.ball))
        .count();
    let explained = findings
        .events
        .iter()
        .filter(|e| e.kind.balls().contains(&start.ball))
        .count();
    let jerked = jumps >= CARRIED_JUMPS && jumps >= explained;
    start.jump > STROKE_MM_S
        && runs(&on_its_way)
        && !jerked
        && (!under_hand || coasts(start, track, findings))
}

/// What looks moved by hand but drove another ball is not dropped: it counts as a stroke, with this doubt.
pub(super) fn hand_or_stroke(carried: &[Start], findings: &Findings) -> Option<Doubt> {
    let first = carried.first()?;
    let drove = |e: &Event| {
        matches!(e.kind, EventKind::BallBall { .. })
            && e.at.secs() >= first.t
            && e.evidence.jump_mm_s > DRIVEN_MM_S
            && e.confidence > 0.9
    };
    findings.events.iter().any(drove).then(|| Doubt {
        t: first.t,
        text: format!("{} may have been moved by hand, not struck", first.ball),
        jumped: None,
    })
}

/// The ball was fastest at once and slowed down from then on, as friction has it; a hand speeds up.
fn coasts(start: &Start, track: &Track, findings: &Findings) -> bool {
    let own = |e: &&Event| e.kind.balls().contains(&start.ball) && e.at.secs() > start.t;
    let next = findings
        .events
        .iter()
        .find(own)
        .map_or(f64::INFINITY, |e| e.at.secs());
    let end = next.min(start.t + LOOK_S);
    let samples = &track.series.samples;
    let speeds = track.segments.iter().filter(|s| !s.rest).flat_map(|s| {
        let (from, to) = (samples[s.from].t.max(start.t), samples[s.to - 1].t.min(end));
        let inside = from <= to && s.len() >= 3;
        [from, to]
            .into_iter()
            .filter(move |_| inside)
            .map(|t| s.velocity_at(t).norm())
    });
    let fastest = speeds.fold(0.0, f64::max);
    start.jump > COASTING * fastest && findings.doubts.iter().all(|d| d.jumped != Some(start.ball))
}

/// Seen in more than one place: a ball that is only put down elsewhere lies in one.
fn runs(samples: &[&&Sample]) -> bool {
    let Some(first) = samples.first() else {
        return false;
    };
    samples.iter().any(|s| {
        let run = (s.pos[0] - first.pos[0]).hypot(s.pos[1] - first.pos[1]);
        run > STROKE_MM + 4.0 * s.sigma()
    })
}

/// Motion whose begin was not seen, but in which balls and cushions met.
pub(super) fn plays(findings: &Findings) -> bool {
    let contact = |e: &Event| {
        matches!(
            e.kind,
            EventKind::BallBall { .. } | EventKind::BallCushion { .. }
        )
    };
    findings.starts.is_empty() && findings.events.iter().any(contact)
}

/// The ball really left its place: more than one frame shows it elsewhere.
pub(super) fn left_place(start: &Start, tracks: &[Track]) -> bool {
    let Some(track) = tracks.iter().find(|t| t.series.ball == start.ball) else {
        return false;
    };
    let place = track.place_at(start.t);
    let away = |s: &&Sample| {
        (s.pos[0] - place[0]).hypot(s.pos[1] - place[1]) > STROKE_MM + 4.0 * s.sigma()
    };
    let later = track
        .series
        .samples
        .iter()
        .filter(|s| !s.outlier && s.t > start.t);
    later.filter(away).count() >= 3
}

/// A second stroke is rare; a contact that was not seen looks the same. Whoever judges is to ask about both.
pub(super) fn later_stroke(s: &Start) -> Event {
    let kind = EventKind::Struck {
        ball: s.ball,
        moving: true,
    };
    let event = start_event(s, kind);
    Event {
        confidence: event.confidence.min(EVEN_BET),
        ..event
    }
}

pub(super) fn placed(s: &Start) -> Event {
    start_event(s, EventKind::Placed { ball: s.ball })
}

fn start_event(s: &Start, kind: EventKind) -> Event {
    Event {
        at: Timestamp::from_secs(s.t),
        sigma_s: s.sigma_s,
        kind,
        place: None,
        confidence: s.confidence,
        evidence: Evidence {
            log_ratio: 0.0,
            jump_mm_s: s.jump,
            gap_mm: 0.0,
        },
    }
}
