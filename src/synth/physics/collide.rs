//! What a contact does to the velocities.

use crate::{
    model::Cushion,
    synth::physics::{Constants, ball::State},
    units::TableVec,
};

/// Normal speed below which a contact loses nothing, mm/s. Real balls lose their last hundredths of a mm/s too, but
/// a model that lets them do so has infinitely many contacts in a finite time.
const GENTLE: f64 = 2.0;

/// From inside the table towards a cushion.
pub(super) fn outward(cushion: Cushion) -> TableVec {
    match cushion {
        Cushion::S => TableVec::new(-1.0, 0.0),
        Cushion::N => TableVec::new(1.0, 0.0),
        Cushion::W => TableVec::new(0.0, -1.0),
        Cushion::E => TableVec::new(0.0, 1.0),
    }
}

/// Two balls of equal mass touch: the velocity along the line of centres is exchanged, less the loss; spins stay.
///
/// Returns the change of the second ball's velocity, mm/s.
pub(super) fn balls(a: &mut State, b: &mut State, constants: &Constants) -> TableVec {
    let Some(line) = (b.pos - a.pos).unit() else {
        return TableVec::ZERO;
    };
    let closing = (a.vel - b.vel).dot(line);
    if closing <= 0.0 {
        return TableVec::ZERO;
    }
    let restitution = if closing < GENTLE {
        1.0
    } else {
        constants.ball_restitution
    };
    let impulse = line * (0.5 * (1.0 + restitution) * closing);
    a.vel = a.vel - impulse;
    b.vel += impulse;
    impulse
}

/// A ball touches a cushion: the normal velocity turns round with a loss that grows with speed; friction at the nose
/// acts against the slip there, along the cushion (from travel and side spin) and up the nose (from topspin).
///
/// The vertical part of the friction only takes spin: the bed holds the ball down.
///
/// Returns the change of velocity, mm/s.
///
/// # Source
/// Rigid nose with Coulomb friction as in I. Han, "Dynamics in carom and three cushion billiards", J. Mech. Sci.
/// Technol. 19 (2005), without the nose's height; loss growing with speed as in the measurements of S. Mathavan et
/// al., Proc. IMechE C 224 (2010).
pub(super) fn cushion(ball: &mut State, cushion: Cushion, constants: &Constants) -> TableVec {
    let before = ball.vel;
    let normal = outward(cushion);
    let along = TableVec::new(-normal.y, normal.x);
    let closing = ball.vel.dot(normal);
    if closing <= 0.0 {
        return TableVec::ZERO;
    }
    let restitution = if closing < GENTLE {
        1.0
    } else {
        (constants.cushion_restitution - constants.cushion_loss * closing * 1e-3).clamp(0.5, 0.95)
    };
    let slip_along = ball.vel.dot(along) + ball.side;
    let slip_up = ball.roll.dot(normal);
    let slip = slip_along.hypot(slip_up);
    let friction =
        (constants.cushion_friction * (1.0 + restitution) * closing).min(slip * 2.0 / 7.0);
    let (push_along, push_up) = if slip > 1e-9 {
        (-friction * slip_along / slip, -friction * slip_up / slip)
    } else {
        (0.0, 0.0)
    };
    ball.vel = ball.vel - normal * ((1.0 + restitution) * closing) + along * push_along;
    ball.side += 2.5 * push_along;
    ball.roll += normal * (2.5 * push_up);
    ball.vel - before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::TablePoint;

    fn rolling(x: f64, y: f64, vx: f64, vy: f64) -> State {
        let vel = TableVec::new(vx, vy);
        State {
            vel,
            roll: vel,
            ..State::at_rest(TablePoint::new(x, y))
        }
    }

    #[test]
    fn a_full_hit_passes_nearly_all_the_speed_on() {
        let mut a = rolling(0.0, 0.0, 1000.0, 0.0);
        let mut b = State::at_rest(TablePoint::new(61.5, 0.0));
        let jump = balls(&mut a, &mut b, &Constants::default());
        assert!((b.vel.x - 975.0).abs() < 1e-9 && (a.vel.x - 25.0).abs() < 1e-9);
        assert_eq!(jump, b.vel);
    }

    #[test]
    fn a_half_hit_sends_the_object_ball_along_the_line_of_centres() {
        let mut a = rolling(0.0, 0.0, 1000.0, 0.0);
        let mut b = State::at_rest(TablePoint::new(61.5 * 0.75f64.sqrt(), 61.5 * 0.5));
        balls(&mut a, &mut b, &Constants::default());
        assert!((b.vel.y / b.vel.x - (1.0f64 / 3.0).sqrt()).abs() < 1e-9);
        assert!(a.vel.y < 0.0);
    }

    #[test]
    fn no_cushion_gives_energy() {
        for (vx, vy, roll, side) in [
            (2000.0, 500.0, 1.0, 0.0),
            (3000.0, -2500.0, 1.2, 2000.0),
            (100.0, 4000.0, -0.5, -3000.0),
            (1.0, 0.0, 1.0, 0.0),
        ] {
            let mut ball = rolling(2809.25, 700.0, vx, vy);
            ball.roll = ball.roll * roll;
            ball.side = side;
            let before = ball.energy();
            cushion(&mut ball, Cushion::N, &Constants::default());
            assert!(ball.energy() <= before * (1.0 + 1e-12));
            assert!(ball.vel.x < 0.0);
        }
    }

    #[test]
    fn side_spin_turns_the_rebound() {
        let mut plain = rolling(2809.25, 700.0, 2000.0, 0.0);
        let mut spun = plain;
        spun.side = 1500.0;
        cushion(&mut plain, Cushion::N, &Constants::default());
        cushion(&mut spun, Cushion::N, &Constants::default());
        assert!(plain.vel.y.abs() < 1e-9 && spun.vel.y.abs() > 100.0);
    }
}
