//! From shots to the records of a match file.

use std::borrow::Cow;

use crate::{
    model::{
        Shot,
        convert::layout_record,
        notation,
        record::{PlayerRecord, ResultRecord, ShotRecord},
    },
    rules::{self, Arg, Message, Messages, OptionSpec, Options, Player, Ruling, options, spots},
    score::{
        Match,
        line::{line, outcome},
        settle::settle,
    },
};

/// Takes the shots of a match one by one.
///
/// The first shot settles what the options leave open: without `start.shooter` the owner of the ball struck begins,
/// and without `start.opening` the shot is an opening when the balls lie in the initial position. Each further shot
/// may settle the one before it, when that one is in doubt and option `review.settle` is on.
#[derive(Clone, Debug)]
pub struct MatchBuilder {
    game: Match,
    /// The match before the last shot.
    before_last: Match,
    messages: &'static Messages,
    records: Vec<ShotRecord>,
    rulings: Vec<Ruling>,
}

impl MatchBuilder {
    /// A match with these options.
    pub fn new(options: &Options) -> Self {
        let game = Match::new(rules::start(options));
        Self {
            before_last: game.clone(),
            game,
            messages: Messages::english(),
            records: Vec::new(),
            rulings: Vec::new(),
        }
    }

    /// Rules on the next shot and adds it. Returns its record and the line to show.
    ///
    /// The shot before may be settled by this one: then its record (see [`MatchBuilder::records`]) is another than
    /// was returned for it, and the line says so.
    pub fn add(&mut self, shot: &Shot) -> (&ShotRecord, String) {
        if self.records.is_empty() {
            self.settle_start(shot);
        }
        let settled = self.settle_last(shot);
        let ruling = rules::judge(self.game.state(), shot);
        let record = self.record(shot, &ruling);
        let line =
            line(record.n, shot.struck, &ruling, self.messages) + &settled.unwrap_or_default();
        self.before_last = self.game.clone();
        self.game.add(&ruling);
        self.rulings.push(ruling);
        let at = self.records.len();
        self.records.push(record);
        (&self.records[at], line)
    }

    fn settle_start(&mut self, shot: &Shot) {
        let mut state = self.game.state().clone();
        let given = |spec: &OptionSpec| state.options.given().any(|(name, _)| name == spec.name);
        let owner = shot
            .struck
            .and_then(|ball| state.owner(ball))
            .filter(|_| !given(&options::START_SHOOTER));
        let in_the_middle =
            !given(&options::START_OPENING) && !spots::is_start_position(&state, &shot.before);
        if in_the_middle {
            state = state.from_the_middle();
        }
        if let Some(owner) = owner {
            state = state.start_with(owner);
        }
        self.game = Match::new(state);
    }

    /// Settles the last shot by this stroke; returns what to tell.
    fn settle_last(&mut self, shot: &Shot) -> Option<String> {
        let state = self.game.state();
        let owner = shot
            .struck
            .and_then(|ball| state.owner(ball))
            .filter(|_| state.options.flag(&options::SETTLE))?;
        let doubtful = self.rulings.last()?;
        let settled = settle(doubtful, owner, state.options.number(&options::REVIEW))?;
        let record = self.records.last_mut()?;
        record.ruling = settled.record(self.messages);
        record.score = self.before_last.score_after(&settled).by_name();
        let text = Arg::Text(Cow::Owned(outcome(&settled, self.messages)));
        let told = Message::new("line.settled")
            .count(record.n as usize)
            .with("text", text);
        self.game = self.before_last.clone();
        self.game.add(&settled);
        *self.rulings.last_mut()? = settled;
        Some(self.messages.say(&told))
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

    /// The match so far, to say something about the next shot or correct how the game stands.
    pub fn game_mut(&mut self) -> &mut Match {
        &mut self.game
    }

    /// The rulings so far: [`Match::replay`] makes the same match from them.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The records so far.
    pub fn records(&self) -> &[ShotRecord] {
        &self.records
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
