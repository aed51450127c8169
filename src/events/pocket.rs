//! Balls that fall: a ball that ran into a pocket's mouth and is seen no more.

use crate::{
    events::{options::Options, stage::Track},
    model::{Event, EventKind, Evidence, Pocket, TableSpec},
    units::Timestamp,
};

/// Falls among the tracks of a shot that was watched until `end`, s.
pub(super) fn falls(
    tracks: &[Track],
    table: &TableSpec,
    options: &Options,
    end: f64,
) -> Vec<Event> {
    if !table.pockets {
        return Vec::new();
    }
    tracks
        .iter()
        .filter_map(|t| fall(t, table, options, end))
        .collect()
}

fn fall(track: &Track, table: &TableSpec, options: &Options, end: f64) -> Option<Event> {
    let last = track.series.samples.iter().rev().find(|s| !s.outlier)?;
    let dt = track.interval();
    if end - last.t < (6.0 * dt).max(0.3 * options.rest_s) {
        return None;
    }
    let segment = track.segments.last()?;
    // Where it would have been by the next frame, at most.
    let reach = options.mouth_diameters * table.ball_diameter_mm;
    let near = |t: f64| {
        let at = segment.at(t);
        Pocket::ALL
            .into_iter()
            .map(|p| (table.pocket_mouth(p).distance(at), p))
            .min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let steps = (0..=10).map(|i| last.t + 2.0 * dt * f64::from(i) / 10.0);
    let (distance, pocket) = steps.filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let t = last.t + 0.5 * dt;
    if distance > reach {
        return None;
    }
    let sure = if distance < 0.6 * reach { 0.98 } else { 0.85 };
    Some(Event {
        at: Timestamp::from_secs(t),
        sigma_s: 0.35 * dt,
        kind: EventKind::Pocketed {
            ball: track.series.ball,
            pocket,
        },
        place: Some(segment.at(t)),
        confidence: sure,
        evidence: Evidence {
            log_ratio: (sure / (1.0 - sure)).ln(),
            jump_mm_s: segment.velocity_at(last.t).norm(),
            gap_mm: distance,
        },
    })
}
