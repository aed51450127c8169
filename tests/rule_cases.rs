//! Every `.cases` file passes, and every identifier of the rule book's list stands in a case that does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use marqueur::rules::{self, Game, Options, cases};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/rules")
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "cases"));
    files.sort();
    files
}

#[test]
fn every_case_passes_and_every_identifier_is_proved() {
    let (mut proved, mut failures, mut count) = (BTreeSet::new(), Vec::new(), 0);
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        for case in cases::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}")) {
            count += 1;
            match cases::run(&case) {
                Ok(identifiers) => proved.extend(identifiers),
                Err(failure) => failures.push(format!("{name}: {failure}")),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} cases fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count >= 100, "only {count} cases were found");
    let list = fs::read_to_string(folder().join("identifiers.txt")).unwrap();
    let wanted = list
        .lines()
        .filter(|l| !l.starts_with('#'))
        .flat_map(str::split_whitespace);
    let missing: Vec<&str> = wanted.filter(|id| !proved.contains(*id)).collect();
    assert!(missing.is_empty(), "no case proves {}", missing.join(" "));
}

#[test]
fn a_file_without_a_case_is_an_error() {
    assert!(cases::parse("# nothing\ngame three-cushion\n").is_err());
    assert!(cases::parse("").is_err());
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line() {
    let error = |text: &str| {
        cases::parse(&format!("game three-cushion\n{text}"))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("case X\n shot S(A); A>Q\n points 0"),
        "line 3: in the shot, column 9: \"Q\" is no ball"
    );
    assert_eq!(
        error("case X\n shot S(A)"),
        "line 3: case X expects nothing of this shot"
    );
    assert_eq!(
        error("case X\n points 0"),
        "line 3: \"points\" before the first shot of the case"
    );
    assert_eq!(
        error("case X\n shot S(A)\n points 0\ncase X"),
        "line 5: there is a case X already"
    );
    assert!(
        error("case X\n set three.off=what\n shot S(A)\n points 0")
            .contains("allowed: one of seed, umb")
    );
    assert!(
        error("case X\n set three.of=umb\n shot S(A)\n points 0").contains("it has: three.target")
    );
    assert!(
        error("case X\n shot S(A)\n pints 0").starts_with("line 4: \"pints\" is no line of a case")
    );
}

#[test]
fn a_wrong_expectation_fails() {
    let text = "game three-cushion\ncase X\n shot S(A); A>R; A>B\n points A+1\n next B";
    let case = &cases::parse(text).unwrap()[0];
    let failure = cases::run(case).unwrap_err().to_string();
    assert_eq!(failure, "X (line 3): points: expected A+1 B+0, got A+0 B+0");
}

#[test]
fn every_member_of_a_state_is_described() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/STATE.md")).unwrap();
    for game in Game::ALL {
        let state = serde_json::to_value(rules::start(&Options::new(game))).unwrap();
        for member in state.as_object().unwrap().keys() {
            assert!(
                text.contains(&format!("| `{member}` |")),
                "docs/STATE.md does not describe `{member}`"
            );
        }
    }
}

#[test]
fn every_line_of_a_case_is_described() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/CASES.md")).unwrap();
    let error = cases::parse("game three-cushion\ncase X\n shot S(A)\n nonsense")
        .unwrap_err()
        .message;
    let (_, words) = error.split_once(": ").unwrap();
    for word in words.split(", ") {
        assert!(
            text.contains(&format!("`{word} ")),
            "docs/CASES.md does not describe `{word}`"
        );
    }
}
