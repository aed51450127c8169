//! What happens in a scene from its first frame to its last.

use std::collections::BTreeMap;

use crate::{
    geom::Quadratic,
    model::{
        Ball, Layout, TableSpec,
        truth::{EventRecord, TrueShot},
    },
    synth::{
        path::{Knot, Path, Phase},
        play::{Play, round},
    },
    units::{TablePoint, TableVec},
};

/// A shot before it has a place in time.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The shot.
    pub play: Play,
    /// Who plays it.
    pub player: String,
    /// Points earned, where known.
    pub points: Option<i64>,
}

/// A shot in its place.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The shot.
    pub shot: Shot,
    /// The stroke, s.
    pub start_s: f64,
    /// Place of the struck ball at the stroke.
    pub at: TablePoint,
    /// Direction of the stroke.
    pub direction: TableVec,
    /// Speed of the ball after the stroke, mm/s.
    pub speed: f64,
}

/// A ball moved by hand between shots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carry {
    /// The ball.
    pub ball: Ball,
    /// The hand takes it, s.
    pub begin_s: f64,
    /// The hand leaves it, s.
    pub end_s: f64,
    /// From here.
    pub from: TablePoint,
    /// To here.
    pub to: TablePoint,
}

impl Carry {
    /// How high the ball is lifted at `t`, mm: over balls in its way.
    pub fn lift_mm(&self, t: f64) -> f64 {
        let s = (t - self.begin_s) / (self.end_s - self.begin_s);
        if (0.0..=1.0).contains(&s) {
            4.0 * s * (1.0 - s) * 90.0
        } else {
            0.0
        }
    }
}

/// How a scene is timed, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// From the first frame to the first stroke.
    pub lead_in_s: f64,
    /// From rest to the next stroke (or the first hand over the table).
    pub pause_s: f64,
    /// One ball carried: reaching, carrying, leaving.
    pub carry_s: f64,
    /// From the last rest to the last frame.
    pub lead_out_s: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lead_in_s: 3.0,
            pause_s: 3.2,
            carry_s: 1.0,
            lead_out_s: 1.6,
        }
    }
}

/// A whole scene.
#[derive(Clone, Debug)]
pub struct Script {
    /// The game.
    pub game: String,
    /// The table.
    pub table: TableSpec,
    /// The shots in order.
    pub shots: Vec<Staged>,
    /// Balls moved by hand.
    pub carries: Vec<Carry>,
    /// Every ball's history over the whole scene.
    pub paths: BTreeMap<Ball, Path>,
    /// Length, s.
    pub duration_s: f64,
}

/// Places nearer than this are the same, mm.
const SAME_MM: f64 = 0.01;

impl Script {
    /// Puts shots one after another. Where a shot does not begin as the one before it ended, a hand carries the balls.
    ///
    /// Returns `None` without shots, or when they are played on different tables or with different balls.
    pub fn from_shots(game: &str, shots: Vec<Shot>, timing: &Timing) -> Option<Self> {
        let first = shots.first()?;
        let table = first.play.table.clone();
        let same =
            |s: &Shot| s.play.table == table && s.play.paths.keys().eq(first.play.paths.keys());
        if !shots.iter().all(same) {
            return None;
        }
        let paths = first
            .play
            .before()
            .into_iter()
            .map(|(ball, pos)| (ball, Path::new(Knot::rest(0.0, pos))))
            .collect();
        let mut script = Self {
            game: game.to_owned(),
            table,
            shots: Vec::new(),
            carries: Vec::new(),
            paths,
            duration_s: 0.0,
        };
        let mut t = timing.lead_in_s;
        for shot in shots {
            t = script.carry_to(&shot.play.before(), t, timing);
            t = script.stage(shot, t) + timing.pause_s;
        }
        script.duration_s = t - timing.pause_s + timing.lead_out_s;
        Some(script)
    }

