//! A scene: a few balls during the few frames in which something happened, and the data that bear on it.

use crate::{
    events::options::Options,
    events::{segment::Segment, series::Sample, solve::Factor},
    model::{Cushion, Pocket, TableSpec},
};

/// A slow ball slides for at least this long after a contact before it rolls, s: the change is looked for within it.
pub(super) const SLIDE_S: f64 = 0.1;

/// A change of friction may lie this much before the cut that shows it, s.
pub(super) const EARLY_S: f64 = 0.05;

/// What may happen to the actors of a scene; numbers are places in [`Scene::actors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// Friction changes (a sliding ball begins to roll): velocity stays, acceleration changes. Not an event.
    Kink { a: usize },
    /// The ball comes to rest. Not an event.
    Stop { a: usize },
    /// The ball meets a cushion.
    Cushion { a: usize, cushion: Cushion },
    /// Two balls meet.
    Balls { a: usize, b: usize },
    /// The ball meets the rounded end of a cushion at a pocket.
    Jaw { a: usize, pocket: Pocket },
    /// The cue strikes the ball.
    Strike { a: usize },
    /// The velocity jumps without an explanation.
    Unknown { a: usize },
}

impl Touch {
    /// The ball that takes part first.
    pub(super) fn first(self) -> usize {
        match self {
            Self::Kink { a }
            | Self::Stop { a }
            | Self::Cushion { a, .. }
            | Self::Balls { a, .. }
            | Self::Jaw { a, .. }
            | Self::Strike { a }
            | Self::Unknown { a } => a,
        }
    }

    /// The other ball.
    pub(super) fn second(self) -> Option<usize> {
        match self {
            Self::Balls { b, .. } => Some(b),
            _ => None,
        }
    }

    /// Actor `i` takes part.
    pub(super) fn involves(self, i: usize) -> bool {
        self.first() == i || self.second() == Some(i)
    }
}

/// A touch with its time, s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub touch: Touch,
    pub t: f64,
}

/// Many samples of one leg, pressed into the information they hold on its quadratic.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Time the coefficients count from, s.
    pub origin: f64,
    /// Best place, velocity, acceleration in x, then in y (only the two places when the ball lies still).
    pub best: Vec<f64>,
    /// Upper root of the information, row by row.
    pub root: Vec<f64>,
}

impl Block {
    /// From samples of one leg; `None` for too few.
    pub(super) fn from_samples(samples: &[Sample], rest: bool) -> Option<Self> {
        let used = || samples.iter().filter(|s| !s.outlier);
        let count = used().count();
        if count < if rest { 1 } else { 6 } {
            return None;
        }
        let origin = used().map(|s| s.t).sum::<f64>() / count as f64;
        let terms = if rest { 1 } else { 3 };
        let n = 2 * terms;
        let mut info = vec![0.0; n * n];
        let mut rhs = vec![0.0; n];
        for s in used() {
            let t = s.t - origin;
            let basis = [1.0, t, 0.5 * t * t];
            let w = [[s.info[0], s.info[1]], [s.info[1], s.info[2]]];
            for (i, r) in rhs.iter_mut().enumerate() {
                let (axis, k) = (i / terms, i % terms);
                let force = w[axis][0] * s.pos[0] + w[axis][1] * s.pos[1];
                *r += basis[k] * force;
                for j in 0..n {
                    info[i * n + j] += w[axis][j / terms] * basis[k] * basis[j % terms];
                }
            }
        }
        let factor = Factor::new(&info, n, 1e-12)?;
        Some(Self {
            origin,
            best: factor.solve(&rhs),
            root: factor.root(),
        })
    }
}

/// A stretch of a ball's path as the cutting found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// First and last sample's time, s.
    pub from: f64,
    pub to: f64,
    /// The motion.
    pub motion: Segment,
}

/// A ball in a scene.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    /// Which series.
    pub ball: usize,
    /// The ball lay still before.
    pub rest: bool,
    /// It rolled before, for long enough to be sure.
    pub rolls: bool,
    /// Its motion before, as first guess.
    pub before: Segment,
    /// Its motion after, as first guess.
    pub after: Segment,
    /// The path from `before` to `after`, in order.
    pub chain: Vec<Link>,
    /// Times at which the cutting found changes (so something must explain them), s.
    pub cuts: Vec<f64>,
    /// A cut may be off by this much, s.
    pub slack: f64,
    /// What is known of the first leg from afar.
    pub head: Option<Block>,
    /// It lies still at the end.
    pub settles: bool,
    /// What is known of the last leg from afar.
    pub tail: Option<Block>,
    /// Samples close by, which may lie on either side of a contact.
    pub near: Vec<Sample>,
}

/// A scene.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub actors: Vec<Actor>,
    /// The time in which it happened, s.
    pub window: (f64, f64),
    pub table: &'a TableSpec,
    pub options: &'a Options,
    /// No ball was struck yet: a first motion may be the stroke.
    pub may_strike: bool,
    /// Samples taken out for this scene, each at the price of an outlier.
    pub dropped: usize,
}
