//! Reading `.cases` files.

use crate::{
    model::{
        Layout,
        notation::{Names, Script, Term},
    },
    rules::{
        self, Due, Game, GameState, Options, PerPlayer, Player, Said,
        cases::{Action, Case, CaseError, Step, expect},
        spots,
    },
};

type Parsed<T> = Result<T, CaseError>;

fn fail<T>(line: usize, message: impl ToString) -> Parsed<T> {
    Err(CaseError {
        line,
        message: message.to_string(),
    })
}

pub(super) fn file(text: &str) -> Parsed<Vec<Case>> {
    let mut reader = Reader {
        game: None,
        cases: Vec::new(),
        block: None,
    };
    for (line, text) in logical_lines(text) {
        reader.line(line, &text)?;
    }
    reader.finish_block()?;
    if reader.cases.is_empty() {
        return fail(text.lines().count().max(1), "there is no case in this file");
    }
    Ok(reader.cases)
}

/// Lines without comments, those that end with `\` joined with the next, each with the number of its first.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        let line = line
            .split_once('#')
            .map_or(line, |(before, _)| before)
            .trim_end();
        let (content, continues) = line.strip_suffix('\\').map_or((line, false), |l| (l, true));
        match lines.last_mut() {
            Some((_, last)) if open => last.push_str(content),
            _ => lines.push((number + 1, content.to_owned())),
        }
        open = continues;
    }
    lines.retain(|(_, line)| !line.trim().is_empty());
    lines
}

/// A case while it is read.
struct Block {
    id: String,
    title: String,
    line: usize,
    options: Options,
    /// Lines `before`, read when all options are known.
    before: Vec<(usize, String)>,
    state: Option<GameState>,
    layout: Layout,
    said: Vec<Said>,
    steps: Vec<Step>,
    shows: Vec<String>,
}

struct Reader {
    game: Option<Game>,
    cases: Vec<Case>,
    block: Option<Block>,
}

impl Reader {
    fn line(&mut self, line: usize, text: &str) -> Parsed<()> {
        let text = text.trim();
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        match (key, &mut self.block) {
            ("case", _) => self.begin(line, value),
            ("game", None) => {
                self.game = Some(Game::named(value).or_else(|e| fail(line, e))?);
                Ok(())
            }
            (_, Some(block)) => block.line(line, key, value),
            (_, None) => fail(
                line,
                format!("\"{key}\" before the first case: expected game NAME or case ID"),
            ),
        }
    }

    fn begin(&mut self, line: usize, value: &str) -> Parsed<()> {
        self.finish_block()?;
        let (id, title) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
        let Some(game) = self.game else {
            return fail(line, "no game yet: write game NAME before the first case");
        };
        if id.is_empty() {
            return fail(line, "a case needs an identifier");
        }
        if self.cases.iter().any(|c| c.id == id) {
            return fail(line, format!("there is a case {id} already"));
        }
        self.block = Some(Block::new(line, id, title.trim(), game));
        Ok(())
    }

    fn finish_block(&mut self) -> Parsed<()> {
        if let Some(block) = self.block.take() {
            self.cases.push(block.finish()?);
        }
        Ok(())
    }
}

