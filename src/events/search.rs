//! Finds the readings of a scene that compete: which contacts, in which order.

use crate::{
    events::{
        fit::{Fitter, Reading, dot, normal},
        scene::{Contact, Scene, Touch},
        segment::Segment,
    },
    model::{Cushion, Pocket},
};

/// Readings kept from one round to the next.
const BEAM: usize = 3;
/// Most contacts of a reading.
const MOST: usize = 6;
/// Rounds of fitting.
const ITERATIONS: usize = 12;
/// Deceleration of a sliding ball, mm/s^2.
const SLIDING_MM_S2: f64 = 1950.0;
/// Gaps up to this make a candidate, mm.
const NEAR_MM: f64 = 14.0;

/// Readings of the scene, best first. Empty only when not even the reading without contacts can be fitted.
pub(super) fn readings(scene: &Scene) -> Vec<Reading> {
    let candidates = candidates(scene);
    let mut found: Vec<Reading> = Vec::new();
    let mut tried: Vec<Vec<(Touch, usize)>> = Vec::new();
    let mut beam: Vec<Vec<Contact>> = vec![Vec::new()];
    let changes: usize = scene.actors.iter().map(|a| a.jumps).sum();
    for round in 0..=MOST {
        let before = found.first().map_or(f64::NEG_INFINITY, |r| r.evidence);
        let mut fresh = Vec::new();
        for contacts in &beam {
            let key = signature(contacts);
            if tried.contains(&key) {
                continue;
            }
            tried.push(key);
            if let Some(r) = Fitter::new(scene, contacts).and_then(|f| f.solve(ITERATIONS)) {
                fresh.push(r);
            }
        }
        fresh.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        let best = fresh.first().map_or(f64::NEG_INFINITY, |r| r.evidence);
        let seeds = survivors(&fresh);
        let good = fresh.first().is_some_and(|r| explained(scene, r));
        found.extend(fresh);
        found.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        let enough = round >= 1 && good && changes <= 1 && found.len() > 1;
        if enough || (round > changes.max(1) && best < before) {
            break;
        }
        beam = seeds
            .iter()
            .flat_map(|s| extend(scene, s, &candidates))
            .collect();
        if beam.is_empty() {
            break;
        }
    }
    found
}

/// The best readings of a round, and the best of those in which every jump is explained.
fn survivors(fresh: &[Reading]) -> Vec<Vec<Contact>> {
    let unexplained = |r: &&Reading| {
        r.contacts
            .iter()
            .any(|c| matches!(c.touch, Touch::Unknown { .. } | Touch::Strike { .. }))
    };
    let open = fresh.iter().take(2);
    let closed = fresh.iter().filter(|r| !unexplained(r)).take(BEAM);
    open.chain(closed).map(|r| r.contacts.clone()).collect()
}

/// The reading leaves no residual that calls for more.
fn explained(scene: &Scene, r: &Reading) -> bool {
    let samples: usize = scene.actors.iter().map(|a| a.near.len()).sum();
    r.chi2 < 2.0 * samples as f64 + 12.0 * scene.actors.len() as f64
}

fn signature(contacts: &[Contact]) -> Vec<(Touch, usize)> {
    contacts
        .iter()
        .enumerate()
        .map(|(i, c)| (c.touch, i))
        .collect()
}

/// Every reading with one contact more: at its own time, and in either order with a neighbour within a few ms.
fn extend(scene: &Scene, seed: &[Contact], candidates: &[Contact]) -> Vec<Vec<Contact>> {
    if seed.len() >= MOST {
        return Vec::new();
    }
    let mut all = Vec::new();
    let span = scene.window.1 - scene.window.0;
    for c in candidates {
        let again = seed
            .iter()
            .any(|s| s.touch == c.touch && (s.t - c.t).abs() < 0.02);
        if again {
            continue;
        }
        for place in 0..=seed.len() {
            let after_ok = place == 0 || seed[place - 1].t < c.t + span;
            let before_ok = place == seed.len() || seed[place].t > c.t - span;
            if !(after_ok && before_ok) {
                continue;
            }
            let mut one = seed.to_vec();
            let low = if place > 0 {
                seed[place - 1].t
            } else {
                f64::NEG_INFINITY
            };
            let high = if place < seed.len() {
                seed[place].t
            } else {
                f64::INFINITY
            };
            let t = if low <= high {
                c.t.clamp(low, high)
            } else {
                c.t
            };
            one.insert(place, Contact { touch: c.touch, t });
            if !meaningful(scene, &one) {
                continue;
            }
            if let Some(i) = pushed(scene, &one, place) {
                let speed = scene.actors[i].after.velocity_at(t).norm();
                let mut rolls = one.clone();
                rolls.push(Contact {
                    touch: Touch::Kink { a: i },
                    t: t + 0.4 * speed / SLIDING_MM_S2,
                });
                all.push(rolls);
            }
            all.push(one);
        }
    }
    all
}

