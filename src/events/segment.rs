//! Cuts a ball's path into stretches of constant acceleration, by least cost over all possible cuts.

use crate::{
    events::{
        outlier::{mark_outliers, mark_still_strays, mark_strays},
        series::Sample,
    },
    geom::Quadratic,
    units::{TablePoint, TableVec},
};

/// Cost of one more moving stretch, in units of chi-square. Low on purpose: a cut too many is told to be none
/// later, with geometry; a cut that is missing is harder to find again.
pub(super) const CUT: f64 = 22.0;
/// Cost of one more resting stretch: it has fewer parameters.
pub(super) const CUT_REST: f64 = 10.0;
/// A ball that stays this close to its resting place has not left it, mm.
const STAYS_MM: f64 = 0.7;
/// What a later start may cost, in units of chi-square, and how many samples later it is looked for.
const DWELL: f64 = 8.0;
const LONGEST_DWELL: usize = 30;
/// A ball that seems still for less than this between two motions only turns, s.
const BRIEF_S: f64 = 0.2;
/// Longest look back, samples.
const LONGEST: usize = 700;

/// A stretch of constant acceleration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// First sample.
    pub from: usize,
    /// One after the last sample.
    pub to: usize,
    /// The ball lies still.
    pub rest: bool,
    /// Time `fit` counts from, s.
    pub origin: f64,
    /// Best fit.
    pub fit: Quadratic,
    /// Chi-square of the fit, the prior on the acceleration included.
    pub cost: f64,
}

impl Segment {
    /// Place at time `t`.
    pub(super) fn at(&self, t: f64) -> TablePoint {
        self.fit.at(t - self.origin)
    }

    /// Velocity at time `t`.
    pub(super) fn velocity_at(&self, t: f64) -> TableVec {
        self.fit.velocity_at(t - self.origin)
    }

    /// Number of samples.
    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }
}

/// Sums over a run of samples, relative to a reference sample.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    n: usize,
    s: [f64; 5],
    x: [f64; 3],
    y: [f64; 3],
    xx: f64,
}

impl Moments {
    pub(super) fn add(&mut self, sample: &Sample, reference: &Sample) {
        if sample.outlier {
            return;
        }
        let (w, t) = (sample.weight, sample.t - reference.t);
        let (x, y) = (
            sample.pos[0] - reference.pos[0],
            sample.pos[1] - reference.pos[1],
        );
        let b = [1.0, t, 0.5 * t * t];
        self.n += 1;
        self.s[0] += w;
        self.s[1] += w * b[1];
        self.s[2] += w * b[1] * b[1];
        self.s[3] += w * b[1] * b[2];
        self.s[4] += w * b[2] * b[2];
        for (k, basis) in b.into_iter().enumerate() {
            self.x[k] += w * x * basis;
            self.y[k] += w * y * basis;
        }
        self.xx += w * (x * x + y * y);
    }

    fn rest_cost(&self) -> f64 {
        if self.n == 0 {
            return 0.0;
        }
        (self.xx - (self.x[0].powi(2) + self.y[0].powi(2)) / self.s[0]).max(0.0)
    }

    /// Cost of the best quadratic and its coefficients (place, velocity, acceleration; x then y).
    pub(super) fn move_fit(&self, prior: f64) -> (f64, [f64; 3], [f64; 3]) {
        if self.n == 0 {
            return (0.0, [0.0; 3], [0.0; 3]);
        }
        let [s0, s1, s2, s3, s4] = self.s;
        // Cholesky of [[s0, s1, s2/2], [s1, s2, s3], [s2/2, s3, s4]] with weak priors on velocity and acceleration.
        let half = 0.5 * s2;
        let l00 = s0.sqrt();
        let (l10, l20) = (s1 / l00, half / l00);
        let l11 = (s2 + 1e-9 - l10 * l10).max(1e-12).sqrt();
        let l21 = (s3 - l20 * l10) / l11;
        let l22 = (s4 + prior - l20 * l20 - l21 * l21).max(1e-14).sqrt();
        let solve = |b: &[f64; 3]| {
            let f0 = b[0] / l00;
            let f1 = (b[1] - l10 * f0) / l11;
            let f2 = (b[2] - l20 * f0 - l21 * f1) / l22;
            let g2 = f2 / l22;
            let g1 = (f1 - l21 * g2) / l11;
            let g0 = (f0 - l10 * g1 - l20 * g2) / l00;
            (f0 * f0 + f1 * f1 + f2 * f2, [g0, g1, g2])
        };
        let (ex, cx) = solve(&self.x);
        let (ey, cy) = solve(&self.y);
        ((self.xx - ex - ey).max(0.0), cx, cy)
    }
}

