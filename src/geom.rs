//! Small plane geometry: lines, circles, moving points.

use crate::units::{TablePoint, TableVec};

/// A ball's (or point's) motion with constant acceleration: exact between contacts.
///
/// # Units
/// mm, mm/s, mm/s^2; time in s from the motion's own zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quadratic {
    /// Place at time zero.
    pub pos: TablePoint,
    /// Velocity at time zero.
    pub vel: TableVec,
    /// Acceleration.
    pub acc: TableVec,
}

impl Quadratic {
    /// Place `t` seconds after zero.
    pub fn at(&self, t: f64) -> TablePoint {
        self.pos + self.vel * t + self.acc * (0.5 * t * t)
    }

    /// Velocity `t` seconds after zero.
    pub fn velocity_at(&self, t: f64) -> TableVec {
        self.vel + self.acc * t
    }
}

/// Finds when two discs of the same radius touch within the `dt` seconds after both were at the given places.
///
/// Both centres move at constant velocity, so their squared distance is a quadratic in time and the contact is
/// its smaller root. Friction is left out: with a sliding coefficient of 0.2 it displaces a ball by less than
/// 0.3 mm over a 60 Hz frame interval.
///
/// # Units
/// `gap`: from the first centre to the second, mm. `closing`: velocity of the second against the first, mm/s.
/// `diameter`: mm, positive. `dt`: s, not negative.
///
/// Returns seconds in `0.0..=dt`; `Some(0.0)` when the discs already overlap and close further; `None` when they
/// do not touch in that time or move apart. NaN gives `None`.
///
/// # Source
/// Moving-sphere test, C. Ericson, Real-Time Collision Detection (2005), chapter 5.
pub fn time_of_touch(gap: TableVec, closing: TableVec, diameter: f64, dt: f64) -> Option<f64> {
    let c = gap.dot(gap) - diameter * diameter;
    let b = gap.dot(closing);
    let approaching = b < 0.0;
    if !approaching {
        return None;
    }
    if c <= 0.0 {
        return Some(0.0);
    }
    let a = closing.dot(closing);
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let t = c / (-b + discriminant.sqrt());
    (t <= dt).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_on_discs_touch_when_the_gap_is_used_up() {
        let t = time_of_touch(
            TableVec::new(100.0, 0.0),
            TableVec::new(-80.0, 0.0),
            60.0,
            1.0,
        );
        assert!((t.unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn discs_that_pass_or_part_do_not_touch() {
        assert_eq!(
            time_of_touch(
                TableVec::new(100.0, 61.0),
                TableVec::new(-80.0, 0.0),
                60.0,
                9.0
            ),
            None
        );
        assert_eq!(
            time_of_touch(
                TableVec::new(100.0, 0.0),
                TableVec::new(80.0, 0.0),
                60.0,
                9.0
            ),
            None
        );
        assert_eq!(
            time_of_touch(
                TableVec::new(50.0, 0.0),
                TableVec::new(-80.0, 0.0),
                60.0,
                9.0
            ),
            Some(0.0)
        );
        assert_eq!(
            time_of_touch(
                TableVec::new(f64::NAN, 0.0),
                TableVec::new(-80.0, 0.0),
                60.0,
                9.0
            ),
            None
        );
    }
}
