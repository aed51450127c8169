//! Contacts: a whole shot of three balls read from its frames, about ten seconds long. Run with `make bench`.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a bench may fail loudly"
)]

use divan::Bencher;
use marqueur::{
    events::{Options, Recognizer},
    model::{BallSet, TrackedFrame},
};

#[path = "../tests/events_bench/mod.rs"]
mod events_bench;
use events_bench::{
    camera::Camera,
    trajectory::{Trajectory, load},
};

fn main() {
    divan::main();
}

/// The longest simulated shot, seen for ten seconds.
fn longest(fps: f64) -> (Trajectory, Vec<TrackedFrame>) {
    let mut all = load("three-cushion");
    all.sort_by(|a, b| b.stop.total_cmp(&a.stop));
    let shot = all.swap_remove(0);
    let camera = Camera {
        tail_s: 10.0 - shot.stop,
        ..Camera::usual(fps, 0.5)
    };
    let (frames, _) = camera.watch(&shot, 1);
    (shot, frames)
}

#[divan::bench(args = [30, 60, 120])]
fn ten_seconds(bencher: Bencher, fps: u32) {
    let (shot, frames) = longest(f64::from(fps));
    bencher.bench(|| {
        let mut r = Recognizer::new(&shot.spec(), &BallSet(shot.set()), Options::default());
        let mut shots: Vec<_> = frames.iter().flat_map(|f| r.push(f)).collect();
        shots.extend(r.finish());
        assert_eq!(shots.len(), 1);
        shots
    });
}
