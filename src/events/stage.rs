//! Sets the scenes: which changes of motion belong together, and which balls were close enough to have a part.

use crate::{
    events::{
        options::Options,
        scene::{Actor, Block, EARLY_S, Link, SLIDE_S, Scene},
        segment::{Segment, fit_run},
        series::{Sample, Series},
    },
    model::TableSpec,
};

/// A change of one ball's motion found by the cutting.
#[derive(Clone, Copy, Debug)]
struct Change {
    ball: usize,
    /// Number of the last segment before.
    before: usize,
    /// Number of the first segment after.
    after: usize,
    /// The time in which it happened, s.
    window: (f64, f64),
    /// Cuts in it.
    cuts: usize,
}

/// The cut path of one ball.
pub(super) struct Track {
    pub series: Series,
    pub segments: Vec<Segment>,
}

impl Track {
    /// Segment that holds time `t`.
    fn segment_at(&self, t: f64) -> Option<usize> {
        if self.segments.is_empty() {
            return None;
        }
        let next = self
            .segments
            .partition_point(|s| self.series.samples[s.from].t <= t);
        Some(next.saturating_sub(1))
    }

    /// Where it lay (or was first seen), mm.
    pub(super) fn first_place(&self) -> Option<[f64; 2]> {
        let s = self.segments.first()?;
        Some(s.at(self.series.samples[s.from].t).into())
    }

    /// Where it lies (or was last seen), mm.
    pub(super) fn last_place(&self) -> Option<[f64; 2]> {
        let s = self.segments.last()?;
        Some(s.at(self.series.samples[s.to - 1].t).into())
    }

    /// Mean time between samples, s.
    pub(super) fn interval(&self) -> f64 {
        let s = &self.series.samples;
        let mut steps: Vec<f64> = s.windows(2).map(|w| w[1].t - w[0].t).collect();
        steps.sort_by(f64::total_cmp);
        steps.get(steps.len() / 2).copied().unwrap_or(0.02)
    }
}

/// Sets the scenes of a shot, in order of time.
pub(super) fn scenes<'a>(
    tracks: &[Track],
    table: &'a TableSpec,
    options: &'a Options,
) -> Vec<Scene<'a>> {
    let mut changes: Vec<Change> = tracks
        .iter()
        .enumerate()
        .flat_map(|(i, t)| changes(i, t))
        .collect();
    changes.sort_by(|a, b| a.window.0.total_cmp(&b.window.0));
    let mut groups: Vec<Vec<Change>> = Vec::new();
    for c in changes {
        let home = groups.iter_mut().rev().take(4).find(|g| {
            g.iter().all(|d| d.ball != c.ball) && g.iter().any(|d| together(tracks, d, &c, table))
        });
        match home {
            Some(group) => group.push(c),
            None => groups.push(vec![c]),
        }
    }
    groups
        .iter()
        .map(|g| scene(tracks, g, table, options))
        .collect()
}

fn changes(ball: usize, track: &Track) -> Vec<Change> {
    let (segments, samples) = (&track.segments, &track.series.samples);
    let dt = track.interval();
    let mut all: Vec<Change> = Vec::new();
    for k in 1..segments.len() {
        let (s, n) = (&segments[k - 1], &segments[k]);
        let (t0, t1) = (samples[s.to - 1].t, samples[n.from].t);
        let middle = 0.5 * (t0 + t1);
        if s.rest && n.rest && s.at(middle).distance(n.at(middle)) < 2.0 {
            continue;
        }
        let jump = (n.velocity_at(middle) - s.velocity_at(middle)).norm();
        let doubt = (2.0 * samples[n.from].sigma() / jump.max(1.0)).min(3.0 * dt);
        let window = (t0 - doubt, t1 + doubt);
        let brief = samples[s.to - 1].t - samples[s.from].t < BRIEF_S;
        let chained = (s.len() <= 2 || (s.len() <= 3 && brief)) && !s.rest;
        match all.last_mut() {
            Some(last) if chained && last.after == k - 1 && last.cuts < 4 => {
                last.after = k;
                last.window.1 = last.window.1.max(window.1);
                last.cuts += 1;
            }
            _ => all.push(Change {
                ball,
                before: k - 1,
                after: k,
                window,
                cuts: 1,
            }),
        }
    }
    all
}

/// Two changes of different balls may have one cause.
fn together(tracks: &[Track], a: &Change, b: &Change, table: &TableSpec) -> bool {
    let margin = 0.5 * tracks[a.ball].interval();
    let overlap = a.window.0 - margin < b.window.1 && b.window.0 - margin < a.window.1;
    let span = (a.window.0.min(b.window.0), a.window.1.max(b.window.1));
    overlap && {
        let ends = |c: &Change| {
            let s = &tracks[c.ball].segments;
            [s[c.before], s[c.after]]
        };
        least_gap(&ends(a), &ends(b), span, table) < 25.0
    }
}

/// Least distance between the surfaces of two balls in a time span, over the given motions.
fn least_gap(a: &[Segment], b: &[Segment], span: (f64, f64), table: &TableSpec) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..=20 {
        let t = span.0 + (span.1 - span.0) * f64::from(i) / 20.0;
        for x in a {
            for y in b {
                least = least.min(x.at(t).distance(y.at(t)) - table.ball_diameter_mm);
            }
        }
    }
    least
}

