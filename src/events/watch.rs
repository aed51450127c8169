//! Watches the table frame by frame: when a shot runs, when all is at rest, when nothing can be said.

use std::collections::{BTreeMap, VecDeque};

use crate::{
    events::{options::Options, shot::shot_from_frames, stillness::Stillness},
    model::{Ball, BallSet, Shot, TableSpec, TrackedFrame},
    units::Timestamp,
};

/// What goes on at the table. Every moment is in exactly one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Recording has begun; not yet known whether balls move.
    Opening,
    /// All balls lie still.
    AtRest,
    /// All balls lie still, a cue or hand is at one of them.
    Addressed,
    /// A ball has just begun to move.
    Struck,
    /// Balls move.
    Running,
    /// All balls seem still, not yet for long enough.
    Settling,
    /// Balls are moved by people.
    Handled,
    /// Nothing can be seen.
    Blind,
}

/// Turns tracked frames into shots.
///
/// A shot is read as a whole, from raw measurements, once all balls lie still again; the states are told frame by
/// frame. Same frames, same shots. Takes any input: gaps, repeated times, balls that come and go, values that are
/// not finite.
#[derive(Clone, Debug)]
pub struct Recognizer {
    table: TableSpec,
    options: Options,
    frames: VecDeque<TrackedFrame>,
    balls: BTreeMap<Ball, Stillness>,
    state: State,
    timeline: Vec<(Timestamp, State)>,
    /// A motion is being recorded.
    running: bool,
    /// The recorded motion began while we looked at balls at rest.
    opened: bool,
    moved_at: Timestamp,
    still_since: Option<Timestamp>,
}

/// Kept before the first motion, s.
const LEAD_S: f64 = 1.0;
/// Time after the begin of a motion that counts as the stroke, s.
const STROKE_S: f64 = 0.2;

impl Recognizer {
    /// A recognizer for that table and those balls.
    pub fn new(table: &TableSpec, balls: &BallSet, options: Options) -> Self {
        Self {
            table: table.clone(),
            options,
            frames: VecDeque::new(),
            balls: balls.0.iter().map(|&b| (b, Stillness::default())).collect(),
            state: State::Opening,
            timeline: Vec::new(),
            running: true,
            opened: false,
            moved_at: Timestamp::ZERO,
            still_since: None,
        }
    }

    /// The state at the last frame.
    pub fn state(&self) -> State {
        self.state
    }

    /// Every change of state so far: from that time on, this state.
    pub fn timeline(&self) -> &[(Timestamp, State)] {
        &self.timeline
    }

    /// Takes the next frame; returns the shots that are over. Frames that do not come later than the one before are
    /// left out.
    pub fn push(&mut self, frame: &TrackedFrame) -> Vec<Shot> {
        if self.frames.back().is_some_and(|last| frame.at <= last.at) {
            return Vec::new();
        }
        self.frames.push_back(frame.clone());
        for state in &frame.balls {
            self.balls
                .entry(state.id)
                .or_default()
                .push(frame.at, state, &self.options);
        }
        if frame.blind {
            self.enter(frame.at, State::Blind);
            return Vec::new();
        }
        let moving = self
            .balls
            .values()
            .any(|b| b.moves(frame.at, &self.options));
        let still = self
            .balls
            .values()
            .all(|b| b.still(frame.at, &self.options));
        let handled = frame.balls.iter().any(|b| b.handled);
        if self.running {
            self.run(frame.at, moving, still)
        } else {
            self.rest(frame.at, moving, handled);
            Vec::new()
        }
    }

    /// The recording ends: the shot that still runs, marked incomplete.
    pub fn finish(&mut self) -> Vec<Shot> {
        if !self.running {
            return Vec::new();
        }
        self.running = false;
        let settled = self.still_since.is_some();
        self.close(settled).into_iter().collect()
    }

    fn enter(&mut self, at: Timestamp, state: State) {
        if self.timeline.last().is_none_or(|l| l.1 != state) {
            self.timeline.push((at, state));
        }
        self.state = state;
    }

    fn rest(&mut self, at: Timestamp, moving: bool, handled: bool) {
        if moving {
            self.running = true;
            self.opened = true;
            self.moved_at = at;
            self.still_since = None;
            self.enter(at, State::Struck);
            return;
        }
        self.enter(
            at,
            if handled {
                State::Addressed
            } else {
                State::AtRest
            },
        );
        while self.frames.front().is_some_and(|f| at.since(f.at) > LEAD_S) {
            self.frames.pop_front();
        }
    }

    fn run(&mut self, at: Timestamp, moving: bool, still: bool) -> Vec<Shot> {
        let over = still;
        if !over {
            self.still_since = None;
            let fresh = self.opened && at.since(self.moved_at) < STROKE_S;
            let unknown = !self.opened && !moving;
            self.enter(
                at,
                if unknown {
                    State::Opening
                } else if fresh {
                    State::Struck
                } else {
                    State::Running
                },
            );
            return Vec::new();
        }
        let since = *self.still_since.get_or_insert(at);
        if at.since(since) < 0.5 * self.options.rest_s {
            self.enter(at, State::Settling);
            return Vec::new();
        }
        self.running = false;
        self.enter(at, State::AtRest);
        let shot = self.close(true);
        self.balls.values_mut().for_each(Stillness::settle);
        shot.into_iter().collect()
    }

    /// Reads the recorded motion; keeps the last frames for the next one.
    fn close(&mut self, settled: bool) -> Option<Shot> {
        let frames: Vec<TrackedFrame> = self.frames.iter().cloned().collect();
        let last = frames.last()?.at;
        while self
            .frames
            .front()
            .is_some_and(|f| last.since(f.at) > 0.8 * self.options.rest_s)
        {
            self.frames.pop_front();
        }
        shot_from_frames(&frames, &self.table, &self.options, self.opened, settled)
    }
}