/// The ball that lay still and is pushed by contact `k`, when nothing happens to it later: it will slide, then roll.
fn pushed(scene: &Scene, contacts: &[Contact], k: usize) -> Option<usize> {
    let Touch::Balls { a, b } = contacts[k].touch else {
        return None;
    };
    let once = |i: &usize| {
        scene.actors[*i].rest && contacts.iter().filter(|c| c.touch.involves(*i)).count() == 1
    };
    [a, b].into_iter().find(once)
}

/// Leaves out orders that mean the same, and what cannot be.
fn meaningful(scene: &Scene, contacts: &[Contact]) -> bool {
    contacts.windows(2).all(|w| {
        let (x, y) = (w[0].touch, w[1].touch);
        let shared = y.involves(x.first()) || x.second().is_some_and(|i| y.involves(i));
        let twice = x == y && !matches!(x, Touch::Kink { .. });
        let stopped = matches!(x, Touch::Stop { a } if y.involves(a));
        // Independent neighbours stand in order of their first guesses.
        !twice && !stopped && (shared || w[0].t <= w[1].t + 1e-9)
    }) && scene.actors.iter().enumerate().all(|(i, actor)| {
        let mut own = contacts.iter().filter(|c| c.touch.involves(i));
        match own.next().map(|c| c.touch) {
            Some(
                Touch::Kink { .. }
                | Touch::Stop { .. }
                | Touch::Cushion { .. }
                | Touch::Jaw { .. }
                | Touch::Unknown { .. },
            ) => !actor.rest,
            Some(Touch::Strike { .. }) => {
                actor.rest && own.all(|c| !matches!(c.touch, Touch::Strike { .. }))
            }
            _ => own.all(|c| !matches!(c.touch, Touch::Strike { .. })),
        }
    })
}

/// What geometry allows, with a first guess of each time.
pub(super) fn candidates(scene: &Scene) -> Vec<Contact> {
    let mut all = Vec::new();
    for a in 0..scene.actors.len() {
        let actor = &scene.actors[a];
        let middle = meeting(scene, a);
        if actor.jumps > 0 {
            if actor.rest {
                all.push(Contact {
                    touch: Touch::Strike { a },
                    t: middle,
                });
            } else {
                all.push(Contact {
                    touch: Touch::Kink { a },
                    t: middle,
                });
                if actor.settles {
                    all.push(Contact {
                        touch: Touch::Stop { a },
                        t: middle,
                    });
                }
                all.push(Contact {
                    touch: Touch::Unknown { a },
                    t: middle,
                });
                if let Some(pocket) = mouth(scene, a, middle) {
                    all.push(Contact {
                        touch: Touch::Jaw { a, pocket },
                        t: middle,
                    });
                }
            }
        }
        for cushion in Cushion::ALL {
            let gap = |s: &Segment, t: f64| scene.table.cushion_gap(s.at(t), cushion).abs();
            if let Some(t) = nearest(scene, |t| gap(&actor.before, t).min(gap(&actor.after, t))) {
                let towards = dot(actor.before.velocity_at(t).into(), normal(cushion));
                let away = -dot(actor.after.velocity_at(t).into(), normal(cushion));
                if towards > 0.0 || away > 0.0 {
                    all.push(Contact {
                        touch: Touch::Cushion { a, cushion },
                        t,
                    });
                }
            }
        }
        for b in a + 1..scene.actors.len() {
            let other = &scene.actors[b];
            let gap = |t: f64| {
                let mut least = f64::INFINITY;
                for x in [&actor.before, &actor.after] {
                    for y in [&other.before, &other.after] {
                        let d = x.at(t).distance(y.at(t)) - scene.table.ball_diameter_mm;
                        least = least.min(d.abs());
                    }
                }
                least
            };
            if let Some(t) = nearest(scene, gap) {
                all.push(Contact {
                    touch: Touch::Balls { a, b },
                    t,
                });
            }
        }
    }
    all
}

/// Where the motion before and the motion after come closest.
fn meeting(scene: &Scene, a: usize) -> f64 {
    let actor = &scene.actors[a];
    grid(scene)
        .map(|t| (actor.before.at(t).distance(actor.after.at(t)), t))
        .min_by(|x, y| x.0.total_cmp(&y.0))
        .map_or(scene.window.0, |x| x.1)
}

fn mouth(scene: &Scene, a: usize, t: f64) -> Option<Pocket> {
    if !scene.table.pockets {
        return None;
    }
    let at = scene.actors[a].before.at(t);
    Pocket::ALL.into_iter().find(|&p| {
        scene.table.pocket_mouth(p).distance(at)
            < scene.options.mouth_diameters * scene.table.ball_diameter_mm
    })
}

fn grid(scene: &Scene) -> impl Iterator<Item = f64> {
    let (from, to) = scene.window;
    (0..=40).map(move |i| from + (to - from) * f64::from(i) / 40.0)
}

/// Time in the window at which `gap` is least, if that is near.
fn nearest(scene: &Scene, gap: impl Fn(f64) -> f64) -> Option<f64> {
    let (d, t) = grid(scene)
        .map(|t| (gap(t), t))
        .min_by(|x, y| x.0.total_cmp(&y.0))?;
    (d < NEAR_MM).then_some(t)
}
