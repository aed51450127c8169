//! Every form of the rule book is read and written back.

use super::*;
use crate::model::{EventKind, Shot};

fn names() -> Names {
    let balls = [
        ("A", Ball::White),
        ("B", Ball::Yellow),
        ("R", Ball::Red),
        ("C", Ball::White1),
        ("W", Ball::White2),
        ("W1", Ball::Spot),
        ("W2", Ball::Black),
        ("R1", Ball::Red1),
        ("R2", Ball::Red2),
        ("Y", Ball::Orange),
        ("P", Ball::Blue),
        ("O", Ball::Green),
        ("X", Ball::Pink),
        ("T", Ball::Brown),
    ];
    balls
        .into_iter()
        .fold(Names::full(), |names, (letter, ball)| {
            names.with(letter, ball)
        })
}

/// As they stand in the rule book, without those that are written in words.
const BOOK: &[&str] = &[
    "S(A); A>R; A/E; A/N; A/W; A>B",
    "S(A); A>R; {A/N, A/E}; A/W; A>B; B^",
    "S(A!moving); A>R; A>B",
    "{S(A), S(B)}; A/N; B/N; REST A x=120, B x=85",
    "S(A); S(B); A/N; B/N; e*B; REST",
    "S(C); C>W2; W2/S; n,s,e,w,c*W2",
    "S(C); C>W1; W1/N; {n*W1, n*C}",
    "S(P); P>O; n*O; c*n",
    "S(P); P>O; n*O; OP(double hit)",
    "CALL(R1,NE); S(C); C>R1; R1@NE; C@SE",
    "S(A); A>R; R-cadre:12; R/N; R+cadre:12; A>B",
    "S(A); A-anchor:S0; A+corner:SW",
    "H(A); H(B); H(R); S(A); A>R; A>B",
    "S(C); n!; C>W1; n~; n^C; n_; C>n_lying",
    "REST A=1400,700, R=210.5,300",
    "S(A); A>R; A>B; REST B,R in Z, A outside",
    "S(A); A>R; A>B; REST all in Z",
    "S(A); A>R; A>B; REST B outside Z",
    "S(white); white/E; {white>yellow, white/N}; CUT",
    "S(A); A>R [120ms ±3ms 57% @700,650]; OP(interference); OP(interference B)",
    "p3*W2; w*unknown",
];

#[test]
fn the_rule_book_is_read_and_written_back() {
    for text in BOOK {
        let script = Script::parse(text, &names()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let written = script.format(&names());
        assert_eq!(
            Script::parse(&written, &names()).as_ref(),
            Ok(&script),
            "{text} became {written}"
        );
        let full = script.format(&Names::full());
        assert_eq!(
            Script::parse(&full, &Names::full()).as_ref(),
            Ok(&script),
            "{text} became {full}"
        );
        if !text.contains("white") && !text.contains("unknown") {
            assert_eq!(&written, text);
        }
    }
}

#[test]
fn loose_writing_is_understood() {
    let same = |a: &str, b: &str| {
        assert_eq!(
            Script::parse(a, &names()),
            Script::parse(b, &names()),
            "{a}"
        )
    };
    same("S(A);A|E ;  {A>R,A>B} ;", "S(A); A/E; {A>R, A>B}");
    same("S(A); A/W (played straight onto it); A>R", "S(A); A/W; A>R");
    same("S(C); K*W2", "S(C); c*W2");
    same("REST A=1400,700 R=210,300", "REST A=1400,700, R=210,300");
    same("A>B [+-3ms]", "A>B [±3ms]");
}

#[test]
fn errors_name_the_column() {
    let error = |text: &str| Script::parse(text, &names()).unwrap_err().to_string();
    assert_eq!(error("S(A); A>Q"), "column 9: \"Q\" is no ball");
    assert_eq!(
        error("S(A); A/Q"),
        "column 9: \"Q\" is no cushion (S N W E)"
    );
    assert_eq!(error("S(A; A>R"), "column 4: expected )");
    assert_eq!(error("S(A); A>R A>B"), "column 11: expected ; or the end");
    assert_eq!(error("S(A); {A>R; A>B}"), "column 11: expected , or }");
    assert_eq!(
        error("S(A); R1@N"),
        "column 10: \"N\" is no pocket (SW SE MW ME NW NE)"
    );
    assert_eq!(error("S(A); A>A"), "column 9: a ball cannot touch itself");
    assert_eq!(
        error("S(A); …"),
        "column 7: expected a ball, a pin, S( H( OP( CALL( REST or CUT"
    );
    assert_eq!(error("REST A=1,x"), "column 10: expected a number");
    assert_eq!(
        error("n,s+O"),
        "column 4: expected one of * ! ~ ^ _ after a pin"
    );
}

fn sketch(text: &str) -> Sketch {
    Script::parse(text, &names()).unwrap().sketch()
}

#[test]
fn the_stroke_is_time_zero() {
    let shot = sketch("H(A); S(A); A>R; {A/N [150ms], A/E}; A>B").shot;
    let times: Vec<f64> = shot
        .events
        .iter()
        .map(|e| (e.at.secs() * 1e3).round())
        .collect();
    assert_eq!(times, [-100.0, 100.0, 150.0, 150.0, 250.0]);
    assert_eq!((shot.struck, shot.complete), (Some(Ball::White), true));
}

#[test]
fn what_is_no_event_is_kept() {
    let sketch = sketch("CALL(R1,NE); S(C); n~; OP(foot); REST A x=12; CUT");
    assert_eq!(sketch.calls, [["R1", "NE"]]);
    assert_eq!(sketch.operator, ["foot"]);
    assert_eq!(sketch.pins, [Term::PinMoved { pin: Pin::N }]);
    assert_eq!(sketch.shot.after[&Ball::White].x, 12.0);
    assert!(!sketch.shot.complete && sketch.shot.events.is_empty());
}

#[test]
fn a_seen_shot_is_written_with_full_names() {
    let shot: Shot = sketch("S(A); A/E; {A>B, A/N}; A>R; B^").shot;
    assert_eq!(
        of_shot(&shot),
        "S(white); white/E; {white>yellow, white/N}; white>red; yellow^"
    );
    let kinds = |s: &Shot| {
        s.events
            .iter()
            .map(|e| e.kind.clone())
            .collect::<Vec<EventKind>>()
    };
    assert_eq!(kinds(&sketch(&of_shot(&shot)).shot), kinds(&shot));
}
