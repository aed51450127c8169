//! One ball between contacts: it slides, then rolls, then rests.

use crate::{
    geom::Quadratic,
    synth::{
        path::{Knot, Phase},
        physics::Constants,
    },
    units::{TablePoint, TableVec},
};

/// Slip or speed below which there is none, mm/s.
const STILL: f64 = 1e-6;

/// A ball's motion at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    /// Centre, mm.
    pub(super) pos: TablePoint,
    /// Velocity, mm/s.
    pub(super) vel: TableVec,
    /// Velocity at which the ball would roll with the spin it has about horizontal axes, mm/s.
    pub(super) roll: TableVec,
    /// Surface speed at the equator from spin about the vertical, mm/s.
    pub(super) side: f64,
}

impl State {
    pub(super) fn at_rest(pos: TablePoint) -> Self {
        Self {
            pos,
            vel: TableVec::ZERO,
            roll: TableVec::ZERO,
            side: 0.0,
        }
    }

    /// Energy per mass, mm^2/s^2: of the centre's motion and of the spin of a solid ball.
    #[cfg(test)]
    pub(super) fn energy(&self) -> f64 {
        0.5 * self.vel.dot(self.vel) + 0.2 * (self.roll.dot(self.roll) + self.side * self.side)
    }
}

/// A motion without contact, and how long it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// When it began, s.
    begin: f64,
    from: State,
    acc: TableVec,
    roll_acc: TableVec,
    side_decay: f64,
    phase: Phase,
    /// When friction changes, s; infinite at rest.
    pub(super) end: f64,
}

impl Leg {
    /// The motion that starts with `state` at `t`.
    ///
    /// Slip against the cloth keeps its direction while it lasts, so friction is constant and the centre runs a
    /// parabola; it is used up after 2/7 of the time it would take to stop. Then the ball rolls out on a straight line.
    pub(super) fn new(mut state: State, t: f64, constants: &Constants) -> Self {
        let slip = state.vel - state.roll;
        let friction = constants.sliding * constants.gravity;
        let drag = constants.rolling * constants.gravity;
        let mut leg = Self {
            begin: t,
            from: state,
            acc: TableVec::ZERO,
            roll_acc: TableVec::ZERO,
            side_decay: constants.side_decay,
            phase: Phase::Rest,
            end: f64::INFINITY,
        };
        if slip.norm() > STILL {
            let along = slip / slip.norm();
            leg.acc = along * -friction;
            leg.roll_acc = along * (2.5 * friction);
            leg.phase = Phase::Sliding;
            leg.end = t + 2.0 * slip.norm() / (7.0 * friction);
        } else if state.vel.norm() > STILL {
            state.roll = state.vel;
            leg.acc = state.vel * (-drag / state.vel.norm());
            leg.roll_acc = leg.acc;
            leg.phase = Phase::Rolling;
            leg.end = t + state.vel.norm() / drag;
        } else {
            state.vel = TableVec::ZERO;
            state.roll = TableVec::ZERO;
        }
        leg.from = state;
        leg
    }

    /// The state at `t`, within the leg.
    pub(super) fn at(&self, t: f64) -> State {
        let dt = t - self.begin;
        let q = self.quadratic();
        State {
            pos: q.at(dt),
            vel: q.velocity_at(dt),
            roll: self.from.roll + self.roll_acc * dt,
            side: self.from.side.signum() * (self.from.side.abs() - self.side_decay * dt).max(0.0),
        }
    }

    /// The state at the leg's end, with slip (or speed) exactly used up.
    pub(super) fn finish(&self) -> State {
        let mut state = self.at(self.end);
        match self.phase {
            Phase::Sliding => state.roll = state.vel,
            _ => {
                state.vel = TableVec::ZERO;
                state.roll = TableVec::ZERO;
            }
        }
        state
    }

    fn quadratic(&self) -> Quadratic {
        Quadratic {
            pos: self.from.pos,
            vel: self.from.vel,
            acc: self.acc,
        }
    }

    /// The motion as seen from `t`, within the leg.
    pub(super) fn quadratic_from(&self, t: f64) -> Quadratic {
        let state = self.at(t);
        Quadratic {
            pos: state.pos,
            vel: state.vel,
            acc: self.acc,
        }
    }

    pub(super) fn moves(&self) -> bool {
        self.phase.moves()
    }

    pub(super) fn knot(&self) -> Knot {
        Knot {
            t: self.begin,
            motion: self.quadratic(),
            phase: self.phase,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_struck_at_its_centre_rolls_at_five_sevenths_of_its_speed() {
        let constants = Constants::default();
        let start = State {
            vel: TableVec::new(1400.0, 0.0),
            ..State::at_rest(TablePoint::new(0.0, 0.0))
        };
        let slide = Leg::new(start, 0.0, &constants);
        let rolling = slide.finish();
        assert!((rolling.vel.x - 1000.0).abs() < 1e-9);
        let roll = Leg::new(rolling, slide.end, &constants);
        assert_eq!(roll.knot().phase, Phase::Rolling);
        assert_eq!(
            Leg::new(roll.finish(), roll.end, &constants).knot().phase,
            Phase::Rest
        );
    }

    #[test]
    fn slip_across_the_path_bends_it() {
        let start = State {
            vel: TableVec::new(1000.0, 0.0),
            roll: TableVec::new(1000.0, 500.0),
            ..State::at_rest(TablePoint::new(0.0, 0.0))
        };
        let leg = Leg::new(start, 0.0, &Constants::default());
        assert!(leg.finish().pos.y > 1.0);
    }
}
