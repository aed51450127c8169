//! Events against the truth.

use std::collections::BTreeMap;

use crate::{
    accuracy::{FAINT_MM_S, TIME_TOLERANCE_S, report::EventScore},
    model::{
        record::MatchRecord,
        truth::{EventRecord, Truth},
    },
};

/// Pairs the events of a match with the true ones.
///
/// Returns the counts by kind, the time errors of the found ones (reported minus true, s) and a line for each that
/// was missed or invented. Clear true contacts are served first, so that a faint one never takes away what belongs
/// to a clear one.
pub(super) fn score(
    truth: &Truth,
    found: &MatchRecord,
) -> (BTreeMap<String, EventScore>, Vec<f64>, Vec<String>) {
    let all_true = truth.shots.iter().flat_map(|s| &s.events);
    let (faint, clear): (Vec<_>, Vec<_>) = all_true.partition(|e| is_faint(e));
    let mut left: Vec<&EventRecord> = found.shots.iter().flat_map(|s| &s.events).collect();
    let hits = take_pairs(&clear, &mut left);
    take_pairs(&faint, &mut left);

    let mut kinds: BTreeMap<String, EventScore> = BTreeMap::new();
    let mut times_s = Vec::new();
    let mut lines = Vec::new();
    for (event, hit) in clear.iter().zip(&hits) {
        let score = kinds.entry(event.kind.clone()).or_default();
        match hit {
            Some(t_s) => {
                score.found += 1;
                times_s.push(t_s - event.t_s);
            }
            None => {
                score.missed += 1;
                lines.push((event.t_s, format!("missed   {}", describe(event))));
            }
        }
    }
    for event in &faint {
        kinds.entry(event.kind.clone()).or_default().faint += 1;
    }
    for event in left {
        kinds.entry(event.kind.clone()).or_default().invented += 1;
        lines.push((event.t_s, format!("invented {}", describe(event))));
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    (kinds, times_s, lines.into_iter().map(|l| l.1).collect())
}

fn is_faint(event: &EventRecord) -> bool {
    event.dv_mm_s.is_some_and(|dv| dv < FAINT_MM_S)
}

/// Gives each true event at most one reported one, the nearest pairs of all first, and takes those out of `left`.
/// Returns the reported time for each true event.
fn take_pairs(truth: &[&EventRecord], left: &mut Vec<&EventRecord>) -> Vec<Option<f64>> {
    let mut candidates = Vec::new();
    for (i, t) in truth.iter().enumerate() {
        for (j, f) in left.iter().enumerate() {
            let error = (f.t_s - t.t_s).abs();
            if error <= TIME_TOLERANCE_S && same_fact(t, f) {
                candidates.push((error, i, j));
            }
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut times = vec![None; truth.len()];
    let mut taken = vec![false; left.len()];
    for (_, i, j) in candidates {
        if times[i].is_none() && !taken[j] {
            times[i] = Some(left[j].t_s);
            taken[j] = true;
        }
    }
    let mut taken = taken.into_iter();
    left.retain(|_| !taken.next().unwrap_or(false));
    times
}

/// Same kind, same participants. What toppled a pin is not asked: it is a guess more often than a fact.
fn same_fact(x: &EventRecord, y: &EventRecord) -> bool {
    let pair = |e: &EventRecord| (e.a.min(e.b), e.a.max(e.b));
    x.kind == y.kind
        && pair(x) == pair(y)
        && x.ball == y.ball
        && x.cushion == y.cushion
        && x.pocket == y.pocket
        && x.pin == y.pin
        && x.zone == y.zone
}

fn describe(event: &EventRecord) -> String {
    let balls = [event.a, event.b, event.ball];
    let mut who: Vec<String> = balls.iter().flatten().map(ToString::to_string).collect();
    let places = [&event.cushion, &event.pocket, &event.pin, &event.zone];
    who.extend(places.into_iter().flatten().cloned());
    format!("{:9.3} s  {} {}", event.t_s, event.kind, who.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::fixtures::{ball_ball, cushion, match_of, truth_of};
    use crate::model::Ball::{Red, White, Yellow};

    #[test]
    fn kind_participants_and_time_must_agree_and_order_is_free() {
        let truth = truth_of(vec![
            cushion(1.0, White, "E"),
            ball_ball(2.0, White, Yellow),
            ball_ball(3.0, White, Red),
            cushion(4.0, White, "N"),
        ]);
        let found = match_of(vec![
            cushion(1.02, White, "E"),
            ball_ball(1.99, Yellow, White),
            ball_ball(3.051, White, Red),
            cushion(4.0, White, "S"),
        ]);
        let (kinds, times, lines) = score(&truth, &found);
        let cushions = &kinds["ball-cushion"];
        assert_eq!(
            (cushions.found, cushions.missed, cushions.invented),
            (1, 1, 1)
        );
        let balls = &kinds["ball-ball"];
        assert_eq!((balls.found, balls.missed, balls.invented), (1, 1, 1));
        assert_eq!(times.len(), 2);
        assert!((times[0] - 0.02).abs() < 1e-9 && (times[1] + 0.01).abs() < 1e-9);
        assert_eq!(lines.len(), 4);
        assert!(
            lines[0].starts_with("missed") && lines[0].contains("white red"),
            "{lines:?}"
        );
    }

    #[test]
    fn nearest_pairs_come_first_and_only_once() {
        // Served in the order of the truth, the first would take the second's and the second would be missed.
        let truth = truth_of(vec![cushion(1.00, White, "E"), cushion(1.06, White, "E")]);
        let found = match_of(vec![cushion(1.045, White, "E"), cushion(0.96, White, "E")]);
        let (kinds, times, _) = score(&truth, &found);
        assert_eq!(kinds["ball-cushion"].found, 2);
        assert!((times[0] + 0.04).abs() < 1e-9 && (times[1] + 0.015).abs() < 1e-9);
        let once = match_of(vec![cushion(1.03, White, "E")]);
        assert_eq!(score(&truth, &once).0["ball-cushion"].missed, 1);
    }

    #[test]
    fn faint_contacts_are_neither_missed_nor_invented() {
        let mut faint = cushion(2.0, Red, "W");
        faint.dv_mm_s = Some(12.0);
        let truth = truth_of(vec![cushion(1.0, White, "E"), faint.clone()]);
        for events in [
            vec![cushion(1.0, White, "E")],
            vec![cushion(1.0, White, "E"), cushion(2.01, Red, "W")],
        ] {
            let (kinds, times, lines) = score(&truth, &match_of(events));
            let s = &kinds["ball-cushion"];
            assert_eq!((s.found, s.missed, s.invented, s.faint), (1, 0, 0, 1));
            assert_eq!((times.len(), lines.len()), (1, 0));
        }
        faint.dv_mm_s = Some(20.0);
        let clear = truth_of(vec![faint]);
        assert_eq!(score(&clear, &match_of(vec![])).0["ball-cushion"].missed, 1);
    }

    #[test]
    fn a_faint_contact_does_not_take_what_belongs_to_a_clear_one() {
        let mut faint = cushion(1.04, White, "E");
        faint.dv_mm_s = Some(5.0);
        let truth = truth_of(vec![faint, cushion(1.0, White, "E")]);
        let (kinds, _, _) = score(&truth, &match_of(vec![cushion(1.035, White, "E")]));
        assert_eq!(
            (kinds["ball-cushion"].found, kinds["ball-cushion"].missed),
            (1, 0)
        );
    }
}
