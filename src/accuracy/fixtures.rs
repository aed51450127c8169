//! Hand-made truths and matches for the tests of this room.

use std::collections::BTreeMap;

use crate::model::{
    Ball, TableSpec,
    record::{MatchRecord, RulingRecord, ShotRecord, SourceRecord, TableRecord},
    truth::{EventRecord, TrueShot, Truth},
};

pub(super) fn cushion(t_s: f64, ball: Ball, name: &str) -> EventRecord {
    EventRecord {
        t_s,
        kind: "ball-cushion".to_owned(),
        ball: Some(ball),
        cushion: Some(name.to_owned()),
        ..EventRecord::default()
    }
}

pub(super) fn ball_ball(t_s: f64, a: Ball, b: Ball) -> EventRecord {
    EventRecord {
        t_s,
        kind: "ball-ball".to_owned(),
        a: Some(a),
        b: Some(b),
        ..EventRecord::default()
    }
}

pub(super) fn true_shot(start_s: f64, stop_s: f64, struck: Ball, points: Option<i64>) -> TrueShot {
    TrueShot {
        player: None,
        struck,
        start_s,
        stop_s,
        events: vec![],
        before: BTreeMap::new(),
        after: BTreeMap::new(),
        points,
    }
}

pub(super) fn truth_with(shots: Vec<TrueShot>) -> Truth {
    Truth {
        format: crate::model::truth::FORMAT.to_owned(),
        game: "three-cushion".to_owned(),
        table: TableSpec::named("carom-match").unwrap(),
        camera: serde_json::Value::Null,
        fps: 60.0,
        seed: 0,
        shots,
        score: BTreeMap::new(),
        frames: vec![],
    }
}

pub(super) fn truth_of(events: Vec<EventRecord>) -> Truth {
    let mut shot = true_shot(0.0, 10.0, Ball::White, None);
    shot.events = events;
    truth_with(vec![shot])
}

/// A complete shot of player A.
pub(super) fn shot(start_s: f64, stop_s: f64, struck: Option<Ball>, points: i64) -> ShotRecord {
    ShotRecord {
        n: 1,
        player: "A".to_owned(),
        struck,
        start_s,
        stop_s,
        complete: true,
        before: BTreeMap::new(),
        after: BTreeMap::new(),
        pins_before: vec![],
        pins_after: vec![],
        events: vec![],
        ruling: RulingRecord {
            verdict: if points > 0 { "awarded" } else { "nothing" }.to_owned(),
            points: BTreeMap::from([("A".to_owned(), points)]),
            ..RulingRecord::default()
        },
        score: BTreeMap::new(),
        notation: String::new(),
        doubts: vec![],
    }
}

pub(super) fn match_with(shots: Vec<ShotRecord>) -> MatchRecord {
    MatchRecord {
        format: crate::model::record::FORMAT.to_owned(),
        game: "three-cushion".to_owned(),
        variant: None,
        options: serde_json::Map::new(),
        table: TableRecord {
            name: "carom-match".to_owned(),
            length_mm: 2840.0,
            width_mm: 1420.0,
        },
        source: SourceRecord {
            name: "hand-made".to_owned(),
            ..SourceRecord::default()
        },
        calibration: Default::default(),
        players: vec![],
        shots,
        result: Default::default(),
    }
}

pub(super) fn match_of(events: Vec<EventRecord>) -> MatchRecord {
    let mut only = shot(0.0, 10.0, Some(Ball::White), 0);
    only.events = events;
    match_with(vec![only])
}
