//! From shots to the records of a match file.

use crate::{
    model::{
        Shot,
        convert::layout_record,
        notation,
        record::{PlayerRecord, ResultRecord, ShotRecord},
    },
    rules::{self, Messages, Options, Player, Ruling, spots},
    score::{Match, line},
};

/// Takes the shots of a match one by one.
///
/// The first shot settles what the options leave open: without `start.shooter` the owner of the ball struck begins,
/// and without `start.opening` the shot is an opening when the balls lie in the initial position.
#[derive(Clone, Debug)]
pub struct MatchBuilder {
    game: Match,
    messages: &'static Messages,
    records: Vec<ShotRecord>,
    rulings: Vec<Ruling>,
}

impl MatchBuilder {
    /// A match with these options.
    pub fn new(options: &Options) -> Self {
        Self {
            game: Match::new(rules::start(options)),
            messages: Messages::english(),
            records: Vec::new(),
            rulings: Vec::new(),
        }
    }

    /// Rules on the next shot and adds it. Returns its record and the line to show.
    pub fn add(&mut self, shot: &Shot) -> (&ShotRecord, String) {
        if self.records.is_empty() {
            self.settle_start(shot);
        }
        let ruling = rules::judge(self.game.state(), shot);
        let record = self.record(shot, &ruling);
        let line = line(record.n, shot.struck, &ruling, self.messages);
        self.game.add(&ruling);
        self.rulings.push(ruling);
        let at = self.records.len();
        self.records.push(record);
        (&self.records[at], line)
    }

    fn settle_start(&mut self, shot: &Shot) {
        let state = self.game.state().clone();
        let given = |name: &str| state.options.given().any(|(n, _)| n == name);
        let owner = shot
            .struck
            .and_then(|ball| state.owner(ball))
            .filter(|_| !given("start.shooter"));
        let in_the_middle =
            !given("start.opening") && !spots::is_start_position(&state, &shot.before);
        let mut state = state;
        if in_the_middle {
            state = state.from_the_middle();
        }
        if let Some(owner) = owner {
            state = state.start_with(owner);
        }
        self.game = Match::new(state);
    }

    fn record(&self, shot: &Shot, ruling: &Ruling) -> ShotRecord {
        ShotRecord {
            n: self.records.len() as u32 + 1,
            player: ruling.shooter.name().to_owned(),
            struck: shot.struck,
            start_s: shot.start.secs(),
            stop_s: shot.stop.secs(),
            complete: shot.complete,
            before: layout_record(&shot.before),
            after: layout_record(&shot.after),
            pins_before: Vec::new(),
            pins_after: Vec::new(),
            events: shot.events.iter().map(Into::into).collect(),
            ruling: ruling.record(self.messages),
            score: self.game.score_after(ruling).by_name(),
            notation: notation::of_shot(shot),
            doubts: shot.doubts.clone(),
        }
    }

    /// The match so far.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// The rulings so far: [`Match::replay`] makes the same match from them.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// Who plays which ball. `names` are shown in place of `A` and `B` where given.
    pub fn players(&self, names: &[String]) -> Vec<PlayerRecord> {
        let record = |(i, player): (usize, Player)| PlayerRecord {
            id: player.name().to_owned(),
            name: names
                .get(i)
                .cloned()
                .unwrap_or_else(|| player.name().to_owned()),
            ball: Some(self.game.state().balls[player]),
        };
        Player::ALL.into_iter().enumerate().map(record).collect()
    }

    /// The records of all shots and the result.
    pub fn finish(self) -> (Vec<ShotRecord>, ResultRecord) {
        let result = self.game.result();
        (self.records, result)
    }
}
