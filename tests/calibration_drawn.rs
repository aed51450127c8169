//! Calibration on drawn tables, where the camera is known: how well balls are placed, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may fail and talk"
)]

mod drawn;

use drawn::{Scene, above};
use marqueur::{
    calib::{CalibError, Calibration, Near, Options, estimate},
    model::{Picture, TableSpec},
    units::{ImagePoint, TablePoint},
};

fn find(scene: &Scene) -> Result<Calibration, CalibError> {
    estimate(&[scene.draw()], &scene.table, &Options::default())
}

/// Balls must be placed to a millimetre at most places, two at the worst.
fn check(name: &str, scene: &Scene) {
    let found = match find(scene) {
        Ok(found) => found,
        Err(e) => panic!("{name}: {e}"),
    };
    let (rms, worst) = scene.errors(&found.camera);
    println!(
        "{name}: placed to {rms:.2} mm rms, {worst:.2} worst; residual {:.2}",
        found.residual_mm
    );
    assert!(
        rms < 1.0 && worst < 2.0,
        "{name}: {rms} mm rms, {worst} mm worst"
    );
}

#[test]
fn cloths_and_frames_of_any_colour() {
    let cloths = [
        ("blue", [150.0, 90.0, 30.0]),
        ("green", [60.0, 130.0, 40.0]),
        ("red", [40.0, 40.0, 150.0]),
        ("grey", [125.0, 120.0, 115.0]),
        ("wine", [55.0, 30.0, 90.0]),
    ];
    let frames = [
        ("wood", [30.0, 50.0, 90.0]),
        ("white", [225.0, 230.0, 230.0]),
        ("black", [22.0, 20.0, 20.0]),
    ];
    for (i, (cloth, colour)) in cloths.into_iter().enumerate() {
        let (frame, frame_colour) = frames[i % 3];
        let mut scene = Scene::new();
        scene.cloth = colour;
        scene.frame = frame_colour;
        check(&format!("{cloth} in {frame}"), &scene);
    }
}

#[test]
fn a_floor_of_the_cloths_colour() {
    let mut scene = Scene::new();
    scene.floor = scene.cloth.map(|v| v * 0.9);
    check("floor as cloth", &scene);
}

#[test]
fn no_shadow_under_the_noses() {
    for light in [1.12, 0.86] {
        let mut scene = Scene::new();
        scene.shadow = (1.0, 0.0);
        scene.cushion_light = light;
        check(&format!("cushions at {light} of the bed's light"), &scene);
    }
}

#[test]
fn tilted_rolled_and_bent() {
    let table = TableSpec::named("carom-match").unwrap();
    for (pitch, yaw, roll) in [
        (15.0, 0.0, 0.0),
        (0.0, -12.0, 0.0),
        (9.0, 8.0, 17.0),
        (-6.0, 4.0, -30.0),
    ] {
        let mut scene = Scene::new();
        scene.camera = above(&table, [960, 540], pitch, yaw, roll);
        if roll != 0.0 {
            // Turned, it would not fit the picture: from higher up.
            scene.camera.focal_px *= 0.75;
        }
        check(&format!("pitch {pitch}, yaw {yaw}, roll {roll}"), &scene);
    }
    let mut scene = Scene::new();
    scene.camera.distortion = [-0.15, 0.03];
    check("barrel", &scene);
    scene.camera.distortion = [0.08, 0.0];
    check("cushion", &scene);
}

#[test]
fn people_over_the_noses() {
    let mut scene = Scene::new();
    scene.people = vec![
        [200.0, 0.0, 330.0, 160.0],
        [700.0, 380.0, 790.0, 540.0],
        [860.0, 150.0, 960.0, 250.0],
    ];
    check("three people", &scene);
}

