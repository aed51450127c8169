//! Contacts in real footage, from rough pixel tracks that stand beside the labels (../shared/clips/labels).
//!
//! The tracks are blob centroids carried to the table by four corners alone: places are off by millimetres, fast balls
//! by more. What the labels say must be found all the same.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    clippy::needless_range_loop,
    reason = "a test"
)]

mod events_bench;

use std::path::PathBuf;

use marqueur::{
    events::{Options, Recognizer},
    model::{
        Ball, BallSet, BallState, Cushion, EventKind, Measurement, Shot, TableSpec, TrackedFrame,
    },
    units::{TablePoint, TableVec, Timestamp},
};
use serde_json::Value;

/// A label file, or a notice that it is absent.
fn label(name: &str) -> Option<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../shared/clips/labels/{name}.json"));
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).ok(),
        Err(_) => {
            println!("skipped: {} is not here", path.display());
            None
        }
    }
}

/// Solves a small linear system by elimination.
fn solve<const N: usize>(mut m: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = (i..N)
            .max_by(|&x, &y| m[x][i].abs().total_cmp(&m[y][i].abs()))
            .unwrap();
        m.swap(i, pivot);
        b.swap(i, pivot);
        for r in 0..N {
            if r != i {
                let k = m[r][i] / m[i][i];
                for c in i..N {
                    m[r][c] -= k * m[i][c];
                }
                b[r] -= k * b[i];
            }
        }
    }
    std::array::from_fn(|i| b[i] / m[i][i])
}

/// Picture to table by the four corners: `x` to the right of the picture, `y` down it.
struct Homography([f64; 8]);

impl Homography {
    fn from_corners(corners: &Value, length: f64, width: f64) -> Self {
        let to = [
            ("TL", 0.0, 0.0),
            ("TR", length, 0.0),
            ("BR", length, width),
            ("BL", 0.0, width),
        ];
        let (mut m, mut b) = ([[0.0; 8]; 8], [0.0; 8]);
        for (i, (name, x, y)) in to.into_iter().enumerate() {
            let (u, v) = (
                corners[name][0].as_f64().unwrap(),
                corners[name][1].as_f64().unwrap(),
            );
            m[2 * i] = [u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x];
            m[2 * i + 1] = [0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y];
            (b[2 * i], b[2 * i + 1]) = (x, y);
        }
        Self(solve(m, b))
    }

    fn apply(&self, u: f64, v: f64) -> TablePoint {
        let h = &self.0;
        let w = h[6] * u + h[7] * v + 1.0;
        TablePoint::new(
            (h[0] * u + h[1] * v + h[2]) / w,
            (h[3] * u + h[4] * v + h[5]) / w,
        )
    }
}

/// The label's rough track as frames. `until`: per ball, the last frame its track means anything.
fn frames(
    label: &Value,
    table: &TableSpec,
    names: &[Ball],
    until: &[f64],
    sigma_mm: f64,
) -> Vec<TrackedFrame> {
    let fps = label["fps"].as_f64().unwrap();
    let map = Homography::from_corners(&label["corners"], table.length_mm, table.width_mm);
    let rows = label["track_auto"]["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let frame = row[0].as_f64().unwrap();
            let balls = names.iter().enumerate().filter_map(|(i, &id)| {
                let place = row[i + 1].as_array()?;
                let (u, v) = (place[0].as_f64()?, place[1].as_f64()?);
                let pos = map.apply(u, v);
                let seen = Measurement {
                    pos,
                    covariance: [sigma_mm * sigma_mm, 0.0, sigma_mm * sigma_mm],
                    streak: None,
                    visible: 1.0,
                };
                (frame <= until[i]).then_some(BallState {
                    id,
                    pos,
                    vel: TableVec::ZERO,
                    sigma_mm,
                    seen: Some(seen),
                    handled: false,
                })
            });
            TrackedFrame {
                seq: frame as u64,
                at: Timestamp::from_secs(frame / fps),
                balls: balls.collect(),
                blind: false,
            }
        })
        .collect()
}

