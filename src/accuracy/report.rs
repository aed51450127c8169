//! What a comparison says.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// The whole comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The source's name.
    pub name: String,
    /// Events by kind.
    pub kinds: BTreeMap<String, EventScore>,
    /// All events.
    pub events: EventScore,
    /// Time errors of the found ones, without sign.
    pub time_error_ms: Quantiles,
    /// What was missed and invented, one line each.
    pub misses: Vec<String>,
    /// Layouts after the shots.
    pub at_rest: PlaceScore,
    /// Moving balls, frame by frame.
    pub in_motion: PlaceScore,
    /// Shots.
    pub shots: ShotScore,
    /// Verdicts.
    pub verdicts: VerdictScore,
    /// The final score agrees; `None` where the truth does not say.
    pub score_right: Option<bool>,
}

/// Events found, missed, invented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventScore {
    /// Found.
    pub found: u32,
    /// True but not found.
    pub missed: u32,
    /// Found but not true.
    pub invented: u32,
    /// Faint contacts that were left out of account, found or not.
    pub faint: u32,
}

impl EventScore {
    /// Share of what was reported that is true; 1 when nothing was reported.
    pub fn precision(&self) -> f64 {
        share(self.found, self.found + self.invented)
    }

    /// Share of what is true that was reported; 1 when nothing is true.
    pub fn recall(&self) -> f64 {
        share(self.found, self.found + self.missed)
    }

    /// Harmonic mean of the two.
    pub fn f1(&self) -> f64 {
        share(2 * self.found, 2 * self.found + self.missed + self.invented)
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: &Self) {
        self.found += other.found;
        self.missed += other.missed;
        self.invented += other.invented;
        self.faint += other.faint;
    }

    /// The sum of several.
    pub fn sum<'a>(scores: impl IntoIterator<Item = &'a Self>) -> Self {
        scores.into_iter().fold(Self::default(), |mut sum, score| {
            sum.add(score);
            sum
        })
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    f64::from(part) / f64::from(whole)
}

impl Serialize for EventScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("EventScore", 7)?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("missed", &self.missed)?;
        fields.serialize_field("invented", &self.invented)?;
        fields.serialize_field("faint", &self.faint)?;
        fields.serialize_field("precision", &self.precision())?;
        fields.serialize_field("recall", &self.recall())?;
        fields.serialize_field("f1", &self.f1())?;
        fields.end()
    }
}

/// Errors, sorted, and what is asked of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantiles(Vec<f64>);

impl Quantiles {
    /// Of these errors; what is not finite counts as infinite, never as absent.
    pub fn of(mut errors: Vec<f64>) -> Self {
        for error in &mut errors {
            if error.is_nan() {
                *error = f64::INFINITY;
            }
        }
        errors.sort_by(f64::total_cmp);
        Self(errors)
    }

    /// The smallest error that is not exceeded by this share of them, `0.0..=1.0`; `None` when there are none.
    pub fn at(&self, share: f64) -> Option<f64> {
        let rank = (share.clamp(0.0, 1.0) * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Takes another's errors in.
    pub fn merge(&mut self, other: &Self) {
        self.0.extend(&other.0);
        self.0.sort_by(f64::total_cmp);
    }
}

impl Serialize for Quantiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Quantiles", 4)?;
        fields.serialize_field("count", &self.count())?;
        fields.serialize_field("median", &self.at(0.5))?;
        fields.serialize_field("p95", &self.at(0.95))?;
        fields.serialize_field("max", &self.at(1.0))?;
        fields.end()
    }
}

/// Places against the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlaceScore {
    /// Distances of the places that were seen, mm.
    pub error_mm: Quantiles,
    /// Distances of the places that were only predicted, mm; counted apart.
    pub predicted_mm: Quantiles,
    /// Balls in plain sight for which there is no place.
    pub missing: u64,
    /// Places of balls that were not there.
    pub invented: u64,
}

impl PlaceScore {
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.error_mm.merge(&other.error_mm);
        self.predicted_mm.merge(&other.predicted_mm);
        self.missing += other.missing;
        self.invented += other.invented;
    }
}

/// Shots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShotScore {
    /// True shots.
    pub truth: u32,
    /// Of them, found with the right ball struck (or with the stroke unseen).
    pub found: u32,
    /// Of them, found with a wrong ball struck.
    pub wrong_ball: u32,
    /// Reported, but no true shot.
    pub invented: u32,
}

impl ShotScore {
    /// Adds another's counts.
    pub fn add(&mut self, other: &Self) {
        self.truth += other.truth;
        self.found += other.found;
        self.wrong_ball += other.wrong_ball;
        self.invented += other.invented;
    }
}

/// Verdicts of the shots whose points are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerdictScore {
    /// The points agree.
    pub right: u32,
    /// They do not, or the shot was not found.
    pub wrong: u32,
    /// A person was asked.
    pub asked: u32,
    /// Of those, the ruling thought likeliest was the right one.
    pub asked_but_right: u32,
    /// One line for each that is wrong or asked.
    pub notes: Vec<String>,
}

impl VerdictScore {
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.asked += other.asked;
        self.asked_but_right += other.asked_but_right;
        self.notes.extend(other.notes.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_errors_that_occurred() {
        let q = Quantiles::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(
            (q.at(0.5), q.at(0.95), q.at(1.0)),
            (Some(2.0), Some(4.0), Some(4.0))
        );
        assert_eq!(Quantiles::default().at(0.5), None);
        assert_eq!(Quantiles::of(vec![f64::NAN]).at(0.5), Some(f64::INFINITY));
        let hundred = Quantiles::of((1..=100).map(f64::from).collect());
        assert_eq!(hundred.at(0.95), Some(95.0));
    }

    #[test]
    fn shares_follow_their_definitions() {
        let score = EventScore {
            found: 8,
            missed: 2,
            invented: 4,
            faint: 1,
        };
        assert!((score.precision() - 8.0 / 12.0).abs() < 1e-12);
        assert!((score.recall() - 0.8).abs() < 1e-12);
        let (p, r) = (score.precision(), score.recall());
        assert!((score.f1() - 2.0 * p * r / (p + r)).abs() < 1e-12);
        assert!((EventScore::default().f1() - 1.0).abs() < 1e-12);
    }
}