    /// Carries every ball that is not where it should be; returns when the stroke may follow.
    fn carry_to(&mut self, wanted: &Layout, ready_s: f64, timing: &Timing) -> f64 {
        let mut t = ready_s - 0.5 * timing.pause_s;
        let mut any = false;
        for (&ball, &to) in wanted {
            let Some(path) = self.paths.get_mut(&ball) else {
                continue;
            };
            let from = path.at(t);
            if from.distance(to) < SAME_MM && path.phase_at(t) != Phase::Pocketed {
                continue;
            }
            any = true;
            let carry = Carry {
                ball,
                begin_s: t + 0.5 * timing.carry_s,
                end_s: t + 1.5 * timing.carry_s,
                from,
                to,
            };
            carry.write(path);
            self.carries.push(carry);
            t = carry.end_s + 0.5 * timing.carry_s;
        }
        if any { t + timing.pause_s } else { ready_s }
    }

    /// Adds a shot whose stroke is at `t`; returns when all rest.
    fn stage(&mut self, shot: Shot, t: f64) -> f64 {
        for (ball, path) in &shot.play.paths {
            if let Some(whole) = self.paths.get_mut(ball) {
                whole.append(path, t);
            }
        }
        let velocity = shot
            .play
            .paths
            .get(&shot.play.struck)
            .map_or(TableVec::ZERO, |p| p.velocity_at(0.0));
        let at = shot.play.before().get(&shot.play.struck).copied();
        let stop = t + shot.play.stop_s;
        self.shots.push(Staged {
            start_s: t,
            at: at.unwrap_or_default(),
            direction: velocity.unit().unwrap_or(TableVec::new(1.0, 0.0)),
            speed: velocity.norm(),
            shot,
        });
        stop
    }

    /// Centres of the balls on the table at `t`.
    pub fn layout_at(&self, t: f64) -> Layout {
        self.paths
            .iter()
            .filter(|(_, path)| path.phase_at(t) != Phase::Pocketed)
            .map(|(&ball, path)| (ball, path.at(t)))
            .collect()
    }

    /// How high a ball is lifted above the cloth at `t`, mm.
    pub fn lift_mm(&self, ball: Ball, t: f64) -> f64 {
        self.carries
            .iter()
            .filter(|c| c.ball == ball)
            .map(|c| c.lift_mm(t))
            .fold(0.0, f64::max)
    }

    /// The shots as truth.json writes them.
    pub fn true_shots(&self) -> Vec<TrueShot> {
        self.shots.iter().map(Staged::truth).collect()
    }

    /// Points of each player at the end, where every shot's are known.
    pub fn score(&self) -> BTreeMap<String, i64> {
        let mut score = BTreeMap::new();
        if self.shots.iter().any(|s| s.shot.points.is_none()) {
            return score;
        }
        for staged in &self.shots {
            *score.entry(staged.shot.player.clone()).or_insert(0) +=
                staged.shot.points.unwrap_or(0);
        }
        score
    }
}

impl Carry {
    /// The ball speeds up for half of the way and slows down for the other half.
    fn write(&self, path: &mut Path) {
        let half = 0.5 * (self.end_s - self.begin_s);
        let way = self.to - self.from;
        let acc = way / (half * half);
        let middle = self.from + way * 0.5;
        path.push(Knot {
            t: self.begin_s,
            motion: Quadratic {
                pos: self.from,
                vel: TableVec::ZERO,
                acc,
            },
            phase: Phase::Carried,
        });
        path.push(Knot {
            t: self.begin_s + half,
            motion: Quadratic {
                pos: middle,
                vel: acc * half,
                acc: -acc,
            },
            phase: Phase::Carried,
        });
        path.push(Knot::rest(self.end_s, self.to));
    }
}

impl Staged {
    fn truth(&self) -> TrueShot {
        let play = &self.shot.play;
        let events: Vec<EventRecord> = play
            .contacts
            .iter()
            .map(|c| c.record(self.start_s))
            .collect();
        TrueShot {
            player: Some(self.shot.player.clone()),
            struck: play.struck,
            start_s: round(self.start_s, 1e6),
            stop_s: round(self.start_s + play.stop_s, 1e6),
            events,
            before: rounded(&play.before()),
            after: rounded(&play.after()),
            points: self.shot.points,
        }
    }
}

/// A layout to a micrometre.
pub(super) fn rounded(layout: &Layout) -> BTreeMap<Ball, [f64; 2]> {
    layout
        .iter()
        .map(|(&b, p)| (b, [round(p.x, 1e3), round(p.y, 1e3)]))
        .collect()
}
