//! Finds the readings of a scene that compete: which contacts, in which order.

use crate::events::{
    candidates,
    fit::fit,
    plan::Plan,
    reading::Reading,
    scene::{Contact, Scene, Touch},
};

/// Readings kept from one round to the next.
const BEAM: usize = 3;
/// Most contacts of a reading.
const MOST: usize = 6;
/// Rounds of fitting.
const ITERATIONS: usize = 12;
/// Deceleration of a sliding ball, mm/s^2.
const SLIDING_MM_S2: f64 = 1950.0;

/// Readings of the scene, best first. Empty only when not even the reading without contacts can be fitted.
///
/// What needs no cause (a jump out of nothing, a second stroke) is only tried where nothing else explains the data.
pub(super) fn readings(scene: &Scene) -> Vec<Reading> {
    let (last, first): (Vec<Contact>, Vec<Contact>) = candidates::candidates(scene)
        .into_iter()
        .partition(|c| match c.touch {
            Touch::Unknown { .. } => true,
            Touch::Strike { .. } => !scene.may_strike,
            _ => false,
        });
    let mut search = Search::new(scene);
    search.run(&first);
    let mut content = search.found.first().is_some_and(|r| explained(scene, r));
    let purged = if content {
        None
    } else {
        without_worst(scene, search.found.first())
    };
    if let Some(purged) = &purged {
        let mut again = Search::new(purged);
        again.run(&first);
        content = again.found.first().is_some_and(|r| explained(purged, r));
        search.take(again.found);
    }
    if !content && !last.is_empty() {
        let all: Vec<Contact> = first.into_iter().chain(last).collect();
        search.run(&all);
    }
    search.found
}

struct Search<'a> {
    scene: &'a Scene<'a>,
    found: Vec<Reading>,
    tried: Vec<Vec<(Touch, i64)>>,
}

/// The scene without the one sample whose absence helps the reading most, if that helps more than it costs.
///
/// A wrong measurement next to a contact bends the fit towards itself and is not seen as an outlier there.
fn without_worst<'a>(scene: &Scene<'a>, reading: Option<&Reading>) -> Option<Scene<'a>> {
    let reading = reading?;
    let mut best: Option<(f64, Scene)> = None;
    for a in 0..scene.actors.len() {
        for i in 0..scene.actors[a].near.len() {
            if scene.actors[a].near[i].outlier {
                continue;
            }
            let mut without = scene.clone();
            without.actors[a].near[i].outlier = true;
            without.dropped += 1;
            let fitted = Plan::new(&without, &reading.contacts)
                .and_then(|p| fit(&p, ITERATIONS, reading.evidence));
            let evidence = fitted.map_or(f64::NEG_INFINITY, |r| r.evidence);
            let bar = best.as_ref().map_or(reading.evidence + 2.0, |b| b.0);
            if evidence > bar {
                best = Some((evidence, without));
            }
        }
    }
    best.map(|b| b.1)
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene<'a>) -> Self {
        Self {
            scene,
            found: Vec::new(),
            tried: Vec::new(),
        }
    }

    fn take(&mut self, more: Vec<Reading>) {
        self.found.extend(more);
        self.found.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
    }

    fn best(&self) -> f64 {
        self.found.first().map_or(f64::NEG_INFINITY, |r| r.evidence)
    }

    /// Beam search: readings grow by one contact a round until that does not help.
    fn run(&mut self, candidates: &[Contact]) {
        let changes: usize = self.scene.actors.iter().map(|a| a.cuts.len()).sum();
        let mut beam: Vec<Vec<Contact>> = vec![Vec::new()];
        for round in 0..=MOST {
            let before = self.best();
            let fresh = self.fit_all(&beam);
            let best = fresh.first().map_or(f64::NEG_INFINITY, |r| r.evidence);
            let good = fresh.first().is_some_and(|r| explained(self.scene, r));
            let enough = round >= 1 && good && changes <= 1;
            let mut seeds = survivors(&fresh);
            if round == 0 {
                seeds = vec![Vec::new()];
            }
            self.take(fresh);
            if enough || (round > changes.max(1) && best < before) {
                break;
            }
            beam = seeds
                .iter()
                .flat_map(|s| extend(self.scene, s, candidates))
                .collect();
        }
    }

    /// Fits what was not tried yet; best first.
    fn fit_all(&mut self, beam: &[Vec<Contact>]) -> Vec<Reading> {
        let mut fresh: Vec<Reading> = Vec::new();
        for contacts in beam {
            let key = signature(contacts);
            if self.tried.contains(&key) {
                continue;
            }
            self.tried.push(key);
            let bar = fresh.iter().map(|r| r.evidence).fold(self.best(), f64::max);
            let fitted = Plan::new(self.scene, contacts).and_then(|p| fit(&p, ITERATIONS, bar));
            fresh.extend(fitted);
        }
        fresh.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        fresh
    }
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
    let expected = 2.0 * samples as f64;
    r.chi2 < expected + 4.0 * expected.sqrt() + 6.0
}

/// What makes a reading different from another before it is fitted: the touches in order, and roughly when.
fn signature(contacts: &[Contact]) -> Vec<(Touch, i64)> {
    contacts
        .iter()
        .map(|c| (c.touch, (c.t * 100.0).round() as i64))
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
        let kinks = own.clone().map(|c| matches!(c.touch, Touch::Kink { .. }));
        let twice = kinks.clone().zip(kinks.skip(1)).any(|(x, y)| x && y);
        !twice
            && match own.next().map(|c| c.touch) {
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