/// Cuts `samples` into stretches; marks outliers in place.
///
/// `acceleration`: standard deviation of an acceleration component, mm/s^2. Returns stretches that cover every
/// sample, in order; empty for no samples. Cost grows with the samples times the longest stretch.
///
/// # Source
/// Optimal partitioning with pruning, R. Killick, P. Fearnhead, I. Eckley, JASA 107 (2012).
pub(super) fn segment(samples: &mut [Sample], acceleration: f64) -> Vec<Segment> {
    let prior = acceleration.powi(-2);
    mark_still_strays(samples);
    mark_strays(samples, prior);
    let mut segments = partition(samples, prior);
    for _ in 0..3 {
        if !mark_outliers(samples, &segments, prior) {
            break;
        }
        segments = partition(samples, prior);
    }
    for s in &mut segments {
        *s = calmed(samples, s, prior);
    }
    let mut segments = settled(samples, segments, prior);
    for k in 1..segments.len() {
        if let Some((rest, motion)) = later_start(samples, &segments[k - 1], &segments[k], prior) {
            segments[k - 1] = rest;
            segments[k] = motion;
        }
    }
    for k in 1..segments.len().saturating_sub(1) {
        let s = segments[k];
        let brief = samples[s.to - 1].t - samples[s.from].t < BRIEF_S;
        if s.rest && brief && !segments[k - 1].rest {
            segments[k] = fit_run(samples, s.from, s.to, false, prior);
        }
    }
    segments
}

/// Moves the end of a rest later, where the motion after it seems to speed up: no ball does that by itself, so noise
/// made the cut too early.
fn later_start(
    samples: &[Sample],
    rest: &Segment,
    motion: &Segment,
    prior: f64,
) -> Option<(Segment, Segment)> {
    let speed = |i: usize| motion.velocity_at(samples[i].t).norm();
    let speeds_up = speed(motion.to - 1) > speed(motion.from);
    if !rest.rest || motion.rest || !speeds_up {
        return None;
    }
    let last = motion.to.saturating_sub(3).min(motion.from + LONGEST_DWELL);
    let now = rest.cost + motion.cost;
    (motion.from + 1..=last).rev().find_map(|j| {
        let still = fit_run(samples, rest.from, j, true, prior);
        let moves = fit_run(samples, j, motion.to, false, prior);
        (still.cost + moves.cost < now + DWELL).then_some((still, moves))
    })
}

/// Joins to a rest the stretches beside it that do not leave its place.
fn settled(samples: &[Sample], segments: Vec<Segment>, prior: f64) -> Vec<Segment> {
    let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
    for s in segments {
        let one = joined.last().map(|l| {
            let first = l.rest && (!s.rest || l.len() >= s.len());
            let (rest, other) = if first { (l, &s) } else { (&s, l) };
            let place = rest.fit.pos;
            let stays = |p: &Sample| {
                let off = (p.pos[0] - place.x).hypot(p.pos[1] - place.y);
                p.outlier || off < STAYS_MM + 3.5 * p.sigma()
            };
            (
                rest.rest && samples[other.from..other.to].iter().all(stays),
                l.from,
            )
        });
        match one {
            Some((true, from)) => {
                joined.pop();
                joined.push(fit_run(samples, from, s.to, true, prior));
            }
            _ => joined.push(s),
        }
    }
    joined
}

/// A stretch that only seems to creep is rest.
fn calmed(samples: &[Sample], s: &Segment, prior: f64) -> Segment {
    let run = s.at(samples[s.to - 1].t).distance(s.at(samples[s.from].t));
    let noise = 8.0 * samples[s.from].sigma() / (s.len() as f64).sqrt();
    if s.rest || s.len() < 5 || run > 1.5 + noise {
        return *s;
    }
    let still = fit_run(samples, s.from, s.to, true, prior);
    if still.cost < s.cost + 30.0 {
        still
    } else {
        *s
    }
}

