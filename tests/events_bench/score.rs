//! Compares events with the truth by the matching of FORMATS.md.

use std::collections::BTreeSet;

use marqueur::{
    events::{Options, Recognizer},
    model::{Ball, BallSet, Event, EventKind, Shot},
};

use super::{
    camera::Camera,
    trajectory::{Trajectory, TrueEvent, ball},
};

/// Seconds within which an event is found.
const WITHIN_S: f64 = 0.05;
/// Changes of speed below this cannot be seen: neither missed nor invented.
const VISIBLE: f64 = 20.0;

#[derive(Default)]
pub struct Score {
    pub found: usize,
    pub missed: usize,
    pub invented: usize,
    pub errors_s: Vec<f64>,
    pub ratios: Vec<f64>,
    pub shots: usize,
    pub whole: usize,
    pub struck_right: usize,
    pub start_errors_s: Vec<f64>,
    pub verdicts: usize,
    pub verdicts_right: usize,
    pub order_wrong: usize,
    /// Confidence, and whether it was so.
    pub claims: Vec<(f64, bool)>,
    pub rest_errors_mm: Vec<f64>,
    pub doubts: usize,
    pub notes: Vec<String>,
}

impl Score {
    pub fn f1(&self) -> f64 {
        2.0 * self.found as f64 / (2 * self.found + self.missed + self.invented).max(1) as f64
    }

    pub fn line(&self) -> String {
        let ms = |v: &[f64], q: f64| 1e3 * quantile(v, q);
        format!(
            "F1 {:.4} P {:.4} R {:.4} (found {} missed {} invented {}) t med {:.2} p95 {:.2} max {:.1} ms; z {:.2} z95 {:.2}; shots {}/{} struck {} start p95 {:.2} ms; verdicts {}/{}; order wrong {}; doubts {}; rest p95 {:.2} mm",
            self.f1(),
            self.found as f64 / (self.found + self.invented).max(1) as f64,
            self.found as f64 / (self.found + self.missed).max(1) as f64,
            self.found,
            self.missed,
            self.invented,
            ms(&self.errors_s, 0.5),
            ms(&self.errors_s, 0.95),
            ms(&self.errors_s, 1.0),
            quantile(&self.ratios, 0.683),
            quantile(&self.ratios, 0.95),
            self.whole,
            self.shots,
            self.struck_right,
            ms(&self.start_errors_s, 0.95),
            self.verdicts_right,
            self.verdicts,
            self.order_wrong,
            self.doubts,
            quantile(&self.rest_errors_mm, 0.95),
        )
    }
}

/// Of events said to be that sure, how many were so: bins of confidence with count, mean claim and share that is true.
pub fn reliability(claims: &[(f64, bool)]) -> String {
    let edges = [0.0, 0.5, 0.8, 0.95, 0.99, 1.01];
    let bins = edges.windows(2).map(|w| {
        let bin: Vec<&(f64, bool)> = claims
            .iter()
            .filter(|c| c.0 >= w[0] && c.0 < w[1])
            .collect();
        let n = bin.len().max(1) as f64;
        let claim = bin.iter().map(|c| c.0).sum::<f64>() / n;
        let so = bin.iter().filter(|c| c.1).count() as f64 / n;
        format!("{}: said {claim:.3} so {so:.3}", bin.len())
    });
    bins.collect::<Vec<_>>().join("; ")
}

pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut v: Vec<f64> = values.iter().map(|x| x.abs()).collect();
    v.sort_by(f64::total_cmp);
    v.get(((q * v.len() as f64) as usize).min(v.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

pub fn recognize(shot: &Trajectory, camera: &Camera, seed: u64) -> (Vec<Shot>, f64) {
    let (frames, stroke) = camera.watch(shot, seed);
    let mut recognizer = Recognizer::new(&shot.spec(), &BallSet(shot.set()), Options::default());
    let mut shots: Vec<Shot> = frames.iter().flat_map(|f| recognizer.push(f)).collect();
    shots.extend(recognizer.finish());
    (shots, stroke)
}

/// Plays every shot once and adds it all up.
pub fn play(shots: &[Trajectory], camera: &Camera, seed: u64) -> Score {
    let mut score = Score::default();
    for shot in shots {
        // The shot's own number keeps its noise the same when it is played alone.
        let own = shot
            .name
            .bytes()
            .fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        let (found, stroke) = recognize(shot, camera, seed.wrapping_mul(1009).wrapping_add(own));
        add(&mut score, shot, &found, stroke);
    }
    score
}

fn add(score: &mut Score, truth: &Trajectory, shots: &[Shot], stroke: f64) {
    score.shots += 1;
    if shots.len() == 1 && shots[0].complete {
        score.whole += 1;
    } else {
        score.notes.push(format!(
            "{}: {} shots complete {:?} start {:?} stop {:?} truth {:.3}..{:.3}",
            truth.name,
            shots.len(),
            shots.iter().map(|s| s.complete).collect::<Vec<_>>(),
            shots.iter().map(|s| s.start.secs()).collect::<Vec<_>>(),
            shots.iter().map(|s| s.stop.secs()).collect::<Vec<_>>(),
            stroke,
            stroke + truth.stop
        ));
    }
    let struck = ball(&truth.struck);
    for s in shots {
        score.doubts += s.doubts.len();
        score.notes.extend(
            s.doubts
                .iter()
                .map(|d| format!("{}: doubt (stroke {stroke:.3}) {d}", truth.name)),
        );
    }
    if let Some(s) = shots.first() {
        if s.struck == Some(struck) {
            score.struck_right += 1;
        } else {
            score.notes.push(format!(
                "{}: struck {:?} for {struck}",
                truth.name, s.struck
            ));
        }
        score.start_errors_s.push(s.start.secs() - stroke);
        for (b, place) in &s.after {
            if let Some((p, _)) = truth.at(b.name(), truth.stop + 0.1) {
                score.rest_errors_mm.push(place.distance(p.into()));
            }
        }
    }
    let events: Vec<&Event> = shots.iter().flat_map(|s| &s.events).collect();
    compare(score, truth, &events, stroke);
    if let Some(point) = truth.three_cushion_point {
        score.verdicts += 1;
        let kinds: Vec<EventKind> = events.iter().map(|e| e.kind.clone()).collect();
        if three_cushions(&kinds, struck) == point {
            score.verdicts_right += 1;
        } else {
            score
                .notes
                .push(format!("{}: VERDICT wrong, truth {point}", truth.name));
        }
    }
}

fn compare(score: &mut Score, truth: &Trajectory, events: &[&Event], stroke: f64) {
    let wanted: Vec<&TrueEvent> = truth
        .events
        .iter()
        .filter(|e| e.kind != "pin-down")
        .collect();
    let mut pairs = Vec::new();
    for (i, w) in wanted.iter().enumerate() {
        for (j, e) in events.iter().enumerate() {
            let d = e.at.secs() - stroke - w.t;
            if agrees(w, &e.kind) && d.abs() <= WITHIN_S {
                pairs.push((d.abs(), i, j, d));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut used_w, mut used_e) = (BTreeSet::new(), BTreeSet::new());
    let mut order = Vec::new();
    for (_, i, j, d) in pairs {
        if used_w.contains(&i) || used_e.contains(&j) {
            continue;
        }
        used_w.insert(i);
        used_e.insert(j);
        score.claims.push((events[j].confidence, true));
        if !optional(wanted[i]) {
            score.found += 1;
            score.errors_s.push(d);
            score.ratios.push(d / events[j].sigma_s.max(1e-9));
            order.push((i, j));
            if d.abs() > 0.02 {
                score.notes.push(format!(
                    "{}: late {:.1} ms sigma {:.1}: {}",
                    truth.name,
                    d * 1e3,
                    1e3 * events[j].sigma_s,
                    told(wanted[i])
                ));
            }
        }
    }
    order.sort_unstable();
    score.order_wrong += order.windows(2).filter(|w| w[1].1 < w[0].1).count();
    for (i, w) in wanted.iter().enumerate() {
        if !used_w.contains(&i) && !optional(w) {
            score.missed += 1;
            score
                .notes
                .push(format!("{}: missed {}", truth.name, told(w)));
        }
    }
    for (j, e) in events.iter().enumerate() {
        if !used_e.contains(&j) {
            let near_optional = wanted
                .iter()
                .any(|w| optional(w) && (e.at.secs() - stroke - w.t).abs() < WITHIN_S);
            score.claims.push((e.confidence, false));
            if !near_optional {
                score.invented += 1;
                score.notes.push(format!(
                    "{}: invented {:?} at {:.4} conf {:.2} lr {:.1} jump {:.0} gap {:.1} sigma {:.1}ms",
                    truth.name,
                    e.kind,
                    e.at.secs() - stroke,
                    e.confidence,
                    e.evidence.log_ratio,
                    e.evidence.jump_mm_s,
                    e.evidence.gap_mm,
                    e.sigma_s * 1e3
                ));
            }
        }
    }
}

fn told(w: &TrueEvent) -> String {
    format!(
        "{} {:?}{:?}{:?}{:?} at {:.4} dv {:?}",
        w.kind, w.a, w.b, w.ball, w.cushion, w.t, w.dv
    )
}

fn optional(w: &TrueEvent) -> bool {
    w.dv.is_some_and(|dv| dv < VISIBLE) || w.cushion.as_deref() == Some("jaw")
}

fn agrees(w: &TrueEvent, kind: &EventKind) -> bool {
    let is = |name: &Option<String>, b: Ball| name.as_deref() == Some(b.name());
    match kind {
        EventKind::BallBall { driver, other } => {
            w.kind == "ball-ball"
                && ((is(&w.a, *driver) && is(&w.b, *other))
                    || (is(&w.a, *other) && is(&w.b, *driver)))
        }
        EventKind::BallCushion { ball, cushion } => {
            let jaw = w.cushion.as_deref() == Some("jaw");
            w.kind == "ball-cushion"
                && is(&w.ball, *ball)
                && (jaw || w.cushion.as_deref() == Some(cushion.name()))
        }
        EventKind::Pocketed { ball, pocket } => {
            w.kind == "pocketed"
                && is(&w.ball, *ball)
                && w.pocket
                    .as_deref()
                    .is_none_or(|p| same_pocket(p, pocket.name()))
        }
        _ => false,
    }
}

fn same_pocket(truth: &str, name: &str) -> bool {
    Ball::from_name(truth).is_none() && (truth == name || truth.len() != 2)
}

/// Three cushions before the second object ball.
pub fn three_cushions(events: &[EventKind], cue: Ball) -> bool {
    let (mut cushions, mut hit) = (0, BTreeSet::new());
    for e in events {
        match e {
            EventKind::BallCushion { ball, .. } if *ball == cue => cushions += 1,
            EventKind::BallBall { driver, other } if *driver == cue || *other == cue => {
                hit.insert(if *driver == cue { *other } else { *driver });
                if hit.len() == 2 {
                    return cushions >= 3;
                }
            }
            _ => {}
        }
    }
    false
}
