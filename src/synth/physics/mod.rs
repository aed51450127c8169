//! A small simulator of balls on a table without pockets: exact in time, so that it can serve as truth.
//!
//! Between contacts every centre runs a quadratic (see `ball`); a contact's time is a root of a polynomial, not a
//! time step. What is left out: throw between balls, jumps, the nose's height above the centre, swerve by the cue's
//! elevation. None of that changes what a contact is, only where the balls go next.

mod ball;
mod collide;
mod roots;

use std::collections::BTreeMap;

use crate::{
    model::{Ball, Cushion, EventKind, Layout, TableSpec},
    synth::{
        path::Path,
        physics::{
            ball::{Leg, State},
            collide::outward,
            roots::first_closing,
        },
        play::{Contact, Play, merge_repeats},
    },
    units::{TablePoint, TableVec},
};

/// Friction and losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Sliding friction between ball and cloth.
    pub sliding: f64,
    /// Rolling resistance.
    pub rolling: f64,
    /// Loss of side spin's surface speed, mm/s^2.
    pub side_decay: f64,
    /// Share of the closing speed that two balls part with.
    pub ball_restitution: f64,
    /// The same at a cushion, for a very slow ball.
    pub cushion_restitution: f64,
    /// What it loses per m/s of closing speed.
    pub cushion_loss: f64,
    /// Friction at the cushion's nose.
    pub cushion_friction: f64,
    /// Gravity, mm/s^2.
    pub gravity: f64,
}

impl Default for Constants {
    fn default() -> Self {
        Self {
            sliding: 0.2,
            rolling: 0.01,
            side_decay: 300.0,
            ball_restitution: 0.95,
            cushion_restitution: 0.88,
            cushion_loss: 0.025,
            cushion_friction: 0.16,
            gravity: 9810.0,
        }
    }
}

/// How the cue strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The ball struck.
    pub ball: Ball,
    /// Direction, rad from the x axis towards the y axis.
    pub angle: f64,
    /// Speed of the ball after the stroke, mm/s.
    pub speed: f64,
    /// Topspin as a share of natural roll: 1 rolls at once, negative draws. Between -1.25 and 1.25 is playable.
    pub top: f64,
    /// Side spin's surface speed as a share of the speed, same limits.
    pub side: f64,
}

impl Stroke {
    /// Unit vector of the direction.
    pub fn direction(&self) -> TableVec {
        TableVec::new(self.angle.cos(), self.angle.sin())
    }
}

/// Events after which a simulation is given up: more than any real shot has by far.
const MOST_STEPS: usize = 20_000;

/// What happens next.
enum Next {
    Friction(usize),
    Cushion(usize, Cushion),
    Balls(usize, usize),
}

struct Simulation<'a> {
    table: &'a TableSpec,
    constants: &'a Constants,
    names: Vec<Ball>,
    legs: Vec<Leg>,
    paths: Vec<Path>,
    contacts: Vec<Contact>,
}

/// Plays a stroke on balls at rest and follows them until all rest again.
///
/// # Units
/// Times in s from the stroke; places in mm.
///
/// Returns `None` when the struck ball is not in the layout, or when the balls do not come to rest within a great
/// many contacts (balls that overlap at the start).
pub fn simulate(
    table: &TableSpec,
    constants: &Constants,
    layout: &Layout,
    stroke: &Stroke,
) -> Option<Play> {
    layout.get(&stroke.ball)?;
    let mut simulation = Simulation::start(table, constants, layout, stroke);
    let mut t = 0.0;
    for _ in 0..MOST_STEPS {
        match simulation.next(t) {
            None => return Some(simulation.finish(stroke)),
            Some((at, next)) => {
                t = at;
                simulation.apply(t, &next);
            }
        }
    }
    None
}

impl<'a> Simulation<'a> {
    fn start(
        table: &'a TableSpec,
        constants: &'a Constants,
        layout: &Layout,
        stroke: &Stroke,
    ) -> Self {
        let leg = |(&name, &pos): (&Ball, &TablePoint)| {
            let mut state = State::at_rest(pos);
            if name == stroke.ball {
                state.vel = stroke.direction() * stroke.speed;
                state.roll = state.vel * stroke.top;
                state.side = stroke.side * stroke.speed;
            }
            Leg::new(state, 0.0, constants)
        };
        let legs: Vec<Leg> = layout.iter().map(leg).collect();
        Self {
            table,
            constants,
            names: layout.keys().copied().collect(),
            paths: legs.iter().map(|l| Path::new(l.knot())).collect(),
            legs,
            contacts: Vec::new(),
        }
    }

