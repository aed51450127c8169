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
    /// Time of the last frame.
    last: Option<Timestamp>,
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
            last: None,
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
        if self.last.is_some_and(|last| frame.at <= last) {
            return Vec::new();
        }
        self.last = Some(frame.at);
        if frame.blind {
            self.enter(frame.at, State::Blind);
            return Vec::new();
        }
        self.frames.push_back(frame.clone());
        for state in &frame.balls {
            let ball = self.balls.entry(state.id).or_default();
            ball.push(frame.at, state, &self.options);
        }
        if self.running {
            self.run(frame)
        } else {
            self.rest(frame);
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

    /// All lay still so far.
    fn rest(&mut self, frame: &TrackedFrame) {
        let at = frame.at;
        if self.balls.values().any(|b| b.moves(at, &self.options)) {
            self.running = true;
            self.opened = true;
            self.moved_at = at;
            self.still_since = None;
            self.enter(at, State::Struck);
            return;
        }
        let handled = frame.balls.iter().any(|b| b.handled);
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

    /// Something moves, or did until just now.
    fn run(&mut self, frame: &TrackedFrame) -> Vec<Shot> {
        let at = frame.at;
        if self.balls.values().all(|b| b.still(at, &self.options)) {
            let since = *self.still_since.get_or_insert(at);
            if at.since(since) < 0.5 * self.options.rest_s {
                self.enter(at, State::Settling);
                return Vec::new();
            }
            return self.settle(at);
        }
        self.still_since = None;
        let begun = self.frames.front().map_or(at, |f| f.at);
        if at.since(begun) > self.options.longest_s {
            return self.give_up(at);
        }
        self.enter(at, self.name_of_motion(frame));
        Vec::new()
    }

    fn name_of_motion(&self, frame: &TrackedFrame) -> State {
        let moves = |id: &Ball| {
            self.balls
                .get(id)
                .is_some_and(|b| b.moves(frame.at, &self.options))
        };
        let mut moving = frame.balls.iter().filter(|b| moves(&b.id)).peekable();
        let any = moving.peek().is_some();
        let fresh = frame.at.since(self.moved_at) < STROKE_S;
        match (self.opened, any) {
            (true, _) if fresh => State::Struck,
            (false, false) => State::Opening,
            (_, true) if moving.all(|b| b.handled) => State::Handled,
            _ => State::Running,
        }
    }

    /// All lie still again.
    fn settle(&mut self, at: Timestamp) -> Vec<Shot> {
        self.running = false;
        self.enter(at, State::AtRest);
        let shot = self.close(true);
        self.balls.values_mut().for_each(Stillness::settle);
        shot.into_iter().collect()
    }

    /// No motion of the game lasts so long: what is seen cannot be believed, and watching begins anew.
    fn give_up(&mut self, at: Timestamp) -> Vec<Shot> {
        let shot = self.close(false);
        self.balls
            .values_mut()
            .for_each(|b| *b = Stillness::default());
        self.opened = false;
        self.enter(at, State::Opening);
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
