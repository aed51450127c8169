//! Near misses and thin hits: a pass at a millimetre is no contact, and what moves a ball is one.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test"
)]

mod events_bench;
use events_bench::{camera::Camera, score::recognize, thin::brush};
use marqueur::model::EventKind;

const SEEDS: u64 = 20;

/// The usual camera; its scale error would be metres on this bed.
fn bench(fps: f64) -> Camera {
    Camera {
        scale: 0.0,
        ..Camera::usual(fps, 0.5)
    }
}

/// Share of shots in which the two balls are said to touch, and the mean confidence where they are.
fn told(camera: &Camera, speed: f64, gap: f64) -> (f64, f64) {
    let (shot, given) = brush(speed, gap, "brush".into());
    let (mut yes, mut sure) = (0, 0.0);
    for seed in 0..SEEDS {
        let (shots, _) = recognize(&shot, camera, 77 + seed);
        let hit = shots
            .iter()
            .flat_map(|s| &s.events)
            .find(|e| matches!(e.kind, EventKind::BallBall { .. }));
        if let Some(e) = hit {
            yes += 1;
            sure += e.confidence;
        }
    }
    let share = f64::from(yes) / SEEDS as f64;
    println!(
        "  {:3.0} fps, {speed:5.0} mm/s, gap {gap:6.3} mm, given {given:5.0} mm/s: told {share:.2}, sure {:.3}",
        camera.fps,
        sure / f64::from(yes.max(1))
    );
    (share, given)
}

#[test]
fn a_pass_at_one_millimetre_and_more_is_no_contact() {
    for fps in [30.0, 60.0] {
        for speed in [600.0, 2500.0] {
            for gap in [1.0, 2.0, 4.0, 8.0] {
                let (share, _) = told(&bench(fps), speed, gap);
                assert_eq!(share, 0.0, "a pass at {gap} mm is told as a contact");
            }
        }
    }
}

#[test]
fn a_hit_that_gives_sixty_millimetres_a_second_is_never_missed() {
    for fps in [30.0, 60.0] {
        for speed in [600.0, 2500.0] {
            for depth in [0.02, 0.05, 0.1, 0.3, 1.0, 5.0] {
                let (share, given) = told(&bench(fps), speed, -depth);
                if given >= 60.0 {
                    assert_eq!(share, 1.0, "a hit that gives {given:.0} mm/s is missed");
                }
            }
        }
    }
}
