//! From what happened to what follows: points, turn, spotting, equalizing inning, sets, end (rule book 6.5, 6.6, 10.2).

use std::borrow::Cow;

use crate::{
    model::Ball,
    rules::{
        Arg, Due, GameState, Message, PerPlayer, Placement, Player, Reason, Ruling, SetResult,
        carom::{
            Case, Count,
            fouls::{self, Foul},
            verdict,
        },
        spots::{self, Spot},
    },
};

/// The ruling when the carom counts as `made` (or not) and the given rules were broken.
pub(super) fn rule(
    case: &Case<'_, '_>,
    count: &Count<'_, '_>,
    fouls: &[Foul],
    made: bool,
) -> Ruling {
    let shooter = case.shooter();
    let points = i64::from(made && fouls.is_empty());
    let mut ruling = Ruling::nothing(shooter);
    ruling.points = PerPlayer::only(shooter, points);
    ruling.verdict = verdict(points, fouls);
    ruling.fouls = fouls.iter().map(|f| Cow::Borrowed(f.rule)).collect();
    ruling.reasons = match (fouls.is_empty(), made) {
        (false, _) => fouls.iter().flat_map(|f| f.reasons.clone()).collect(),
        (true, true) => count.proof(case),
        (true, false) => count.lack(case),
    };
    ruling.story = count.story(case);
    ruling.equalizing = case.state.equalizing;
    turn(case, &mut ruling, points == 0);
    ruling
}

/// Who goes on, and from where.
fn turn(case: &Case<'_, '_>, ruling: &mut Ruling, passes: bool) {
    let (state, shooter) = (case.state, case.shooter());
    if let Some(loser) = fouls::forfeit(case) {
        ruling.reasons.push(Reason::new(
            "CC-F10",
            Message::new("CC-F10.forfeit").player(loser),
            vec![],
        ));
        return end_game(ruling, Some(loser.other()));
    }
    let target = state.options.whole(case.discipline.target);
    let reached = target > 0 && state.score[shooter] + ruling.points[shooter] >= target;
    match (state.equalizing, reached, shooter == state.starter) {
        (true, true, _) => end_set(case, ruling, None, "CC-G3"),
        (true, false, _) if passes => end_set(case, ruling, Some(state.starter), "CC-G3.won"),
        (false, true, true) => equalizer(case, ruling),
        (false, true, false) => end_set(case, ruling, Some(shooter), "CC-G4"),
        _ => play_on(case, ruling, passes),
    }
}

fn play_on(case: &Case<'_, '_>, ruling: &mut Ruling, passes: bool) {
    let next = if passes {
        case.shooter().other()
    } else {
        case.shooter()
    };
    ruling.next = Some(next);
    ruling.reasons.push(Reason::new(
        "CC-T1",
        Message::new(if passes { "CC-T1.passes" } else { "CC-T1" }).player(next),
        vec![],
    ));
    let own_off = ruling.fouls.iter().any(|f| f == "CC-F1");
    if own_off && !case.umb_off() {
        ruling.due = Due::Start;
        ruling.placements = spots::start_position(case.state, next);
        ruling.reasons.push(Reason::new(
            "CC-O2",
            Message::new("CC-O2").player(next),
            vec![],
        ));
    } else {
        spot_balls(case, ruling, next);
    }
}

/// CC-O1 and CC-O4: balls off the table come back.
fn spot_balls(case: &Case<'_, '_>, ruling: &mut Ruling, next: Player) {
    let off = fouls::balls_off(case);
    if off.is_empty() {
        return;
    }
    let state = case.state;
    let umb = case.umb_off();
    let own_spot = |ball: Ball| match (umb, ball) {
        (_, GameState::RED) => Spot::Top,
        (true, ball) if ball == state.balls[next] => Spot::Bottom,
        (true, _) => Spot::Middle,
        (false, _) => Spot::Bottom,
    };
    let balls: Vec<Ball> = off.iter().map(|(ball, _)| *ball).collect();
    ruling.placements = spots::put_back(state, &case.reading.shot.after, &balls, own_spot);
    let rule = if umb { "CC-O4" } else { "CC-O1" };
    for Placement { ball, spot, .. } in &ruling.placements {
        let events = off
            .iter()
            .filter(|(b, _)| b == ball)
            .map(|(_, e)| *e)
            .collect();
        let message = Message::new(rule)
            .ball(*ball)
            .with("spot", Arg::Text(Cow::Owned(spot.clone())));
        ruling.reasons.push(Reason::new(rule, message, events));
    }
}

/// CC-G2: the opponent's closing inning, from the initial position.
fn equalizer(case: &Case<'_, '_>, ruling: &mut Ruling) {
    let next = case.shooter().other();
    ruling.next = Some(next);
    ruling.due = Due::Start;
    ruling.equalizing = true;
    ruling.placements = spots::start_position(case.state, next);
    ruling.reasons.push(Reason::new(
        "CC-G2",
        Message::new("CC-G2").player(next),
        vec![],
    ));
}

/// The end of a set, and of the game when it was the last.
fn end_set(case: &Case<'_, '_>, ruling: &mut Ruling, winner: Option<Player>, key: &'static str) {
    let state = case.state;
    let rule = key.split_once('.').map_or(key, |(rule, _)| rule);
    let score = Arg::Text(Cow::Owned(format!(
        "{}:{}",
        state.score.a + ruling.points.a,
        state.score.b + ruling.points.b
    )));
    let message = Message::new(key)
        .player(winner.unwrap_or(state.shooter))
        .with("score", score);
    ruling.reasons.push(Reason::new(rule, message, vec![]));
    let worth = match winner {
        Some(player) => PerPlayer::only(player, 1.0),
        None if state.options.is(case.discipline.drawn_set, "half") => PerPlayer::new(0.5, 0.5),
        None => PerPlayer::default(),
    };
    ruling.set = Some(SetResult { winner, worth });
    ruling.equalizing = false;
    let needed = state.options.whole(case.discipline.sets);
    if needed <= 1 {
        return end_game(ruling, winner);
    }
    let sets = PerPlayer::new(state.sets.a + worth.a, state.sets.b + worth.b);
    match_goes_on(case, ruling, sets, needed as f64);
}

/// TC-G1, TC-G3: a match to won sets.
fn match_goes_on(case: &Case<'_, '_>, ruling: &mut Ruling, sets: PerPlayer<f64>, needed: f64) {
    let drawn = ruling.set.is_some_and(|s| s.winner.is_none());
    let (rule, key) = if drawn {
        ("TC-G3", "TC-G3")
    } else {
        ("TC-G1", "TC-G1")
    };
    let score = Arg::Text(Cow::Owned(format!("{}:{}", sets.a, sets.b)));
    ruling.reasons.push(Reason::new(
        rule,
        Message::new(key).with("score", score),
        vec![],
    ));
    if sets.a >= needed || sets.b >= needed {
        let winner = [(sets.a > sets.b, Player::A), (sets.b > sets.a, Player::B)];
        return end_game(
            ruling,
            winner.into_iter().find(|(more, _)| *more).map(|(_, p)| p),
        );
    }
    let opener = case.state.starter.other();
    ruling.next = Some(opener);
    ruling.due = Due::Opening;
    ruling.placements = spots::start_position(case.state, opener);
}

fn end_game(ruling: &mut Ruling, winner: Option<Player>) {
    ruling.next = None;
    ruling.due = Due::Over;
    ruling.equalizing = false;
    ruling.game_end = true;
    ruling.winner = winner;
}
