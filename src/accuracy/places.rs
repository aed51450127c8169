//! Places against the truth: layouts at rest, and every frame in motion.

use std::collections::BTreeMap;

use crate::{
    accuracy::{
        MOVING_MM_S, Place,
        report::{PlaceScore, Quantiles},
    },
    model::{
        Ball,
        record::MatchRecord,
        truth::{TrueFrame, Truth},
    },
    units::{TablePoint, TableVec},
};

/// A reported time within this of a true frame is that frame, s: files round their times.
const SAME_FRAME_S: f64 = 2e-4;

/// Returns the layouts after the paired complete shots, and the moving balls frame by frame.
pub(super) fn score(
    truth: &Truth,
    found: &MatchRecord,
    places: &[Place],
    pairs: &[(usize, usize)],
) -> (PlaceScore, PlaceScore) {
    (at_rest(truth, found, pairs), in_motion(truth, places))
}

fn at_rest(truth: &Truth, found: &MatchRecord, pairs: &[(usize, usize)]) -> PlaceScore {
    let mut errors = Vec::new();
    let mut score = PlaceScore::default();
    let complete = pairs.iter().filter(|p| found.shots[p.1].complete);
    for (i, j) in complete {
        let (after, seen) = (&truth.shots[*i].after, &found.shots[*j].after);
        for (ball, place) in after {
            match seen.get(ball) {
                Some(s) => errors.push(TablePoint::from(*s).distance(TablePoint::from(*place))),
                None => score.missing += 1,
            }
        }
        score.invented += seen.keys().filter(|b| !after.contains_key(b)).count() as u64;
    }
    score.error_mm = Quantiles::of(errors);
    score
}

fn in_motion(truth: &Truth, places: &[Place]) -> PlaceScore {
    let mut score = PlaceScore::default();
    if places.is_empty() || truth.frames.len() < 2 {
        return score;
    }
    let (mut seen, mut predicted) = (Vec::new(), Vec::new());
    for place in places {
        match true_place(&truth.frames, place.t_s, place.ball) {
            Truly::Moving(at) if place.seen => seen.push(place.at.distance(at)),
            Truly::Moving(at) => predicted.push(place.at.distance(at)),
            Truly::Resting => {}
            Truly::Absent => score.invented += 1,
            Truly::Unknown => {}
        }
    }
    score.error_mm = Quantiles::of(seen);
    score.predicted_mm = Quantiles::of(predicted);
    score.missing = missing(&truth.frames, places);
    score
}

/// What the truth says of a ball at a time.
enum Truly {
    Moving(TablePoint),
    Resting,
    Absent,
    /// Before the first or after the last true frame, or between presence and absence.
    Unknown,
}

fn true_place(frames: &[TrueFrame], t_s: f64, ball: Ball) -> Truly {
    let next = frames.partition_point(|f| f.t_s < t_s - SAME_FRAME_S);
    let next = next.clamp(1, frames.len() - 1);
    let (before, after) = (&frames[next - 1], &frames[next]);
    if t_s < before.t_s - SAME_FRAME_S || t_s > after.t_s + SAME_FRAME_S {
        return Truly::Unknown;
    }
    let (p, q) = match (before.balls.get(&ball), after.balls.get(&ball)) {
        (None, None) => return Truly::Absent,
        (Some(p), Some(q)) => (TablePoint::from(*p), TablePoint::from(*q)),
        _ => return Truly::Unknown,
    };
    let dt = (after.t_s - before.t_s).max(1e-9);
    let step: TableVec = q - p;
    if step.norm() / dt < MOVING_MM_S {
        return Truly::Resting;
    }
    let share = (t_s - before.t_s) / dt;
    let near = SAME_FRAME_S / dt;
    Truly::Moving(match share {
        s if s < near => p,
        s if s > 1.0 - near => q,
        s => p + step * s,
    })
}