fn recognize(frames: &[TrackedFrame], table: &TableSpec, names: &[Ball]) -> Vec<Shot> {
    events_bench::trace_when_asked();
    let mut recognizer = Recognizer::new(table, &BallSet(names.to_vec()), Options::default());
    let mut shots: Vec<Shot> = frames.iter().flat_map(|f| recognizer.push(f)).collect();
    shots.extend(recognizer.finish());
    shots
}

/// A contact in a few words, balls in order of name.
fn told(kind: &EventKind) -> String {
    match kind {
        EventKind::BallBall { driver, other } => {
            let (a, b) = if driver < other {
                (driver, other)
            } else {
                (other, driver)
            };
            format!("{a}>{b}")
        }
        EventKind::BallCushion { ball, cushion } => format!("{ball}/{}", cushion.name()),
        EventKind::Pocketed { ball, pocket } => format!("{ball}@{}", pocket.name()),
        other => format!("{other:?}"),
    }
}

/// The label's contacts in the same words, with frame and uncertainty.
fn wanted(label: &Value, name: impl Fn(&str) -> Ball) -> Vec<(String, f64, f64)> {
    let side = |s: &str| match s {
        "left" => Cushion::S,
        "right" => Cushion::N,
        "top" => Cushion::W,
        _ => Cushion::E,
    };
    let events = label["events"].as_array().unwrap();
    let each = events.iter().filter_map(|e| {
        let ball = || name(e["ball"].as_str().unwrap());
        let text = match e["type"].as_str().unwrap() {
            "cushion" => told(&EventKind::BallCushion {
                ball: ball(),
                cushion: side(e["cushion"].as_str().unwrap()),
            }),
            "ball_ball" => told(&EventKind::BallBall {
                driver: name(e["balls"][0].as_str().unwrap()),
                other: name(e["balls"][1].as_str().unwrap()),
            }),
            _ => return None,
        };
        Some((
            text,
            e["frame"].as_f64().unwrap(),
            e["unc"].as_f64().unwrap(),
        ))
    });
    each.collect()
}

fn found(shots: &[Shot], fps: f64) -> Vec<(String, f64, f64, f64)> {
    let events = shots.iter().flat_map(|s| &s.events);
    events
        .map(|e| {
            (
                told(&e.kind),
                e.at.secs() * fps,
                e.sigma_s * fps,
                e.confidence,
            )
        })
        .collect()
}

/// Every labelled contact within its uncertainty and a frame, in the label's order; nothing else but `extra`.
fn agree(shots: &[Shot], wanted: &[(String, f64, f64)], fps: f64, extra: &[&str]) {
    let mut left = found(shots, fps);
    left.retain(|f| !extra.contains(&f.0.as_str()));
    let order: Vec<&str> = left.iter().map(|f| f.0.as_str()).collect();
    let right: Vec<&str> = wanted.iter().map(|w| w.0.as_str()).collect();
    assert_eq!(order, right);
    for (f, w) in left.iter().zip(wanted) {
        assert!(
            (f.1 - w.1).abs() < w.2.max(1.0) + 0.5,
            "{} at {:.2}, label {} +- {}",
            f.0,
            f.1,
            w.1,
            w.2
        );
    }
}

fn report(shots: &[Shot], wanted: &[(String, f64, f64)], fps: f64) {
    for s in shots {
        println!(
            "struck {:?} at {:.2} complete {} stop {:.1} doubts {:?}",
            s.struck,
            s.start.secs() * fps,
            s.complete,
            s.stop.secs() * fps,
            s.doubts
        );
    }
    for (text, at, sigma, sure) in found(shots, fps) {
        println!("  {text} {at:.2} +-{sigma:.2} ({sure:.2})");
    }
    println!("  wanted {wanted:?}");
}

