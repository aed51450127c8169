//! Detections to named balls in table space.

mod assign;
mod filter;

use filter::Filter;

use crate::{
    calib::Calibration,
    model::{Ball, BallDetection, BallState, Detections, Measurement, TrackedFrame},
    units::{ImagePoint, TablePoint, TableVec, Timestamp},
};

/// Faster than any ball is struck, mm/s.
const FASTEST: f64 = 10_000.0;
/// A ball that was not seen for so long, with nothing hiding it, is no longer said to be on the table, s.
const FORGOTTEN_AFTER: f64 = 1.0;
/// The same when something covers the place where it is expected, s.
const HIDDEN_FOR: f64 = 4.0;
/// A ball out of sight is carried on at its own speed for so long, s; then it is slowed down.
const COAST: f64 = 0.1;
/// Two looks within this time are one after the other, s.
const RECENT: f64 = 0.1;
/// A ball that runs is at least this fast, mm/s; hands that lie on the table are slower.
const RUNNING: f64 = 300.0;
/// So many frames in a row make a ball that lies where it was not expected believable.
const LYING: u32 = 20;
/// In the first moments every ball is new, s; later one must be seen for a while before it is believed to be there, s.
const FIRST_MOMENTS: f64 = 0.5;
const NEW_BALL_AFTER: f64 = 0.1;
/// Confidence of a ball that lies where none was known, and of one that comes from there in motion.
const NEW_LYING: f64 = 0.6;
const NEW_MOVING: f64 = 0.8;
/// Cost of leaving a ball unseen: worse than any detection within reach, better than one out of reach.
const UNSEEN: f64 = 25.0;

/// One ball's track.
#[derive(Clone, Debug)]
struct Track {
    id: Ball,
    index: usize,
    filter: Filter,
    last_seen: Timestamp,
    last_place: TablePoint,
    /// Far from where the ball is expected something like it was seen: where, when last, for how many frames.
    elsewhere: Option<(TablePoint, Timestamp, u32)>,
}

/// Something that looks like a ball that has no track.
#[derive(Clone, Copy, Debug)]
struct Newcomer {
    id: Ball,
    since: Timestamp,
    last: Timestamp,
    first_place: TablePoint,
    last_place: TablePoint,
    /// Least confidence so far.
    confidence: f64,
}