    /// The next thing to happen at or after `t`; `None` when all is at rest.
    fn next(&self, t: f64) -> Option<(f64, Next)> {
        let mut best: Option<(f64, Next)> = None;
        let mut offer = |at: f64, next: Next| {
            if best.as_ref().is_none_or(|(b, _)| at < *b) {
                best = Some((at, next));
            }
        };
        for (i, leg) in self.legs.iter().enumerate().filter(|(_, l)| l.moves()) {
            offer(leg.end, Next::Friction(i));
            for cushion in Cushion::ALL {
                if let Some(dt) = self.cushion_time(leg, t, cushion) {
                    offer(t + dt, Next::Cushion(i, cushion));
                }
            }
            for (j, other) in self.legs.iter().enumerate() {
                let counted_already = j < i && other.moves();
                if i == j || counted_already {
                    continue;
                }
                if let Some(dt) = self.touch_time(leg, other, t) {
                    offer(t + dt, Next::Balls(i, j));
                }
            }
        }
        best
    }

    fn cushion_time(&self, leg: &Leg, t: f64, cushion: Cushion) -> Option<f64> {
        let q = leg.quadratic_from(t);
        let out = outward(cushion);
        let gap = self.table.cushion_gap(q.pos, cushion);
        first_closing(&[gap, -q.vel.dot(out), -0.5 * q.acc.dot(out)], leg.end - t)
    }

    fn touch_time(&self, a: &Leg, b: &Leg, t: f64) -> Option<f64> {
        let (a, b, until) = (
            a.quadratic_from(t),
            b.quadratic_from(t),
            a.end.min(b.end) - t,
        );
        let (p, v, half) = (b.pos - a.pos, b.vel - a.vel, (b.acc - a.acc) * 0.5);
        let d = self.table.ball_diameter_mm;
        let gap = [
            p.dot(p) - d * d,
            2.0 * p.dot(v),
            v.dot(v) + 2.0 * p.dot(half),
            2.0 * v.dot(half),
            half.dot(half),
        ];
        first_closing(&gap, until)
    }

    fn apply(&mut self, t: f64, next: &Next) {
        match *next {
            Next::Friction(i) => {
                let state = self.legs[i].finish();
                self.restart(i, state, t);
            }
            Next::Cushion(i, cushion) => {
                let mut state = self.legs[i].at(t);
                let jump = collide::cushion(&mut state, cushion, self.constants);
                let ball = self.names[i];
                self.note(t, EventKind::BallCushion { ball, cushion }, state.pos, jump);
                self.restart(i, state, t);
            }
            Next::Balls(i, j) => {
                let (mut a, mut b) = (self.legs[i].at(t), self.legs[j].at(t));
                let (driver, other) = if b.vel.norm() > a.vel.norm() {
                    (j, i)
                } else {
                    (i, j)
                };
                let place = if driver == i { a.pos } else { b.pos };
                let jump = collide::balls(&mut a, &mut b, self.constants);
                let kind = EventKind::BallBall {
                    driver: self.names[driver],
                    other: self.names[other],
                };
                self.note(t, kind, place, jump);
                self.restart(i, a, t);
                self.restart(j, b, t);
            }
        }
    }

    fn restart(&mut self, i: usize, state: State, t: f64) {
        self.legs[i] = Leg::new(state, t, self.constants);
        self.paths[i].push(self.legs[i].knot());
    }

    fn note(&mut self, t: f64, kind: EventKind, place: TablePoint, jump: TableVec) {
        self.contacts.push(Contact {
            t,
            kind,
            place: Some(place),
            dv_mm_s: jump.norm(),
        });
    }

    fn finish(self, stroke: &Stroke) -> Play {
        let paths: BTreeMap<Ball, Path> = self.names.into_iter().zip(self.paths).collect();
        Play {
            table: self.table.clone(),
            struck: stroke.ball,
            stop_s: paths.values().map(Path::rest_from).fold(0.0, f64::max),
            contacts: merge_repeats(self.contacts, &paths, self.table.ball_diameter_mm),
            paths,
        }
    }
}

#[cfg(test)]
mod tests;
