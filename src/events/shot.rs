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
        stroke::{frozen, hand_or_stroke, is_stroke, later_stroke, left_place, placed, plays},
    },
    model::{Ball, Event, Layout, Shot, TableSpec, TrackedFrame},
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
    if !tracks.iter().any(|t| travelled(t) > options.motion_mm) {
        return None;
    }
    let mut findings = analyse(&tracks, table, options);
    let (strokes, carried) = strokes_and_hands(&mut findings, &tracks);
    if opened && strokes.is_empty() && !plays(&findings) {
        return None;
    }
    let strike = strokes.first();
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
    if let Some(strike) = strike {
        begin_with(strike, &mut findings, &tracks, table);
    }
    findings
        .events
        .sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.kind.cmp(&b.kind)));
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

/// The starts of motion that are strokes, and those that are a hand's.
fn strokes_and_hands(findings: &mut Findings, tracks: &[Track]) -> (Vec<Start>, Vec<Start>) {
    let (mut strokes, mut carried): (Vec<Start>, Vec<Start>) = findings
        .starts
        .iter()
        .partition(|s| is_stroke(s, tracks, findings));
    if let (true, Some(doubt)) = (strokes.is_empty(), hand_or_stroke(&carried, findings)) {
        strokes.push(carried.remove(0));
        findings.doubts.push(doubt);
    }
    (strokes, carried)
}

/// Leaves out what was before the stroke or existed when it began.
fn begin_with(strike: &Start, findings: &mut Findings, tracks: &[Track], table: &TableSpec) {
    let begin = strike.t - 2.0 * strike.sigma_s;
    findings
        .events
        .retain(|e| e.at.secs() >= begin && !frozen(e, strike, tracks, table));
    findings.doubts.retain(|d| d.t >= begin);
    let start = Timestamp::from_secs(strike.t);
    findings
        .events
        .iter_mut()
        .for_each(|e| e.at = e.at.max(start));
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
