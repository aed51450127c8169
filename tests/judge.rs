//! `marqueur judge` and `marqueur games` through the built program.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

const POINT: &str = "S(A); A>R; A/E; A/N; A/W; A>B\n";

#[test]
fn files_of_cases_are_run() {
    let (code, out, _) = run(&["judge", "testdata/rules/three-cushion.cases"], "");
    assert!(code == 0 && out.ends_with(" passed, 0 failed\n"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.cases");
    std::fs::write(
        &path,
        "game three-cushion\ncase X\n shot S(A); A>R\n points A+1\n",
    )
    .unwrap();
    let (code, out, _) = run(&["judge", path.to_str().unwrap()], "");
    assert_eq!(code, 1);
    assert!(
        out.contains("X (line 3): points: expected A+1 B+0, got A+0 B+0"),
        "{out}"
    );
    std::fs::write(&path, "game three-cushion\n").unwrap();
    let (code, _, error) = run(&["judge", path.to_str().unwrap()], "");
    assert!(
        code == 1 && error.contains("there is no case in this file"),
        "{error}"
    );
}

#[test]
fn typed_shots_are_a_game() {
    let input = format!("{POINT}# a comment\nS(A); A>R # a miss\nS(B); B>Q\n");
    let (code, out, error) = run(
        &["judge", "--game", "three-cushion", "--players", "Ann,Bob"],
        &input,
    );
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines,
        [
            "shot 1, A, white: red, then 3 cushions before yellow: 1 point (Ann 1, Bob 0; next Ann)",
            "shot 2, A, white: red: no point (Ann 1, Bob 0; next Bob)"
        ]
    );
    assert_eq!(code, 1);
    assert!(
        error.contains("line 4: column 9: \"Q\" is no ball"),
        "{error}"
    );
    assert_eq!(run(&["judge"], "").0, 5, "nothing to judge");
}

#[test]
fn the_reasoning_is_numbered() {
    let (code, out, _) = run(&["judge", "--explain"], POINT);
    assert_eq!(code, 0);
    assert!(
        out.contains("  1. CC-P1: white touched red and yellow [white>red; white>yellow]"),
        "{out}"
    );
    assert!(
        out.contains("  2. TC-P1: 3 cushions before the second object ball"),
        "{out}"
    );
}

#[test]
fn states_go_from_line_to_line() {
    let (code, state, _) = run(&["judge", "--state", "three-cushion", "--target", "2"], "");
    assert_eq!(code, 0);
    let state: Value = serde_json::from_str(&state).unwrap();
    let shot =
        r#"{"struck":"white","events":[{"t_s":1,"kind":"ball-ball","a":"white","b":"red"}]}"#;
    let input = format!(
        "{{\"id\":1,\"state\":{state},\"shot\":{shot}}}\nnonsense\n{{\"id\":3,\"game\":\"kaisa\",\"shot\":{shot}}}\n"
    );
    let (code, out, _) = run(&["judge", "--jsonl"], &input);
    let lines: Vec<Value> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!((code, lines.len()), (0, 3));
    assert_eq!(
        (&lines[0]["ruling"]["next"], &lines[0]["state"]["shooter"]),
        (&Value::from("B"), &Value::from("B"))
    );
    assert_eq!(lines[0]["state"]["options"]["three.target"], 2);
    assert!(lines[1]["error"].is_string() && lines[1]["id"].is_null());
    assert!(lines[2]["error"].as_str().unwrap().contains("kaisa") && lines[2]["id"] == 3);
}

#[test]
fn a_ball_that_was_never_seen_leaves_the_shot_to_a_person() {
    let verdict = |before: &str| {
        let shot = format!(r#"{{"struck":"white","events":[],"before":{before}}}"#);
        let (_, out, error) = run(
            &["judge", "--jsonl"],
            &format!(r#"{{"game":"three-cushion","shot":{shot}}}"#),
        );
        let answer: Value =
            serde_json::from_str(out.trim()).unwrap_or_else(|_| panic!("{out}{error}"));
        answer["ruling"]["verdict"].clone()
    };
    let white = r#"{"white":[900,300]}"#;
    let all = r#"{"white":[900,300],"yellow":[700,700],"red":[2000,700]}"#;
    assert_eq!(verdict(white), "needs-review");
    assert_ne!(verdict(all), "needs-review");
}

#[test]
fn wrong_usage_says_what_is_allowed() {
    let (code, _, error) = run(&["judge", "--set", "three.off=never"], POINT);
    assert!(code == 2 && error.contains("one of seed, umb"), "{error}");
    let (code, _, error) = run(&["judge", "--game", "chess"], POINT);
    assert!(
        code == 2 && error.contains("there are: three-cushion"),
        "{error}"
    );
    assert_eq!(run(&["judge", "no-such.cases"], "").0, 1);
}

#[test]
fn games_are_listed_with_their_options() {
    let (code, out, _) = run(&["games", "--json"], "");
    let games: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &games[0]["name"]),
        (0, &Value::from("three-cushion"))
    );
    assert_eq!(games[0]["options"][0]["default"], 15);
    assert!(
        run(&["games", "three-cushion"], "")
            .1
            .contains("break.direct_red")
    );
    assert_eq!(run(&["games", "chess"], "").0, 2);
}
