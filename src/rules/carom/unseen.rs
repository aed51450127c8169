//! What was not seen: a shot cut off by the recording, and hands on the table.

use crate::rules::{
    GameState, Message, Reason, Ruling,
    carom::{Case, Count, conclude, fouls::Foul},
};

/// Probability that a shot whose rest was not seen still becomes a point, when that was open at the end.
///
/// About the share of points among played shots of good players; it only ranks the readings, the shot is given to a
/// person anyway.
const STILL_A_POINT: f64 = 0.3;

/// Probability that contacts that were not seen, before the recording's begin or with a ball never seen, turn the
/// count of what was seen into its opposite.
const UNSEEN_OTHERWISE: f64 = 0.3;

/// Probability that a disturbance while the point is open is a foul of the shooter (and not, say, the referee's hand
/// or a contact the camera could not explain).
const DISTURBANCE_IS_FOUL: f64 = 0.5;

/// Rulings that what was not seen could turn `seen` into, each with its probability.
pub(super) fn rivals(
    case: &Case<'_, '_>,
    count: &Count<'_, '_>,
    fouls: &[Foul],
    seen: &Ruling,
) -> Vec<(f64, Ruling)> {
    if !fouls.is_empty() {
        return Vec::new();
    }
    let made = count.valid(case.discipline);
    let mut rivals = Vec::new();
    let shot = case.reading.shot;
    if shot.struck.is_none() || ball_never_seen(case) {
        rivals.push((UNSEEN_OTHERWISE, otherwise(case, count, !made)));
    } else if !shot.complete && count.second().is_none() {
        rivals.push((STILL_A_POINT, otherwise(case, count, true)));
    }
    if let Some(disturbance) = open_disturbance(case, count) {
        rivals.push((DISTURBANCE_IS_FOUL, disturbed(case, count, disturbance)));
    }
    rivals.retain(|(_, ruling)| !ruling.same_consequences(seen));
    rivals
}

/// The camera saw balls before the stroke, but not all three: what it did not see may have been hit.
fn ball_never_seen(case: &Case<'_, '_>) -> bool {
    let before = &case.reading.shot.before;
    let balls = [case.state.balls.a, case.state.balls.b, GameState::RED];
    !before.is_empty() && balls.iter().any(|b| !before.contains_key(b))
}

fn otherwise(case: &Case<'_, '_>, count: &Count<'_, '_>, made: bool) -> Ruling {
    let mut ruling = conclude::rule(case, count, &[], made);
    let key = if made { "EV-5.point" } else { "EV-5.none" };
    ruling.reasons.retain(|r| {
        ![
            "CC-P1",
            "CC-F2",
            case.discipline.proof,
            case.discipline.lack,
        ]
        .contains(&r.rule.as_ref())
    });
    ruling
        .reasons
        .insert(0, Reason::new("EV-5", Message::new(key), vec![]));
    ruling
}

fn disturbed(case: &Case<'_, '_>, count: &Count<'_, '_>, event: usize) -> Ruling {
    let message = Message::new("CC-F7.touch").player(case.shooter());
    let foul = Foul {
        rule: "CC-F7",
        reasons: vec![Reason::new("CC-F7", message, vec![event])],
    };
    conclude::rule(case, count, &[foul], false)
}

/// The first disturbance that came before the count was settled, unless the referee saw no foul.
fn open_disturbance(case: &Case<'_, '_>, count: &Count<'_, '_>) -> Option<usize> {
    if case.reading.said(&crate::rules::Said::NoFoul) {
        return None;
    }
    let settled = count.second();
    case.reading
        .interference()
        .find(|f| settled.is_none_or(|s| case.reading.before(f, s)))
        .map(|f| f.index)
}
