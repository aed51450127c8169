//! The lag of the carom disciplines (rule book 3, LG-C1..7): both strike at once, the nearer ball wins the choice.

use std::borrow::Cow;

use crate::{
    model::{Ball, Cushion, EventKind},
    rules::{
        Arg, Due, GameState, Message, PerPlayer, Placement, Player, Reason, Ruling, options,
        reading::{Fact, Reading},
        spots::{self, Spot},
    },
};

/// How often a player may spoil the lag by a late stroke before it is lost (LG-C7).
const STRIKES: u32 = 2;

/// Distances whose difference is this close to the limit of equality are measured by a person, mm: the camera places
/// a ball at rest to about 1.5 mm.
const MEASURE_MM: f64 = 2.0;

/// Where the balls stand before the lag.
pub(super) fn placements(state: &GameState) -> Vec<Placement> {
    let table = &state.table;
    vec![
        spots::on_spot(GameState::RED, Spot::Top, table),
        spots::on_spot(state.balls.a, Spot::LagL, table),
        spots::on_spot(state.balls.b, Spot::LagR, table),
    ]
}

/// Rules on a lag: who won the choice, or that it is repeated.
pub(super) fn judge(state: &GameState, reading: &Reading<'_>) -> Ruling {
    let lag = Lag { state, reading };
    if let Some(late) = lag.late() {
        return lag.spoiled(late);
    }
    let faults = lag.faults();
    match (&faults.a[..], &faults.b[..]) {
        ([], []) if lag.undecidable_contact() => lag.repeat(Reason::plain("LG-C7"), None),
        ([], []) => lag.compare(),
        (faults, []) => lag.won(Player::B, faults.to_vec()),
        ([], faults) => lag.won(Player::A, faults.to_vec()),
        (a, b) => {
            let mut ruling = lag.repeat(Reason::plain("Q14"), None);
            ruling.reasons.splice(0..0, a.iter().chain(b).cloned());
            ruling
        }
    }
}

struct Lag<'r, 'a> {
    state: &'r GameState,
    reading: &'r Reading<'a>,
}

impl Lag<'_, '_> {
    fn ball(&self, player: Player) -> Ball {
        self.state.balls[player]
    }

    fn faults(&self) -> PerPlayer<Vec<Reason>> {
        let of = |player| {
            [
                self.touched_red(player),
                self.crossed(player),
                self.short(player),
            ]
            .into_iter()
            .flatten()
            .collect()
        };
        PerPlayer::new(of(Player::A), of(Player::B))
    }

    /// LG-C4.
    fn touched_red(&self, player: Player) -> Option<Reason> {
        let fact = self
            .reading
            .first_contact(self.ball(player), GameState::RED)?;
        Some(Reason::new(
            "LG-C4",
            Message::new("LG-C4").player(player),
            vec![fact.index],
        ))
    }

    /// Q15: the ball did not reach the far cushion (or left the table on the way).
    fn short(&self, player: Player) -> Option<Reason> {
        let seen_out =
            self.reading.shot.complete || self.reading.off().any(|(_, b)| b == self.ball(player));
        let short = seen_out && self.far(player).is_none();
        short.then(|| Reason::new("Q15", Message::new("Q15").player(player), vec![]))
    }