fn partition(samples: &[Sample], prior: f64) -> Vec<Segment> {
    let n = samples.len();
    let mut best = vec![0.0; n + 1];
    let mut from = vec![(0usize, false); n + 1];
    let mut alive = vec![true; n + 1];
    let mut costs = vec![0.0; n + 1];
    let mut lowest = 0;
    for j in 1..=n {
        let reference = &samples[j - 1];
        let mut sums = Moments::default();
        let mut found = (f64::INFINITY, 0, false);
        lowest = lowest.max(j.saturating_sub(LONGEST));
        for i in (lowest..j).rev() {
            sums.add(&samples[i], reference);
            if !alive[i] {
                continue;
            }
            let moving = sums.move_fit(prior).0;
            costs[i] = moving;
            if best[i] + moving + CUT < found.0 {
                found = (best[i] + moving + CUT, i, false);
            }
            if sums.n >= 2 {
                let rest = sums.rest_cost();
                if best[i] + rest + CUT_REST < found.0 {
                    found = (best[i] + rest + CUT_REST, i, true);
                }
            }
        }
        best[j] = found.0;
        from[j] = (found.1, found.2);
        for i in lowest..j {
            if alive[i] && best[i] + costs[i] > best[j] + (CUT - CUT_REST) + 2.0 {
                alive[i] = false;
            }
        }
        while lowest < j && !alive[lowest] {
            lowest += 1;
        }
    }
    let mut segments = Vec::new();
    let mut j = n;
    while j > 0 {
        let (i, rest) = from[j];
        segments.push(fit_run(samples, i, j, rest, prior));
        j = i;
    }
    segments.reverse();
    segments
}

/// Fits the samples `from..to`.
pub(super) fn fit_run(
    samples: &[Sample],
    from: usize,
    to: usize,
    rest: bool,
    prior: f64,
) -> Segment {
    let reference = samples[(from + to - 1) / 2];
    let mut sums = Moments::default();
    for s in &samples[from..to] {
        sums.add(s, &reference);
    }
    let place = |x: f64, y: f64| TablePoint::new(reference.pos[0] + x, reference.pos[1] + y);
    let (cost, fit) = if rest && sums.n > 0 {
        let pos = place(sums.x[0] / sums.s[0], sums.y[0] / sums.s[0]);
        let still = Quadratic {
            pos,
            vel: TableVec::ZERO,
            acc: TableVec::ZERO,
        };
        (sums.rest_cost(), still)
    } else {
        let (cost, x, y) = sums.move_fit(prior);
        let moving = Quadratic {
            pos: place(x[0], y[0]),
            vel: TableVec::new(x[1], y[1]),
            acc: TableVec::new(x[2], y[2]),
        };
        (cost, moving)
    };
    Segment {
        from,
        to,
        rest,
        origin: reference.t,
        fit,
        cost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Measurement;

    /// A ball that lies for 20 frames, then runs along x at 600 mm/s and turns back after 20 more.
    fn samples() -> Vec<Sample> {
        let place = |i: i32| match i {
            0..20 => 0.0,
            20..40 => 10.0 * f64::from(i - 19),
            _ => 200.0 - 8.0 * f64::from(i - 39),
        };
        let noise = |i: i32| 0.3 * (f64::from(i) * 12.9898).sin();
        let sample = |i: i32| {
            let pos = TablePoint::new(500.0 + place(i) + noise(i), 300.0 + noise(i + 99));
            let m = Measurement {
                pos,
                covariance: [0.09, 0.0, 0.09],
                streak: None,
                visible: 1.0,
            };
            Sample::from_measurement(f64::from(i) / 60.0, &m, 0.1).unwrap()
        };
        (0..60).map(sample).collect()
    }

    #[test]
    fn rest_run_and_return_are_three_stretches() {
        let segments = segment(&mut samples(), 1500.0);
        let cuts: Vec<usize> = segments.iter().map(|s| s.from).collect();
        assert_eq!(cuts[..2], [0, 20]);
        assert!(
            cuts.len() == 3 && (39..=40).contains(&cuts[2]),
            "the turning point lies on both"
        );
        assert!(segments[0].rest && !segments[1].rest);
        assert!((segments[1].fit.vel.x - 600.0).abs() < 5.0);
        assert!((segments[2].fit.vel.x + 480.0).abs() < 5.0);
    }

    #[test]
    fn a_stray_is_marked_and_cuts_nothing() {
        let mut s = samples();
        s[30].pos[1] += 10.0;
        let segments = segment(&mut s, 1500.0);
        assert_eq!(segments.len(), 3);
        assert!(s[30].outlier && s.iter().filter(|s| s.outlier).count() == 1);
    }

    #[test]
    fn few_samples_are_enough() {
        let mut s = samples();
        assert!(segment(&mut [], 1500.0).is_empty());
        assert_eq!(segment(&mut s[..1], 1500.0).len(), 1);
        assert_eq!(
            segment(&mut s[..2], 1500.0)
                .iter()
                .map(Segment::len)
                .sum::<usize>(),
            2
        );
    }
}
