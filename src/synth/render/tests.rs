//! The picture shows what the truth says.

use super::*;
use crate::{
    geom::Quadratic,
    model::TableSpec,
    synth::{
        look::Cloth,
        path::{Knot, Path, Phase},
        view::{self, ViewLimits},
    },
    units::TableVec,
};

const SIZE: [u32; 2] = [960, 540];
const SHUTTER: Shutter = Shutter {
    fps: 50.0,
    exposure_s: 0.010,
};

fn table() -> TableSpec {
    TableSpec::named("carom-match").unwrap()
}

/// Balls that run straight on at constant speed from where they are.
fn script(balls: &[(Ball, [f64; 2], [f64; 2])]) -> Script {
    Script {
        game: "three-cushion".to_owned(),
        table: table(),
        shots: Vec::new(),
        carries: Vec::new(),
        paths: balls
            .iter()
            .map(|&(ball, pos, vel)| {
                let motion = Quadratic {
                    pos: TablePoint::new(pos[0], pos[1]),
                    vel: TableVec::new(vel[0], vel[1]),
                    acc: TableVec::ZERO,
                };
                let phase = Phase::Rolling;
                (
                    ball,
                    Path::new(Knot {
                        t: -1.0,
                        motion,
                        phase,
                    }),
                )
            })
            .collect(),
        duration_s: 1.0,
    }
}

/// White balls on black cloth in even light, without noise or dots.
fn plain(script: &Script) -> Look {
    let balls: Vec<Ball> = script.paths.keys().copied().collect();
    Look {
        cloth: [0.0; 3],
        balls: balls.iter().map(|&b| (b, [0.8; 3])).collect(),
        dots: false,
        lamps: Vec::new(),
        ambient: 1.0,
        texture: 0.0,
        vignette: 0.0,
        gain: [1.0; 3],
        noise: 0.0,
        ..Look::random(&script.table, &balls, Some(Cloth::Blue), 1)
    }
}

fn camera(seed: u64) -> Camera {
    view::random(
        &table(),
        SIZE,
        Frame::default().width(),
        &ViewLimits::default(),
        seed,
    )
}

/// Centroid of what is brighter than the still picture around a place. A little light counts as full, so that shading
/// inside the outline does not pull.
fn centroid(renderer: &Renderer<'_>, around: [f64; 2], reach: f64) -> [f64; 2] {
    let (mut sum, mut x_sum, mut y_sum) = (0.0, 0.0, 0.0);
    let range = |v: f64| (v - reach).round() as usize..=(v + reach).round() as usize;
    let (clean, still) = (&renderer.clean, &renderer.still);
    for y in range(around[1]) {
        for x in range(around[0]) {
            let i = y * clean.width + x;
            let light = (f64::from(clean.y[i]) - f64::from(still.y[i]) - 4.0) / 20.0;
            let w = light.clamp(0.0, 1.0);
            sum += w;
            x_sum += w * x as f64;
            y_sum += w * y as f64;
        }
    }
    assert!(sum > 50.0, "nothing bright at {around:?}");
    [x_sum / sum, y_sum / sum]
}

fn check_centres(script: &Script, seed: u64, reach: f64, tolerance: f64) {
    let (look, camera) = (plain(script), camera(seed));
    let mut renderer = Renderer::new(script, &look, &camera, Frame::default(), SHUTTER);
    for _ in 0..3 {
        let t = renderer.time();
        renderer.next_frame();
        for path in script.paths.values() {
            let seen = camera.project(path.at(t), script.table.ball_radius_mm());
            let found = centroid(&renderer, [seen.x, seen.y], reach);
            let off = (found[0] - seen.x).hypot(found[1] - seen.y);
            assert!(off < tolerance, "{found:?} for {seen:?}, camera {seed}");
        }
    }
}

/// Share of a pixel that balls cover: what they leave of a white background against a black one.
fn coverage(renderer: &Renderer<'_>, moment: &Moment, x: usize, y: usize) -> f64 {
    let balls: Vec<&BallMoment> = moment.balls.iter().collect();
    let painter = renderer.painter();
    let [black, white] = [[0.0; 3], [1.0; 3]].map(|b| painter.with_balls(b, &balls, x, y)[0]);
    1.0 - f64::from(white - black)
}

