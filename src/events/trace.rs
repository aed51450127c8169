//! What was cut and weighed, told to the log on demand (level `TRACE`).

use crate::events::{reading::Reading, scene::Scene, stage::Track};

/// Tells the log how a path was cut, on demand.
pub(super) fn trace_track(track: &Track) {
    if !tracing::enabled!(tracing::Level::TRACE) {
        return;
    }
    for s in &track.segments {
        let samples = &track.series.samples[s.from..s.to];
        let span = (samples[0].t, samples[samples.len() - 1].t);
        let strays: Vec<f64> = samples.iter().filter(|s| s.outlier).map(|s| s.t).collect();
        let ball = track.series.ball.name();
        tracing::trace!(ball, ?span, n = s.len(), s.rest, s.cost, v = ?s.fit.vel, a = ?s.fit.acc, ?strays, "segment");
    }
}

/// Tells the log what was weighed, on demand.
pub(super) fn trace_scene(tracks: &[Track], scene: &Scene, readings: &[Reading]) {
    if !tracing::enabled!(tracing::Level::TRACE) {
        return;
    }
    tracing::trace!(from = scene.window.0, to = scene.window.1, "scene");
    for a in &scene.actors {
        let ball = tracks[a.ball].series.ball.name();
        let (v, w) = (
            a.before.velocity_at(scene.window.0),
            a.after.velocity_at(scene.window.1),
        );
        tracing::trace!(
            ball,
            a.rest,
            a.settles,
            cuts = a.cuts.len(),
            near = a.near.len(),
            ?v,
            ?w,
            "actor"
        );
    }
    for r in readings.iter().take(5) {
        let told: Vec<String> = (r.contacts.iter().zip(&r.sigmas).zip(&r.details))
            .map(|((c, s), d)| {
                format!(
                    "{:?}@{:.4}+-{s:.4} gap {:.1} jump {:.0}",
                    c.touch, c.t, d.gap, d.jump
                )
            })
            .collect();
        tracing::trace!(
            r.evidence,
            r.chi2,
            parts = format!("{:.0?}", r.parts),
            "{told:?}"
        );
    }
}
