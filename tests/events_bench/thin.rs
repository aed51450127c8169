//! A rolling ball that passes or brushes another: shots made to measure for near misses and thin hits.

use std::collections::BTreeMap;

use super::trajectory::{Bed, Trajectory, TrueEvent};

const DIAMETER: f64 = 61.5;
const SLIDE: f64 = 1960.0;
const ROLL: f64 = 90.0;

type Knot = [f64; 8];

/// Slides along the change of its velocity, then rolls to rest.
fn after_push(t: f64, p: [f64; 2], v: [f64; 2], push: [f64; 2], knots: &mut Vec<Knot>) -> f64 {
    let jump = push[0].hypot(push[1]).max(1e-9);
    let a = [-SLIDE * push[0] / jump, -SLIDE * push[1] / jump];
    let slide = 2.0 / 7.0 * jump / SLIDE;
    knots.push([t, p[0], p[1], v[0], v[1], a[0], a[1], 2.0]);
    let q = [0, 1].map(|k| p[k] + slide * (v[k] + 0.5 * slide * a[k]));
    let w = [0, 1].map(|k| v[k] + slide * a[k]);
    roll(t + slide, q, w, knots)
}

fn roll(t: f64, p: [f64; 2], v: [f64; 2], knots: &mut Vec<Knot>) -> f64 {
    let speed = v[0].hypot(v[1]).max(1e-9);
    let a = [-ROLL * v[0] / speed, -ROLL * v[1] / speed];
    let time = speed / ROLL;
    knots.push([t, p[0], p[1], v[0], v[1], a[0], a[1], 3.0]);
    let q = [0, 1].map(|k| p[k] + time * (v[k] + 0.5 * time * a[k]));
    knots.push([t + time, q[0], q[1], 0.0, 0.0, 0.0, 0.0, 0.0]);
    t + time
}

/// White rolls on a bed without end at `speed` past yellow with `gap` between them; a negative gap is a hit of that depth.
///
/// Returns the shot and the speed yellow gets.
pub fn brush(speed: f64, gap: f64, name: String) -> (Trajectory, f64) {
    let (start, at) = ([1000.0, 20_000.0], [1550.0, 20_000.0 + DIAMETER + gap]);
    let mut white = Vec::new();
    let mut yellow = vec![[0.0, at[0], at[1], 0.0, 0.0, 0.0, 0.0, 0.0]];
    let mut events = Vec::new();
    let mut stop = roll(0.0, start, [speed, 0.0], &mut white);
    let mut given = 0.0;
    if gap < 0.0 {
        let along = (DIAMETER * DIAMETER - (DIAMETER + gap).powi(2)).sqrt();
        let run = at[0] - along - start[0];
        let v = (speed * speed - 2.0 * ROLL * run).sqrt();
        let t = (speed - v) / ROLL;
        let n = [along / DIAMETER, (DIAMETER + gap) / DIAMETER];
        given = 0.975 * v * n[0];
        let push = [given * n[0], given * n[1]];
        white.truncate(1);
        let place = [start[0] + run, start[1]];
        stop = after_push(
            t,
            place,
            [v - push[0], -push[1]],
            [-push[0], -push[1]],
            &mut white,
        );
        stop = stop.max(after_push(t, at, push, push, &mut yellow));
        events.push(TrueEvent {
            t,
            kind: "ball-ball".into(),
            a: Some("white".into()),
            b: Some("yellow".into()),
            ball: None,
            cushion: None,
            pocket: None,
            dv: Some(given),
        });
    }
    let shot = Trajectory {
        name,
        game: "three-cushion".into(),
        struck: "white".into(),
        table: Bed {
            length: 60_000.0,
            width: 40_000.0,
        },
        ball_radius: 0.5 * DIAMETER,
        stop,
        balls: BTreeMap::from([("white".into(), white), ("yellow".into(), yellow)]),
        events,
        three_cushion_point: None,
    };
    (shot, given)
}

/// White touches yellow at rest and is struck through it, a little off the line of centres.
pub fn frozen(speed: f64) -> Trajectory {
    let start = [700.0, 700.0];
    let n = [0.8, 0.6];
    let at = [start[0] + DIAMETER * n[0], start[1] + DIAMETER * n[1]];
    let v = [speed, 0.0];
    let given = 0.975 * speed * n[0];
    let push = [given * n[0], given * n[1]];
    let (mut white, mut yellow) = (Vec::new(), Vec::new());
    let left = [v[0] - push[0], v[1] - push[1]];
    let stop = after_push(0.0, start, left, left, &mut white);
    let stop = stop.max(after_push(0.0, at, push, push, &mut yellow));
    Trajectory {
        name: "frozen".into(),
        game: "three-cushion".into(),
        struck: "white".into(),
        table: Bed {
            length: 60_000.0,
            width: 40_000.0,
        },
        ball_radius: 0.5 * DIAMETER,
        stop,
        balls: BTreeMap::from([("white".into(), white), ("yellow".into(), yellow)]),
        events: Vec::new(),
        three_cushion_point: None,
    }
}
