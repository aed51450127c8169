//! Finds the readings of a scene that compete: which contacts, in which order.

use crate::events::{
    candidates,
    fit::fit,
    friction::slide_s,
    plan::Plan,
    reading::Reading,
    scene::{Actor, Contact, EARLY_S, SLIDE_S, Scene, Touch},
};

/// Readings kept from one round to the next.
const BEAM: usize = 3;
/// Most contacts of a reading.
const MOST: usize = 6;
/// Rounds of fitting.
const ITERATIONS: usize = 12;

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
    tracing::trace!(?first, ?last, "candidates");
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
    search
        .found
        .iter_mut()
        .for_each(|r| r.evidence -= unmoved(scene, r));
    search.take(Vec::new());
    search.found
}

/// So many samples in one stretch are no outliers.
const FIRM: usize = 3;

/// Price of leaving a ball at rest that is seen elsewhere afterwards: its samples there are no outliers.
fn unmoved(scene: &Scene, r: &Reading) -> f64 {
    let left = |(i, a): (usize, &Actor)| {
        let touched = r.contacts.iter().any(|c| c.touch.involves(i));
        let t = scene.window.1 + EARLY_S;
        let away = a.before.at(t).distance(a.after.at(t)) > 3.0;
        a.rest && !a.cuts.is_empty() && away && !touched && a.after.len() >= FIRM
    };
    60.0 * scene.actors.iter().enumerate().filter(|a| left(*a)).count() as f64
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
            let open = fresh.first().is_some_and(|r| others_near(r, candidates));
            let enough = round >= 1 && good && changes <= 1 && !open;
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

/// Something else is near enough to be touched too.
fn others_near(r: &Reading, candidates: &[Contact]) -> bool {
    candidates.iter().any(|c| {
        let solid = matches!(
            c.touch,
            Touch::Cushion { .. } | Touch::Balls { .. } | Touch::Jaw { .. }
        );
        solid && !r.contacts.iter().any(|d| d.touch == c.touch)
    })
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
        .map(|c| (c.touch, (c.t * 250.0).round() as i64))
        .collect()
}

/// Every reading with one contact more: at its own time, and in any order with neighbours within the window.
fn extend(scene: &Scene, seed: &[Contact], candidates: &[Contact]) -> Vec<Vec<Contact>> {
    if seed.len() >= MOST {
        return Vec::new();
    }
    let mut all = Vec::new();
    let span = scene.window.1 - scene.window.0;
    for c in candidates {
        let near = |s: &Contact| s.touch == c.touch && (s.t - c.t).abs() < 0.02;
        if seed.iter().any(near) {
            continue;
        }
        for place in 0..=seed.len() {
            let after_ok = place == 0 || seed[place - 1].t < c.t + span;
            let before_ok = place == seed.len() || seed[place].t > c.t - span;
            if !(after_ok && before_ok) {
                continue;
            }
            let one = inserted(seed, place, *c);
            if !meaningful(scene, &one) {
                continue;
            }
            all.extend(rolling(scene, &one, place));
            all.extend(afresh(&one, candidates));
            all.push(one);
        }
    }
    all
}

/// The seed with `c` at `place`, its time moved between its neighbours'.
fn inserted(seed: &[Contact], place: usize, c: Contact) -> Vec<Contact> {
    let low = if place > 0 {
        seed[place - 1].t
    } else {
        f64::NEG_INFINITY
    };
    let high = seed.get(place).map_or(f64::INFINITY, |s| s.t);
    let t = if low <= high {
        c.t.clamp(low, high)
    } else {
        c.t
    };
    let mut one = seed.to_vec();
    one.insert(place, Contact { touch: c.touch, t });
    one
}

/// The same reading with a change to rolling for the balls that contact `k` makes slip for a short while.
fn rolling(scene: &Scene, contacts: &[Contact], k: usize) -> Option<Vec<Contact>> {
    let c = contacts[k];
    if !matches!(c.touch, Touch::Balls { .. } | Touch::Cushion { .. }) {
        return None;
    }
    let mut rolls = contacts.to_vec();
    for a in [Some(c.touch.first()), c.touch.second()]
        .into_iter()
        .flatten()
    {
        let actor = &scene.actors[a];
        let alone = contacts.iter().filter(|d| d.touch.involves(a)).count() == 1;
        let jump = (actor.after.velocity_at(c.t) - actor.before.velocity_at(c.t)).norm();
        let slide = slide_s(jump, c.touch.second().is_none());
        if alone && (actor.rest || actor.rolls) && slide < 1.3 * SLIDE_S {
            rolls.push(Contact {
                touch: Touch::Kink { a },
                t: c.t + slide,
            });
        }
    }
    (rolls.len() > contacts.len()).then_some(rolls)
}

/// The same reading, begun from the times geometry gives: with a contact missing, the others were fitted askew.
fn afresh(contacts: &[Contact], candidates: &[Contact]) -> Option<Vec<Contact>> {
    let fresh: Vec<Contact> = contacts
        .iter()
        .map(|c| {
            let own = candidates.iter().filter(|d| d.touch == c.touch);
            let first = own.min_by(|x, y| (x.t - c.t).abs().total_cmp(&(y.t - c.t).abs()));
            let moved =
                first.filter(|_| !matches!(c.touch, Touch::Kink { .. } | Touch::Stop { .. }));
            *moved.unwrap_or(c)
        })
        .collect();
    let differ = fresh
        .iter()
        .zip(contacts)
        .any(|(f, c)| (f.t - c.t).abs() > 0.002);
    (differ && fresh.windows(2).all(|w| w[0].t <= w[1].t)).then_some(fresh)
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
