//! The whole line on the demonstration match, whose truth is known: pixels in, score out.
#![cfg(feature = "vision")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::{path::Path, process::Command};

use serde_json::Value;

fn marqueur(arguments: &[&str]) -> Vec<u8> {
    let run = Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    run.stdout
}

/// The first seconds of the demonstration match: one whole shot.
fn first_shot(folder: &Path) -> String {
    let clip = folder.join("first.mp4").display().to_string();
    let cut = Command::new("ffmpeg")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "-v",
            "error",
            "-i",
            "testdata/clips/demo.mp4",
            "-t",
            "14",
            "-c",
            "copy",
            &clip,
        ])
        .status()
        .unwrap();
    assert!(cut.success());
    clip
}

#[test]
fn the_demonstration_match_is_told_contact_by_contact_with_the_right_score() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    marqueur(&[
        "analyze",
        "testdata/clips/demo.mp4",
        "--game",
        "three-cushion",
        "--out",
        &out,
    ]);
    let found = folder.path().join("match.json").display().to_string();
    let text = marqueur(&[
        "evaluate",
        "--json",
        "--truth",
        "testdata/clips/demo.truth.json",
        &found,
    ]);
    let report: Value = serde_json::from_slice(&text).unwrap();
    let table = report.to_string();
    let number = |path: &str| {
        report
            .pointer(path)
            .and_then(Value::as_f64)
            .unwrap_or_else(|| panic!("{path} in {table}"))
    };
    assert!(number("/events/f1") >= 0.99, "{table}");
    assert!(
        number("/time_error_ms/median") <= 4.0 && number("/time_error_ms/p95") <= 12.0,
        "{table}"
    );
    assert!(
        number("/at_rest/error_mm/median") <= 1.5 && number("/at_rest/error_mm/p95") <= 4.0,
        "{table}"
    );
    let record: Value = serde_json::from_slice(&std::fs::read(&found).unwrap()).unwrap();
    assert_eq!(
        record["result"]["score"],
        serde_json::json!({"A": 2, "B": 2})
    );
    assert_eq!(
        record["result"]["high_run"],
        serde_json::json!({"A": 2, "B": 2})
    );
    assert_eq!(
        std::fs::read_dir(folder.path().join("shots"))
            .unwrap()
            .count(),
        6
    );
}

#[test]
fn one_worker_or_three_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let clip = first_shot(folder.path());
    let bytes = ["1", "3"].map(|workers| {
        let out = folder.path().join(workers).display().to_string();
        marqueur(&[
            "analyze",
            &clip,
            "--game",
            "three-cushion",
            "--workers",
            workers,
            "--out",
            &out,
        ]);
        ["match.json", "positions.csv", "events.csv"]
            .map(|f| std::fs::read(Path::new(&out).join(f)).unwrap())
    });
    assert!(bytes[0] == bytes[1], "the results differ");
}

#[test]
fn a_calibration_file_stands_in_for_looking_at_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let clip = first_shot(folder.path());
    let file = folder.path().join("table.toml").display().to_string();
    let said = String::from_utf8(marqueur(&[
        "calibrate",
        &clip,
        "--table",
        "carom-match",
        "-o",
        &file,
    ]))
    .unwrap();
    assert!(said.starts_with("good"), "{said}");
    let out = folder.path().join("out").display().to_string();
    marqueur(&[
        "analyze",
        &clip,
        "--game",
        "three-cushion",
        "--calibration",
        &file,
        "--out",
        &out,
    ]);
    let record: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("out/match.json")).unwrap())
            .unwrap();
    assert_eq!(record["shots"][0]["ruling"]["points"]["A"], 1);
    assert_ne!(record["calibration"]["from"], "automatic");

    // The camera was pushed by 6 cm since.
    let mut moved: toml::Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    push(&mut moved, 60.0);
    std::fs::write(&file, moved.to_string()).unwrap();
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .args(["analyze", &clip, "--game", "three-cushion"])
        .args(["--calibration", &file, "--out", &out])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(4) && error.contains("does not fit the picture"),
        "{error}"
    );
}

/// Shifts the camera of a calibration file along the table.
fn push(table: &mut toml::Table, by_mm: f64) {
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => push(inner, by_mm),
            toml::Value::Array(list) if name == "translation_mm" => {
                list[0] = toml::Value::Float(list[0].as_float().unwrap() + by_mm);
            }
            _ => {}
        }
    }
}
