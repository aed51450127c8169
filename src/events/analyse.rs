//! From the cut paths of one shot to its events: every scene is read, the readings are weighed, the best are told.

use crate::{
    events::{
        options::Options,
        reading::Reading,
        scene::{Scene, Touch},
        search,
        segment::segment,
        series::Series,
        stage::{Track, scenes},
    },
    model::{Ball, Event, EventKind, Evidence, TableSpec},
    units::{TablePoint, Timestamp},
};

/// Evidence is divided by this before it is turned into probabilities: laws and noise are only nearly what is assumed.
const TEMPERATURE: f64 = 1.5;
/// Contacts of one pair closer than this are one contact, s (rule book EV-2).
const MERGE_S: f64 = 0.02;

/// What was found in a stretch of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// The first stroke: ball, time in s.
    pub strike: Option<(Ball, f64)>,
    /// Events after it, in order of time; times count from the series' zero.
    pub events: Vec<Event>,
    /// What is doubtful beyond the events' own confidence.
    pub doubts: Vec<String>,
}

/// Reads a shot. `tracks`: one per ball, ordered by name.
pub(super) fn analyse(tracks: &[Track], table: &TableSpec, options: &Options) -> Findings {
    let mut findings = Findings::default();
    for mut scene in scenes(tracks, table, options) {
        scene.may_strike = findings.strike.is_none();
        let readings = search::readings(&scene);
        trace(tracks, &scene, &readings);
        report(tracks, &scene, &readings, &mut findings);
    }
    findings
        .events
        .sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.kind.cmp(&b.kind)));
    merge(&mut findings.events);
    findings
}

/// Cuts every path.
pub(super) fn cut(series: Vec<Series>, options: &Options) -> Vec<Track> {
    series
        .into_iter()
        .map(|mut series| {
            series.calibrate_noise();
            let segments = segment(&mut series.samples, options.acceleration_mm_s2);
            Track { series, segments }
        })
        .collect()
}

/// Tells the log what was weighed, on demand.
fn trace(tracks: &[Track], scene: &Scene, readings: &[Reading]) {
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

fn report(tracks: &[Track], scene: &Scene, readings: &[Reading], findings: &mut Findings) {
    let Some(best) = readings.first() else { return };
    let weights: Vec<f64> = readings
        .iter()
        .map(|r| ((r.evidence - best.evidence) / TEMPERATURE).exp())
        .collect();
    let total: f64 = weights.iter().sum();
    for (k, c) in best.contacts.iter().enumerate() {
        let has = |r: &Reading| {
            r.contacts
                .iter()
                .any(|d| d.touch == c.touch && (d.t - c.t).abs() < 0.03)
        };
        let with: f64 = readings
            .iter()
            .zip(&weights)
            .filter(|(r, _)| has(r))
            .map(|(_, w)| w)
            .sum();
        let without = readings
            .iter()
            .filter(|r| !has(r))
            .map(|r| r.evidence)
            .fold(f64::NEG_INFINITY, f64::max);
        let detail = best.details[k];
        let name = |i: usize| tracks[scene.actors[i].ball].series.ball;
        let kind = match c.touch {
            Touch::Kink { .. } | Touch::Stop { .. } => continue,
            Touch::Strike { a } if findings.strike.is_none() => {
                findings.strike = Some((name(a), c.t));
                continue;
            }
            Touch::Strike { a } => EventKind::Struck {
                ball: name(a),
                moving: true,
            },
            Touch::Unknown { a } => {
                if detail.jump < 60.0 + 0.05 * detail.speeds[0] {
                    continue;
                }
                EventKind::Interference {
                    ball: Some(name(a)),
                }
            }
            Touch::Cushion { a, cushion } => EventKind::BallCushion {
                ball: name(a),
                cushion,
            },
            Touch::Jaw { a, pocket } => EventKind::BallCushion {
                ball: name(a),
                cushion: nearest_cushion(scene.table, detail.place, pocket),
            },
            Touch::Balls { a, b } => {
                let (a, b) = if detail.speeds[0] >= detail.speeds[1] {
                    (a, b)
                } else {
                    (b, a)
                };
                EventKind::BallBall {
                    driver: name(a),
                    other: name(b),
                }
            }
        };
        findings.events.push(Event {
            at: Timestamp::from_secs(c.t),
            sigma_s: best.sigmas[k],
            kind,
            place: Some(TablePoint::from(detail.place)),
            confidence: (with / total).clamp(0.0, 1.0),
            evidence: Evidence {
                log_ratio: if without.is_finite() {
                    best.evidence - without
                } else {
                    99.0
                },
                jump_mm_s: detail.jump,
                gap_mm: detail.gap,
            },
        });
    }
}

fn nearest_cushion(
    table: &TableSpec,
    place: [f64; 2],
    _pocket: crate::model::Pocket,
) -> crate::model::Cushion {
    let gap = |c: &crate::model::Cushion| table.cushion_gap(TablePoint::from(place), *c).abs();
    crate::model::Cushion::ALL
        .into_iter()
        .min_by(|a, b| gap(a).total_cmp(&gap(b)))
        .unwrap_or(crate::model::Cushion::S)
}

/// Joins contacts of one pair that are too close in time to be two.
fn merge(events: &mut Vec<Event>) {
    let mut kept: Vec<Event> = Vec::with_capacity(events.len());
    for e in events.drain(..) {
        let twin = kept
            .iter_mut()
            .rev()
            .find(|k| same(&k.kind, &e.kind) && e.at.since(k.at) < MERGE_S);
        match twin {
            Some(k) => k.confidence = k.confidence.max(e.confidence),
            None => kept.push(e),
        }
    }
    *events = kept;
}

/// The same things touch.
fn same(a: &EventKind, b: &EventKind) -> bool {
    match (a, b) {
        (
            EventKind::BallBall {
                driver: a,
                other: b,
            },
            EventKind::BallBall {
                driver: c,
                other: d,
            },
        ) => (a, b) == (c, d) || (a, b) == (d, c),
        _ => a == b,
    }
}
