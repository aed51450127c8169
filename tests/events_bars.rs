//! Bars for contacts told from simulated shots seen through a camera with faults (events_bench/camera.rs): noise,
//! blur, lost and wrong measurements, a smooth calibration error of 1.5 mm and one of scale of 0.1 %.
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
    score::{Score, play, quantile},
    trajectory::load,
};

fn hold(score: &Score, f1: f64, median_ms: f64, p95_ms: f64) {
    println!("{}", score.line());
    score.notes.iter().for_each(|n| println!("   {n}"));
    assert!(score.shots > 0, "no trajectories");
    assert!(score.f1() >= f1, "F1 {:.4}", score.f1());
    let ms = |q| 1e3 * quantile(&score.errors_s, q);
    assert!(
        ms(0.5) <= median_ms && ms(0.95) <= p95_ms,
        "{:.2} {:.2}",
        ms(0.5),
        ms(0.95)
    );
    assert_eq!(score.struck_right, score.shots, "ball struck");
    assert_eq!(
        score.verdicts_right, score.verdicts,
        "three-cushion verdicts"
    );
    assert_eq!(score.order_wrong, 0, "order of contacts");
    let spread = quantile(&score.ratios, 0.683);
    assert!(
        (0.8..=1.25).contains(&spread),
        "errors over sigma spread by {spread:.2}"
    );
}

#[test]
fn sixty_pictures_a_second() {
    hold(
        &play(&load(""), &Camera::usual(60.0, 0.5), 1),
        0.995,
        2.0,
        8.0,
    );
}

#[test]
fn thirty_pictures_a_second() {
    hold(
        &play(&load(""), &Camera::usual(30.0, 0.5), 1),
        0.99,
        4.0,
        16.0,
    );
}
