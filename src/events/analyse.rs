//! From the cut paths of one shot to what happened: every scene is read, the readings are weighed, the best is told.

use crate::{
    events::{
        options::Options,
        reading::Reading,
        report::report,
        scene::{Contact, Scene, Touch},
        search,
        segment::segment,
        series::{Sample, Series},
        stage::{Track, groups, scene},
        trace::{trace_scene, trace_track},
    },
    model::{Ball, Event, EventKind, TableSpec},
};

/// Contacts of one pair closer than this are one contact, s (rule book EV-2).
const MERGE_S: f64 = 0.02;

/// Two starts of one ball this close are one, s.
const SAME_START_S: f64 = 0.03;
/// How much farther the cause of an unexplained start is looked for, at least and at most, s.
const WIDER_S: f64 = 0.07;
const WIDEST_S: f64 = 0.25;

/// A ball at rest that begins to move with nothing touching it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub ball: Ball,
    /// s from the series' zero.
    pub t: f64,
    pub sigma_s: f64,
    pub confidence: f64,
    /// Velocity given to it, mm/s.
    pub jump: f64,
}

/// Something that is doubtful, in words.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    /// s from the series' zero.
    pub t: f64,
    pub text: String,
    /// The ball whose motion jumped without an explanation, if that is the doubt.
    pub jumped: Option<Ball>,
}

/// What was found in a stretch of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// Strokes, or what looks like one, in order of time.
    pub starts: Vec<Start>,
    /// Contacts in order of time; times count from the series' zero.
    pub events: Vec<Event>,
    /// What is doubtful beyond the events' own confidence.
    pub doubts: Vec<Doubt>,
}

impl Findings {
    /// That ball's start at that time is already told.
    pub(super) fn knows_start(&self, ball: Ball, t: f64) -> bool {
        self.starts
            .iter()
            .any(|s| s.ball == ball && (s.t - t).abs() < SAME_START_S)
    }
}

/// Reads a shot. `tracks`: one per ball, ordered by name.
pub(super) fn analyse(tracks: &[Track], table: &TableSpec, options: &Options) -> Findings {
    let mut findings = Findings::default();
    tracks.iter().for_each(trace_track);
    for group in groups(tracks, table) {
        let first = findings.starts.is_empty();
        let set = |wider: f64| Scene {
            may_strike: first,
            ..scene(tracks, &group, wider, table, options)
        };
        let narrow = set(0.0);
        let readings = search::readings(&narrow);
        trace_scene(tracks, &narrow, &readings);
        // A ball that starts by itself after the stroke: its cause may stand farther off in time.
        if readings
            .first()
            .is_some_and(|r| orphan(tracks, &narrow, r, &findings))
        {
            let wide = set(readings.first().map_or(WIDER_S, |r| wider(&narrow, r)));
            let again = search::readings(&wide);
            trace_scene(tracks, &wide, &again);
            if again
                .first()
                .is_some_and(|r| !orphan(tracks, &wide, r, &findings))
            {
                report(tracks, &wide, &again, &mut findings);
                continue;
            }
        }
        report(tracks, &narrow, &readings, &mut findings);
    }
    findings.starts.sort_by(|a, b| a.t.total_cmp(&b.t));
    findings
        .events
        .sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.kind.cmp(&b.kind)));
    merge(&mut findings.events);
    findings
}

/// How far the cause of an unexplained start is looked for: a slow start is timed badly.
fn wider(scene: &Scene, r: &Reading) -> f64 {
    let each = r
        .contacts
        .iter()
        .zip(&r.details)
        .filter_map(|(c, d)| match c.touch {
            Touch::Strike { a } => {
                let sigma = scene.actors[a].near.first().map_or(1.0, Sample::sigma);
                Some(4.0 * sigma / d.jump.max(1.0))
            }
            _ => None,
        });
    each.fold(WIDER_S, f64::max).min(WIDEST_S)
}

/// A ball starts out of rest with nothing touching it, and it is neither the stroke nor told before.
fn orphan(tracks: &[Track], scene: &Scene, r: &Reading, findings: &Findings) -> bool {
    let unknown = |c: &&Contact| match c.touch {
        Touch::Strike { a } => !findings.knows_start(tracks[scene.actors[a].ball].series.ball, c.t),
        _ => false,
    };
    r.contacts.iter().filter(unknown).count() > usize::from(scene.may_strike)
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

/// Joins contacts of one pair that are too close in time to be two.
fn merge(events: &mut Vec<Event>) {
    let mut kept: Vec<Event> = Vec::with_capacity(events.len());
    for e in events.drain(..) {
        let is_twin = |k: &&mut Event| same(&k.kind, &e.kind) && e.at.since(k.at) < MERGE_S;
        match kept.iter_mut().rev().find(is_twin) {
            Some(k) => k.confidence = k.confidence.max(e.confidence),
            None => kept.push(e),
        }
    }
    *events = kept;
}

/// The same things touch.
fn same(a: &EventKind, b: &EventKind) -> bool {
    use EventKind::BallBall;
    match (a, b) {
        (
            BallBall {
                driver: a,
                other: b,
            },
            BallBall {
                driver: c,
                other: d,
            },
        ) => (a, b) == (c, d) || (a, b) == (d, c),
        _ => a == b,
    }
}
