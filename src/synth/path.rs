//! Where a ball is at any moment: knots with exact quadratic motion between them.

use crate::{
    geom::Quadratic,
    units::{TablePoint, TableVec},
};

/// What a ball does between two knots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Lies still.
    Rest,
    /// Turns on the spot about the vertical.
    Spinning,
    /// Moves with slip against the cloth.
    Sliding,
    /// Moves without slip.
    Rolling,
    /// Fell into a pocket: no longer on the table.
    Pocketed,
    /// Is moved by a hand.
    Carried,
}

impl Phase {
    /// The ball's centre changes its place.
    pub const fn moves(self) -> bool {
        matches!(self, Self::Sliding | Self::Rolling | Self::Carried)
    }
}

/// From `t` to the next knot the ball moves by `motion`, whose time zero is `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// Begin, s.
    pub t: f64,
    /// Motion, time from `t`.
    pub motion: Quadratic,
    /// What the ball does.
    pub phase: Phase,
}

impl Knot {
    /// A ball that lies still from `t` on.
    pub fn rest(t: f64, pos: TablePoint) -> Self {
        Self {
            t,
            motion: Quadratic {
                pos,
                ..Quadratic::default()
            },
            phase: Phase::Rest,
        }
    }
}

/// A ball's whole history: knots in order of time, never empty.
///
/// # Units
/// s, mm, table frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    first: Knot,
    later: Vec<Knot>,
}

impl Path {
    /// A history that begins with `first`; before that the ball is taken to stand at its begin.
    pub const fn new(first: Knot) -> Self {
        Self {
            first,
            later: Vec::new(),
        }
    }

    /// Adds a knot. One that is not later than the last replaces it.
    pub fn push(&mut self, knot: Knot) {
        match self.later.last_mut() {
            Some(last) if last.t >= knot.t => *last = knot,
            None if self.first.t >= knot.t => self.first = knot,
            _ => self.later.push(knot),
        }
    }

    /// Appends another history, shifted by `offset_s`.
    pub fn append(&mut self, other: &Self, offset_s: f64) {
        for knot in other.knots() {
            self.push(Knot {
                t: knot.t + offset_s,
                ..*knot
            });
        }
    }

    /// All knots in order.
    pub fn knots(&self) -> impl Iterator<Item = &Knot> {
        std::iter::once(&self.first).chain(&self.later)
    }

    /// The knot in force at `t`.
    pub fn knot_at(&self, t: f64) -> &Knot {
        match self.later.partition_point(|k| k.t <= t) {
            0 => &self.first,
            n => &self.later[n - 1],
        }
    }

    /// The last knot.
    pub fn last(&self) -> &Knot {
        self.later.last().unwrap_or(&self.first)
    }

    /// Place at `t`.
    pub fn at(&self, t: f64) -> TablePoint {
        let knot = self.knot_at(t);
        knot.motion.at((t - knot.t).max(0.0))
    }

    /// Velocity at `t`, just after a jump; zero before the begin.
    pub fn velocity_at(&self, t: f64) -> TableVec {
        let knot = self.knot_at(t);
        if t < knot.t {
            return TableVec::ZERO;
        }
        knot.motion.velocity_at(t - knot.t)
    }

    /// What the ball does at `t`.
    pub fn phase_at(&self, t: f64) -> Phase {
        self.knot_at(t).phase
    }

    /// When the last motion ends: the time of the first knot after which the ball never moves again.
    pub fn rest_from(&self) -> f64 {
        let moving = self.knots().collect::<Vec<_>>();
        let still = moving.iter().rposition(|k| k.phase.moves());
        match still {
            None => self.first.t,
            Some(i) => moving.get(i + 1).map_or(f64::INFINITY, |k| k.t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        let mut path = Path::new(Knot {
            t: 1.0,
            motion: Quadratic {
                pos: TablePoint::new(0.0, 0.0),
                vel: TableVec::new(10.0, 0.0),
                acc: TableVec::new(-10.0, 0.0),
            },
            phase: Phase::Rolling,
        });
        path.push(Knot::rest(2.0, TablePoint::new(5.0, 0.0)));
        path
    }

    #[test]
    fn a_path_stands_moves_and_stands() {
        let p = path();
        assert_eq!(p.at(0.0), TablePoint::new(0.0, 0.0));
        assert_eq!(p.velocity_at(0.0), TableVec::ZERO);
        assert_eq!(p.at(1.5), TablePoint::new(3.75, 0.0));
        assert_eq!(p.velocity_at(1.5), TableVec::new(5.0, 0.0));
        assert_eq!(p.at(9.0), TablePoint::new(5.0, 0.0));
        assert_eq!(p.rest_from(), 2.0);
    }

    #[test]
    fn appending_shifts_time_and_replaces_what_it_meets() {
        let mut p = path();
        p.append(&path(), 1.0);
        assert_eq!(p.knots().count(), 3);
        assert_eq!(p.velocity_at(2.0), TableVec::new(10.0, 0.0));
        assert_eq!(p.rest_from(), 3.0);
    }
}
