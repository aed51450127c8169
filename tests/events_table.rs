//! The whole table of figures: every simulated shot at several rates and noises. Slow; run with
//! `cargo test --release --test events_table -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    clippy::needless_range_loop,
    reason = "a test"
)]

mod events_bench;
use events_bench::{
    camera::Camera,
    score::{play, reliability},
    trajectory::load,
};

#[test]
#[ignore = "prints figures; minutes in all"]
fn figures() {
    events_bench::trace_when_asked();
    let only = std::env::var("ONLY").unwrap_or_default();
    let shots = load(&only);
    let want: Vec<f64> = std::env::var("FPS")
        .ok()
        .map_or(vec![25.0, 30.0, 60.0, 120.0], |v| {
            v.split(',').map(|x| x.parse().unwrap()).collect()
        });
    let noise: Vec<f64> = std::env::var("NOISE")
        .ok()
        .map_or(vec![0.3, 0.5, 1.0], |v| {
            v.split(',').map(|x| x.parse().unwrap()).collect()
        });
    let seeds: u64 = std::env::var("SEEDS")
        .ok()
        .map_or(1, |v| v.parse().unwrap());
    for fps in want {
        for &sigma in &noise {
            for seed in 1..=seeds {
                let begin = std::time::Instant::now();
                let score = play(&shots, &Camera::usual(fps, sigma), seed);
                println!(
                    "{fps:5} {sigma:.1} {} [{:.1} ms/shot]",
                    score.line(),
                    1e3 * begin.elapsed().as_secs_f64() / shots.len() as f64
                );
                println!("      reliability {}", reliability(&score.claims));
                if std::env::var("NOTES").is_ok() {
                    score.notes.iter().for_each(|n| println!("      {n}"));
                }
            }
        }
    }
}
