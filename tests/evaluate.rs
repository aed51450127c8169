//! `marqueur evaluate` on a hand-made match with known faults.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{path::Path, process::Command};

use serde_json::{Value, json};

fn truth() -> Value {
    json!({
        "format": "marqueur-truth/1", "game": "three-cushion", "fps": 50.0, "score": {"A": 1, "B": 0},
        "table": {"name": "carom-match", "length_mm": 2840.0, "width_mm": 1420.0, "ball_diameter_mm": 61.5,
                  "nose_height_mm": 37.0, "pockets": false},
        "shots": [{
            "player": "A", "struck": "white", "start_s": 1.0, "stop_s": 4.0, "points": 1,
            "after": {"white": [100.0, 100.0], "red": [500.0, 500.0]},
            "events": [
                {"t_s": 1.5, "kind": "ball-cushion", "ball": "white", "cushion": "E", "dv_mm_s": 900.0},
                {"t_s": 2.0, "kind": "ball-ball", "a": "white", "b": "red", "dv_mm_s": 700.0},
                {"t_s": 3.0, "kind": "ball-cushion", "ball": "red", "cushion": "W", "dv_mm_s": 11.0}]
        }],
        "frames": [{"t_s": 1.5, "balls": {"white": [0.0, 0.0]}}, {"t_s": 1.52, "balls": {"white": [40.0, 0.0]}}]
    })
}

fn found() -> Value {
    json!({
        "format": "marqueur-match/1", "game": "three-cushion", "variant": null, "options": {},
        "table": {"name": "carom-match", "length_mm": 2840.0, "width_mm": 1420.0},
        "source": {"name": "hand.mp4", "frames": 2, "fps": 50.0, "dropped": 0, "duration_s": 5.0},
        "calibration": {"residual_mm": 0.5, "from": "automatic"},
        "players": [{"id": "A", "name": "A", "ball": "white"}],
        "shots": [{
            "n": 1, "player": "A", "struck": "white", "start_s": 1.01, "stop_s": 4.1, "complete": true,
            "before": {}, "after": {"white": [103.0, 104.0], "red": [500.0, 500.0]},
            "pins_before": [], "pins_after": [],
            "events": [
                {"t_s": 1.504, "kind": "ball-cushion", "ball": "white", "cushion": "E"},
                {"t_s": 2.2, "kind": "ball-ball", "a": "red", "b": "white"}],
            "ruling": {"verdict": "awarded", "points": {"A": 1}, "fouls": [], "next": "A", "placements": [],
                       "reasons": [], "confidence": 1.0, "alternatives": []},
            "score": {"A": 1}, "notation": ""
        }],
        "result": {"score": {"A": 1}, "innings": {}, "average": {}, "high_run": {}, "winner": null, "needs_review": []}
    })
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A suite of one pair.
fn suite() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("hand.truth.json"), &truth().to_string());
    write(&dir.path().join("hand/match.json"), &found().to_string());
    let rows = "t_s,ball,x_mm,y_mm,sigma_mm,state\n1.500000,white,0.00,3.00,0.5,seen\n1.510000,white,20.00,4.00,0.5,predicted\n";
    write(&dir.path().join("hand/positions.csv"), rows);
    dir
}

fn evaluate(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .arg("evaluate")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn one_match_as_json() {
    let dir = suite();
    let truth = dir.path().join("hand.truth.json");
    let found = dir.path().join("hand/match.json");
    let report: Value = serde_json::from_str(&evaluate(&[
        "--json",
        "--truth",
        truth.to_str().unwrap(),
        found.to_str().unwrap(),
    ]))
    .unwrap();
    let events = &report["events"];
    assert_eq!(
        (
            &events["found"],
            &events["missed"],
            &events["invented"],
            &events["faint"]
        ),
        (&json!(1), &json!(1), &json!(1), &json!(1))
    );
    assert_eq!(report["at_rest"]["error_mm"]["max"], json!(5.0));
    assert_eq!(report["in_motion"]["error_mm"]["median"], json!(3.0));
    assert_eq!(report["in_motion"]["predicted_mm"]["median"], json!(4.0));
    assert_eq!(report["in_motion"]["missing"], json!(1));
    assert_eq!(
        (&report["verdicts"]["right"], &report["score_right"]),
        (&json!(1), &json!(true))
    );
    let error = report["time_error_ms"]["median"].as_f64().unwrap();
    assert!((error - 4.0).abs() < 1e-6);
}

#[test]
fn a_suite_as_text_says_what_was_left_out() {
    let dir = suite();
    let text = evaluate(&["--suite", dir.path().to_str().unwrap()]);
    for words in [
        "hand.mp4",
        "1 of 1 found",
        "final score  right",
        "1 contacts that change a ball's speed by less than 20 mm/s",
        "missed",
        "invented",
    ] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
}
