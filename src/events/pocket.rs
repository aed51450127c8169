//! Balls that leave the table: into a pocket, or over a cushion.

use crate::{
    events::{options::Options, series::Sample, stage::Track},
    model::{Cushion, Event, EventKind, Evidence, Pocket, TableSpec},
    units::{TablePoint, Timestamp},
};

/// A ball this close to a corner's mouth is over the hole, in ball diameters: simulated pockets take it at 0.35 to 0.5.
const FALLS_DIAMETERS: f64 = 0.36;
/// A ball that vanished must have been out of sight for this long, s and frames.
const GONE_S: f64 = 0.15;
const GONE_FRAMES: f64 = 6.0;

/// What left the table among the tracks of a shot that was watched until `end`, s.
pub(super) fn departures(
    tracks: &[Track],
    table: &TableSpec,
    options: &Options,
    end: f64,
) -> Vec<Event> {
    tracks
        .iter()
        .filter_map(|t| departure(t, table, options, end))
        .collect()
}

fn departure(track: &Track, table: &TableSpec, options: &Options, end: f64) -> Option<Event> {
    let last = track.series.samples.iter().rev().find(|s| !s.outlier)?;
    let dt = track.interval();
    if end - last.t < GONE_S.max(GONE_FRAMES * dt) {
        return None;
    }
    let segment = track.segments.last()?;
    if table.pockets
        && let Some((pocket, distance)) = nearest_pocket(track, table, dt)
        && distance < options.mouth_diameters * table.ball_diameter_mm
    {
        let (t, sigma_s) = fall_time(track, table, pocket, dt);
        let sure = if distance < table.ball_diameter_mm {
            0.98
        } else {
            0.85
        };
        let kind = EventKind::Pocketed {
            ball: track.series.ball,
            pocket,
        };
        return Some(event(kind, t, sigma_s, segment.at(t), sure, distance));
    }
    let at = segment.at(last.t + dt);
    let beyond = -table.ball_radius_mm();
    let outside = Cushion::ALL
        .iter()
        .any(|&c| table.cushion_gap(at, c) < beyond);
    outside.then(|| {
        let kind = EventKind::OffTable {
            ball: track.series.ball,
        };
        event(kind, last.t, dt, at, 0.7, 0.0)
    })
}

fn event(
    kind: EventKind,
    t: f64,
    sigma_s: f64,
    place: TablePoint,
    sure: f64,
    gap_mm: f64,
) -> Event {
    Event {
        at: Timestamp::from_secs(t),
        sigma_s,
        kind,
        place: Some(place),
        confidence: sure,
        evidence: Evidence {
            log_ratio: (sure / (1.0 - sure)).ln(),
            jump_mm_s: 0.0,
            gap_mm,
        },
    }
}

/// The pocket the ball came closest to in its last moments and the frames after, and how close, mm.
fn nearest_pocket(track: &Track, table: &TableSpec, dt: f64) -> Option<(Pocket, f64)> {
    let (segment, last) = (track.segments.last()?, track.series.samples.last()?);
    let times = (-3..=20).map(|i| last.t + 0.1 * dt * f64::from(i));
    times
        .flat_map(|t| {
            let at = segment.at(t);
            Pocket::ALL.map(|p| (p, table.pocket_mouth(p).distance(at)))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// When the ball was over the mouth: as seen, or between the last sight and the next frame.
fn fall_time(track: &Track, table: &TableSpec, pocket: Pocket, dt: f64) -> (f64, f64) {
    let samples: Vec<&Sample> = track.series.samples.iter().filter(|s| !s.outlier).collect();
    let short = |s: &Sample| short_of(table, pocket, s.pos.into());
    let inside = samples.iter().rev().take_while(|s| short(s) <= 0.0).count();
    let Some(last_out) = samples.len().checked_sub(inside + 1).map(|i| samples[i]) else {
        return (samples.first().map_or(0.0, |s| s.t), dt);
    };
    let Some(first_in) = samples.get(samples.len() - inside) else {
        return (last_out.t + 0.5 * dt, 0.35 * dt);
    };
    let (a, b) = (short(last_out), short(first_in));
    let t = last_out.t + (first_in.t - last_out.t) * a / (a - b).max(1e-6);
    (t, 0.2 * (first_in.t - last_out.t) + 0.1 * dt)
}

/// How far a ball's centre is from being over the hole, mm; not positive when it is: beyond a nose line, or near
/// enough to a corner's mouth.
fn short_of(table: &TableSpec, pocket: Pocket, at: TablePoint) -> f64 {
    let line = |c: &Cushion| table.cushion_gap(at, *c) + table.ball_radius_mm();
    let beyond = Cushion::ALL.iter().map(line).fold(f64::INFINITY, f64::min);
    let mouth = table.pocket_mouth(pocket).distance(at) - FALLS_DIAMETERS * table.ball_diameter_mm;
    if matches!(pocket, Pocket::MW | Pocket::ME) {
        beyond
    } else {
        mouth.min(beyond + 0.2 * table.ball_radius_mm())
    }
}
