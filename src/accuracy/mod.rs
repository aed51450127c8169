//! How well a match file agrees with known truth.
//!
//! An event is found when kind and participants agree (the order of `a` and `b` is free) and the times differ by at
//! most [`TIME_TOLERANCE_S`]; one to one, nearest first. Contacts that change a ball's speed by less than
//! [`FAINT_MM_S`] are optional: a camera cannot see them, so they count neither as missed nor as invented.

mod events;
#[cfg(test)]
mod fixtures;
mod places;
mod report;
mod shots;

use std::collections::BTreeMap;

use crate::{
    model::{Ball, record::MatchRecord, truth::Truth},
    units::TablePoint,
};

pub use report::{EventScore, PlaceScore, Quantiles, Report, ShotScore, VerdictScore};

/// Two events of the same kind and participants are the same within this time, s.
pub const TIME_TOLERANCE_S: f64 = 0.05;

/// True contacts with a smaller change of speed are optional, mm/s.
///
/// # Source
/// `trajectories/README`: below about 20 mm/s the best camera cannot see a contact.
pub const FAINT_MM_S: f64 = 20.0;

/// A ball moves when it covers more than this, mm/s.
pub const MOVING_MM_S: f64 = 10.0;

/// A ball's place at a time, as an analysis saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// s from the first frame.
    pub t_s: f64,
    /// The ball.
    pub ball: Ball,
    /// Its centre, mm.
    pub at: TablePoint,
    /// Seen in that frame; otherwise predicted.
    pub seen: bool,
}

/// Compares a match with the truth. `places` are the analysis' positions in every frame, empty where not known.
pub fn compare(truth: &Truth, found: &MatchRecord, places: &[Place]) -> Report {
    let pairs = shots::pair(truth, found);
    let (kinds, times_s, misses) = events::score(truth, found);
    let (rest, moving) = places::score(truth, found, places, &pairs);
    Report {
        name: found.source.name.clone(),
        events: EventScore::sum(kinds.values()),
        kinds,
        time_error_ms: Quantiles::of(times_s.iter().map(|t| t.abs() * 1e3).collect()),
        misses,
        at_rest: rest,
        in_motion: moving,
        shots: shots::shot_score(truth, found, &pairs),
        verdicts: shots::verdict_score(truth, found, &pairs),
        score_right: shots::final_score_right(&truth.score, &found.result.score),
    }
}

/// Sums several reports up into one; errors are pooled, not averaged over matches.
pub fn pool(reports: &[Report]) -> Report {
    let mut all = Report {
        name: "all".to_owned(),
        ..Report::default()
    };
    let mut kinds: BTreeMap<String, EventScore> = BTreeMap::new();
    for report in reports {
        for (kind, score) in &report.kinds {
            kinds.entry(kind.clone()).or_default().add(score);
        }
        all.time_error_ms.merge(&report.time_error_ms);
        all.at_rest.add(&report.at_rest);
        all.in_motion.add(&report.in_motion);
        all.shots.add(&report.shots);
        all.verdicts.add(&report.verdicts);
        let named = report
            .misses
            .iter()
            .map(|m| format!("{}: {m}", report.name));
        all.misses.extend(named);
    }
    all.events = EventScore::sum(kinds.values());
    all.kinds = kinds;
    let known: Vec<bool> = reports.iter().filter_map(|r| r.score_right).collect();
    all.score_right = (!known.is_empty()).then(|| known.iter().all(|right| *right));
    all
}
