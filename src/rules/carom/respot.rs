//! The demand of a shooter whose ball lies frozen (rule book 6.4, CC-Z3 and CC-Z4).

use std::borrow::Cow;

use crate::{
    model::{Ball, Layout},
    rules::{
        Arg, Due, GameState, Message, Reason, Respot, Said,
        carom::Discipline,
        reading::frozen_gap,
        said::FrozenTo,
        spots::{self, Spot},
    },
};

/// What a demand brings; `None` when the shooter's ball touches no other ball.
pub(in crate::rules) fn respot(
    state: &GameState,
    layout: &Layout,
    discipline: &Discipline,
) -> Option<Respot> {
    let own = state.balls[state.shooter];
    let opponent = state.balls[state.shooter.other()];
    let touching: Vec<Ball> = [GameState::RED, opponent]
        .into_iter()
        .filter(|other| touch(state, layout, own, *other))
        .collect();
    let first = *touching.first()?;
    let message = Message::new("CC-Z3")
        .player(state.shooter)
        .ball(own)
        .with("other", Arg::Ball(first));
    let mut next = state.clone();
    let mut reasons = vec![Reason::new("CC-Z3", message, vec![])];
    if state.options.is(discipline.frozen, "initial") {
        next.due = Due::Start;
        next.placements = spots::start_position(state, state.shooter);
    } else {
        let spot_of = |ball: Ball| match ball {
            GameState::RED => Spot::Top,
            ball if ball == own => Spot::Bottom,
            _ => Spot::Middle,
        };
        let balls: Vec<Ball> = touching.into_iter().chain([own]).collect();
        next.placements = spots::put_back(state, layout, &balls, spot_of);
        reasons.extend(next.placements.iter().map(|placed| {
            let spot = Arg::Text(Cow::Owned(placed.spot.clone()));
            Reason::new(
                "CC-Z4",
                Message::new("CC-Z4").ball(placed.ball).with("spot", spot),
                vec![],
            )
        }));
    }
    next.said.retain(|said| *said != Said::Respot);
    Some(Respot {
        state: next,
        reasons,
    })
}

fn touch(state: &GameState, layout: &Layout, own: Ball, other: Ball) -> bool {
    let said = state.said.iter().any(|s| match *s {
        Said::Frozen(ball, FrozenTo::Ball(to)) => {
            (ball, to) == (own, other) || (to, ball) == (own, other)
        }
        _ => false,
    });
    let gap = layout
        .get(&own)
        .zip(layout.get(&other))
        .map(|(a, b)| a.distance(*b) - state.table.ball_diameter_mm);
    said || gap.is_some_and(|gap| gap < frozen_gap(&state.options))
}
