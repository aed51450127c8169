//! Shots, verdicts and the final score against the truth.

use std::collections::BTreeMap;

use crate::{
    accuracy::report::{ShotScore, VerdictScore},
    model::{
        record::{MatchRecord, ShotRecord},
        truth::{TrueShot, Truth},
    },
};

/// Pairs true shots with reported ones: those that share the most time first, one to one.
///
/// Returns pairs of indices (truth, match), in the order of the truth. A true shot that was reported in two pieces
/// is paired with the longer one; the other is invented.
pub(super) fn pair(truth: &Truth, found: &MatchRecord) -> Vec<(usize, usize)> {
    let mut candidates = Vec::new();
    for (i, t) in truth.shots.iter().enumerate() {
        for (j, f) in found.shots.iter().enumerate() {
            let common = t.stop_s.min(f.stop_s) - t.start_s.max(f.start_s);
            if common > 0.0 {
                candidates.push((common, i, j));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (_, i, j) in candidates {
        if pairs.iter().all(|p| p.0 != i && p.1 != j) {
            pairs.push((i, j));
        }
    }
    pairs.sort_unstable();
    pairs
}

pub(super) fn shot_score(
    truth: &Truth,
    found: &MatchRecord,
    pairs: &[(usize, usize)],
) -> ShotScore {
    let wrong_ball = pairs
        .iter()
        .filter(|(i, j)| {
            let struck = found.shots[*j].struck;
            struck.is_some_and(|s| s != truth.shots[*i].struck)
        })
        .count() as u32;
    let paired = pairs.len() as u32;
    ShotScore {
        truth: truth.shots.len() as u32,
        found: paired - wrong_ball,
        wrong_ball,
        invented: found.shots.len() as u32 - paired,
    }
}

/// Compares the points of the player who shot, where the truth knows them.
pub(super) fn verdict_score(
    truth: &Truth,
    found: &MatchRecord,
    pairs: &[(usize, usize)],
) -> VerdictScore {
    let mut score = VerdictScore::default();
    for (i, shot) in truth.shots.iter().enumerate() {
        let Some(points) = shot.points else { continue };
        let partner = pairs.iter().find(|p| p.0 == i);
        let note = match partner.map(|p| &found.shots[p.1]) {
            None => {
                score.wrong += 1;
                Some(format!("{points} true, but the shot was not found"))
            }
            Some(f) => judge(&mut score, shot, points, f),
        };
        if let Some(note) = note {
            let at = shot.start_s;
            score.notes.push(format!(
                "{}: shot {} at {at:.1} s: {note}",
                found.source.name,
                i + 1
            ));
        }
    }
    score
}

fn judge(
    score: &mut VerdictScore,
    shot: &TrueShot,
    points: i64,
    found: &ShotRecord,
) -> Option<String> {
    let given = found.ruling.points.get(&found.player).copied().unwrap_or(0);
    let same_player = shot.player.as_ref().is_none_or(|p| *p == found.player);
    let right = given == points && same_player;
    if found.ruling.verdict == "needs-review" {
        score.asked += 1;
        score.asked_but_right += u32::from(right);
        return Some(format!("{points} true, asked, {given} thought likeliest"));
    }
    if right {
        score.right += 1;
        return None;
    }
    score.wrong += 1;
    Some(format!("{points} true, {given} given to {}", found.player))
}

/// `None` where the truth does not say. A player without an entry has none.
pub(super) fn final_score_right(
    truth: &BTreeMap<String, i64>,
    found: &BTreeMap<String, i64>,
) -> Option<bool> {
    if truth.is_empty() {
        return None;
    }
    let of =
        |scores: &BTreeMap<String, i64>, player: &String| scores.get(player).copied().unwrap_or(0);
    let mut players = truth.keys().chain(found.keys());
    Some(players.all(|p| of(truth, p) == of(found, p)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::fixtures::{match_with, shot, true_shot, truth_with};
    use crate::model::Ball::{White, Yellow};

    #[test]
    fn shots_pair_by_common_time_and_pieces_are_invented() {
        let truth = truth_with(vec![
            true_shot(1.0, 9.0, White, Some(1)),
            true_shot(20.0, 25.0, Yellow, Some(0)),
        ]);
        let found = match_with(vec![
            shot(1.1, 3.0, Some(White), 0),
            shot(3.0, 9.2, None, 1),
            shot(20.0, 25.0, Some(White), 0),
        ]);
        let pairs = pair(&truth, &found);
        assert_eq!(pairs, [(0, 1), (1, 2)]);
        let score = shot_score(&truth, &found, &pairs);
        assert_eq!(
            (score.truth, score.found, score.wrong_ball, score.invented),
            (2, 1, 1, 1)
        );
    }

    #[test]
    fn verdicts_are_right_wrong_or_asked() {
        let truth = truth_with(vec![
            true_shot(0.0, 1.0, White, Some(1)),
            true_shot(2.0, 3.0, White, Some(1)),
            true_shot(4.0, 5.0, White, Some(1)),
            true_shot(6.0, 7.0, White, Some(0)),
            true_shot(8.0, 9.0, White, None),
        ]);
        let mut asked = shot(4.0, 5.0, Some(White), 1);
        asked.ruling.verdict = "needs-review".to_owned();
        let found = match_with(vec![
            shot(0.0, 1.0, Some(White), 1),
            shot(2.0, 3.0, Some(White), 0),
            asked,
        ]);
        let score = verdict_score(&truth, &found, &pair(&truth, &found));
        assert_eq!(
            (score.right, score.wrong, score.asked, score.asked_but_right),
            (1, 2, 1, 1)
        );
        assert_eq!(score.notes.len(), 3);
    }

    #[test]
    fn points_for_the_wrong_player_are_wrong() {
        let mut t = true_shot(0.0, 1.0, White, Some(1));
        t.player = Some("B".to_owned());
        let truth = truth_with(vec![t]);
        let found = match_with(vec![shot(0.0, 1.0, Some(White), 1)]);
        assert_eq!(verdict_score(&truth, &found, &[(0, 0)]).wrong, 1);
    }

    #[test]
    fn the_final_score_must_agree_for_every_player() {
        let score = |a, b| BTreeMap::from([("A".to_owned(), a), ("B".to_owned(), b)]);
        assert_eq!(final_score_right(&BTreeMap::new(), &score(1, 0)), None);
        assert_eq!(final_score_right(&score(2, 0), &score(2, 0)), Some(true));
        assert_eq!(final_score_right(&score(2, 0), &score(2, 1)), Some(false));
        let only_a = BTreeMap::from([("A".to_owned(), 2)]);
        assert_eq!(final_score_right(&score(2, 0), &only_a), Some(true));
        assert_eq!(final_score_right(&only_a, &score(2, 1)), Some(false));
    }
}