fn scene<'a>(
    tracks: &[Track],
    group: &[Change],
    table: &'a TableSpec,
    options: &'a Options,
) -> Scene<'a> {
    let from = group
        .iter()
        .map(|c| c.window.0)
        .fold(f64::INFINITY, f64::min);
    let to = group
        .iter()
        .map(|c| c.window.1)
        .fold(f64::NEG_INFINITY, f64::max);
    let window = (from, to);
    let mut actors: Vec<Actor> = group
        .iter()
        .map(|c| {
            actor(
                &tracks[c.ball],
                c.ball,
                (c.before, c.after),
                window,
                options,
            )
        })
        .collect();
    for (ball, track) in tracks.iter().enumerate() {
        if group.iter().any(|c| c.ball == ball) {
            continue;
        }
        let (Some(k), Some(l)) = (track.segment_at(from), track.segment_at(to)) else {
            continue;
        };
        let own = [track.segments[k], track.segments[l]];
        let close = actors
            .iter()
            .any(|a| least_gap(&[a.before, a.after], &own, window, table) < 14.0);
        if close {
            let middle = track.segment_at(0.5 * (from + to)).unwrap_or(k);
            actors.push(actor(track, ball, (middle, middle), window, options));
        }
    }
    Scene {
        actors,
        window,
        table,
        options,
        may_strike: false,
        dropped: 0,
    }
}

/// A change of velocity that a change of friction can feign, mm/s.
const SMOOTH_MM_S: f64 = 200.0;

/// Three samples within this are too few to stand for a motion of their own, s.
const BRIEF_S: f64 = 0.04;

/// A ball slowed by less than this rolls, mm/s^2.
const ROLLS_MM_S2: f64 = 300.0;
/// For so long it must have been seen to, s.
const ROLLED_S: f64 = 0.12;

/// Farthest samples that count for a leg, s.
const REACH_S: f64 = 0.5;

fn actor(
    track: &Track,
    ball: usize,
    (before, after): (usize, usize),
    window: (f64, f64),
    options: &Options,
) -> Actor {
    let samples = &track.series.samples;
    let prior = options.acceleration_mm_s2.powi(-2);
    let (mut b, mut a) = (track.segments[before], track.segments[after]);
    let dt = track.interval();
    let rest = b.rest;
    let middle = 0.5 * (window.0 + window.1);
    let jump = (a.velocity_at(middle) - b.velocity_at(middle)).norm();
    // A change of friction shows late: the cut may stand some frames behind it.
    let smooth = after > before && jump < SMOOTH_MM_S;
    let near_from = window.0 - (0.6 * dt).max(if smooth { EARLY_S } else { 0.0 });
    let near_to = window.1 + (0.6 * dt).max(if after > before { SLIDE_S } else { 0.0 });
    let head_from =
        samples.partition_point(|s| s.t < near_from - REACH_S * if rest { 4.0 } else { 1.0 });
    let head_from = head_from.max(b.from);
    let near_start = samples.partition_point(|s| s.t < near_from).max(head_from);
    let near_end = samples
        .partition_point(|s| s.t <= near_to)
        .min(a.to)
        .max(near_start);
    let tail_to = samples
        .partition_point(|s| s.t <= near_to + REACH_S)
        .min(a.to)
        .max(near_end);
    let head = Block::from_samples(&samples[head_from..near_start], rest);
    let tail = Block::from_samples(&samples[near_end..tail_to], false);
    let near_start = if head.is_none() {
        head_from
    } else {
        near_start
    };
    let near_end = if tail.is_none() { tail_to } else { near_end };
    let enough = near_start >= head_from + 6 && near_end + 6 <= tail_to;
    if before == after && enough && !rest {
        // A ball whose motion seems unbroken: guess each side from its own samples.
        b = fit_run(samples, head_from, near_start, rest, prior);
        a = fit_run(samples, near_end, tail_to, false, prior);
    }
    let mut chain: Vec<Link> = (before..=after)
        .map(|k| link(samples, track.segments[k]))
        .collect();
    let cuts = chain
        .windows(2)
        .map(|w| 0.5 * (w[0].to + w[1].from))
        .collect();
    if before == after {
        // Either side's motion may hold anywhere in the window.
        let (early, late) = (link(samples, b), link(samples, a));
        chain = vec![
            Link {
                to: early.to.max(window.1),
                ..early
            },
            Link {
                from: late.from.min(window.0),
                ..late
            },
        ];
    }
    let run = samples[track.segments[before].to - 1].t - samples[track.segments[before].from].t;
    let slow = ROLLS_MM_S2 + 3e-5 * b.fit.vel.dot(b.fit.vel);
    Actor {
        ball,
        rest,
        rolls: !rest && run > ROLLED_S && b.fit.acc.norm() < slow,
        before: b,
        after: a,
        chain,
        cuts,
        slack: 1.5 * dt,
        settles: a.rest,
        head,
        tail,
        near: samples[near_start..near_end].to_vec(),
    }
}

fn link(samples: &[Sample], motion: Segment) -> Link {
    Link {
        from: samples[motion.from].t,
        to: samples[motion.to - 1].t,
        motion,
    }
}
