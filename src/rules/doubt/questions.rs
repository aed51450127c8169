//! What is in doubt about a shot's events, and the readings that the answers make.

use std::borrow::Cow;

use crate::{
    model::{EventKind, notation},
    rules::{
        Arg, GameState, Message, Reason,
        doubt::{CERTAIN, normal},
        game::Rules,
        reading::{Fact, Reading},
    },
};

/// More questions than this are not asked; the least doubtful ones are answered by what is likeliest.
const MAX_QUESTIONS: usize = 24;

/// Answers less probable than this are not considered.
const NEGLIGIBLE: f64 = 0.001;

/// Something in doubt, with its possible answers.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Each answer with its probability, likeliest first.
    answers: Vec<(f64, Answer)>,
}

/// An answer, as a change of the reading that takes every event at its own time. Numbers are places in that reading.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    /// It happened, or the order is that of the times.
    AsSeen,
    /// The event did not happen.
    Without(usize),
    /// The second event came `after` ns after the first (before it, when negative).
    Apart {
        first: usize,
        second: usize,
        after: i64,
    },
}

impl Question {
    fn new(mut answers: Vec<(f64, Answer)>) -> Self {
        answers.retain(|(p, _)| *p >= NEGLIGIBLE);
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        Self { answers }
    }

    fn likeliest(&self) -> f64 {
        self.answers.first().map_or(1.0, |(p, _)| *p)
    }
}

/// Everything in doubt about the events that matter.
pub(super) fn of(state: &GameState, base: &Reading<'_>, rules: &dyn Rules) -> Vec<Question> {
    let matters: Vec<usize> = (0..base.facts.len())
        .filter(|i| rules.relevant(state, base.shot, base.facts[*i].kind))
        .collect();
    let mut questions: Vec<Question> = matters.iter().filter_map(|i| happened(base, *i)).collect();
    for (at, &i) in matters.iter().enumerate() {
        questions.extend(matters[at + 1..].iter().filter_map(|&j| order(base, i, j)));
    }
    if questions.len() > MAX_QUESTIONS {
        questions.sort_by(|a, b| a.likeliest().total_cmp(&b.likeliest()));
        questions.truncate(MAX_QUESTIONS);
    }
    questions
}

fn happened(base: &Reading<'_>, i: usize) -> Option<Question> {
    let p = base.facts[i].confidence;
    (p < CERTAIN).then(|| Question::new(vec![(p, Answer::AsSeen), (1.0 - p, Answer::Without(i))]))
}

/// Asks for the order of two contacts of one ball; that of two cushions never matters.
fn order(base: &Reading<'_>, i: usize, j: usize) -> Option<Question> {
    let (a, b) = (&base.facts[i], &base.facts[j]);
    let sigma = a.sigma_ns.hypot(b.sigma_ns);
    let apart = b.ns.saturating_sub(a.ns) as f64;
    let sim = base.sim_ns.max(1) as f64;
    if sigma <= 0.0 || apart > sim + 6.0 * sigma || !comparable(a, b) {
        return None;
    }
    let classes = [
        (sim, f64::INFINITY),
        (1.0 - sim, sim - 1.0),
        (f64::NEG_INFINITY, -sim),
    ];
    let answer = |(low, high): (f64, f64)| {
        let (p, mean) = normal::between(apart, sigma, low, high);
        let seen = (low..=high).contains(&apart);
        (
            p,
            if seen {
                Answer::AsSeen
            } else {
                Answer::Apart {
                    first: i,
                    second: j,
                    after: mean.round() as i64,
                }
            },
        )
    };
    let question = Question::new(
        classes
            .into_iter()
            .filter(|(low, high)| low <= high)
            .map(answer)
            .collect(),
    );
    (question.likeliest() < CERTAIN).then_some(question)
}

fn comparable(a: &Fact<'_>, b: &Fact<'_>) -> bool {
    let contact = |f: &Fact<'_>| {
        matches!(
            f.kind,
            EventKind::BallBall { .. } | EventKind::BallCushion { .. }
        )
    };
    let cushion = |f: &Fact<'_>| matches!(f.kind, EventKind::BallCushion { .. });
    let share = || {
        b.kind
            .balls()
            .iter()
            .any(|ball| a.kind.balls().contains(ball))
    };
    contact(a) && contact(b) && !(cushion(a) && cushion(b)) && share()
}

