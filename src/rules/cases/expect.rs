//! What a case expects.

use crate::{
    model::{Ball, notation::Names},
    rules::{Due, GameState, Messages, PerPlayer, Placement, Player, Reason, Ruling, Verdict},
    units::TablePoint,
};

/// Places that differ by less are the same, mm.
const SAME_MM: f64 = 0.6;

/// How a shot ends a set or the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Neither.
    #[default]
    None,
    /// A set, won by a player or drawn.
    Set(Option<Player>),
    /// The game, won by a player or drawn.
    Game(Option<Player>),
}

/// Where a ball is expected to be put.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Spot(String),
    At(TablePoint),
}

/// What is expected of a ruling. What is not written is not checked, except that without `fouls`, `end` and `verdict`
/// there must be no foul, no end, and no doubt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    points: Option<PerPlayer<i64>>,
    verdict: Option<String>,
    fouls: Vec<String>,
    next: Option<Option<Player>>,
    due: Option<Due>,
    places: Option<Vec<(Ball, Place)>>,
    score: Option<String>,
    ending: Ending,
    because: Vec<String>,
    asks: Vec<String>,
    rivals: Option<Vec<String>>,
    sure: Option<f64>,
}

/// What is checked, what is expected, what is there.
type Check = (&'static str, String, String);

impl Expect {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The rules that must be named.
    pub(super) fn because(&self) -> &[String] {
        &self.because
    }

    pub(super) fn read(&mut self, key: &str, value: &str, names: &Names) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match key {
            "points" => self.points = Some(points(value)?),
            "verdict" => self.verdict = Some(value.to_owned()),
            "fouls" => self.fouls.extend(words()),
            "next" if value == "none" => self.next = Some(None),
            "next" => self.next = Some(Some(player(value)?)),
            "due" => {
                self.due = Some(
                    Due::from_name(value).ok_or_else(|| format!("\"{value}\" cannot be due"))?,
                )
            }
            "place" if value == "none" => self.places = Some(Vec::new()),
            "place" => self
                .places
                .get_or_insert_default()
                .extend(places(value, names)?),
            "score" => self.score = Some(value.to_owned()),
            "end" => self.ending = ending(value)?,
            "because" => self.because.extend(words()),
            "asks" => self.asks.push(value.to_owned()),
            "rival" => self.rivals.get_or_insert_default().extend(words()),
            "sure" => {
                let percent = value.trim_end_matches('%').parse::<f64>();
                self.sure =
                    Some(percent.map_err(|_| format!("\"{value}\" is no percentage"))? / 100.0);
            }
            _ => {
                return Err(format!(
                    "\"{key}\" is no line of a case: set, before, at, said, shot, demand, shows, points, verdict, fouls, \
                     next, due, place, score, end, because, asks, rival, sure"
                ));
            }
        }
        Ok(())
    }

    /// Everything in which a ruling and the state after it differ from what is expected.
    pub(super) fn differences(&self, ruling: &Ruling, after: &GameState) -> Vec<String> {
        let differ = self
            .of_ruling(ruling)
            .into_iter()
            .chain(self.of_state(after));
        let mut found: Vec<String> = differ
            .filter(|(_, wanted, got)| wanted != got)
            .map(|(what, wanted, got)| format!("{what}: expected {wanted}, got {got}"))
            .collect();
        found.extend(
            self.places
                .as_ref()
                .and_then(|wanted| placed_otherwise(wanted, &ruling.placements)),
        );
        found.extend(self.unnamed(&ruling.reasons));
        found.extend(self.unasked(ruling));
        found
    }

    fn of_ruling(&self, ruling: &Ruling) -> Vec<Check> {
        let verdict = ruling.verdict.name().to_owned();
        let mut checks = vec![
            ("fouls", self.fouls.join(" "), ruling.fouls.join(" ")),
            (
                "end",
                format!("{:?}", self.ending),
                format!("{:?}", ending_of(ruling)),
            ),
        ];
        checks.extend(
            self.points
                .map(|points| ("points", show_points(points), show_points(ruling.points))),
        );
        checks.extend(
            self.next
                .map(|next| ("next", show_player(next), show_player(ruling.next))),
        );
        match &self.verdict {
            Some(wanted) => checks.push(("verdict", wanted.clone(), verdict)),
            None if ruling.verdict == Verdict::NeedsReview => {
                checks.push(("verdict", "no doubt".to_owned(), verdict))
            }
            None => {}
        }
        checks.extend(self.rivals.as_ref().map(|rivals| {
            let got: Vec<_> = ruling
                .alternatives
                .iter()
                .skip(1)
                .map(|a| a.ruling.verdict.name())
                .collect();
            ("rival", rivals.join(" "), got.join(" "))
        }));
        let percent = |p: f64| format!("{:.1}%", p * 100.0);
        let unsure = self
            .sure
            .filter(|sure| (sure - ruling.confidence).abs() > 0.005);
        checks.extend(unsure.map(|sure| ("sure", percent(sure), percent(ruling.confidence))));
        checks
    }

    fn of_state(&self, after: &GameState) -> Vec<Check> {
        let due = self
            .due
            .map(|due| ("due", due.name().to_owned(), after.due.name().to_owned()));
        let score = self.score.as_ref().map(|score| {
            (
                "score",
                score.clone(),
                format!("{}:{}", after.score.a, after.score.b),
            )
        });
        due.into_iter().chain(score).collect()
    }

    /// The same for a granted demand.
    pub(super) fn differences_of_demand(
        &self,
        after: &GameState,
        reasons: &[Reason],
    ) -> Vec<String> {
        let mut found: Vec<String> = self.unnamed(reasons).collect();
        if let Some(due) = self.due.filter(|due| *due != after.due) {
            found.push(format!(
                "due: expected {}, got {}",
                due.name(),
                after.due.name()
            ));
        }
        if let Some(next) = self.next.filter(|next| *next != Some(after.shooter)) {
            found.push(format!(
                "next: expected {}, got {}",
                show_player(next),
                after.shooter
            ));
        }
        found.extend(
            self.places
                .as_ref()
                .and_then(|wanted| placed_otherwise(wanted, &after.placements)),
        );
        found
    }

    fn unnamed(&self, reasons: &[Reason]) -> impl Iterator<Item = String> {
        let named: Vec<&str> = reasons.iter().map(|r| r.rule.as_ref()).collect();
        let missing = self
            .because
            .iter()
            .filter(|rule| !named.contains(&rule.as_str()));
        missing
            .map(|rule| format!("because: {rule} is not named, but {}", named.join(" ")))
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn unasked(&self, ruling: &Ruling) -> Vec<String> {
        let asked: Vec<String> = ruling
            .needs_operator
            .iter()
            .map(|m| Messages::english().say(m))
            .collect();
        let missing = self
            .asks
            .iter()
            .filter(|text| !asked.iter().any(|a| a.contains(text.as_str())));
        missing
            .map(|text| format!("asks: nobody is asked \"{text}\", but {asked:?}"))
            .collect()
    }
}

fn points(text: &str) -> Result<PerPlayer<i64>, String> {
    let mut points = PerPlayer::default();
    for word in text.split_whitespace().filter(|w| *w != "0") {
        let wrong = || format!("\"{word}\" are no points; such as 0 or A+1 or A+1 B+2");
        let (name, number) = word.split_once('+').ok_or_else(wrong)?;
        points[player(name)?] = number.parse().map_err(|_| wrong())?;
    }
    Ok(points)
}

fn player(text: &str) -> Result<Player, String> {
    Player::from_name(text).ok_or_else(|| format!("\"{text}\" is no player; A or B"))
}

/// `A`, `draw`, `set A`, `set draw`.
fn ending(text: &str) -> Result<Ending, String> {
    let winner = |name: &str| {
        if name == "draw" {
            Ok(None)
        } else {
            player(name).map(Some)
        }
    };
    match text.strip_prefix("set ") {
        Some(name) => winner(name.trim()).map(Ending::Set),
        None => winner(text).map(Ending::Game),
    }
}

fn ending_of(ruling: &Ruling) -> Ending {
    match (ruling.game_end, ruling.set) {
        (true, _) => Ending::Game(ruling.winner),
        (false, Some(set)) => Ending::Set(set.winner),
        (false, None) => Ending::None,
    }
}

/// `B=BOTTOM red=TOP`, `B=710,710`.
fn places(text: &str, names: &Names) -> Result<Vec<(Ball, Place)>, String> {
    let place = |word: &str| {
        let wrong = || format!("\"{word}\" is not BALL=SPOT or BALL=X,Y");
        let (ball, place) = word.split_once('=').ok_or_else(wrong)?;
        let ball = names.ball(ball).ok_or_else(wrong)?;
        let at = place
            .split_once(',')
            .and_then(|(x, y)| Some(TablePoint::new(x.parse().ok()?, y.parse().ok()?)));
        Ok((
            ball,
            at.map_or_else(|| Place::Spot(place.to_owned()), Place::At),
        ))
    };
    text.split_whitespace().map(place).collect()
}

fn placed_otherwise(wanted: &[(Ball, Place)], got: &[Placement]) -> Option<String> {
    let fits = |(ball, place): &(Ball, Place)| {
        got.iter().any(|p| {
            p.ball == *ball
                && match place {
                    Place::Spot(spot) => p.spot == *spot,
                    Place::At(at) => p.at.is_some_and(|got| got.distance(*at) < SAME_MM),
                }
        })
    };
    let same = wanted.len() == got.len() && wanted.iter().all(fits);
    (!same).then(|| {
        let got: Vec<String> = got
            .iter()
            .map(|p| format!("{}={} {:?}", p.ball, p.spot, p.at.map(<[f64; 2]>::from)))
            .collect();
        format!("place: expected {wanted:?}, got {}", got.join(" "))
    })
}

fn show_points(points: PerPlayer<i64>) -> String {
    format!("A+{} B+{}", points.a, points.b)
}

fn show_player(player: Option<Player>) -> String {
    player.map_or("none", Player::name).to_owned()
}
