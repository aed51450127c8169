//! Tells online whether one ball lies still.

use std::collections::VecDeque;

use crate::{
    events::options::Options,
    model::BallState,
    units::{TablePoint, Timestamp},
};

/// Middle places of two halves of the rest time may never differ by more, mm.
const MOST_MM: f64 = 3.0;

/// The last moments of one ball.
#[derive(Clone, Debug, Default)]
pub(super) struct Stillness {
    recent: VecDeque<(Timestamp, TablePoint, f64)>,
    anchor: Option<TablePoint>,
    away: u32,
    roving: bool,
}

impl Stillness {
    /// Takes the ball's state of one frame.
    pub(super) fn push(&mut self, at: Timestamp, state: &BallState, options: &Options) {
        let Some(seen) = &state.seen else { return };
        if !(seen.pos.x.is_finite() && seen.pos.y.is_finite()) {
            return;
        }
        let sigma = seen.sigma_mm();
        let sigma = if sigma.is_finite() { sigma } else { 2.0 };
        self.recent.push_back((at, seen.pos, sigma));
        while self
            .recent
            .front()
            .is_some_and(|f| at.since(f.0) > options.rest_s)
        {
            self.recent.pop_front();
        }
        if let Some(anchor) = self.anchor {
            let far = seen.pos.distance(anchor) > options.motion_mm + 4.0 * sigma;
            self.away = if far { self.away + 1 } else { 0 };
            self.roving |= self.away >= 2;
        }
    }

    /// The ball was seen to leave its resting place.
    pub(super) fn moves(&self, at: Timestamp, options: &Options) -> bool {
        let seen = self
            .recent
            .back()
            .is_some_and(|l| at.since(l.0) < options.lost_s);
        seen && match self.anchor {
            Some(_) => self.roving,
            None => self.spread().is_some_and(|s| s > options.motion_mm),
        }
    }

    /// The ball lies still, or has not been seen for so long that it cannot be waited for.
    pub(super) fn still(&self, at: Timestamp, options: &Options) -> bool {
        let Some(last) = self.recent.back() else {
            return true;
        };
        if at.since(last.0) > options.lost_s {
            return true;
        }
        if self.anchor.is_some() && !self.roving {
            return true;
        }
        let long = at.since(self.recent[0].0) > 0.8 * options.rest_s;
        let sigma = self.recent.iter().map(|r| r.2).sum::<f64>() / self.recent.len() as f64;
        let limit = (0.5 + 7.0 * sigma / (self.recent.len() as f64).sqrt()).min(MOST_MM);
        let stays = |middle: TablePoint| {
            let mut newest = self.recent.iter().rev().take(2);
            newest.any(|r| r.1.distance(middle) < options.motion_mm + 4.0 * r.2)
        };
        long && self.spread().is_some_and(|s| s < limit)
            && median(self.recent.iter().map(|r| r.1)).is_some_and(stays)
    }

    /// All is at rest: here is where the ball lies.
    pub(super) fn settle(&mut self) {
        self.anchor = median(self.recent.iter().map(|r| r.1));
        self.away = 0;
        self.roving = false;
    }

    /// Distance between the middle places of the earlier and the later half of the last moments, mm.
    fn spread(&self) -> Option<f64> {
        let half = self.recent.len() / 2;
        let early = median(self.recent.iter().take(half).map(|r| r.1))?;
        let late = median(self.recent.iter().skip(half).map(|r| r.1))?;
        Some(early.distance(late))
    }
}

/// Median in x and in y.
fn median(points: impl Iterator<Item = TablePoint>) -> Option<TablePoint> {
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = points.map(|p| (p.x, p.y)).unzip();
    if x.is_empty() {
        return None;
    }
    x.sort_by(f64::total_cmp);
    y.sort_by(f64::total_cmp);
    Some(TablePoint::new(x[x.len() / 2], y[y.len() / 2]))
}
