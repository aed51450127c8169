//! Times of frames: the stream's own where they make sense, and something sane where they do not.

use crate::units::Timestamp;

/// A gap between two frames that no recording has: beyond it the stream's time is garbage.
const LONGEST_GAP_S: f64 = 3600.0;
/// Frames out of order lie at most this far back; a longer step back is a new beginning of the stream's clock.
const LONGEST_DISORDER_S: f64 = 1.0;
/// A live stream's clock may differ from ours by this much before ours is taken.
const LIVE_TOLERANCE_S: f64 = 2.0;

/// Turns the times a stream tells into strictly rising ones, zero at the first frame.
///
/// A time is taken as told when it is finite and later than the last. Otherwise it is filled in: for a file one
/// nominal frame after the last (half a frame for a picture told out of order, so that the next one still fits),
/// for a live source the time since its first frame arrived.
#[derive(Clone, Debug)]
pub(crate) struct FrameClock {
    step_s: f64,
    /// Stream time of our zero.
    offset_s: f64,
    last_told_s: f64,
    last_s: Option<f64>,
    filled_in: u64,
}

impl FrameClock {
    /// A clock for a source of about `nominal_fps`.
    pub(crate) fn new(nominal_fps: Option<f64>) -> Self {
        let fps = nominal_fps.filter(|f| f.is_finite() && *f > 0.0);
        Self {
            step_s: 1.0 / fps.unwrap_or(30.0),
            offset_s: 0.0,
            last_told_s: 0.0,
            last_s: None,
            filled_in: 0,
        }
    }

    /// Frames whose time was filled in.
    pub(crate) fn filled_in(&self) -> u64 {
        self.filled_in
    }

    /// The time of the last frame, s.
    pub(crate) fn last_s(&self) -> f64 {
        self.last_s.unwrap_or(0.0)
    }

    /// Length of a nominal frame, s.
    pub(crate) fn step_s(&self) -> f64 {
        self.step_s
    }

    /// The time of the next frame, which the stream tells as `told_s`. For a live source `arrived_s` is the time
    /// since its first frame by our clock, `None` for a file.
    pub(crate) fn stamp(&mut self, told_s: f64, arrived_s: Option<f64>) -> Timestamp {
        let at = match self.last_s {
            None => {
                self.offset_s = if told_s.is_finite() { told_s } else { 0.0 };
                0.0
            }
            Some(last) => self.next(last, told_s, arrived_s),
        };
        self.last_told_s = told_s;
        self.last_s = Some(at);
        Timestamp::from_secs(at)
    }

    fn next(&mut self, last: f64, told_s: f64, arrived_s: Option<f64>) -> f64 {
        let at = told_s - self.offset_s;
        let plausible = at.is_finite() && at > last + 1e-6 && at - last < LONGEST_GAP_S;
        let agrees = arrived_s.is_none_or(|a| (at - a).abs() < LIVE_TOLERANCE_S);
        if plausible && agrees {
            return at;
        }
        self.filled_in += 1;
        if let Some(arrived) = arrived_s {
            return arrived.max(last + 1e-4);
        }
        let repeated = told_s == self.last_told_s;
        let disordered = at <= last && last - at < LONGEST_DISORDER_S;
        if repeated {
            return last + self.step_s;
        }
        if disordered {
            return last + 0.5 * self.step_s;
        }
        let filled = last + self.step_s;
        if told_s.is_finite() {
            self.offset_s = told_s - filled;
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(told: &[f64]) -> Vec<f64> {
        let mut clock = FrameClock::new(Some(10.0));
        told.iter().map(|&t| clock.stamp(t, None).secs()).collect()
    }

    fn close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() < 1e-6, "{a:?} is not {b:?}");
        }
    }

    #[test]
    fn variable_rate_is_kept_and_begins_at_zero() {
        close(&stamps(&[5.0, 5.1, 5.35, 5.4]), &[0.0, 0.1, 0.35, 0.4]);
    }

    #[test]
    fn zeros_and_garbage_become_the_nominal_rate() {
        close(&stamps(&[0.0; 4]), &[0.0, 0.1, 0.2, 0.3]);
        close(
            &stamps(&[f64::NAN, f64::NAN, -3.7e17, -3.7e17]),
            &[0.0, 0.1, 0.2, 0.3],
        );
    }

    #[test]
    fn a_repeated_or_disordered_time_harms_only_itself() {
        close(&stamps(&[0.0, 0.1, 0.1, 0.3]), &[0.0, 0.1, 0.2, 0.3]);
        close(&stamps(&[0.0, 0.3, 0.2, 0.4]), &[0.0, 0.3, 0.35, 0.4]);
    }

    #[test]
    fn a_clock_that_starts_anew_is_followed() {
        close(&stamps(&[100.0, 100.1, 3.0, 3.1]), &[0.0, 0.1, 0.2, 0.3]);
    }

    #[test]
    fn times_always_rise() {
        let told = [0.0, 9e9, 1.0, 1.0, f64::INFINITY, 2.0, -5.0, 0.5, 0.4, 0.6];
        assert!(stamps(&told).windows(2).all(|w| w[1] > w[0]));
    }

    #[test]
    fn a_live_stream_without_sane_times_goes_by_arrival() {
        let mut clock = FrameClock::new(Some(25.0));
        clock.stamp(-3.7e17, Some(0.0));
        assert!((clock.stamp(-3.7e17, Some(0.05)).secs() - 0.05).abs() < 1e-9);
        assert!((clock.stamp(4e5, Some(0.11)).secs() - 0.11).abs() < 1e-9);
        assert_eq!(clock.filled_in(), 2);
    }
}
