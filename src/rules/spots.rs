//! Where balls are put on a carom table.

use crate::{
    model::{Ball, Layout, TableSpec},
    rules::{GameState, Placement, Player, options},
    units::TablePoint,
};

/// A spot of the carom table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// Centre of the far half: the red's.
    Top,
    /// The table's centre.
    Middle,
    /// Centre of the near half, on the start line.
    Bottom,
    /// On the start line, left of [`Spot::Bottom`].
    SideL,
    /// On the start line, right of it.
    SideR,
    /// On the start line, 300 mm from the left long cushion: A's lag.
    LagL,
    /// On the start line, 300 mm from the right long cushion: B's lag.
    LagR,
}

impl Spot {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Top,
        Self::Middle,
        Self::Bottom,
        Self::SideL,
        Self::SideR,
        Self::LagL,
        Self::LagR,
    ];

    /// Its name in the rule book.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "TOP",
            Self::Middle => "MIDDLE",
            Self::Bottom => "BOTTOM",
            Self::SideL => "SIDE-L",
            Self::SideR => "SIDE-R",
            Self::LagL => "LAG-L",
            Self::LagR => "LAG-R",
        }
    }

    /// The place, mm.
    ///
    /// # Source
    /// Rule book 2.1: quarter points of the midline; the shooter's places 182.5 mm beside it on the match table,
    /// 148 on 2.30 m, 135 on 2.10 m, in proportion on others.
    pub fn place(self, table: &TableSpec) -> TablePoint {
        let (l, w) = (table.length_mm, table.width_mm);
        let aside = match w.round() as i64 {
            1150 => 148.0,
            1050 => 135.0,
            _ => w * 182.5 / 1420.0,
        };
        match self {
            Self::Top => TablePoint::new(0.75 * l, 0.5 * w),
            Self::Middle => TablePoint::new(0.5 * l, 0.5 * w),
            Self::Bottom => TablePoint::new(0.25 * l, 0.5 * w),
            Self::SideL => TablePoint::new(0.25 * l, 0.5 * w - aside),
            Self::SideR => TablePoint::new(0.25 * l, 0.5 * w + aside),
            Self::LagL => TablePoint::new(0.25 * l, w * 300.0 / 1420.0),
            Self::LagR => TablePoint::new(0.25 * l, w - w * 300.0 / 1420.0),
        }
    }
}

/// A ball on a spot.
pub fn on_spot(ball: Ball, spot: Spot, table: &TableSpec) -> Placement {
    Placement {
        ball,
        at: Some(spot.place(table)),
        spot: spot.name().to_owned(),
    }
}

/// The initial position with `shooter` at the table: red on TOP, the opponent's ball on BOTTOM, the shooter's on
/// SIDE-L or SIDE-R as he likes (CC-ST1, CC-ST2).
pub fn start_position(state: &GameState, shooter: Player) -> Vec<Placement> {
    let table = &state.table;
    vec![
        on_spot(GameState::RED, Spot::Top, table),
        on_spot(state.balls[shooter.other()], Spot::Bottom, table),
        Placement {
            ball: state.balls[shooter],
            at: Some(Spot::SideL.place(table)),
            spot: format!("{}/{}", Spot::SideL.name(), Spot::SideR.name()),
        },
    ]
}

/// How far a ball put on its spot by hand may lie beside it, mm: a ball's radius. Players are more exact than that and
/// no three balls come to lie so by chance.
const PLACED_MM: f64 = 30.0;

/// Do the balls lie in the initial position, whoever is to shoot?
pub fn is_start_position(state: &GameState, layout: &Layout) -> bool {
    let near = |ball: Ball, spot: Spot| {
        layout
            .get(&ball)
            .is_some_and(|at| at.distance(spot.place(&state.table)) <= PLACED_MM)
    };
    let with = |shooter: Player| {
        let own = state.balls[shooter];
        near(state.balls[shooter.other()], Spot::Bottom)
            && (near(own, Spot::SideL) || near(own, Spot::SideR))
    };
    near(GameState::RED, Spot::Top) && Player::ALL.into_iter().any(with)
}

/// The ball that would be overlapped by a ball on `spot`, if there is one.
pub fn occupant(state: &GameState, layout: &Layout, spot: Spot) -> Option<Ball> {
    let reach = state.table.ball_diameter_mm + state.options.number(&options::SPOT_CLEAR);
    let place = spot.place(&state.table);
    layout
        .iter()
        .find(|(_, at)| at.distance(place) < reach)
        .map(|(ball, _)| *ball)
}

/// Puts balls back one after another, each on its own spot, or on the spot of the ball that occupies it, or on the
/// first free one of MIDDLE, TOP, BOTTOM.
///
/// `own` tells each ball's spot. `layout` is where the other balls lie; the balls to be put back are taken out of it
/// first. `balls` are spotted in the order yellow, red, white (rule book 20, Q21).
pub fn put_back(
    state: &GameState,
    layout: &Layout,
    balls: &[Ball],
    own: impl Fn(Ball) -> Spot,
) -> Vec<Placement> {
    let mut layout = layout.clone();
    let mut balls = balls.to_vec();
    balls.sort_by_key(|ball| match ball {
        Ball::Yellow | Ball::Spot => 0,
        Ball::Red => 1,
        _ => 2,
    });
    layout.retain(|ball, _| !balls.contains(ball));
    let mut placed = Vec::new();
    for ball in balls {
        let spot = free_spot(state, &layout, own(ball), &own);
        layout.insert(ball, spot.place(&state.table));
        placed.push(on_spot(ball, spot, &state.table));
    }
    placed
}

fn free_spot(
    state: &GameState,
    layout: &Layout,
    wanted: Spot,
    own: &impl Fn(Ball) -> Spot,
) -> Spot {
    let free = |spot: Spot| occupant(state, layout, spot).is_none();
    let of_occupant = occupant(state, layout, wanted).map(own);
    let fallback = [Spot::Middle, Spot::Top, Spot::Bottom];
    std::iter::once(wanted)
        .chain(of_occupant)
        .chain(fallback)
        .find(|s| free(*s))
        .unwrap_or(wanted)
}
