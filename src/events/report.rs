//! Tells the best reading of a scene as events, and what the others would have said as doubts.

use crate::{
    events::{
        analyse::{Doubt, Findings, Start},
        reading::Reading,
        scene::{Contact, Scene, Touch},
        stage::Track,
    },
    model::{Ball, Cushion, Event, EventKind, Evidence, TableSpec},
    units::{TablePoint, Timestamp},
};

/// Evidence is divided by this before it is turned into probabilities: laws and noise are only nearly what is assumed.
const TEMPERATURE: f64 = 1.5;
/// Readings mean the same contact when it is this close in time, s.
const SAME_S: f64 = 0.03;
/// A contact that more probably did not happen is no event, even if the best single reading has it: a doubt.
const LIKELY: f64 = 0.5;
/// Probability from which another reading is a doubt.
const DOUBTFUL: f64 = 0.1;
/// Jumps below this (plus a share of the speed) are friction and noise, mm/s.
const JUMP_MM_S: f64 = 60.0;
const JUMP_SHARE: f64 = 0.05;

/// The readings of a scene with their probabilities.
struct Weighed<'a> {
    tracks: &'a [Track],
    scene: &'a Scene<'a>,
    readings: &'a [Reading],
    weights: Vec<f64>,
}

/// Adds what a scene says to the findings.
pub(super) fn report(
    tracks: &[Track],
    scene: &Scene,
    readings: &[Reading],
    findings: &mut Findings,
) {
    let Some(best) = readings.first() else { return };
    let raw = readings
        .iter()
        .map(|r| ((r.evidence - best.evidence) / TEMPERATURE).exp());
    let total: f64 = raw.clone().sum();
    let weights = raw.map(|w| w / total).collect();
    let weighed = Weighed {
        tracks,
        scene,
        readings,
        weights,
    };
    for k in 0..best.contacts.len() {
        weighed.tell(best, k, findings);
    }
    weighed.alternatives(best, findings);
}

impl Weighed<'_> {
    fn name(&self, actor: usize) -> Ball {
        self.tracks[self.scene.actors[actor].ball].series.ball
    }

    /// Probability of a contact, and the evidence of the best reading without it.
    fn belief(&self, c: Contact) -> (f64, f64) {
        let mut sum = 0.0;
        let mut without = f64::NEG_INFINITY;
        for (r, w) in self.readings.iter().zip(&self.weights) {
            if says(r, c) {
                sum += w;
            } else {
                without = without.max(r.evidence);
            }
        }
        (sum.clamp(0.0, 1.0), without)
    }

    fn tell(&self, best: &Reading, k: usize, findings: &mut Findings) {
        let (c, detail) = (best.contacts[k], best.details[k]);
        let (confidence, without) = self.belief(c);
        match c.touch {
            Touch::Strike { a } if findings.knows_start(self.name(a), c.t) => {}
            Touch::Strike { a } => findings.starts.push(Start {
                ball: self.name(a),
                t: c.t,
                sigma_s: best.sigmas[k],
                confidence,
                jump: detail.jump,
            }),
            Touch::Unknown { a } if detail.jump > JUMP_MM_S + JUMP_SHARE * detail.speeds[0] => {
                let ball = self.name(a);
                let text = format!(
                    "{ball}'s velocity jumps by {:.0} mm/s and nothing explains it",
                    detail.jump
                );
                findings.doubts.push(Doubt {
                    t: c.t,
                    text,
                    jumped: Some(ball),
                });
            }
            _ => {
                let Some(kind) = self.kind(c.touch, detail.speeds, detail.place) else {
                    return;
                };
                if confidence < LIKELY {
                    let text = format!("perhaps {} ({confidence:.2})", in_words(&kind));
                    findings.doubts.push(Doubt {
                        t: c.t,
                        text,
                        jumped: None,
                    });
                    return;
                }
                let log_ratio = if without.is_finite() {
                    best.evidence - without
                } else {
                    99.0
                };
                findings.events.push(Event {
                    at: Timestamp::from_secs(c.t),
                    sigma_s: best.sigmas[k],
                    kind,
                    place: Some(TablePoint::from(detail.place)),
                    confidence,
                    evidence: Evidence {
                        log_ratio,
                        jump_mm_s: detail.jump,
                        gap_mm: detail.gap,
                    },
                });
            }
        }
    }

    fn kind(&self, touch: Touch, speeds: [f64; 2], place: [f64; 2]) -> Option<EventKind> {
        match touch {
            Touch::Cushion { a, cushion } => Some(EventKind::BallCushion {
                ball: self.name(a),
                cushion,
            }),
            Touch::Jaw { a, .. } => Some(EventKind::BallCushion {
                ball: self.name(a),
                cushion: nearest_cushion(self.scene.table, place),
            }),
            Touch::Balls { a, b } => {
                let (a, b) = if speeds[0] >= speeds[1] {
                    (a, b)
                } else {
                    (b, a)
                };
                Some(EventKind::BallBall {
                    driver: self.name(a),
                    other: self.name(b),
                })
            }
            _ => None,
        }
    }

    /// Contacts only other readings tell, where those are likely enough.
    fn alternatives(&self, best: &Reading, findings: &mut Findings) {
        let mut told: Vec<Contact> = best.contacts.clone();
        for r in &self.readings[1..] {
            for (c, detail) in r.contacts.iter().zip(&r.details) {
                let near = |d: &Contact| d.touch == c.touch && (d.t - c.t).abs() < 2.0 * SAME_S;
                let known = told.iter().any(near);
                let Some(kind) = self.kind(c.touch, detail.speeds, detail.place) else {
                    continue;
                };
                if known {
                    continue;
                }
                told.push(*c);
                let (likely, _) = self.belief(*c);
                if likely > DOUBTFUL {
                    let text = format!("perhaps {} ({likely:.2})", in_words(&kind));
                    findings.doubts.push(Doubt {
                        t: c.t,
                        text,
                        jumped: None,
                    });
                }
            }
        }
    }
}

fn says(r: &Reading, c: Contact) -> bool {
    r.contacts
        .iter()
        .any(|d| d.touch == c.touch && (d.t - c.t).abs() < SAME_S)
}

/// A contact in words.
pub(super) fn in_words(kind: &EventKind) -> String {
    match kind {
        EventKind::BallBall { driver, other } => format!("{driver} touched {other}"),
        EventKind::BallCushion { ball, cushion } => {
            format!("{ball} touched cushion {}", cushion.name())
        }
        EventKind::Pocketed { ball, pocket } => format!("{ball} fell into {}", pocket.name()),
        EventKind::Struck { ball, .. } => format!("{ball} was struck"),
        EventKind::Placed { ball } => format!("{ball} was moved by hand"),
        other => format!("{other:?}"),
    }
}

fn nearest_cushion(table: &TableSpec, place: [f64; 2]) -> Cushion {
    let gap = |c: &Cushion| table.cushion_gap(TablePoint::from(place), *c).abs();
    Cushion::ALL
        .into_iter()
        .min_by(|a, b| gap(a).total_cmp(&gap(b)))
        .unwrap_or(Cushion::S)
}