#[test]
fn the_near_end_is_where_it_is_said() {
    let mut scene = Scene::new();
    let picture = scene.draw();
    let corner = |near: Option<Near>| {
        let c = estimate(
            std::slice::from_ref(&picture),
            &scene.table,
            &Options { near },
        )
        .unwrap();
        c.camera
            .project(TablePoint::new(0.0, 0.0), c.table.nose_height_mm)
    };
    let (left, right) = (corner(Some(Near::Left)), corner(Some(Near::Right)));
    assert!(left.x < 200.0 && left.y < 200.0 && corner(None).distance(left) < 1e-9);
    assert!(right.x > 760.0 && right.y > 340.0);
    assert!(matches!(
        estimate(
            std::slice::from_ref(&picture),
            &scene.table,
            &Options {
                near: Some(Near::Top)
            }
        ),
        Err(CalibError::NearEnd { .. })
    ));
    // Upright: the near end is below, the left cushion left.
    scene.camera = above(&scene.table, [540, 960], 0.0, 0.0, -90.0);
    scene.camera.focal_px *= 960.0 / 540.0;
    check("upright", &scene);
}

#[test]
fn what_cannot_be_calibrated_is_refused_with_its_reason() {
    let table = TableSpec::named("carom-match").unwrap();
    let refused =
        |pictures: &[Picture]| estimate(pictures, &table, &Options::default()).unwrap_err();
    assert!(matches!(refused(&[]), CalibError::NoPicture));
    assert!(matches!(
        refused(&[Picture::zeros((540, 960, 3))]),
        CalibError::TooDark { .. }
    ));
    assert!(matches!(
        refused(&[Picture::zeros((1, 1, 3))]),
        CalibError::TooSmall { .. }
    ));
    assert!(matches!(
        refused(&[Picture::zeros((0, 0, 3))]),
        CalibError::TooSmall { .. }
    ));
    assert!(matches!(
        refused(&[Picture::from_elem((540, 960, 3), 140)]),
        CalibError::NoTable { .. }
    ));
    let pattern = Picture::from_shape_fn((540, 960, 3), |(y, x, c)| {
        ((x * 7 + y * 13 + c * 31) % 251) as u8
    });
    assert!(matches!(refused(&[pattern]), CalibError::NoTable { .. }));
}

#[test]
fn a_table_cut_off_is_refused_with_the_side() {
    for (dx, dy, side) in [
        (-250.0, 0.0, "left"),
        (250.0, 0.0, "right"),
        (0.0, -170.0, "top"),
        (0.0, 170.0, "bottom"),
    ] {
        let mut scene = Scene::new();
        let c = scene.camera.centre;
        scene.camera.centre = ImagePoint::new(c.x + dx, c.y + dy);
        match find(&scene) {
            Err(CalibError::CutOff { side: said }) => assert_eq!(said, side),
            other => panic!("{side}: {other:?}"),
        }
    }
}

#[test]
fn a_table_of_another_shape_is_refused() {
    for (length, width) in [(2840.0, 1620.0), (2840.0, 1280.0)] {
        let mut scene = Scene::new();
        scene.table = TableSpec::custom(length, width, 61.5, false);
        let told = TableSpec::named("carom-match").unwrap();
        match estimate(&[scene.draw()], &told, &Options::default()) {
            Err(CalibError::WrongSize { found, .. }) => {
                assert!(
                    (found / (length / width) - 1.0).abs() < 0.02,
                    "found {found}"
                );
            }
            other => panic!("{length} x {width}: {other:?}"),
        }
    }
}

#[test]
fn two_tables_are_refused() {
    let mut left = Scene::new();
    left.camera.focal_px *= 0.55;
    let mut right = left.clone();
    left.camera.centre.x -= 230.0;
    right.camera.centre.x += 230.0;
    let (a, b) = (left.draw(), right.draw());
    let both = Picture::from_shape_fn(
        a.dim(),
        |(y, x, c)| if x < 480 { a[[y, x, c]] } else { b[[y, x, c]] },
    );
    let refused = estimate(&[both], &left.table, &Options::default());
    assert!(
        matches!(refused, Err(CalibError::TwoTables { .. })),
        "{refused:?}"
    );
}

#[test]
fn one_thread_or_many_give_the_same_numbers() {
    let frames = vec![Scene::new().draw(); 3];
    let table = Scene::new().table;
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| estimate(&frames, &table, &Options::default()).unwrap())
    };
    assert_eq!(run(1), run(4));
}
