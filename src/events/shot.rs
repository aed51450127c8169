//! Makes a shot of the frames in which balls moved.

use std::collections::BTreeMap;

use crate::{
    events::{
        analyse::{Findings, Start, analyse, cut},
        doubt::{order_doubts, told},
        options::Options,
        pocket,
        series::{Sample, Series},
        stage::Track,
    },
    model::{Ball, Event, EventKind, Evidence, Layout, Shot, TableSpec, TrackedFrame},
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
/// So many unexplained jumps of one ball are a hand's.
const CARRIED_JUMPS: usize = 3;

/// Reads a stretch of motion. `opened`: it began with balls at rest in sight. `settled`: it ends with all at rest.
///
/// Returns `None` when nothing moved, or when what moved was moved by people.
pub(super) fn shot_from_frames(
    frames: &[TrackedFrame],
    table: &TableSpec,
    options: &Options,
    opened: bool,
    settled: bool,
) -> Option<Shot> {
    let (first, last) = (frames.first()?.at, frames.last()?.at);
    let tracks = cut(series(frames, first, options), options);
    if !tracks.iter().any(|t| travelled(t) > options.motion_mm) {
        return None;
    }
    let mut findings = analyse(&tracks, table, options);
    let (strokes, carried): (Vec<Start>, Vec<Start>) = findings
        .starts
        .iter()
        .partition(|s| is_stroke(s, &tracks, &findings));
    if opened && strokes.is_empty() && !plays(&findings) {
        return None;
    }
    let strike = strokes.first().copied();
    findings
        .events
        .extend(strokes.iter().skip(1).map(later_stroke));
    findings.events.extend(
        carried
            .iter()
            .filter(|s| left_place(s, &tracks))
            .map(placed),
    );
    let departures = pocket::departures(&tracks, table, options, last.since(first));
    let gone = fallen(&departures);
    findings.events.retain(|e| !after_fall(e, &departures));
    findings.events.extend(departures);
    findings
        .events
        .sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.kind.cmp(&b.kind)));
    if let Some(s) = &strike {
        findings.events.retain(|e| !frozen(e, s, &tracks, table));
    }
    let begin = strike.map_or(0.0, |s| s.t - 2.0 * s.sigma_s);
    findings.events.retain(|e| e.at.secs() >= begin);
    findings.doubts.retain(|d| d.t >= begin);
    findings.doubts.extend(order_doubts(&findings.events));
    let shift = |t: f64| first.plus_secs(t);
    let doubts = told(&findings.doubts, first);
    findings
        .events
        .iter_mut()
        .for_each(|e| e.at = shift(e.at.secs()));
    Some(Shot {
        struck: strike.map(|s| s.ball),
        start: strike.map_or(first, |s| shift(s.t)),
        stop: if settled { shift(stop(&tracks)) } else { last },
        events: findings.events,
        before: layout(&tracks, Track::first_place, &[]),
        after: layout(&tracks, Track::last_place, &gone),
        complete: strike.is_some() && settled,
        doubts,
    })
}

/// A contact that existed when the stroke began (rule book EV-4): both lay there touching, and it came with the stroke.
fn frozen(e: &Event, strike: &Start, tracks: &[Track], table: &TableSpec) -> bool {
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
fn is_stroke(start: &Start, tracks: &[Track], findings: &Findings) -> bool {
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
    start.jump > STROKE_MM_S
        && runs(&on_its_way)
        && 2 * covered <= later.len()
        && (jumps < CARRIED_JUMPS || jumps < explained)
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
fn plays(findings: &Findings) -> bool {
    let contact = |e: &Event| {
        matches!(
            e.kind,
            EventKind::BallBall { .. } | EventKind::BallCushion { .. }
        )
    };
    findings.starts.is_empty() && findings.events.iter().any(contact)
}

/// The ball really left its place: more than one frame shows it elsewhere.
fn left_place(start: &Start, tracks: &[Track]) -> bool {
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

fn later_stroke(s: &Start) -> Event {
    start_event(
        s,
        EventKind::Struck {
            ball: s.ball,
            moving: true,
        },
    )
}

fn placed(s: &Start) -> Event {
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

fn fallen(departures: &[Event]) -> Vec<Ball> {
    departures.iter().flat_map(|e| e.kind.balls()).collect()
}

/// What a ball does inside a pocket is no contact of the game.
fn after_fall(e: &Event, departures: &[Event]) -> bool {
    departures.iter().any(|d| {
        let balls = d.kind.balls();
        e.at >= d.at && e.kind.balls().iter().any(|b| balls.contains(b))
    })
}

fn series(frames: &[TrackedFrame], zero: Timestamp, options: &Options) -> Vec<Series> {
    let mut all: BTreeMap<Ball, Vec<Sample>> = BTreeMap::new();
    for frame in frames.iter().filter(|f| !f.blind) {
        let t = frame.at.since(zero);
        for state in &frame.balls {
            let Some(m) = &state.seen else { continue };
            let samples = all.entry(state.id).or_default();
            let later = samples.last().is_none_or(|s| t > s.t);
            if let (true, Some(s)) = (later, Sample::from_measurement(t, m, options.floor_mm)) {
                let doubt = if state.handled || m.visible < 0.6 {
                    2.0
                } else {
                    1.0
                };
                samples.push(Sample {
                    handled: state.handled,
                    ..s.widened(doubt)
                });
            }
        }
    }
    all.into_iter()
        .map(|(ball, samples)| Series { ball, samples })
        .collect()
}

fn layout(tracks: &[Track], place: impl Fn(&Track) -> Option<[f64; 2]>, gone: &[Ball]) -> Layout {
    tracks
        .iter()
        .filter(|t| !gone.contains(&t.series.ball))
        .filter_map(|t| Some((t.series.ball, place(t)?.into())))
        .collect()
}

/// Largest distance from the first place or the last, whichever is less, mm; what only one frame shows is left out.
fn travelled(track: &Track) -> f64 {
    let far_from = |place: Option<[f64; 2]>| {
        let Some(from) = place else { return 0.0 };
        let used = track.series.samples.iter().filter(|s| !s.outlier);
        let away: Vec<f64> = used
            .map(|s| (s.pos[0] - from[0]).hypot(s.pos[1] - from[1]) - 3.0 * s.sigma())
            .collect();
        away.windows(2).map(|w| w[0].min(w[1])).fold(0.0, f64::max)
    };
    far_from(track.first_place()).min(far_from(track.last_place()))
}

/// When the last ball came to rest, s.
fn stop(tracks: &[Track]) -> f64 {
    let each = tracks.iter().filter_map(|t| {
        let last = t.segments.iter().rposition(|s| !s.rest)?;
        Some(t.series.samples[t.segments[last].to - 1].t)
    });
    each.fold(0.0, f64::max)
}