impl Block {
    fn new(line: usize, id: &str, title: &str, game: Game) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            line,
            options: Options::new(game),
            before: Vec::new(),
            state: None,
            layout: Layout::new(),
            said: Vec::new(),
            steps: Vec::new(),
            shows: Vec::new(),
        }
    }

    fn line(&mut self, line: usize, key: &str, value: &str) -> Parsed<()> {
        match key {
            "set" | "before" if self.state.is_some() => {
                fail(line, format!("{key} must stand before the first shot"))
            }
            "set" => value
                .split_whitespace()
                .try_for_each(|pair| self.set(line, pair)),
            "before" => {
                self.before.push((line, value.to_owned()));
                Ok(())
            }
            "shows" => {
                self.shows
                    .extend(value.split_whitespace().map(str::to_owned));
                Ok(())
            }
            "at" => self.at(line, value),
            "said" => self.say(line, value),
            "shot" => self.shot(line, value),
            "demand" => self.demand(line, value),
            _ => self.expectation(line, key, value),
        }
    }

    fn set(&mut self, line: usize, pair: &str) -> Parsed<()> {
        match pair.split_once('=') {
            Some((name, value)) => self.options.set(name, value).or_else(|e| fail(line, e)),
            None => fail(line, format!("\"{pair}\" is not NAME=VALUE")),
        }
    }

    /// The state before the first shot, made when it is first needed.
    fn state(&mut self) -> Parsed<&GameState> {
        let state = match self.state.take() {
            Some(state) => state,
            None => {
                let mut options = self.options.clone();
                let opening = options.given().any(|(name, _)| name.starts_with("start."));
                if !opening {
                    options
                        .set("start.opening", "false")
                        .or_else(|e| fail(self.line, e))?;
                }
                let mut state = rules::start(&options);
                self.before
                    .iter()
                    .try_for_each(|(line, text)| before(&mut state, *line, text))?;
                state
            }
        };
        Ok(self.state.insert(state))
    }

    fn names(&mut self) -> Parsed<Names> {
        let balls = self.state()?.balls;
        Ok(Names::carom(balls.a, balls.b))
    }

    fn at(&mut self, line: usize, value: &str) -> Parsed<()> {
        let names = self.names()?;
        let script =
            Script::parse(&format!("REST {value}"), &names).or_else(|e| fail(line, e.message))?;
        self.layout = script.sketch().shot.after;
        Ok(())
    }

    fn say(&mut self, line: usize, value: &str) -> Parsed<()> {
        let names = self.names()?;
        for text in value.split(',') {
            self.said
                .push(Said::parse(text, |name| names.ball(name)).or_else(|e| fail(line, e))?);
        }
        Ok(())
    }

    fn shot(&mut self, line: usize, value: &str) -> Parsed<()> {
        let names = self.names()?;
        let script =
            Script::parse(value, &names).or_else(|e| fail(line, format!("in the shot, {e}")))?;
        if let Some(entry) = script
            .entries()
            .find(|e| matches!(e.term, Term::Rest { ref zones, .. } if !zones.is_empty()))
        {
            return fail(line, format!("this game knows no zones: {:?}", entry.term));
        }
        let mut sketch = script.sketch();
        sketch.shot.before = std::mem::take(&mut self.layout);
        let operator = sketch.operator.join(",");
        if !operator.is_empty() {
            self.say(line, &operator)?;
        }
        self.step(line, Action::Shot(Box::new(sketch)));
        Ok(())
    }

    fn demand(&mut self, line: usize, value: &str) -> Parsed<()> {
        if value != "respot" {
            return fail(
                line,
                format!("\"{value}\" cannot be demanded; only: respot"),
            );
        }
        self.state()?;
        let layout = std::mem::take(&mut self.layout);
        self.step(line, Action::Demand(layout));
        Ok(())
    }

    fn step(&mut self, line: usize, action: Action) {
        let said = std::mem::take(&mut self.said);
        self.steps.push(Step {
            line,
            said,
            action,
            expect: expect::Expect::default(),
        });
    }

    fn expectation(&mut self, line: usize, key: &str, value: &str) -> Parsed<()> {
        let names = self.names()?;
        let Some(step) = self.steps.last_mut() else {
            return fail(line, format!("\"{key}\" before the first shot of the case"));
        };
        step.expect
            .read(key, value, &names)
            .or_else(|message| fail(line, message))
    }

    fn finish(mut self) -> Parsed<Case> {
        let state = self.state()?.clone();
        if self.steps.is_empty() {
            return fail(self.line, format!("case {} has no shot", self.id));
        }
        if let Some(step) = self.steps.iter().find(|s| s.expect.is_empty()) {
            return fail(
                step.line,
                format!("case {} expects nothing of this shot", self.id),
            );
        }
        Ok(Case {
            id: self.id,
            title: self.title,
            line: self.line,
            state,
            steps: self.steps,
            shows: self.shows,
        })
    }
}

/// `score 14:3, shooter B, due start, equalizing, starter A, innings 3:2, run 2, sets 1:0`.
fn before(state: &mut GameState, line: usize, text: &str) -> Parsed<()> {
    for item in text.split(',') {
        let item = item.trim();
        let (word, value) = item.split_once(char::is_whitespace).unwrap_or((item, ""));
        let value = value.trim();
        match word {
            "score" => state.score = pair(line, value)?,
            "innings" => state.innings = pair(line, value)?,
            "sets" => state.sets = pair(line, value)?,
            "shooter" => state.shooter = player(line, value)?,
            "starter" => state.starter = player(line, value)?,
            "due" => state.due = due(line, value)?,
            "run" => {
                state.run = value
                    .parse()
                    .or_else(|_| fail(line, format!("\"{value}\" is no number of points")))?;
                state.visit_shots = u32::try_from(state.run).unwrap_or(0);
            }
            "equalizing" => state.equalizing = true,
            _ => {
                return fail(
                    line,
                    format!(
                        "\"{item}\": expected score, innings, sets, shooter, starter, due, run or equalizing"
                    ),
                );
            }
        }
    }
    state.placements = if state.due.from_start() {
        spots::start_position(state, state.shooter)
    } else {
        Vec::new()
    };
    Ok(())
}

fn pair<T: std::str::FromStr>(line: usize, text: &str) -> Parsed<PerPlayer<T>> {
    let both = text
        .split_once(':')
        .and_then(|(a, b)| Some(PerPlayer::new(a.parse().ok()?, b.parse().ok()?)));
    both.map_or_else(
        || fail(line, format!("\"{text}\" is not A's:B's, such as 14:3")),
        Ok,
    )
}

fn player(line: usize, text: &str) -> Parsed<Player> {
    Player::from_name(text).map_or_else(
        || fail(line, format!("\"{text}\" is no player; A or B")),
        Ok,
    )
}

fn due(line: usize, text: &str) -> Parsed<Due> {
    Due::from_name(text).map_or_else(
        || {
            fail(
                line,
                format!("\"{text}\" is nothing that can be due; lag, opening, start, play or over"),
            )
        },
        Ok,
    )
}
