//! The fouls common to all carom disciplines (rule book 6.3) that make the point of the shot void.

use crate::{
    model::Ball,
    rules::{
        Message, Player, Reason, Said,
        carom::{Case, Count, DIRECT_RED},
        reading::Fact,
    },
};

/// A foul with its reasons.
pub(super) struct Foul {
    /// Identifier.
    pub(super) rule: &'static str,
    /// Why.
    pub(super) reasons: Vec<Reason>,
}

impl Foul {
    fn new(rule: &'static str, message: Message, events: Vec<usize>) -> Self {
        Self {
            rule,
            reasons: vec![Reason::new(rule, message, events)],
        }
    }
}

/// Every foul of the shot, in the order of the rule book's list.
pub(super) fn find(case: &Case<'_, '_>, count: &Count<'_, '_>) -> Vec<Foul> {
    let mut fouls = Vec::new();
    fouls.extend(own_off(case));
    fouls.extend(wrong_ball(case));
    fouls.extend(said(case));
    fouls.extend(in_motion(case));
    fouls.extend(opening(case, count));
    fouls.extend(object_off(case));
    fouls
}

/// The balls that left the table, each once.
pub(super) fn balls_off(case: &Case<'_, '_>) -> Vec<(Ball, usize)> {
    let mut off: Vec<(Ball, usize)> = Vec::new();
    for (fact, ball) in case.reading.off() {
        if !off.iter().any(|(b, _)| *b == ball) {
            off.push((ball, fact.index));
        }
    }
    off
}

/// CC-F1.
fn own_off(case: &Case<'_, '_>) -> Option<Foul> {
    let (ball, event) = balls_off(case)
        .into_iter()
        .find(|(ball, _)| *ball == case.own())?;
    Some(Foul::new(
        "CC-F1",
        Message::new("CC-F1").ball(ball),
        vec![event],
    ))
}

/// CC-F3.
fn wrong_ball(case: &Case<'_, '_>) -> Option<Foul> {
    let message = match case.state.owner(case.struck) {
        Some(owner) if owner == case.shooter() => return None,
        Some(_) => Message::new("CC-F3"),
        None => Message::new("CC-F3.object"),
    };
    Some(Foul::new(
        "CC-F3",
        message.player(case.shooter()).ball(case.struck),
        Vec::new(),
    ))
}

/// CC-F4, CC-F7, CC-F10: what only a person can tell.
fn said(case: &Case<'_, '_>) -> Vec<Foul> {
    let foul = |said: &Said| match said {
        Said::Foot => Some(("CC-F4", "CC-F4")),
        Said::Tip => Some(("CC-F7", "CC-F7.tip")),
        Said::Push => Some(("CC-F7", "CC-F7.push")),
        Said::DoubleHit => Some(("CC-F7", "CC-F7.double")),
        Said::Touch => Some(("CC-F7", "CC-F7.touch")),
        Said::Marking => Some(("CC-F7", "CC-F7.marking")),
        Said::FrozenPlay => Some(("CC-F7", "CC-F7.frozen")),
        Said::Conduct => Some(("CC-F10", "CC-F10")),
        Said::Forfeit(_) | Said::Respot | Said::NoFoul | Said::Frozen(..) | Said::Call(_) => None,
    };
    (case.reading.said.iter().filter_map(foul))
        .map(|(rule, key)| Foul::new(rule, Message::new(key).player(case.shooter()), Vec::new()))
        .collect()
}

/// The player a forfeit was called on.
pub(super) fn forfeit(case: &Case<'_, '_>) -> Option<Player> {
    case.reading.said.iter().find_map(|said| match said {
        Said::Forfeit(player) => Some(*player),
        _ => None,
    })
}

/// CC-F5.
fn in_motion(case: &Case<'_, '_>) -> Option<Foul> {
    let fact = case.reading.struck_in_motion()?;
    Some(Foul::new(
        "CC-F5",
        Message::new("CC-F5").ball(case.struck),
        vec![fact.index],
    ))
}

/// CC-F8 by CC-ST4 (red first) or CC-ST5 (no cushion before it). Simultaneous contacts are read for the shooter (Q20).
fn opening(case: &Case<'_, '_>, count: &Count<'_, '_>) -> Option<Foul> {
    if !case.from_start {
        return None;
    }
    let (broken, event) = other_first(case, count).or_else(|| cushion_first(case, count))?;
    let why = Reason::new(
        broken,
        Message::new(broken).ball(case.struck),
        vec![event.index],
    );
    let foul = Reason::new("CC-F8", Message::new("CC-F8"), vec![event.index]);
    Some(Foul {
        rule: "CC-F8",
        reasons: vec![why, foul],
    })
}

fn other_first<'r, 'a>(
    case: &Case<'r, 'a>,
    count: &Count<'r, 'a>,
) -> Option<(&'static str, &'r Fact<'a>)> {
    let (ball, first) = count.touched.first()?;
    let red = count.red();
    let broken = *ball != crate::rules::GameState::RED
        && red.is_none_or(|red| case.reading.before(first, red));
    broken.then_some(("CC-ST4", *first))
}

fn cushion_first<'r, 'a>(
    case: &Case<'r, 'a>,
    count: &Count<'r, 'a>,
) -> Option<(&'static str, &'r Fact<'a>)> {
    if !case.state.options.flag(&DIRECT_RED) {
        return None;
    }
    let red = count.red()?;
    let cushion = case.reading.cushions(case.struck).next()?;
    case.reading
        .before(cushion, red)
        .then_some(("CC-ST5", cushion))
}

/// CC-F9: only where an object ball off the table is a foul at all (CC-O4).
fn object_off(case: &Case<'_, '_>) -> Option<Foul> {
    if !case.umb_off() {
        return None;
    }
    let (ball, event) = balls_off(case)
        .into_iter()
        .find(|(ball, _)| *ball != case.own())?;
    Some(Foul::new(
        "CC-F9",
        Message::new("CC-F9").ball(ball),
        vec![event],
    ))
}
