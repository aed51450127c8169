//! Measurements that are none of this ball's: told by their neighbours.

use crate::events::{
    segment::{CUT, CUT_REST, Moments, Segment, fit_run},
    series::Sample,
};

/// Cost of calling one sample an outlier, in units of chi-square.
const OUTLIER: f64 = 18.0;
/// Samples that must lie in one place before a stray beside them is told.
const STILL: usize = 6;

/// Marks strays at the edge of a rest: a ball that left its place for one frame and lies there again did not move.
pub(super) fn mark_still_strays(samples: &mut [Sample]) {
    let n = samples.len();
    let mut strays = Vec::new();
    for i in 0..n {
        let before =
            i >= STILL && i + 1 < n && returns(samples, i - STILL..i, i, i + 1..(i + 3).min(n));
        let after = i + STILL < n
            && i > 0
            && returns(samples, i + 1..i + 1 + STILL, i, i.saturating_sub(2)..i);
        if before || after {
            strays.push(i);
        }
    }
    strays.into_iter().for_each(|i| samples[i].outlier = true);
}

/// The samples of `still` lie in one place, sample `i` does not, and one of `beyond` does again.
fn returns(
    samples: &[Sample],
    still: std::ops::Range<usize>,
    i: usize,
    mut beyond: std::ops::Range<usize>,
) -> bool {
    let middle = |axis: usize| {
        let mut v: Vec<f64> = samples[still.clone()].iter().map(|s| s.pos[axis]).collect();
        v.sort_by(f64::total_cmp);
        v[v.len() / 2]
    };
    let (x, y) = (middle(0), middle(1));
    let off = |s: &Sample| (s.pos[0] - x).hypot(s.pos[1] - y) / s.sigma();
    let lies = samples[still.clone()]
        .iter()
        .filter(|s| off(s) < 4.0)
        .count()
        + 1
        >= STILL;
    lies && off(&samples[i]) > 6.0 && beyond.any(|k| off(&samples[k]) < 3.5)
}

/// Marks single samples far off a smooth path through three neighbours on each side. Where those do not lie on a
/// smooth path themselves (a contact is near) nothing is said.
pub(super) fn mark_strays(samples: &mut [Sample], prior: f64) {
    let mut strays = Vec::new();
    for i in 3..samples.len().saturating_sub(3) {
        let reference = samples[i];
        let mut sums = Moments::default();
        let around = (i - 3..i).chain(i + 1..i + 4);
        around.for_each(|k| sums.add(&samples[k], &reference));
        let (cost, x, y) = sums.move_fit(prior);
        let off = (x[0].powi(2) + y[0].powi(2)) * reference.weight;
        if cost < 20.0 && off > 50.0 {
            strays.push(i);
        }
    }
    strays.into_iter().for_each(|i| samples[i].outlier = true);
}

/// A single first or last sample that fits its neighbours' motion no better than a stretch of its own is wrong.
fn mark_loose_ends(samples: &mut [Sample], segments: &[Segment]) -> bool {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        return false;
    };
    if segments.len() < 2 {
        return false;
    }
    let mut any = false;
    for end in [first, last] {
        let mut used = (end.from..end.to).filter(|&i| !samples[i].outlier);
        if let (Some(i), None) = (used.next(), used.next()) {
            samples[i].outlier = true;
            any = true;
        }
    }
    any
}

/// A stretch of one or two samples between two that would join without it is no motion but a wrong measurement.
pub(super) fn mark_outliers(samples: &mut [Sample], segments: &[Segment], prior: f64) -> bool {
    let mut any = mark_loose_ends(samples, segments);
    for three in segments.windows(3) {
        let [before, odd, after] = three else {
            continue;
        };
        let count = (odd.from..odd.to).filter(|&i| !samples[i].outlier).count();
        let firm = before.len().min(after.len()) > 2 * count;
        if count == 0 || count > 2 || !firm {
            continue;
        }
        let cut = |s: &Segment| s.cost + if s.rest { CUT_REST } else { CUT };
        let apart = cut(before) + cut(odd) + cut(after);
        samples[odd.from..odd.to]
            .iter_mut()
            .for_each(|s| s.outlier = true);
        let rest = before.rest && after.rest;
        let one = fit_run(samples, before.from, after.to, rest, prior);
        if cut(&one) + OUTLIER * count as f64 >= apart {
            samples[odd.from..odd.to]
                .iter_mut()
                .for_each(|s| s.outlier = false);
        } else {
            any = true;
        }
    }
    any
}
