//! Whether a ball stood or ran during the exposure.

use crate::detect::disc::{Covered, Disc, Fit, SHORTEST_HALF_PX, fit, length};

/// A streak whose half is below this share of the radius is short: a lopsided outline (shading, a ball that touches)
/// looks like one, and the centre is as good without.
const SHORT: f64 = 0.35;
/// A short streak must leave this much less (ratio of mean squared residuals).
const SHORT_GAIN: f64 = 0.6;
/// A long streak must explain this much more (squared share) for each pixel of the area that it adds. One of even light
/// has 0.13, one of a ball so bright that the picture clips has more; a shadow or a cue gives half of that.
const LONG_GAIN: f64 = 0.08;

/// A ball at rest that has no more than this around it (see [`Fit::ring`]) needs no streak: what ran leaves its light
/// around the place where it is taken to be at rest.
const ALONE: f64 = 0.15;

/// Fits a disc to a window, as a streak only where that explains much better what is seen than a ball at rest at the
/// same place or at `compact` (a cue that touches a ball makes a long patch, too).
pub(crate) fn fit_still_or_streaked(
    window: &[Covered],
    start: Disc,
    compact: Option<Disc>,
) -> Option<Fit> {
    let still = fit(
        window,
        Disc {
            half: [0.0; 2],
            ..start
        },
    );
    if length(start.half[0], start.half[1]) < SHORTEST_HALF_PX {
        return still;
    }
    if still
        .as_ref()
        .is_some_and(|s| s.ring < ALONE && (0.85..1.15).contains(&s.filled))
    {
        return still;
    }
    let compact = compact.and_then(|c| fit(window, c));
    let still = [still, compact]
        .into_iter()
        .flatten()
        .min_by(|a, b| a.unexplained.total_cmp(&b.unexplained));
    let streaked = fit(window, start);
    match (still, streaked) {
        (Some(still), Some(streaked)) if !better(&streaked, &still) => Some(still),
        (still, streaked) => streaked.or(still),
    }
}

/// Whether a streak explains what is seen much better than a ball at rest: a long one by what it adds, a short one by
/// what it leaves.
fn better(streaked: &Fit, still: &Fit) -> bool {
    let (half, radius) = (
        length(streaked.disc.half[0], streaked.disc.half[1]),
        streaked.disc.radius,
    );
    if half < SHORT * radius {
        return streaked.variance < SHORT_GAIN * still.variance;
    }
    still.unexplained - streaked.unexplained > LONG_GAIN * 4.0 * radius * half
}
