//! Simulated shots of another program: its verdict on three-cushion and ours agree.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::PathBuf;

use marqueur::{
    model::{Ball, Event, Layout, Shot, truth::EventRecord},
    rules::{self, Game, Options},
    units::Timestamp,
};

#[derive(serde::Deserialize)]
struct Line {
    id: String,
    point: bool,
    struck: Ball,
    events: Vec<EventRecord>,
}

fn shots() -> Vec<Line> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/rules/pooltool-three-cushion.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn points(line: &Line) -> i64 {
    let mut options = Options::new(Game::ThreeCushion);
    options.set("start.opening", "false").unwrap();
    let state = rules::start(&options);
    let shooter = state.owner(line.struck).unwrap();
    let shot = Shot {
        struck: Some(line.struck),
        start: Timestamp::ZERO,
        stop: Timestamp::from_secs(60.0),
        events: line
            .events
            .iter()
            .map(|e| Event::try_from(e).unwrap())
            .collect(),
        before: Layout::new(),
        after: Layout::new(),
        complete: true,
        doubts: Vec::new(),
    };
    rules::judge(&state.start_with(shooter), &shot).points[shooter]
}

#[test]
fn both_programs_count_the_same_points() {
    let shots = shots();
    let made = shots.iter().filter(|s| s.point).count();
    assert!(
        shots.len() == 60 && (20..50).contains(&made),
        "{made} of {}",
        shots.len()
    );
    let wrong: Vec<&str> = shots
        .iter()
        .filter(|s| points(s) != i64::from(s.point))
        .map(|s| s.id.as_str())
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
