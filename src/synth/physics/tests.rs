use super::*;
use crate::synth::verdict::three_cushion_point;

fn table() -> TableSpec {
    TableSpec::named("carom-match").unwrap()
}

fn layout() -> Layout {
    [
        (Ball::White, TablePoint::new(710.0, 892.5)),
        (Ball::Yellow, TablePoint::new(710.0, 710.0)),
        (Ball::Red, TablePoint::new(2130.0, 710.0)),
    ]
    .into_iter()
    .collect()
}

/// A hundred very different strokes.
fn plays() -> Vec<Play> {
    (0..100)
        .filter_map(|i| {
            let f = f64::from(i);
            let stroke = Stroke {
                ball: if i % 2 == 0 {
                    Ball::White
                } else {
                    Ball::Yellow
                },
                angle: f * 0.377,
                speed: 500.0 + 60.0 * f,
                top: -1.0 + (f * 0.29) % 2.2,
                side: -1.0 + (f * 0.41) % 2.0,
            };
            simulate(&table(), &Constants::default(), &layout(), &stroke)
        })
        .collect()
}

#[test]
fn every_contact_touches() {
    let (table, mut seen) = (table(), 0);
    for play in plays() {
        for c in &play.contacts {
            seen += 1;
            match &c.kind {
                EventKind::BallBall { driver, other } => {
                    let gap = play.paths[driver]
                        .at(c.t)
                        .distance(play.paths[other].at(c.t));
                    assert!((gap - table.ball_diameter_mm).abs() < 0.01, "{gap}");
                }
                EventKind::BallCushion { ball, cushion } => {
                    let gap = table.cushion_gap(play.paths[ball].at(c.t), *cushion);
                    assert!(gap.abs() < 0.01, "{gap}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

#[test]
fn balls_stay_on_the_bed_apart_and_continuous() {
    let table = table();
    for play in plays() {
        for path in play.paths.values() {
            for knot in path.knots().skip(1) {
                let before = path.at(knot.t - 1e-9);
                assert!(before.distance(knot.motion.pos) < 1e-4);
            }
        }
        for step in 0..(play.stop_s * 250.0) as usize {
            let layout = play.layout_at(step as f64 / 250.0);
            for (ball, pos) in &layout {
                for cushion in Cushion::ALL {
                    assert!(table.cushion_gap(*pos, cushion) > -1e-6, "{ball} {pos:?}");
                }
                for (other, place) in &layout {
                    assert!(other == ball || pos.distance(*place) > table.ball_diameter_mm - 1e-6);
                }
            }
        }
    }
}

#[test]
fn speed_squared_never_grows_by_more_than_spin_can_give() {
    // The paths do not hold the spin; what a ball can gain from it is bounded by its rolling energy at the stroke.
    for play in plays() {
        let energy = |t: f64| -> f64 {
            play.paths
                .values()
                .map(|p| p.velocity_at(t))
                .map(|v| v.dot(v))
                .sum()
        };
        let most = energy(0.0) * (1.0 + 0.4 * 2.0 * 1.25 * 1.25);
        for step in 1..200 {
            let t = play.stop_s * f64::from(step) / 200.0;
            assert!(energy(t) <= most);
        }
        assert_eq!(energy(play.stop_s + 1e-9), 0.0);
    }
}

#[test]
fn total_energy_never_grows_from_step_to_step() {
    let (table, constants) = (table(), Constants::default());
    for i in 0..40 {
        let stroke = Stroke {
            ball: Ball::White,
            angle: f64::from(i) * 0.61,
            speed: 3000.0,
            top: 0.8,
            side: 0.7,
        };
        let layout = layout();
        let mut s = Simulation::start(&table, &constants, &layout, &stroke);
        let (mut t, mut before) = (0.0, f64::INFINITY);
        while let Some((at, next)) = s.next(t) {
            t = at;
            s.apply(t, &next);
            let now: f64 = s.legs.iter().map(|l| l.at(t).energy()).sum();
            assert!(now <= before * (1.0 + 1e-9) + 1e-6, "{before} then {now}");
            before = now;
        }
    }
}

#[test]
fn the_driver_is_the_ball_that_moved() {
    let stroke = Stroke {
        ball: Ball::White,
        angle: -(182.5f64.atan2(1420.0)),
        speed: 2500.0,
        top: 1.0,
        side: 0.0,
    };
    let play = simulate(&table(), &Constants::default(), &layout(), &stroke).unwrap();
    assert_eq!(
        play.contacts[0].kind,
        EventKind::BallBall {
            driver: Ball::White,
            other: Ball::Red
        }
    );
    assert!(play.contacts[0].dv_mm_s > 1000.0);
    let _ = three_cushion_point(play.struck, &play.contacts);
}

#[test]
fn a_stroke_without_its_ball_is_refused() {
    let mut layout = layout();
    layout.remove(&Ball::White);
    let stroke = Stroke {
        ball: Ball::White,
        angle: 0.0,
        speed: 1000.0,
        top: 0.0,
        side: 0.0,
    };
    assert!(simulate(&table(), &Constants::default(), &layout, &stroke).is_none());
}
