//! Ruling under doubt: every likely reading of the events is ruled on, and the rulings are weighed.
//!
//! Two things are asked of the events. Did it happen? Asked of every event that matters to the game and is less than
//! [`CERTAIN`]. In which order did two contacts come, or were they simultaneous in the sense of EV-1? Asked of
//! contacts of one ball whose times and sigmas leave it open. The answers make readings; the [`MAX_READINGS`] most
//! probable ones are ruled on. Rulings that leave the game standing the same are one.

mod normal;
mod questions;

use crate::{
    model::Shot,
    rules::{
        Alternative, GameState, Message, Reason, Ruling, Verdict,
        game::{Opinion, Rules},
        options,
        reading::Reading,
    },
};
use questions::{Question, Readings};

/// What is at least this probable is not doubted; it still counts in the ruling's confidence.
const CERTAIN: f64 = 0.98;

/// So many readings are ruled on at most. Sixteen would hold four yes-or-no questions entirely; 64 hold six, and for
/// more questions nearly all of the probability unless the questions are wide open.
const MAX_READINGS: usize = 64;

/// When the readings ruled on hold less than this of the probability, a person is asked whatever they say.
const ENOUGH_READ: f64 = 0.5;

/// Alternatives less probable than this are not listed.
const LISTED: f64 = 0.005;

/// Rules on a shot under all likely readings.
pub(super) fn judge(state: &GameState, shot: &Shot) -> Ruling {
    let rules = state.options.game().rules();
    let base = Reading::of(state, shot);
    let questions = questions::of(state, &base, rules);
    let (mut candidates, read) = match questions.is_empty() {
        true => (
            candidates_of(1.0, rules.judge(state, &base), Vec::new()),
            1.0,
        ),
        false => weigh(state, &base, rules, &questions),
    };
    candidates.sort_by(|a, b| b.mass.total_cmp(&a.mass));
    conclude(state, shot, candidates, read)
}

/// A ruling with the probability of all readings that lead to it.
struct Candidate {
    mass: f64,
    /// The most probable single contribution, whose wording is kept.
    best: f64,
    ruling: Ruling,
    /// What that reading takes otherwise than the likeliest reading does.
    otherwise: Vec<Reason>,
}

/// Rules on the readings; also returns how much of the probability they hold.
fn weigh(
    state: &GameState,
    base: &Reading<'_>,
    rules: &dyn Rules,
    questions: &[Question],
) -> (Vec<Candidate>, f64) {
    let readings = Readings::likeliest(questions, MAX_READINGS);
    let mut candidates: Vec<Candidate> = Vec::new();
    for (probability, answers) in readings.each() {
        let reading = questions::read(base, questions, answers);
        let otherwise = questions::otherwise(base, questions, answers);
        let opinion = rules.judge(state, &reading);
        for candidate in candidates_of(probability / readings.total, opinion, otherwise) {
            merge(&mut candidates, candidate);
        }
    }
    (candidates, readings.total)
}

fn candidates_of(probability: f64, opinion: Opinion, otherwise: Vec<Reason>) -> Vec<Candidate> {
    let rivals: f64 = opinion.rivals.iter().map(|(p, _)| p).sum();
    let seen = (1.0 - rivals, opinion.ruling);
    let mut candidates = Vec::new();
    for (share, ruling) in std::iter::once(seen).chain(opinion.rivals) {
        let mass = probability * share;
        merge(
            &mut candidates,
            Candidate {
                mass,
                best: mass,
                ruling,
                otherwise: otherwise.clone(),
            },
        );
    }
    candidates
}

fn merge(candidates: &mut Vec<Candidate>, new: Candidate) {
    match candidates
        .iter_mut()
        .find(|c| c.ruling.same_consequences(&new.ruling))
    {
        Some(known) if new.best > known.best => {
            *known = Candidate {
                mass: known.mass + new.mass,
                ..new
            }
        }
        Some(known) => known.mass += new.mass,
        None => candidates.push(new),
    }
}

fn conclude(state: &GameState, shot: &Shot, candidates: Vec<Candidate>, read: f64) -> Ruling {
    let threshold = state.options.number(&options::REVIEW);
    let rivalry = candidates
        .get(1)
        .is_some_and(|second| second.mass >= threshold);
    let mut ruled = candidates.into_iter().map(|c| {
        let mut ruling = c.ruling;
        ruling.confidence = c.mass * certainty(shot, &ruling);
        ruling.reasons.extend(c.otherwise);
        (c.mass, ruling)
    });
    let Some((mass, likeliest)) = ruled.next() else {
        return Ruling::nothing(state.shooter);
    };
    if !rivalry && read >= ENOUGH_READ {
        return likeliest;
    }
    let mut ruling = likeliest.clone();
    ruling.verdict = Verdict::NeedsReview;
    ruling.confidence = likeliest.confidence;
    if read < ENOUGH_READ {
        ruling.needs_operator.push(Message::new("doubt.much"));
    }
    let others = ruled.filter(|(mass, _)| *mass >= LISTED);
    ruling.alternatives = std::iter::once((mass, likeliest))
        .chain(others)
        .map(|(probability, ruling)| Alternative {
            probability,
            ruling,
        })
        .collect();
    ruling
}

/// Probability that everything the reasons point to did happen, as far as it was not doubted.
fn certainty(shot: &Shot, ruling: &Ruling) -> f64 {
    let mut cited: Vec<usize> = ruling
        .reasons
        .iter()
        .flat_map(|r| r.events.iter().copied())
        .collect();
    cited.sort_unstable();
    cited.dedup();
    let sure = |event: usize| {
        shot.events
            .get(event)
            .map(|e| e.confidence)
            .filter(|c| (CERTAIN..=1.0).contains(c))
    };
    cited.into_iter().filter_map(sure).product()
}
