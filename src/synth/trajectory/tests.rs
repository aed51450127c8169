use super::*;
use crate::synth::verdict::three_cushion_point;

fn all() -> Vec<(String, Trajectory)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/trajectories");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|f| f.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= 30, "the trajectories are missing");
    files
        .iter()
        .map(|f| (f.display().to_string(), read(f).unwrap()))
        .collect()
}

#[test]
fn another_engines_contacts_touch_and_its_paths_are_continuous() {
    for (file, trajectory) in all() {
        let play = &trajectory.play;
        for c in &play.contacts {
            let gap = match &c.kind {
                EventKind::BallBall { driver, other } => {
                    play.paths[driver]
                        .at(c.t)
                        .distance(play.paths[other].at(c.t))
                        - play.table.ball_diameter_mm
                }
                EventKind::BallCushion { ball, cushion } if !play.table.pockets => {
                    play.table.cushion_gap(play.paths[ball].at(c.t), *cushion)
                }
                _ => 0.0,
            };
            assert!(gap.abs() < 0.02, "{file}: {c:?} with a gap of {gap} mm");
        }
        for path in play.paths.values() {
            for k in path.knots().skip(1).filter(|k| k.phase != Phase::Pocketed) {
                let jump = path.at(k.t - 1e-7).distance(k.motion.pos);
                assert!(jump < 0.01, "{file}: {jump} mm at {}", k.t);
            }
        }
    }
}

#[test]
fn the_verdict_agrees_with_another_engines() {
    let (mut points, mut none) = (0, 0);
    for (file, trajectory) in all() {
        let Some(point) = trajectory.three_cushion_point else {
            continue;
        };
        let play = &trajectory.play;
        assert_eq!(
            three_cushion_point(play.struck, &play.contacts),
            point,
            "{file}"
        );
        *(if point { &mut points } else { &mut none }) += 1;
    }
    assert!(points >= 3 && none >= 3, "{points} points, {none} without");
}

#[test]
fn the_first_contact_is_driven_by_the_struck_ball() {
    for (file, trajectory) in all() {
        let play = &trajectory.play;
        let first = play.contacts.iter().find_map(|c| match c.kind {
            EventKind::BallBall { driver, .. } => Some(driver),
            _ => None,
        });
        assert!(first.is_none_or(|d| d == play.struck), "{file}");
    }
}

#[test]
fn what_is_no_trajectory_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    assert!(matches!(read(&file), Err(TrajectoryError::Read { .. })));
    std::fs::write(&file, "not json").unwrap();
    assert!(matches!(read(&file), Err(TrajectoryError::Form { .. })));
    let plain = r#"{"format":"marqueur-trajectory/1","game":"three-cushion","struck":"white",
        "table":{"length":2840,"width":1420},"ball_radius":30.75,"stop":1,"events":[],
        "balls":{"white":[[0,100,100,0,0,0,0,STATE]]}}"#;
    std::fs::write(&file, plain.replace("STATE", "9")).unwrap();
    let error = read(&file).unwrap_err();
    assert!(error.to_string().contains("unknown state"), "{error}");
    std::fs::write(
        &file,
        plain
            .replace("STATE", "0")
            .replace("\"white\":[[", "\"red\":[["),
    )
    .unwrap();
    assert!(
        read(&file)
            .unwrap_err()
            .to_string()
            .contains("has no knots")
    );
}
