//! Sets the scenes: which changes of motion belong together, and which balls were close enough to have a part.

use crate::{
    events::{
        cast::actor,
        options::Options,
        scene::{Actor, Scene},
        segment::Segment,
        series::Series,
    },
    model::TableSpec,
};

/// A change of one ball's motion found by the cutting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
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

    /// It was seen before, and not last, `GONE_FRAMES` from that time span.
    fn in_sight(&self, from: f64, to: f64) -> bool {
        let margin = GONE_FRAMES * self.interval();
        let s = &self.series.samples;
        s.first().is_some_and(|s| s.t < to + margin)
            && s.last().is_some_and(|s| s.t > from - margin)
    }

    /// Where it was at `t`, mm.
    pub(super) fn place_at(&self, t: f64) -> [f64; 2] {
        self.segment_at(t)
            .map_or([0.0; 2], |k| self.segments[k].at(t).into())
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

/// Starts slower than this are timed badly by the cut, mm/s.
const SLOW_START_MM_S: f64 = 150.0;
/// A ball that comes so near to another, by the motions found, may have a part, mm.
const NEAR_MM: f64 = 14.0;
/// A ball out of sight for so many frames has no part in a scene.
const GONE_FRAMES: f64 = 3.0;
/// Three samples within this are too few to stand for a motion of their own, s.
const BRIEF_S: f64 = 0.04;

/// The changes that set one scene.
pub(super) type Group = Vec<Change>;

/// Changes of motion that belong together, in order of time.
pub(super) fn groups(tracks: &[Track], table: &TableSpec) -> Vec<Group> {
    let each = tracks.iter().enumerate();
    let mut changes: Vec<Change> = each.flat_map(|(i, t)| changes(i, t)).collect();
    changes.sort_by(|a, b| a.window.0.total_cmp(&b.window.0));
    let mut groups: Vec<Group> = Vec::new();
    for c in changes {
        let home = groups.iter_mut().rev().take(4).find(|g| {
            g.iter().all(|d| d.ball != c.ball) && g.iter().any(|d| together(tracks, d, &c, table))
        });
        match home {
            Some(group) => group.push(c),
            None => groups.push(vec![c]),
        }
    }
    // A wide window may begin early and mean a late moment.
    let middle =
        |g: &Group| g.iter().map(|c| c.window.0 + c.window.1).sum::<f64>() / g.len() as f64;
    groups.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    groups
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
        // A slow start out of rest shows late or is cut early by chance: the cause may stand a frame farther off.
        let more = if s.rest && jump < SLOW_START_MM_S {
            dt
        } else {
            0.0
        };
        let window = (t0 - doubt - more, t1 + doubt + more);
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

/// Sets the scene of a group, its window widened by `wider` seconds on both sides.
pub(super) fn scene<'a>(
    tracks: &[Track],
    group: &Group,
    wider: f64,
    table: &'a TableSpec,
    options: &'a Options,
) -> Scene<'a> {
    let from = group
        .iter()
        .map(|c| c.window.0)
        .fold(f64::INFINITY, f64::min)
        - wider;
    let to = group
        .iter()
        .map(|c| c.window.1)
        .fold(f64::NEG_INFINITY, f64::max)
        + wider;
    let window = (from, to);
    let own = |c: &Change| {
        actor(
            &tracks[c.ball],
            c.ball,
            (c.before, c.after),
            window,
            options,
        )
    };
    let mut actors: Vec<Actor> = group.iter().map(own).collect();
    for (ball, track) in tracks.iter().enumerate() {
        let cast = group.iter().any(|c| c.ball == ball);
        if cast || !track.in_sight(from, to) {
            continue;
        }
        let (Some(k), Some(l)) = (track.segment_at(from), track.segment_at(to)) else {
            continue;
        };
        let path = &track.segments[k..=l];
        let near = |a: &Actor| least_gap(&[a.before, a.after], path, window, table) < NEAR_MM;
        if actors.iter().any(near) {
            let middle = track.segment_at(0.5 * (from + to)).unwrap_or(k);
            let span = if wider > 0.0 {
                (k, l)
            } else {
                (middle, middle)
            };
            actors.push(actor(track, ball, span, window, options));
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
