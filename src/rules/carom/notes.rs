//! What a ruling tells people besides the score: cut-off shots, doubts, frozen balls, hands, balls that vanished.

use std::borrow::Cow;

use crate::{
    model::{Ball, EventKind},
    rules::{
        Arg, GameState, Message, Reason, Ruling, Said,
        carom::{Case, Count, lie_otherwise},
        game::Opinion,
        reading::{frozen, frozen_gap},
        said::FrozenTo,
    },
};

/// A contact this soon after the stroke with something the ball was frozen to looks like playing straight onto it, ns.
const AT_ONCE_NS: i64 = 50_000_000;

/// Adds the notes to a ruling and its rivals.
pub(super) fn add(case: &Case<'_, '_>, count: &Count<'_, '_>, opinion: &mut Opinion) {
    let mut asks = doubts(case);
    asks.extend(hands(case));
    asks.extend(frozen_play(case));
    asks.extend(vanished(case));
    if case.state.due.from_start() && lie_otherwise(case.state, case.reading) {
        asks.push(Message::new("CC-ST1.ask"));
    }
    if let (true, Some(owner)) = (case.struck != case.own(), case.state.owner(case.struck)) {
        asks.push(Message::new("CC-F3.ask").player(owner));
    }
    if case.reading.said(&Said::Conduct) {
        asks.push(Message::new("CC-F10.ask"));
    }
    let cut = cut_off(case, count);
    for ruling in
        std::iter::once(&mut opinion.ruling).chain(opinion.rivals.iter_mut().map(|(_, r)| r))
    {
        ruling.reasons.extend(cut.clone());
        ruling.needs_operator.extend(asks.iter().cloned());
        let offer = offer_respot(case, ruling);
        ruling.needs_operator.extend(offer);
    }
}

/// EV-5: the recording does not hold the whole shot.
fn cut_off(case: &Case<'_, '_>, count: &Count<'_, '_>) -> Option<Reason> {
    let shot = case.reading.shot;
    let key = match (
        shot.struck.is_none(),
        shot.complete,
        count.second().is_some(),
    ) {
        (true, ..) => "EV-5.begin",
        (_, true, _) => return None,
        (_, _, true) => "EV-5.end",
        (_, _, false) => "EV-5.open",
    };
    Some(Reason::new("EV-5", Message::new(key), vec![]))
}

fn doubts(case: &Case<'_, '_>) -> Vec<Message> {
    let message =
        |text: &String| Message::new("doubt").with("text", Arg::Text(Cow::Owned(text.clone())));
    case.reading.shot.doubts.iter().map(message).collect()
}

fn hands(case: &Case<'_, '_>) -> Option<Message> {
    if case.reading.said(&Said::NoFoul) {
        return None;
    }
    let fact = case.reading.interference().next()?;
    Some(match fact.kind.balls().first() {
        Some(ball) => Message::new("CC-F7.ask").ball(*ball),
        None => Message::new("CC-F7.ask.unknown"),
    })
}

/// CC-F7 proposed by the camera: played straight onto what the ball was frozen to. Needs a person (Q4).
fn frozen_play(case: &Case<'_, '_>) -> Option<Message> {
    let shot = case.reading.shot;
    let at_once =
        |e: &&crate::model::Event| e.at.nanos().saturating_sub(shot.start.nanos()) <= AT_ONCE_NS;
    let onto = shot
        .events
        .iter()
        .filter(at_once)
        .find_map(|event| match event.kind {
            EventKind::BallBall { driver, other } if driver == case.struck => {
                Some(FrozenTo::Ball(other))
            }
            EventKind::BallCushion { ball, cushion } if ball == case.struck => {
                Some(FrozenTo::Cushion(cushion))
            }
            _ => None,
        })?;
    let proposed = frozen(case.state, shot, case.struck, onto)
        && !case.reading.said(&Said::FrozenPlay)
        && !case.reading.said(&Said::NoFoul);
    proposed.then(|| Message::new("CC-F7.frozen.ask").ball(case.struck))
}

/// A ball that was there before, is not there after, and was not seen to leave.
fn vanished(case: &Case<'_, '_>) -> Vec<Message> {
    let shot = case.reading.shot;
    if !shot.complete || shot.after.is_empty() {
        return Vec::new();
    }
    let gone = |ball: &&Ball| {
        !shot.after.contains_key(ball) && !case.reading.off().any(|(_, off)| off == **ball)
    };
    shot.before
        .keys()
        .filter(gone)
        .map(|ball| Message::new("vanished").ball(*ball))
        .collect()
}

/// CC-Z3: the next shooter's ball lies frozen and he may demand spotting.
fn offer_respot(case: &Case<'_, '_>, ruling: &Ruling) -> Option<Message> {
    let next = ruling.next.filter(|_| !ruling.due.from_start())?;
    let own = case.state.balls[next];
    let after = &case.reading.shot.after;
    let at = after.get(&own)?;
    let reach = case.state.table.ball_diameter_mm + frozen_gap(&case.state.options);
    let touching = [GameState::RED, case.state.balls[next.other()]];
    let (other, _) = after
        .iter()
        .find(|(ball, place)| touching.contains(ball) && at.distance(**place) < reach)?;
    Some(
        Message::new("CC-Z3.ask")
            .player(next)
            .ball(own)
            .with("other", Arg::Ball(*other)),
    )
}