/// Keeps the balls' names from frame to frame.
#[derive(Clone, Debug)]
pub struct Tracker {
    calibration: Calibration,
    balls: Vec<Ball>,
    tracks: Vec<Track>,
    newcomers: Vec<Newcomer>,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Tracker {
    /// A tracker for these balls, in the order of the detections' likelihoods.
    pub fn new(calibration: &Calibration, balls: Vec<Ball>) -> Self {
        Self {
            calibration: calibration.clone(),
            balls,
            tracks: vec![],
            newcomers: vec![],
            first: None,
            last: None,
        }
    }

    /// Takes the detections of the next frame.
    ///
    /// Returns `None` for a picture that only repeats the one before while balls are moving, and for one that is
    /// not later than the one before: such pictures show no new moment.
    pub fn push(&mut self, seen: &Detections) -> Option<TrackedFrame> {
        let dt = self.last.map_or(0.0, |last| seen.at.since(last));
        if self.last.is_some() && (dt <= 0.0 || (seen.repeated && self.moving(dt))) {
            return None;
        }
        self.last = Some(seen.at);
        self.first.get_or_insert(seen.at);
        for track in &mut self.tracks {
            track.filter.predict(dt);
        }
        if seen.blind {
            return Some(self.frame(seen, &[], true));
        }
        let measured: Vec<(usize, Measurement)> = seen
            .balls
            .iter()
            .enumerate()
            .filter_map(|(i, d)| Some((i, self.measure(d)?)))
            .collect();
        let limits = TableVec::new(
            self.calibration.table.length_mm,
            self.calibration.table.width_mm,
        );
        let mut found = self.assign(seen, &measured, dt);
        self.doubt_jumps(seen, &mut found);
        for (track, m) in self.tracks.iter_mut().zip(&found) {
            if let Some(m) = m {
                track.filter.update(m, dt);
                track.last_seen = seen.at;
                track.last_place = m.pos;
            } else if seen.at.since(track.last_seen) > COAST {
                track.filter.coast(limits);
            }
        }
        let mut now: Vec<(Ball, Option<Measurement>)> =
            self.tracks.iter().map(|t| t.id).zip(found).collect();
        now.extend(self.begin(seen, &measured, &now));
        self.forget(seen);
        Some(self.frame(seen, &now, false))
    }

    /// Whether any ball should have moved visibly within `dt` seconds.
    fn moving(&self, dt: f64) -> bool {
        self.tracks.iter().any(|t| {
            let px = t.filter.vel.norm() * dt * self.calibration.ball_radius_px(t.filter.pos)
                / self.calibration.table.ball_radius_mm();
            px > 1.0
        })
    }

    /// Carries a detection to the table; `None` when it lies where no ball can be.
    fn measure(&self, d: &BallDetection) -> Option<Measurement> {
        let table = &self.calibration.table;
        let height = table.ball_radius_mm();
        let pos = self.calibration.ball_on_table(d.centre)?;
        let beyond = if table.pockets { 2.0 * height } else { height };
        if pos.x < -beyond
            || pos.y < -beyond
            || pos.x > table.length_mm + beyond
            || pos.y > table.width_mm + beyond
        {
            return None;
        }
        let [[a, b], [c, e]] = self.calibration.camera.jacobian(pos, height);
        let det = a * e - b * c;
        // Inverse of the projection's derivative: px to mm.
        let inverse = [[e / det, -b / det], [-c / det, a / det]];
        let carry = |p: ImagePoint| {
            TableVec::new(
                inverse[0][0] * p.x + inverse[0][1] * p.y,
                inverse[1][0] * p.x + inverse[1][1] * p.y,
            )
        };
        let [xx, xy, yy] = d.covariance;
        let (u, v) = (
            carry(ImagePoint::new(xx, xy)),
            carry(ImagePoint::new(xy, yy)),
        );
        let covariance = [
            inverse[0][0] * u.x + inverse[0][1] * v.x,
            inverse[1][0] * u.x + inverse[1][1] * v.x,
            inverse[1][0] * u.y + inverse[1][1] * v.y,
        ];
        let streak = d.streak.map(|s| carry(s.half) * 2.0);
        (det.abs() > 1e-9).then_some(Measurement {
            pos,
            covariance,
            streak,
            visible: d.visible,
        })
    }

    /// Gives each track at most one detection.
    fn assign(
        &self,
        seen: &Detections,
        measured: &[(usize, Measurement)],
        dt: f64,
    ) -> Vec<Option<Measurement>> {
        let cost: Vec<Vec<f64>> = self
            .tracks
            .iter()
            .map(|t| {
                measured
                    .iter()
                    .map(|(i, m)| self.cost(t, &seen.balls[*i], m, seen.at, dt))
                    .collect()
            })
            .collect();
        assign::assign(&cost, UNSEEN)
            .into_iter()
            .map(|c| c.map(|c| measured[c].1))
            .collect()
    }

    /// A ball that something covers is not believed to be elsewhere at once: a hand may hold what looks like it. It must
    /// be seen there moving on its own, or lying there for a while.
    fn doubt_jumps(&mut self, seen: &Detections, found: &mut [Option<Measurement>]) {
        let diameter = self.calibration.table.ball_diameter_mm;
        for (track, m) in self.tracks.iter_mut().zip(found) {
            let Some(place) = m.as_ref().map(|m| m.pos) else {
                continue;
            };
            let near = place
                .distance(track.filter.pos)
                .min(place.distance(track.last_place));
            if near < diameter || !covered(&self.calibration, seen, track.filter.pos) {
                track.elsewhere = None;
                continue;
            }
            let before = track.elsewhere.filter(|e| seen.at.since(e.1) < RECENT);
            let moved = before.is_some_and(|e| {
                let speed = place.distance(e.0) / seen.at.since(e.1).max(1e-3);
                (RUNNING..FASTEST).contains(&speed)
            });
            let frames = before.map_or(1, |e| e.2 + 1);
            track.elsewhere = Some((place, seen.at, frames));
            if !moved && frames < LYING {
                *m = None;
            }
        }
    }

    /// Cost of the detection being this ball: colour, doubt, and distance from where it is expected. Distance counts
    /// little, since a ball may have been struck or stopped by a contact since the last frame; beyond what the fastest
    /// ball can reach it excludes, unless the ball was out of sight.
    fn cost(
        &self,
        track: &Track,
        d: &BallDetection,
        m: &Measurement,
        at: Timestamp,
        dt: f64,
    ) -> f64 {
        let colour = d
            .likelihood
            .get(track.index)
            .copied()
            .unwrap_or(0.0)
            .max(1e-9);
        let moved = m.pos.distance(track.last_place);
        let far = m.pos.distance(track.filter.pos).min(moved);
        let unseen = at.since(track.last_seen).max(dt);
        let reach = FASTEST * unseen + self.calibration.table.ball_diameter_mm;
        if far > reach && unseen < 0.3 {
            return f64::INFINITY;
        }
        // Pieces of hands look a little like balls: a ball is believed to have jumped only when it is seen well.
        let away = far > self.calibration.table.ball_diameter_mm;
        if d.confidence < if away { 0.6 } else { 0.25 } {
            return f64::INFINITY;
        }
        let sigma = (track.filter.sigma_mm().powi(2) + m.sigma_mm().powi(2))
            .sqrt()
            .max(0.5);
        let surprise = (0.5 * (far / sigma).powi(2)).min(6.0) + 4.0 * (far / reach).min(1.0);
        // A ball goes at least as far between two frames as during an exposure, unless a contact turned it back.
        let streak = m.streak.map_or(0.0, |s| s.norm());
        let doubtful = if streak > 2.0 * moved + self.calibration.table.ball_diameter_mm {
            6.0
        } else {
            0.0
        };
        doubtful - 4.0 * colour.ln() - 10.0 * d.confidence.max(0.05).ln() + surprise
    }

    /// Starts tracks for balls that have none.
    fn begin(
        &mut self,
        seen: &Detections,
        measured: &[(usize, Measurement)],
        taken: &[(Ball, Option<Measurement>)],
    ) -> Vec<(Ball, Option<Measurement>)> {
        let mut out = vec![];
        for index in 0..self.balls.len() {
            let id = self.balls[index];
            if self.tracks.iter().any(|t| t.id == id) {
                continue;
            }
            let best = measured
                .iter()
                .map(|(i, m)| (&seen.balls[*i], m))
                .filter(|(d, m)| {
                    d.confidence > NEW_LYING
                        && d.likelihood.get(index).is_some_and(|&l| l > 0.5)
                        && !taken.iter().any(|t| t.1 == Some(**m))
                })
                .max_by(|a, b| a.0.confidence.total_cmp(&b.0.confidence));
            if let Some((d, m)) = best
                && self.believed(id, seen.at, m.pos, d.confidence)
            {
                self.tracks.push(Track {
                    id,
                    index,
                    filter: Filter::new(m),
                    last_seen: seen.at,
                    last_place: m.pos,
                    elsewhere: None,
                });
                out.push((id, Some(*m)));
            }
        }
        out
    }

    /// Whether a ball that had no track is there: pieces of hands look like one for a moment.
    fn believed(&mut self, id: Ball, at: Timestamp, place: TablePoint, confidence: f64) -> bool {
        if self.first.is_none_or(|f| at.since(f) < FIRST_MOMENTS) {
            return true;
        }
        let known = self
            .newcomers
            .iter()
            .find(|n| {
                let gone = place.distance(n.last_place);
                n.id == id && at.since(n.last) < RECENT && gone < FASTEST * at.since(n.last)
            })
            .copied();
        self.newcomers.retain(|n| n.id != id);
        let mut now = known.unwrap_or(Newcomer {
            id,
            since: at,
            last: at,
            first_place: place,
            last_place: place,
            confidence,
        });
        (now.last, now.last_place) = (at, place);
        now.confidence = now.confidence.min(confidence);
        let lies = place.distance(now.first_place) < 0.1 * self.calibration.table.ball_diameter_mm;
        let sure = now.confidence > if lies { NEW_LYING } else { NEW_MOVING };
        if sure && at.since(now.since) >= NEW_BALL_AFTER {
            return true;
        }
        self.newcomers.push(now);
        false
    }

    /// Drops balls that have been out of sight for too long.
    fn forget(&mut self, seen: &Detections) {
        let calibration = &self.calibration;
        self.tracks.retain(|t| {
            let limit = if covered(calibration, seen, t.filter.pos) {
                HIDDEN_FOR
            } else {
                FORGOTTEN_AFTER
            };
            seen.at.since(t.last_seen) < limit
        });
    }

    fn frame(
        &self,
        seen: &Detections,
        now: &[(Ball, Option<Measurement>)],
        blind: bool,
    ) -> TrackedFrame {
        let mut balls: Vec<BallState> = self
            .tracks
            .iter()
            .map(|t| BallState {
                id: t.id,
                pos: t.filter.pos,
                vel: t.filter.vel,
                sigma_mm: t.filter.sigma_mm(),
                seen: now.iter().find(|n| n.0 == t.id).and_then(|n| n.1),
                handled: covered(&self.calibration, seen, t.filter.pos),
            })
            .collect();
        balls.sort_by_key(|b| b.id);
        TrackedFrame {
            seq: seen.seq,
            at: seen.at,
            balls,
            blind,
        }
    }
}

/// Whether something that is no ball touches the outline of a ball at `place`.
fn covered(calibration: &Calibration, seen: &Detections, place: TablePoint) -> bool {
    let c = calibration.ball_in_picture(place);
    let r = calibration.ball_radius_px(place) * 1.2;
    seen.occluded.iter().any(|b| {
        let (dx, dy) = (c.x - c.x.clamp(b[0], b[2]), c.y - c.y.clamp(b[1], b[3]));
        dx.hypot(dy) < r
    })
}