#[test]
fn a_still_balls_outline_is_centred_on_its_projected_centre() {
    for (seed, place) in [
        (0, [1400.0, 700.0]),
        (1, [120.0, 130.0]),
        (2, [2700.0, 1250.0]),
        (3, [2000.0, 400.0]),
    ] {
        let script = script(&[(Ball::White, place, [0.0; 2])]);
        let (look, camera) = (plain(&script), camera(seed));
        let renderer = Renderer::new(&script, &look, &camera, Frame::default(), SHUTTER);
        let moment = renderer.moment(0.0);
        let r = script.table.ball_radius_mm();
        let seen = camera.project(TablePoint::new(place[0], place[1]), r);
        let (mut sum, mut at) = (0.0, [0.0; 2]);
        for y in seen.y as usize - 20..seen.y as usize + 20 {
            for x in seen.x as usize - 20..seen.x as usize + 20 {
                let share = coverage(&renderer, &moment, x, y);
                sum += share;
                at[0] += share * x as f64;
                at[1] += share * y as f64;
            }
        }
        let off = (at[0] / sum - seen.x).hypot(at[1] / sum - seen.y);
        let radius = (sum / std::f64::consts::PI).sqrt();
        // Seen aslant a sphere is an ellipse, longer by the slant's secant in the direction away from the lens's foot.
        let [x, y, z] = camera.position();
        let secant = (place[0] - x).hypot(place[1] - y).hypot(z - r) / (z - r);
        let wanted = camera.px_per_mm(TablePoint::new(place[0], place[1]), r) * r * secant.sqrt();
        assert!(off < 0.1, "{off} px off at {place:?}");
        assert!(
            (radius - wanted).abs() < 0.005 * wanted,
            "{radius} px instead of {wanted}"
        );
    }
}

#[test]
fn a_moving_balls_streak_is_centred_on_its_place_at_the_frames_time() {
    // 3 m/s and 10 ms: 30 mm, about the radius of a ball.
    let script = script(&[
        (Ball::White, [300.0, 400.0], [1800.0, 0.0]),
        (Ball::Red, [1500.0, 900.0], [-600.0, -250.0]),
    ]);
    for seed in 4..7 {
        check_centres(&script, seed, 22.0, 0.15);
    }
}

fn frames(renderer: &mut Renderer<'_>, n: usize) -> Planes {
    for _ in 1..n {
        renderer.next_frame();
    }
    renderer.next_frame().0.clone()
}

/// A busy script: a match's first shot with its player.
fn busy() -> Script {
    let wish = crate::synth::play_match::MatchWish {
        shots: 1,
        scoring: 0.0,
        longest_s: 9.0,
    };
    let shots = crate::synth::play_match::play(&table(), &wish, 8);
    let timing = crate::synth::script::Timing {
        lead_in_s: 0.30,
        ..Default::default()
    };
    Script::from_shots("three-cushion", shots, &timing).unwrap()
}

#[test]
fn repainting_what_changed_gives_the_picture_painted_afresh() {
    let script = busy();
    let look = Look {
        dots: false,
        ..Look::random(
            &script.table,
            &[Ball::White, Ball::Yellow, Ball::Red],
            None,
            3,
        )
    };
    let camera = camera(9);
    let renderer = || Renderer::new(&script, &look, &camera, Frame::default(), SHUTTER);
    let mut kept = renderer();
    for n in [1, 14, 16, 30, 60, 75] {
        let step = n - kept.frame as usize;
        frames(&mut kept, step);
        let mut fresh = renderer();
        fresh.frame = kept.frame - 1;
        fresh.next_frame();
        assert!(kept.clean() == fresh.clean(), "frame {n} differs");
        assert!(kept.noisy == fresh.noisy, "noise of frame {n} differs");
    }
    assert!(kept.clean() != &kept.still, "nothing moves");
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    let script = busy();
    let look = Look::random(
        &script.table,
        &[Ball::White, Ball::Yellow, Ball::Red],
        None,
        3,
    );
    let camera = camera(9);
    let render = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut renderer = Renderer::new(&script, &look, &camera, Frame::default(), SHUTTER);
            frames(&mut renderer, 20)
        })
    };
    assert!(render(1) == render(3));
}
