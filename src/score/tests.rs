//! A match from its shots.

use crate::{
    model::{
        Ball, Shot,
        notation::{Names, Script},
    },
    rules::{self, Game, GameState, Options, Verdict},
    score::{Match, MatchBuilder},
    units::TablePoint,
};

fn shot(text: &str) -> Shot {
    Script::parse(text, &Names::carom(Ball::White, Ball::Yellow))
        .unwrap()
        .sketch()
        .shot
}

fn play(options: &[(&str, &str)], shots: &[&str]) -> (MatchBuilder, Vec<String>) {
    let mut given = Options::new(Game::ThreeCushion);
    options
        .iter()
        .for_each(|(name, value)| given.set(name, value).unwrap());
    let mut builder = MatchBuilder::new(&given);
    let lines = shots
        .iter()
        .map(|text| builder.add(&shot(text)).1)
        .collect();
    (builder, lines)
}

const POINT_A: &str = "S(A); A/E; A/N; A/W; A/S; A>B; A>R";
const MISS_A: &str = "S(A); A>R; A/E";
const POINT_B: &str = "S(B); B>R; B/E; B/N; B/W; B>A";
const MISS_B: &str = "S(B); B>R";
const DOUBT_A: &str = "S(A); A>R; A/E; A/N; A/W [60%]; A>B";

#[test]
fn a_line_tells_the_shot() {
    let (_, lines) = play(&[], &[POINT_A, MISS_A, POINT_B]);
    assert_eq!(
        lines[0],
        "shot 1, A, white: 4 cushions before yellow, then red: 1 point"
    );
    assert_eq!(lines[1], "shot 2, A, white: red, then 1 cushion: no point");
    assert_eq!(
        lines[2],
        "shot 3, B, yellow: red, then 3 cushions before white: 1 point"
    );
}

#[test]
fn the_owner_of_the_first_ball_struck_begins() {
    let (builder, _) = play(&[], &[POINT_B]);
    assert_eq!(builder.records()[0].player, "B");
    let (builder, _) = play(&[("start.shooter", "A")], &[POINT_B]);
    assert_eq!(builder.records()[0].ruling.fouls, ["CC-F3"]);
}

#[test]
fn figures_are_counted_by_visits() {
    let (builder, _) = play(
        &[],
        &[POINT_A, POINT_A, MISS_A, MISS_B, POINT_A, MISS_A, POINT_B],
    );
    let scores: Vec<_> = builder
        .records()
        .iter()
        .map(|r| (r.score["A"], r.score["B"]))
        .collect();
    assert_eq!(
        scores,
        [(1, 0), (2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (3, 1)]
    );
    let (records, result) = builder.finish();
    assert_eq!(records[6].n, 7);
    assert_eq!(
        (result.score["A"], result.innings["A"], result.high_run["A"]),
        (3, 2, 2)
    );
    assert_eq!(
        (result.score["B"], result.innings["B"], result.high_run["B"]),
        (1, 2, 1)
    );
    assert_eq!((result.average["A"], result.average["B"]), (1.5, 0.5));
    assert!(result.needs_review.is_empty() && result.winner.is_none());
}

#[test]
fn the_opening_is_known_by_its_layout() {
    let mut opening = shot("S(A); A>B; A/E; A/N; A/W; A>R");
    opening.before = [
        (Ball::Red, TablePoint::new(2128.0, 712.0)),
        (Ball::Yellow, TablePoint::new(705.0, 709.0)),
        (Ball::White, TablePoint::new(712.0, 890.0)),
    ]
    .into();
    let mut builder = MatchBuilder::new(&Options::new(Game::ThreeCushion));
    assert_eq!(builder.add(&opening).0.ruling.fouls, ["CC-F8"]);
    opening
        .before
        .insert(Ball::Red, TablePoint::new(2000.0, 712.0));
    let mut builder = MatchBuilder::new(&Options::new(Game::ThreeCushion));
    assert_eq!(builder.add(&opening).0.ruling.verdict, "awarded");
}

#[test]
fn the_next_stroke_settles_a_doubt() {
    let (builder, _) = play(&[], &[DOUBT_A]);
    assert_eq!(builder.records()[0].ruling.verdict, "needs-review");
    assert_eq!(builder.game().result().needs_review, [1]);
    let (builder, lines) = play(&[], &[DOUBT_A, MISS_B]);
    assert_eq!(builder.records()[0].ruling.verdict, "nothing");
    assert_eq!(
        (
            builder.records()[0].score["A"],
            builder.records()[1].player.as_str()
        ),
        (0, "B")
    );
    assert!(builder.game().result().needs_review.is_empty());
    assert_eq!(
        lines[1],
        "shot 2, B, yellow: red: no point (shot 1 is settled: no point)"
    );
    let (builder, _) = play(&[], &[DOUBT_A, MISS_A]);
    assert_eq!(
        (
            builder.records()[0].ruling.verdict.as_str(),
            builder.records()[1].score["A"]
        ),
        ("awarded", 1)
    );
    assert_eq!(
        Match::replay(rules_start(), builder.rulings()).result(),
        builder.game().result()
    );
}

fn rules_start() -> GameState {
    rules::start(&Options::new(Game::ThreeCushion)).from_the_middle()
}

#[test]
fn a_doubt_stays_when_it_may_not_be_settled() {
    let (builder, _) = play(&[("review.settle", "false")], &[DOUBT_A, MISS_B]);
    assert_eq!(builder.rulings()[0].verdict, Verdict::NeedsReview);
    assert_eq!(builder.records()[1].ruling.fouls, ["CC-F3"]);
    assert_eq!(builder.game().result().needs_review, [1]);
}

#[test]
fn sets_are_counted() {
    let (builder, _) = play(
        &[("three.target", "1"), ("three.sets", "2")],
        &[POINT_A, MISS_B, POINT_B, MISS_A, POINT_A],
    );
    let result = builder.game().result();
    assert_eq!((result.sets["A"], result.sets["B"]), (1.0, 1.0));
}