/// Balls in plain sight in a true frame for which nothing was reported, seen or predicted.
fn missing(frames: &[TrueFrame], places: &[Place]) -> u64 {
    let mut times: BTreeMap<Ball, Vec<f64>> = BTreeMap::new();
    for place in places {
        times.entry(place.ball).or_default().push(place.t_s);
    }
    for list in times.values_mut() {
        list.sort_by(f64::total_cmp);
    }
    let reported = |ball: &Ball, t_s: f64| {
        times.get(ball).is_some_and(|list| {
            let next = list.partition_point(|t| *t < t_s - SAME_FRAME_S);
            list.get(next).is_some_and(|t| *t <= t_s + SAME_FRAME_S)
        })
    };
    let in_sight = |frame: &TrueFrame| {
        let covered = |ball: &&Ball| !frame.covered.contains(ball);
        let absent = |ball: &&Ball| !reported(ball, frame.t_s);
        frame.balls.keys().filter(covered).filter(absent).count() as u64
    };
    frames.iter().map(in_sight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::fixtures::{match_with, shot, true_shot, truth_with};
    use crate::model::Ball::{Red, White, Yellow};

    fn place(t_s: f64, ball: Ball, x: f64, seen: bool) -> Place {
        let at = TablePoint::new(x, 100.0);
        Place {
            t_s,
            ball,
            at,
            seen,
        }
    }

    /// White rolls at 1 m/s along x, red rests at 500; a frame every 0.1 s.
    fn rolling() -> Truth {
        let mut truth = truth_with(vec![]);
        for n in 0..5 {
            let t_s = f64::from(n) * 0.1;
            truth.frames.push(TrueFrame {
                t_s,
                balls: BTreeMap::from([(White, [1000.0 * t_s, 100.0]), (Red, [500.0, 100.0])]),
                covered: vec![],
            });
        }
        truth
    }

    #[test]
    fn layouts_of_complete_paired_shots_are_compared() {
        let mut t = true_shot(0.0, 1.0, White, None);
        t.after = BTreeMap::from([(White, [0.0, 0.0]), (Red, [10.0, 0.0])]);
        let truth = truth_with(vec![t]);
        let mut s = shot(0.0, 1.0, Some(White), 0);
        s.after = BTreeMap::from([(White, [3.0, 4.0]), (Yellow, [1.0, 1.0])]);
        let mut found = match_with(vec![s]);
        let score = at_rest(&truth, &found, &[(0, 0)]);
        assert_eq!(score.error_mm.at(1.0), Some(5.0));
        assert_eq!((score.missing, score.invented), (1, 1));
        found.shots[0].complete = false;
        assert_eq!(at_rest(&truth, &found, &[(0, 0)]).error_mm.count(), 0);
    }

    #[test]
    fn moving_balls_are_compared_between_frames_too() {
        let truth = rolling();
        let rows = [
            place(0.1, White, 102.0, true),
            place(0.25, White, 253.0, true),
            place(0.3, White, 340.0, false),
            place(0.3, Red, 999.0, true),
            place(0.9, White, 0.0, true),
        ];
        let score = in_motion(&truth, &rows);
        assert_eq!(score.error_mm.count(), 2);
        assert!((score.error_mm.at(0.5).unwrap() - 2.0).abs() < 1e-9);
        assert!((score.error_mm.at(1.0).unwrap() - 3.0).abs() < 1e-9);
        assert!((score.predicted_mm.at(1.0).unwrap() - 40.0).abs() < 1e-9);
    }

    #[test]
    fn rounded_times_cost_no_error() {
        let score = in_motion(&rolling(), &[place(0.1001, White, 100.0, true)]);
        assert_eq!(score.error_mm.at(1.0), Some(0.0));
    }

    #[test]
    fn balls_that_are_lost_or_invented_are_counted() {
        let mut truth = rolling();
        truth.frames[4].covered.push(Red);
        let rows: Vec<Place> = (0..4)
            .map(|n| place(f64::from(n) * 0.1, White, 0.0, true))
            .chain([place(0.2, Yellow, 0.0, true)])
            .collect();
        let score = in_motion(&truth, &rows);
        // White once, red in the four frames where nothing covers it.
        assert_eq!((score.missing, score.invented), (5, 1));
    }
}
