//! Finds strokes that do what a scene needs, by trying: a seeded search over the simulator.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{
    model::{Ball, Cushion, Layout, TableSpec},
    synth::{
        physics::{Constants, Stroke, simulate},
        play::Play,
        verdict::{course, opening_is_legal, three_cushion_point},
    },
    units::{TablePoint, TableVec},
};

/// What a shot should be.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// A three-cushion point, or none.
    pub point: bool,
    /// Played from the initial position: straight to the red.
    pub opening: bool,
    /// The balls rest by then, s from the stroke.
    pub longest_s: f64,
    /// No contact changes a velocity by less, mm/s.
    pub least_dv_mm_s: f64,
    /// The third cushion and the second ball are at least so far apart in time, s.
    pub margin_s: f64,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            point: true,
            opening: false,
            longest_s: 9.0,
            least_dv_mm_s: 40.0,
            margin_s: 0.025,
        }
    }
}

/// Strokes tried before the search gives up.
const MOST_TRIES: usize = 60_000;

/// Searches for a stroke on `ball` that fulfils `wish`.
///
/// Returns the stroke and its play; `None` when none was found (a layout from which the cue cannot reach the ball).
pub fn find(
    table: &TableSpec,
    constants: &Constants,
    layout: &Layout,
    ball: Ball,
    wish: &Wish,
    rng: &mut ChaCha8Rng,
) -> Option<(Stroke, Play)> {
    (0..MOST_TRIES).find_map(|_| {
        let stroke = Stroke {
            ball,
            angle: rng.random_range(0.0..std::f64::consts::TAU),
            speed: rng.random_range(1800.0..5200.0),
            top: rng.random_range(-0.6..1.2),
            side: rng.random_range(-1.0..1.0),
        };
        if !cue_has_room(table, layout, &stroke) {
            return None;
        }
        let play = simulate(table, constants, layout, &stroke)?;
        fulfils(&play, wish).then_some((stroke, play))
    })
}

fn fulfils(play: &Play, wish: &Wish) -> bool {
    let course = course(play.struck, &play.contacts);
    let straight = !wish.opening || opening_is_legal(play.struck, &play.contacts);
    let touched_one = course.first.is_some();
    let clear_order = match (course.third_cushion, course.second) {
        (Some(third), Some(second)) => (second - third).abs() >= wish.margin_s,
        _ => true,
    };
    let plain = play
        .contacts
        .iter()
        .all(|c| c.dv_mm_s >= wish.least_dv_mm_s);
    straight
        && touched_one
        && clear_order
        && plain
        && play.stop_s <= wish.longest_s
        && three_cushion_point(play.struck, &play.contacts) == wish.point
        && playable(play)
}

/// The next player can play on: no two balls frozen, and the balls are not locked in a corner.
fn playable(play: &Play) -> bool {
    let after: Vec<TablePoint> = play.after().into_values().collect();
    let diameter = play.table.ball_diameter_mm;
    let apart = after.iter().enumerate().all(|(i, a)| {
        after
            .iter()
            .skip(i + 1)
            .all(|b| a.distance(*b) > diameter + 6.0)
    });
    let clear_of_noses = after.iter().all(|p| {
        Cushion::ALL.into_iter().all(|c| {
            let gap = play.table.cushion_gap(*p, c);
            gap > 3.0
        })
    });
    apart && clear_of_noses
}

/// Farthest a player leans over the bed: from the ball back to the edge, mm.
const LEAN_MM: f64 = 1100.0;

/// No other ball lies under the cue, the bridge hand, the arm or the body, and the player can reach the ball.
fn cue_has_room(table: &TableSpec, layout: &Layout, stroke: &Stroke) -> bool {
    let Some(&at) = layout.get(&stroke.ball) else {
        return false;
    };
    let d = stroke.direction();
    let clear = layout.iter().all(|(name, pos)| {
        let to: TableVec = *pos - at;
        let behind = -to.dot(d);
        let aside = (to.x * d.y - to.y * d.x).abs();
        let wanted = if behind < 300.0 {
            2.0 * table.ball_diameter_mm
        } else {
            330.0
        };
        *name == stroke.ball || !(0.0..=1500.0).contains(&behind) || aside > wanted
    });
    clear && edge_behind(table, at, d) < LEAN_MM
}

/// Way from a place straight back, against `d`, to the nose line, mm.
fn edge_behind(table: &TableSpec, at: TablePoint, d: TableVec) -> f64 {
    let way = |v: f64, end: f64, component: f64| {
        if component > 0.0 {
            v / component
        } else {
            (v - end) / component
        }
    };
    way(at.x, table.length_mm, d.x).min(way(at.y, table.width_mm, d.y))
}
