//! The plan of the house, enforced: who may import whom, which rooms are pure, how long files and functions may be.
//!
//! The table here and the one in ARCHITECTURE.md say the same; change both or neither.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod reader;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use reader::Source;

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 60;

const EVERYTHING: &[&str] = &["*"];
const PIPELINE: &[&str] = &[
    "units", "geom", "model", "calib", "detect", "track", "events", "rules", "score", "io", "draw",
    "synth", "accuracy",
];

/// Room, and the rooms it may use besides itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("geom", &["units"]),
    ("model", &["units", "geom"]),
    ("calib", &["units", "geom", "model"]),
    ("detect", &["units", "geom", "model", "calib"]),
    ("track", &["units", "geom", "model", "calib"]),
    ("events", &["units", "geom", "model"]),
    ("rules", &["units", "geom", "model"]),
    ("score", &["units", "model", "rules"]),
    ("io", &["units", "geom", "model", "calib", "score"]),
    ("web", &["units", "geom", "model", "calib", "score", "draw"]),
    ("draw", &["units", "geom", "model", "calib"]),
    ("synth", &["units", "geom", "model", "calib"]),
    ("accuracy", &["units", "geom", "model"]),
    ("pipeline", PIPELINE),
    ("cli", EVERYTHING),
];

/// Rooms without I/O, clock, threads, randomness, or an order that changes from run to run.
const PURE: &[&str] = &[
    "units", "geom", "model", "track", "events", "rules", "score", "accuracy", "draw",
];
const IMPURE_WORDS: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "opencv",
    "rayon",
    "rand",
    "rand_chacha",
    "HashMap",
    "HashSet",
];

/// Everything that is wrong with one file.
fn complaints(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let at = |line: usize| format!("{}:{line}", source.name);
    if let Some(room) = source.room() {
        let allowed = MAY_USE.iter().find(|(r, _)| *r == room).map(|(_, a)| *a);
        match allowed {
            None => found.push(format!("{}: room `{room}` is not in the plan", source.name)),
            Some(allowed) => {
                for (line, used) in source.rooms_used() {
                    let fine =
                        used == room || allowed.contains(&"*") || allowed.contains(&used.as_str());
                    if !fine {
                        found.push(format!("{}: `{room}` may not use `{used}`", at(line)));
                    }
                }
            }
        }
        if PURE.contains(&room.as_str()) {
            for (line, word) in source.words(IMPURE_WORDS) {
                found.push(format!(
                    "{}: `{room}` is pure and may not use `{word}`",
                    at(line)
                ));
            }
        }
    }
    if source.lines() > LONGEST_FILE {
        found.push(format!(
            "{}: {} lines, {LONGEST_FILE} are allowed",
            source.name,
            source.lines()
        ));
    }
    for (line, name, length) in source.functions() {
        if length > LONGEST_FUNCTION {
            found.push(format!(
                "{}: fn {name} has {length} lines, {LONGEST_FUNCTION} are allowed",
                at(line)
            ));
        }
    }
    found
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn the_house_follows_its_plan() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    assert!(
        files.len() > 10,
        "the source is not where it should be: {}",
        root.display()
    );
    let sources: Vec<Source> = files
        .iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            Source::new(&name, &fs::read_to_string(path).unwrap())
        })
        .collect();
    let for_tests: BTreeSet<String> = sources.iter().flat_map(Source::test_files).collect();
    let mut found = Vec::new();
    for source in &sources {
        if for_tests.contains(&source.name) {
            if source.lines() > LONGEST_FILE {
                found.push(format!("{}: {} lines", source.name, source.lines()));
            }
            continue;
        }
        found.extend(complaints(source));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn wrong(name: &str, text: &str) -> Vec<String> {
    complaints(&Source::new(name, text))
}

#[test]
fn a_forbidden_edge_is_found_however_it_is_written() {
    for text in [
        "use crate::track::Filter;",
        "use crate::{model::Ball, track};",
        "use crate::{\n    model::{Ball, Frame},\n    units::TablePoint,\n    track::{a, b},\n};",
        "pub use crate::track as t;",
        "fn f() { let x = crate::track::new(); }",
        "use super::super::track::Filter;",
        "macro_rules! m { () => { $crate::track::x() } }",
        "use crate ::\n track ;",
    ] {
        let found = wrong("detect/balls.rs", text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(
            found[0].contains("`detect` may not use `track`"),
            "{found:?}"
        );
    }
    assert_eq!(wrong("units.rs", "use super::geom::Line;").len(), 1);
    assert_eq!(wrong("detect/mod.rs", "use crate::*;").len(), 1);
    assert_eq!(wrong("kitchen/mod.rs", "").len(), 1, "an unknown room");
    assert_eq!(wrong("pipeline.rs", "use crate::cli::Progress;").len(), 1);
}

#[test]
fn what_is_allowed_passes() {
    for (name, text) in [
        (
            "detect/balls.rs",
            "use crate::{detect::pins, model::Ball, calib::{camera::Camera, Calibration}};",
        ),
        (
            "detect/balls.rs",
            "// use crate::track;\n/* crate::track /* nested */ crate::events */",
        ),
        (
            "detect/balls.rs",
            "const S: &str = \"crate::track \\\" crate::events\"; const R: &str = r#\"crate::track\"#;",
        ),
        (
            "detect/balls.rs",
            "fn f<'a>(x: &'a u8) -> char { '\"' } // crate::track",
        ),
        (
            "detect/balls.rs",
            "use super::pins::Pin; pub(crate) fn f() {}",
        ),
        (
            "detect/balls.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests { use crate::track::Filter; }",
        ),
        (
            "cli/analyze.rs",
            "use crate::{track, detect, pipeline, web};",
        ),
        ("lib.rs", "pub mod track;"),
        (
            "score/mod.rs",
            "use crate::rules::Ruling; fn operand() { let brand = random(); }",
        ),
    ] {
        assert_eq!(wrong(name, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn code_behind_the_tests_is_still_read() {
    let text = "#[cfg(test)]\nmod tests { fn f() { \"}\"; } }\nuse crate::track::Filter;";
    let found = wrong("detect/balls.rs", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("detect/balls.rs:3:"), "{found:?}");
}

#[test]
fn pure_rooms_stay_pure() {
    for text in [
        "use std::time::Instant;",
        "use std::{fs, collections::BTreeMap};",
        "use std::collections::HashMap;",
        "fn f() { rand::random() }",
    ] {
        assert_eq!(wrong("rules/mod.rs", text).len(), 1, "{text}");
        assert_eq!(wrong("io/mod.rs", text).len(), 0, "{text}");
    }
}

#[test]
fn long_files_and_functions_are_found() {
    let body = "    let x = 1;\n".repeat(59);
    let long = format!("/// Doc.\npub fn long(\n    a: u8,\n) {{\n{body}}}\n");
    let found = wrong("units.rs", &long);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("fn long has 63 lines"), "{found:?}");
    let fits = format!("fn fits() {{\n{}}}\n", "    if x { y() }\n".repeat(58));
    assert!(wrong("units.rs", &fits).is_empty());
    let declared = format!(
        "trait T {{ fn only_declared(&self); }}\n{}",
        "const A: u8 = 1;\n".repeat(70)
    );
    assert!(wrong("units.rs", &declared).is_empty());
    assert_eq!(wrong("units.rs", &"\n".repeat(401)).len(), 1);
    assert!(wrong("units.rs", &"\n".repeat(400)).is_empty());
}
