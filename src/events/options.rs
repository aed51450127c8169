//! What the recognizer assumes about cloth, balls and camera, with where each figure comes from.

/// Tolerances and priors of the recognizer. The defaults hold for a table of the trade under an ordinary camera; none
/// is fitted to a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Standard deviation of a friction deceleration component, mm/s^2. A ball slides at about 0.2 g.
    pub acceleration_mm_s2: f64,
    /// Standard deviation of the gap to a cushion at a true rebound, mm: the calibration's error near the rail.
    pub cushion_gap_mm: f64,
    /// Standard deviation of the gap between two balls that touch, mm. Both share most of the calibration's error.
    pub ball_gap_mm: f64,
    /// Least standard deviation a measured place may claim, mm.
    pub floor_mm: f64,
    /// A ball that left its resting place by this much moves, mm.
    pub motion_mm: f64,
    /// Balls must lie still for this long to be at rest, s.
    pub rest_s: f64,
    /// A ball not seen for this long no longer keeps a shot open, s.
    pub lost_s: f64,
    /// A motion that lasts longer than this is closed as it stands, s: something is wrong with what is seen.
    pub longest_s: f64,
    /// Distance from a pocket's mouth within which a ball may touch a jaw or fall, in ball diameters.
    pub mouth_diameters: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            acceleration_mm_s2: 1500.0,
            cushion_gap_mm: 1.5,
            ball_gap_mm: 0.8,
            floor_mm: 0.1,
            motion_mm: 3.0,
            rest_s: 0.3,
            lost_s: 1.0,
            longest_s: 90.0,
            mouth_diameters: 1.8,
        }
    }
}