#[test]
fn the_three_cushion_shot_on_television() {
    let Some(label) = label("three_cushion_tv") else {
        return;
    };
    let names = [Ball::White, Ball::Yellow, Ball::Red];
    let table = TableSpec::named("carom-match").unwrap();
    let shots = recognize(
        &frames(&label, &table, &names, &[1e9; 3], 1.0),
        &table,
        &names,
    );
    let name = |s: &str| match s {
        "W" => Ball::White,
        "Y" => Ball::Yellow,
        _ => Ball::Red,
    };
    let wanted = wanted(&label, name);
    report(&shots, &wanted, 29.97);
    assert_eq!(shots.len(), 1);
    assert_eq!(shots[0].struck, Some(Ball::White));
    assert!(!shots[0].complete, "the clip ends before rest");
    assert!((shots[0].start.secs() * 29.97 - 43.45).abs() < 0.5);
    agree(&shots, &wanted, 29.97, &[]);
}

fn small_table() -> TableSpec {
    TableSpec::custom(1881.0, 943.0, 52.3, true)
}

/// One shot by white; its contacts as labelled, and the fall near `fall` (frame, plus or minus), if there is one.
fn pot(file: &str, until: [f64; 2], fall: Option<(&str, f64, f64)>, extra: &[&str]) {
    let Some(label) = label(file) else { return };
    let names = [Ball::White, Ball::Red];
    let table = small_table();
    let shots = recognize(&frames(&label, &table, &names, &until, 1.0), &table, &names);
    let name = |s: &str| if s == "W" { Ball::White } else { Ball::Red };
    let wanted = wanted(&label, name);
    report(&shots, &wanted, 30.0);
    assert_eq!(shots.len(), 1);
    assert_eq!(shots[0].struck, Some(Ball::White));
    let falls: Vec<_> = found(&shots, 30.0)
        .into_iter()
        .filter(|f| f.0.contains('@'))
        .collect();
    assert_eq!(falls.len(), usize::from(fall.is_some()), "{falls:?}");
    let mut extra = extra.to_vec();
    if let (Some((text, at, unc)), Some(f)) = (fall, falls.first()) {
        assert_eq!(f.0, text);
        assert!((f.1 - at).abs() < unc, "fell at {:.1}, label {at}", f.1);
        assert!(!shots[0].after.contains_key(&Ball::Red));
        extra.push(text);
    }
    agree(&shots, &wanted, 30.0, &extra);
}

#[test]
fn a_pot_into_the_middle() {
    pot(
        "pot_middle",
        [1e9, 34.0],
        Some(("red@ME", 32.0, 1.0)),
        &["red/E"],
    );
}

#[test]
fn a_ball_that_stops_in_the_jaws() {
    pot("contact_stops_in_jaws", [1e9; 2], None, &[]);
}

#[test]
fn a_pot_seen_at_fifteen_pictures_a_second() {
    pot(
        "pot_with_halos",
        [1e9, 70.0],
        Some(("red@MW", 66.0, 2.0)),
        &[],
    );
}

#[test]
fn a_pot_and_then_a_hand() {
    pot(
        "pot_then_hand",
        [1e9, 42.0],
        Some(("red@NE", 40.5, 2.5)),
        &[],
    );
}

#[test]
fn a_safety_shot_with_uneven_pictures() {
    let Some(label) = label("safety_shot") else {
        return;
    };
    let names = [Ball::White, Ball::Green, Ball::Orange];
    let table = TableSpec::named("pool-9").unwrap();
    let shots = recognize(
        &frames(&label, &table, &names, &[1e9; 3], 2.0),
        &table,
        &names,
    );
    let name = |s: &str| match s {
        "W" => Ball::White,
        "G" => Ball::Green,
        _ => Ball::Orange,
    };
    let wanted = wanted(&label, name);
    report(&shots, &wanted, 29.97);
    assert_eq!(shots.len(), 1);
    assert_eq!(shots[0].struck, Some(Ball::White));
    agree(&shots, &wanted, 29.97, &[]);
}
