//! What the next stroke tells about a shot in doubt.
//!
//! Players and referee saw what the camera doubts: who plays next is evidence. A shot of which one reading keeps the
//! turn and another passes it is settled, as a rule, by the owner of the next ball struck.

use crate::rules::{Alternative, Message, Player, Reason, Ruling, Verdict};

/// Probability that the ball struck is that of the player whose turn it is: strokes with the wrong ball are rare.
const RIGHT_BALL: f64 = 0.99;

/// Weighs the rulings that compete again, now that `owner`'s ball was struck next.
///
/// Returns the ruling that replaces `doubtful`: without doubt when no second ruling keeps `threshold`, otherwise in
/// review still. `None` when there was no doubt, or the stroke tells nothing.
pub(super) fn settle(doubtful: &Ruling, owner: Player, threshold: f64) -> Option<Ruling> {
    let turns = doubtful.alternatives.iter().map(|a| a.ruling.next);
    let telling = turns.clone().any(|next| next == Some(owner))
        && turns.clone().any(|next| next == Some(owner.other()));
    if doubtful.verdict != Verdict::NeedsReview || !telling {
        return None;
    }
    let weight = |a: &Alternative| {
        a.probability
            * match a.ruling.next {
                Some(next) if next == owner => RIGHT_BALL,
                Some(_) => 1.0 - RIGHT_BALL,
                None => 0.5,
            }
    };
    let total: f64 = doubtful.alternatives.iter().map(weight).sum();
    let mut weighed: Vec<Alternative> = (doubtful.alternatives.iter())
        .map(|a| Alternative {
            probability: weight(a) / total,
            ruling: a.ruling.clone(),
        })
        .collect();
    weighed.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let (first, second) = (weighed.first()?, weighed.get(1)?);
    let mut ruling = first.ruling.clone();
    ruling.confidence = first.probability;
    ruling.reasons.push(Reason::new(
        "doubt",
        Message::new("doubt.settled").player(owner),
        vec![],
    ));
    if second.probability >= threshold {
        ruling.verdict = Verdict::NeedsReview;
        ruling.alternatives = weighed;
    }
    Some(ruling)
}