    fn far(&self, player: Player) -> Option<&Fact<'_>> {
        let far = |f: &&Fact<'_>| {
            matches!(
                f.kind,
                EventKind::BallCushion {
                    cushion: Cushion::N,
                    ..
                }
            )
        };
        self.reading.cushions(self.ball(player)).find(far)
    }

    /// The contact of the two cue balls.
    fn meeting(&self) -> Option<&Fact<'_>> {
        self.reading
            .first_contact(self.state.balls.a, self.state.balls.b)
    }

    /// LG-C7: who met the other ball in the other half of the table, where that can be told.
    fn intruder(&self) -> Option<Player> {
        let fact = self.meeting()?;
        let EventKind::BallBall { driver, .. } = *fact.kind else {
            return None;
        };
        let driver = self.state.owner(driver)?;
        let inside = self.inside(driver, fact.place?.y);
        match inside {
            into if into < 0.0 => Some(driver),
            deep if deep > self.state.table.ball_diameter_mm => Some(driver.other()),
            _ => None,
        }
    }

    /// How far inside the player's own half a ball at `y` is, mm. A lags on the left unless his ball stood right.
    fn inside(&self, player: Player, y: f64) -> f64 {
        let middle = 0.5 * self.state.table.width_mm;
        let stood = self
            .reading
            .shot
            .before
            .get(&self.ball(player))
            .map(|at| at.y < middle);
        let left = stood.unwrap_or(player == Player::A);
        if left { middle - y } else { y - middle }
    }

    fn crossed(&self, player: Player) -> Option<Reason> {
        let event = self.meeting()?.index;
        (self.intruder()? == player).then(|| {
            Reason::new(
                "LG-C7",
                Message::new("LG-C7.crossed").player(player),
                vec![event],
            )
        })
    }

    fn undecidable_contact(&self) -> bool {
        self.meeting().is_some() && self.intruder().is_none()
    }

    /// LG-C7: who had not struck yet when the other's ball reached the far cushion.
    fn late(&self) -> Option<Player> {
        let stroke = |player| {
            let own = self.ball(player);
            self.reading
                .facts
                .iter()
                .find(move |f| matches!(f.kind, EventKind::Struck { ball, .. } if *ball == own))
        };
        let any_seen = Player::ALL.into_iter().any(|p| stroke(p).is_some());
        Player::ALL.into_iter().find(|player| {
            let Some(other_far) = self.far(player.other()) else {
                return false;
            };
            any_seen && stroke(*player).is_none_or(|own| self.reading.before(other_far, own))
        })
    }

    fn spoiled(&self, player: Player) -> Ruling {
        let reason = Reason::new("LG-C7", Message::new("LG-C7.late").player(player), vec![]);
        if self.state.lag_strikes[player] + 1 < STRIKES {
            return self.repeat(reason, Some(player));
        }
        let lost = Reason::new("LG-C7", Message::new("LG-C7.twice").player(player), vec![]);
        let mut ruling = self.won(player.other(), vec![reason, lost]);
        ruling.lag_strike = Some(player);
        ruling
    }

    /// LG-C2 and LG-C3.
    fn compare(&self) -> Ruling {
        let after = &self.reading.shot.after;
        let (Some(a), Some(b)) = (
            after.get(&self.ball(Player::A)),
            after.get(&self.ball(Player::B)),
        ) else {
            let mut ruling = self.repeat(
                Reason::new("LG-C2", Message::new("LG-C2.unseen"), vec![]),
                None,
            );
            ruling.needs_operator.push(Message::new("LG-C2.measure"));
            return ruling;
        };
        let (difference, equal) = (
            (a.x - b.x).abs(),
            self.state.options.number(&options::LAG_EQUAL),
        );
        let mut ruling = if difference <= equal {
            self.repeat(
                Reason::new("LG-C3", self.distances("LG-C3", a.x, b.x), vec![]),
                None,
            )
        } else {
            let winner = if a.x < b.x { Player::A } else { Player::B };
            self.won(
                winner,
                vec![Reason::new(
                    "LG-C2",
                    self.distances("LG-C2", a.x, b.x).player(winner),
                    vec![],
                )],
            )
        };
        if (difference - equal).abs() < MEASURE_MM {
            ruling.needs_operator.push(Message::new("LG-C2.measure"));
        }
        ruling
    }

    fn distances(&self, key: &'static str, a: f64, b: f64) -> Message {
        let text = |mm: f64| Arg::Text(Cow::Owned(format!("{mm:.0}")));
        Message::new(key).with("a", text(a)).with("b", text(b))
    }

    /// LG-C6.
    fn won(&self, winner: Player, mut reasons: Vec<Reason>) -> Ruling {
        let mut ruling = Ruling::nothing(self.state.shooter);
        let decides = self.state.options.is(&options::LAG_WINNER, "decides");
        let key = if decides { "LG-C6" } else { "LG-C6.starts" };
        reasons.push(Reason::new(
            "LG-C6",
            Message::new(key).player(winner),
            vec![],
        ));
        if decides {
            ruling
                .needs_operator
                .push(Message::new("LG-C6.ask").player(winner));
        }
        ruling.reasons = reasons;
        ruling.next = Some(winner);
        ruling.due = Due::Opening;
        ruling.placements = spots::start_position(self.state, winner);
        ruling
    }

    fn repeat(&self, reason: Reason, strike: Option<Player>) -> Ruling {
        let mut ruling = Ruling::nothing(self.state.shooter);
        ruling.reasons = vec![
            reason,
            Reason::new("LG-C3", Message::new("LG-C3.again"), vec![]),
        ];
        ruling.due = Due::Lag;
        ruling.placements = placements(self.state);
        ruling.lag_strike = strike;
        ruling
    }
}
