//! A ruling as match files write it.

use crate::{
    model::record::{AlternativeRecord, PlacementRecord, ReasonRecord, RulingRecord},
    rules::{Messages, Placement, Player, Reason, RuleId, Ruling},
};

impl Ruling {
    /// The ruling with its sentences in the language of `messages`. Confidence and probabilities have four decimals.
    pub fn record(&self, messages: &Messages) -> RulingRecord {
        RulingRecord {
            verdict: self.verdict.name().to_owned(),
            points: self.points.by_name(),
            fouls: names(&self.fouls),
            next: next(self.next),
            placements: self.placements.iter().map(placement).collect(),
            reasons: reasons(&self.reasons, messages),
            confidence: four_decimals(self.confidence),
            alternatives: self
                .alternatives
                .iter()
                .map(|a| alternative(a.probability, &a.ruling, messages))
                .collect(),
            needs_operator: self
                .needs_operator
                .iter()
                .map(|m| messages.say(m))
                .collect(),
            game_end: self.game_end,
        }
    }
}

fn alternative(probability: f64, ruling: &Ruling, messages: &Messages) -> AlternativeRecord {
    AlternativeRecord {
        probability: four_decimals(probability),
        verdict: ruling.verdict.name().to_owned(),
        points: ruling.points.by_name(),
        fouls: names(&ruling.fouls),
        next: next(ruling.next),
        reasons: reasons(&ruling.reasons, messages),
    }
}

fn reasons(reasons: &[Reason], messages: &Messages) -> Vec<ReasonRecord> {
    let record = |r: &Reason| ReasonRecord {
        rule: r.rule.to_string(),
        text: messages.say(&r.message),
        events: r.events.clone(),
    };
    reasons.iter().map(record).collect()
}

fn placement(placement: &Placement) -> PlacementRecord {
    PlacementRecord {
        what: placement.ball.name().to_owned(),
        at_mm: placement.at.map(Into::into),
        spot: Some(placement.spot.clone()),
    }
}

fn names(rules: &[RuleId]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}

fn next(player: Option<Player>) -> Option<String> {
    player.map(|p| p.name().to_owned())
}

fn four_decimals(probability: f64) -> f64 {
    (probability * 1e4).round() / 1e4
}
