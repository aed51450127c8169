//! Makes a shot of the frames in which balls moved.

use std::collections::BTreeMap;

use crate::{
    events::{
        analyse::{Findings, analyse, cut},
        options::Options,
        pocket,
        series::{Sample, Series},
        stage::Track,
    },
    model::{Ball, EventKind, Layout, Shot, TableSpec, TrackedFrame},
    units::Timestamp,
};

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
    let end = last.since(first);
    let mut findings = analyse(&tracks, table, options);
    findings
        .events
        .extend(pocket::falls(&tracks, table, options, end));
    findings
        .events
        .sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.kind.cmp(&b.kind)));
    let moved = tracks.iter().any(|t| travelled(t) > options.motion_mm);
    if !moved || (opened && findings.strike.is_none() && carried(&findings)) {
        return None;
    }
    let shift = |t: f64| first.plus_secs(t);
    let start = findings.strike.map_or(first, |s| shift(s.1));
    let gone: Vec<Ball> = findings
        .events
        .iter()
        .filter_map(|e| match e.kind {
            EventKind::Pocketed { ball, .. } | EventKind::OffTable { ball } => Some(ball),
            _ => None,
        })
        .collect();
    let events = findings
        .events
        .into_iter()
        .map(|mut e| {
            e.at = shift(e.at.secs());
            e
        })
        .filter(|e| e.at >= start)
        .collect();
    Some(Shot {
        struck: findings.strike.map(|s| s.0),
        start,
        stop: if settled { shift(stop(&tracks)) } else { last },
        events,
        before: layout(&tracks, Track::first_place, &[]),
        after: layout(&tracks, Track::last_place, &gone),
        complete: findings.strike.is_some() && settled,
        doubts: findings.doubts,
    })
}

/// Motion without a stroke in which contacts explain nothing.
fn carried(findings: &Findings) -> bool {
    !findings.events.iter().any(|e| {
        matches!(
            e.kind,
            EventKind::BallBall { .. } | EventKind::BallCushion { .. }
        )
    })
}

fn series(frames: &[TrackedFrame], zero: Timestamp, options: &Options) -> Vec<Series> {
    let mut all: BTreeMap<Ball, Vec<Sample>> = BTreeMap::new();
    for frame in frames {
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
                samples.push(s.widened(doubt));
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
        let away: Vec<f64> = track
            .series
            .samples
            .iter()
            .filter(|s| !s.outlier)
            .map(|s| (s.pos[0] - from[0]).hypot(s.pos[1] - from[1]) - 3.0 * s.sigma())
            .collect();
        away.windows(2).map(|w| w[0].min(w[1])).fold(0.0, f64::max)
    };
    far_from(track.first_place()).min(far_from(track.last_place()))
}

/// When the last ball came to rest, s.
fn stop(tracks: &[Track]) -> f64 {
    tracks
        .iter()
        .filter_map(|t| {
            let last = t.segments.iter().rposition(|s| !s.rest)?;
            let s = &t.segments[last];
            Some(t.series.samples[s.to - 1].t)
        })
        .fold(0.0, f64::max)
}
