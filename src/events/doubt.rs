//! Doubts about the order of contacts, and how doubts are told.

use crate::{
    events::{analyse::Doubt, report::in_words},
    model::{Event, EventKind},
    units::Timestamp,
};

/// Orders less sure than this are doubtful.
const SURE: f64 = 0.98;

/// Contacts that stand so close in time that they may have come the other way round.
pub(super) fn order_doubts(events: &[Event]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let contact = |e: &&Event| {
        matches!(
            e.kind,
            EventKind::BallBall { .. } | EventKind::BallCushion { .. } | EventKind::Pocketed { .. }
        )
    };
    let contacts: Vec<&Event> = events.iter().filter(contact).collect();
    for pair in contacts.windows(2) {
        let sure = probability_before(pair[0], pair[1]);
        if sure < SURE {
            let text = format!(
                "perhaps {} before {} ({:.2})",
                in_words(&pair[1].kind),
                in_words(&pair[0].kind),
                1.0 - sure
            );
            doubts.push(Doubt {
                t: pair[0].at.secs(),
                text,
                jumped: None,
            });
        }
    }
    doubts
}

/// Probability that `a` came before `b`, from their times and deviations.
fn probability_before(a: &Event, b: &Event) -> f64 {
    let spread = a.sigma_s.hypot(b.sigma_s).max(1e-6);
    let z = b.at.since(a.at) / spread;
    // Logistic approximation of the normal distribution, within 0.01.
    1.0 / (1.0 + (-1.702 * z).exp())
}

/// Doubts in words with their time on the recording's clock, in order of time.
pub(super) fn told(doubts: &[Doubt], zero: Timestamp) -> Vec<String> {
    let mut sorted: Vec<&Doubt> = doubts.iter().collect();
    sorted.sort_by(|a, b| a.t.total_cmp(&b.t).then_with(|| a.text.cmp(&b.text)));
    sorted
        .iter()
        .map(|d| format!("{:.3} s: {}", zero.plus_secs(d.t).secs(), d.text))
        .collect()
}