/// The most probable combinations of answers.
pub(super) struct Readings {
    combinations: Vec<(f64, Vec<u8>)>,
    /// How much of the probability they hold together.
    pub(super) total: f64,
}

impl Readings {
    /// The `most` likeliest combinations of answers, taking questions as independent.
    pub(super) fn likeliest(questions: &[Question], most: usize) -> Self {
        let mut combinations: Vec<(f64, Vec<u8>)> =
            vec![(1.0, Vec::with_capacity(questions.len()))];
        for question in questions {
            let grown = combinations.iter().flat_map(|(p, answers)| {
                question
                    .answers
                    .iter()
                    .zip(0_u8..)
                    .map(move |((q, _), number)| {
                        let mut answers = answers.clone();
                        answers.push(number);
                        (p * q, answers)
                    })
            });
            let mut grown: Vec<_> = grown.collect();
            grown.sort_by(|a, b| b.0.total_cmp(&a.0));
            grown.truncate(most);
            combinations = grown;
        }
        let total = combinations.iter().map(|(p, _)| p).sum();
        Self {
            combinations,
            total,
        }
    }

    /// Each with its probability, likeliest first.
    pub(super) fn each(&self) -> impl Iterator<Item = (f64, &[u8])> {
        self.combinations
            .iter()
            .map(|(p, answers)| (*p, answers.as_slice()))
    }
}

fn given<'q>(questions: &'q [Question], answers: &'q [u8]) -> impl Iterator<Item = Answer> + 'q {
    questions
        .iter()
        .zip(answers)
        .filter_map(|(q, a)| q.answers.get(usize::from(*a)))
        .map(|(_, answer)| *answer)
}

/// The reading that the answers make of the base.
///
/// A different order moves both events, each in proportion to its variance: where it must lie on average if the order
/// is that one.
pub(super) fn read<'a>(base: &Reading<'a>, questions: &[Question], answers: &[u8]) -> Reading<'a> {
    let mut facts = base.facts.clone();
    let mut without = vec![false; facts.len()];
    for answer in given(questions, answers) {
        match answer {
            Answer::AsSeen => {}
            Answer::Without(i) => without[i] = true,
            Answer::Apart {
                first,
                second,
                after,
            } => move_apart(&mut facts, first, second, after),
        }
    }
    let mut kept = without.iter();
    facts.retain(|_| !kept.next().copied().unwrap_or(false));
    facts.sort_by_key(|f| (f.ns, f.index));
    Reading { facts, ..*base }
}

fn move_apart(facts: &mut [Fact<'_>], first: usize, second: usize, after: i64) {
    let (a, b) = (facts[first], facts[second]);
    let (va, vb) = (a.sigma_ns * a.sigma_ns, b.sigma_ns * b.sigma_ns);
    let change = after.saturating_sub(b.ns.saturating_sub(a.ns));
    let of_first = (change as f64 * va / (va + vb)).round() as i64;
    facts[first].ns = a.ns.saturating_sub(of_first);
    facts[second].ns = b.ns.saturating_add(change.saturating_sub(of_first));
}

/// Says what a reading takes otherwise than the events were seen, one reason for each difference.
pub(super) fn otherwise(base: &Reading<'_>, questions: &[Question], answers: &[u8]) -> Vec<Reason> {
    let text = |i: usize| Arg::Text(Cow::Owned(notation::of_event(base.facts[i].kind)));
    let reason = |answer| match answer {
        Answer::AsSeen => None,
        Answer::Without(i) => {
            let message = Message::new("doubt.without").with("event", text(i));
            Some(Reason::new("doubt", message, vec![base.facts[i].index]))
        }
        Answer::Apart {
            first,
            second,
            after,
        } => {
            let key = match after {
                n if n >= base.sim_ns => "doubt.before",
                n if n <= -base.sim_ns => "doubt.after",
                _ => "doubt.together",
            };
            let message = Message::new(key)
                .with("first", text(first))
                .with("second", text(second));
            let events = vec![base.facts[first].index, base.facts[second].index];
            Some(Reason::new("doubt", message, events))
        }
    };
    given(questions, answers).filter_map(reason).collect()
}
