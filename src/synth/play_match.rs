//! Two players at three-cushion: shots that follow from one another, turns as the rules give them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    model::{Ball, Layout, TableSpec},
    synth::{
        aim::{Wish, find},
        physics::Constants,
        script::Shot,
        verdict::three_cushion_point,
    },
    units::TablePoint,
};

/// What kind of match is wanted.
#[derive(Clone, Copy, Debug)]
pub struct MatchWish {
    /// Shots in all.
    pub shots: usize,
    /// Probability that a shot scores.
    pub scoring: f64,
    /// Every shot ends within this time, s.
    pub longest_s: f64,
}

/// The initial position of a carom table: red on the rear spot, the opponent's ball on the front spot, the
/// shooter's on the front line beside it.
///
/// # Source
/// Rule book CC-ST1 and CC-ST2; 182.5 mm beside on a table of 2840 mm, in proportion on others.
pub fn initial_position(table: &TableSpec, shooter: Ball, opponent: Ball) -> Layout {
    let (l, w) = (table.length_mm, table.width_mm);
    [
        (Ball::Red, TablePoint::new(0.75 * l, 0.5 * w)),
        (opponent, TablePoint::new(0.25 * l, 0.5 * w)),
        (
            shooter,
            TablePoint::new(0.25 * l, 0.5 * w + 182.5 * w / 1420.0),
        ),
    ]
    .into_iter()
    .collect()
}

/// Friction and losses as they vary from table to table.
pub fn constants(rng: &mut ChaCha8Rng) -> Constants {
    Constants {
        sliding: rng.random_range(0.17..0.22),
        rolling: rng.random_range(0.0095..0.013),
        ball_restitution: rng.random_range(0.93..0.96),
        cushion_restitution: rng.random_range(0.84..0.90),
        cushion_friction: rng.random_range(0.13..0.19),
        ..Constants::default()
    }
}

/// Plays a match. Player A plays white and begins, player B plays yellow; a point keeps the turn.
///
/// Returns fewer shots than wished for only when no stroke could be found at all.
pub fn play(table: &TableSpec, wish: &MatchWish, seed: u64) -> Vec<Shot> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let constants = constants(&mut rng);
    let players = [("A", Ball::White), ("B", Ball::Yellow)];
    let mut turn = 0;
    let mut layout = initial_position(table, players[0].1, players[1].1);
    let mut shots: Vec<Shot> = Vec::new();
    while shots.len() < wish.shots {
        let wanted = Wish {
            point: rng.random_bool(wish.scoring),
            opening: shots.is_empty(),
            longest_s: wish.longest_s,
            ..Wish::default()
        };
        let (player, ball) = players[turn];
        let other = Wish {
            point: !wanted.point,
            ..wanted
        };
        let found = find(table, &constants, &layout, ball, &wanted, &mut rng)
            .or_else(|| find(table, &constants, &layout, ball, &other, &mut rng));
        let Some((_, play)) = found else {
            break;
        };
        let point = three_cushion_point(play.struck, &play.contacts);
        layout = play.after();
        shots.push(Shot {
            play,
            player: player.to_owned(),
            points: Some(i64::from(point)),
        });
        if !point {
            turn = 1 - turn;
        }
    }
    shots
}
