//! Casts a ball in a scene: which of its samples bear on what, and how it seems to move before and after.

use std::ops::Range;

use crate::events::{
    options::Options,
    scene::{Actor, Block, EARLY_S, Link, SLIDE_S},
    segment::{Segment, fit_run},
    series::Sample,
    stage::Track,
};

/// A change of velocity that a change of friction can feign, mm/s.
const SMOOTH_MM_S: f64 = 200.0;
/// A ball slowed by less than this rolls, mm/s^2; with the bending of a fast path by calibration error, 1/mm.
const ROLLS_MM_S2: f64 = 300.0;
const BENDING_PER_MM: f64 = 3e-5;
/// For so long it must have been seen to, s.
const ROLLED_S: f64 = 0.12;
/// Farthest samples that count for a leg of a moving ball, s, and of one that lies still.
const REACH_S: f64 = 0.5;
const REACH_REST_S: f64 = 2.0;
/// Samples for a guess of one side's motion.
const ENOUGH: usize = 6;

/// The part of a track between the segments `before` and `after` (both included) around a window of time.
pub(super) fn actor(
    track: &Track,
    ball: usize,
    (before, after): (usize, usize),
    window: (f64, f64),
    options: &Options,
) -> Actor {
    let samples = &track.series.samples;
    let (mut b, mut a) = (track.segments[before], track.segments[after]);
    let parts = parts(track, (before, after), window);
    let head = Block::from_samples(&samples[parts.head.clone()], b.rest);
    let tail = Block::from_samples(&samples[parts.tail.clone()], false);
    let near_start = if head.is_none() {
        parts.head.start
    } else {
        parts.near.start
    };
    let near_end = if tail.is_none() {
        parts.tail.end
    } else {
        parts.near.end
    };
    let mut chain: Vec<Link> = (before..=after)
        .map(|k| link(samples, track.segments[k]))
        .collect();
    let cuts = chain
        .windows(2)
        .map(|w| 0.5 * (w[0].to + w[1].from))
        .collect();
    bridge(&mut chain);
    if before == after {
        let long = head.is_some()
            && tail.is_some()
            && parts.head.len() >= ENOUGH
            && parts.tail.len() >= ENOUGH;
        if long && !b.rest {
            // A ball whose motion seems unbroken: guess each side from its own samples.
            let prior = options.acceleration_mm_s2.powi(-2);
            b = fit_run(samples, parts.head.start, parts.head.end, false, prior);
            a = fit_run(samples, parts.tail.start, parts.tail.end, false, prior);
        }
        chain = either_side(link(samples, b), link(samples, a), window);
    }
    Actor {
        ball,
        rest: b.rest,
        rolls: rolls(samples, &track.segments[before], &b),
        before: b,
        after: a,
        chain,
        cuts,
        slack: 1.5 * track.interval(),
        settles: a.rest,
        head,
        tail,
        near: samples[near_start..near_end].to_vec(),
    }
}

/// Which samples are far before, near, and far after.
struct Parts {
    head: Range<usize>,
    near: Range<usize>,
    tail: Range<usize>,
}

fn parts(track: &Track, (before, after): (usize, usize), window: (f64, f64)) -> Parts {
    let samples = &track.series.samples;
    let (b, a) = (&track.segments[before], &track.segments[after]);
    let margin = 0.6 * track.interval();
    let middle = 0.5 * (window.0 + window.1);
    let jump = (a.velocity_at(middle) - b.velocity_at(middle)).norm();
    let changes = after > before;
    // A change of friction shows late: the cut may stand some frames behind it.
    let early = if changes && jump < SMOOTH_MM_S {
        EARLY_S
    } else {
        0.0
    };
    let late = if changes { SLIDE_S } else { 0.0 };
    let (from, to) = (window.0 - margin.max(early), window.1 + margin.max(late));
    let reach = if b.rest { REACH_REST_S } else { REACH_S };
    let before_t = |t: f64| samples.partition_point(|s| s.t < t);
    let head_start = before_t(from - reach).max(b.from);
    let near_start = before_t(from).max(head_start);
    let near_end = samples
        .partition_point(|s| s.t <= to)
        .min(a.to)
        .max(near_start);
    let tail_end = samples
        .partition_point(|s| s.t <= to + REACH_S)
        .min(a.to)
        .max(near_end);
    Parts {
        head: head_start..near_start,
        near: near_start..near_end,
        tail: near_end..tail_end,
    }
}

/// Where nothing was seen between two motions, either may hold all the way.
fn bridge(chain: &mut [Link]) {
    for k in 1..chain.len() {
        let (to, from) = (chain[k - 1].to, chain[k].from);
        (chain[k - 1].to, chain[k].from) = (from, to);
    }
}

/// Two motions of which either may hold anywhere in the window.
fn either_side(early: Link, late: Link, window: (f64, f64)) -> Vec<Link> {
    vec![
        Link {
            to: early.to.max(window.1),
            ..early
        },
        Link {
            from: late.from.min(window.0),
            ..late
        },
    ]
}

/// The ball rolled before, and was seen to for long enough.
fn rolls(samples: &[Sample], segment: &Segment, fitted: &Segment) -> bool {
    let run = samples[segment.to - 1].t - samples[segment.from].t;
    let slow = ROLLS_MM_S2 + BENDING_PER_MM * fitted.fit.vel.dot(fitted.fit.vel);
    !fitted.rest && run > ROLLED_S && fitted.fit.acc.norm() < slow
}

fn link(samples: &[Sample], motion: Segment) -> Link {
    Link {
        from: samples[motion.from].t,
        to: samples[motion.to - 1].t,
        motion,
    }
}
