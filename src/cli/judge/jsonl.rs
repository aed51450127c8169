//! Shots as JSON, one object a line.

use std::{collections::BTreeMap, io::BufRead};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    cli::{CliError, say},
    model::{Ball, Event, Shot, convert::layout_from, record::RulingRecord, truth::EventRecord},
    rules::{self, Game, GameState, Messages, OptionValue, Options, Said},
    units::Timestamp,
};

/// A line of input.
#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, OptionValue>,
    #[serde(default)]
    state: Option<GameState>,
    shot: ShotLine,
}

/// A shot as match files write it, with only what a judge needs.
#[derive(Deserialize)]
struct ShotLine {
    #[serde(default)]
    struck: Option<Ball>,
    #[serde(default)]
    call: Option<Words>,
    #[serde(default)]
    operator: Vec<String>,
    #[serde(default)]
    events: Vec<EventRecord>,
    #[serde(default)]
    before: BTreeMap<Ball, [f64; 2]>,
    #[serde(default)]
    after: BTreeMap<Ball, [f64; 2]>,
    #[serde(default)]
    start_s: f64,
    #[serde(default)]
    stop_s: Option<f64>,
    #[serde(default = "whole")]
    complete: bool,
    #[serde(default)]
    doubts: Vec<String>,
}

/// A call: one text, or its words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

const fn whole() -> bool {
    true
}

/// A line of output.
#[derive(Serialize)]
struct Answer {
    id: Value,
    ruling: RulingRecord,
    state: GameState,
}

/// Answers every line of standard input.
pub(super) fn run() -> Result<(), CliError> {
    for line in std::io::stdin().lock().split(b'\n') {
        let line =
            line.map_err(|e| CliError::Failed(format!("standard input cannot be read: {e}")))?;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        if !say(&answer(&text)) {
            break;
        }
    }
    Ok(())
}

/// The answer to one line, as JSON.
fn answer(text: &str) -> String {
    let (id, judged) = match serde_json::from_str::<Value>(text) {
        Ok(value) => {
            let id = value.get("id").cloned().unwrap_or(Value::Null);
            (id, judge(value))
        }
        Err(error) => (Value::Null, Err(format!("not JSON: {error}"))),
    };
    let answer = judged.and_then(|(ruling, state)| {
        let answer = Answer {
            id: id.clone(),
            ruling,
            state,
        };
        serde_json::to_string(&answer).map_err(|e| e.to_string())
    });
    answer.unwrap_or_else(|error| json!({ "id": id, "error": error }).to_string())
}

fn judge(value: Value) -> Result<(RulingRecord, GameState), String> {
    let question: Question = serde_json::from_value(value).map_err(|e| e.to_string())?;
    let mut state = state(&question)?;
    say_all(&mut state, &question.shot)?;
    let shot = shot(question.shot)?;
    let ruling = rules::judge(&state, &shot);
    let next = rules::apply(&state, &ruling);
    Ok((ruling.record(Messages::english()), next))
}

/// The state before the shot: as given, or the game's first.
fn state(question: &Question) -> Result<GameState, String> {
    let error = |e: rules::OptionError| e.to_string();
    if let Some(variant) = &question.variant {
        return Err(format!("there is no variant \"{variant}\""));
    }
    let game = question
        .game
        .as_deref()
        .map(Game::named)
        .transpose()
        .map_err(error)?;
    let mut options = match (&question.state, game) {
        (Some(state), Some(game)) if state.options.game() != game => {
            return Err(format!(
                "the state is of {}, not of {}",
                state.options.game().name(),
                game.name()
            ));
        }
        (Some(state), _) => state.options.clone(),
        (None, Some(game)) => Options::new(game),
        (None, None) => return Err("give \"game\" or \"state\"".to_owned()),
    };
    for (name, value) in &question.options {
        options.set_value(name, value.clone()).map_err(error)?;
    }
    Ok(match &question.state {
        Some(state) => GameState {
            options,
            ..state.clone()
        },
        None => rules::start(&options),
    })
}

fn say_all(state: &mut GameState, shot: &ShotLine) -> Result<(), String> {
    for text in &shot.operator {
        state
            .said
            .push(Said::parse(text, Ball::from_name).map_err(|e| e.to_string())?);
    }
    match &shot.call {
        Some(Words::One(call)) => state.said.push(Said::Call(call.clone())),
        Some(Words::Many(words)) => state.said.push(Said::Call(words.join(","))),
        None => {}
    }
    Ok(())
}

fn shot(line: ShotLine) -> Result<Shot, String> {
    let mut events = Vec::with_capacity(line.events.len());
    for (number, record) in line.events.iter().enumerate() {
        events.push(Event::try_from(record).map_err(|e| format!("event {number}: {e}"))?);
    }
    let last = events.iter().map(|e| e.at).max().unwrap_or_default();
    let start = Timestamp::from_secs(line.start_s);
    Ok(Shot {
        struck: line.struck,
        start,
        stop: line
            .stop_s
            .map_or_else(|| last.max(start).plus_secs(1.0), Timestamp::from_secs),
        events,
        before: layout_from(&line.before),
        after: layout_from(&line.after),
        complete: line.complete,
        doubts: line.doubts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAROM: &str = r#"[{"t_s":1,"kind":"ball-ball","a":"white","b":"red"},{"t_s":2,"kind":"ball-cushion","ball":"white","cushion":"N"},
        {"t_s":3,"kind":"ball-cushion","ball":"white","cushion":"E"},{"t_s":4,"kind":"ball-cushion","ball":"white","cushion":"S"},
        {"t_s":5,"kind":"ball-ball","a":"white","b":"yellow"}]"#;

    fn ask(text: &str) -> Value {
        serde_json::from_str(&answer(&text.replace('\n', " "))).unwrap()
    }

    #[test]
    fn the_state_can_be_fed_to_the_next_line() {
        let shot = format!(r#"{{"struck":"white","events":{CAROM}}}"#);
        let first = ask(&format!(
            r#"{{"id":7,"game":"three-cushion","options":{{"three.target":2}},"shot":{shot}}}"#
        ));
        assert_eq!(first["id"], 7);
        assert_eq!(first["ruling"]["verdict"], "awarded");
        assert_eq!(first["state"]["score"]["A"], 1);
        let second = ask(&format!(
            r#"{{"id":"x","state":{},"shot":{shot}}}"#,
            first["state"]
        ));
        assert_eq!(second["ruling"]["next"], "B");
        assert_eq!(
            (&second["state"]["due"], &second["state"]["equalizing"]),
            (&json!("start"), &json!(true))
        );
    }

    #[test]
    fn what_cannot_be_judged_says_why() {
        let error = |text: &str| ask(text)["error"].as_str().unwrap_or_default().to_owned();
        assert!(error("{").starts_with("not JSON"));
        assert_eq!(error(r#"{"id":1,"shot":{}}"#), "give \"game\" or \"state\"");
        assert!(error(r#"{"game":"chess","shot":{}}"#).contains("there are: three-cushion"));
        assert!(error(r#"{"game":"three-cushion"}"#).contains("shot"));
        assert!(
            error(r#"{"game":"three-cushion","options":{"x":1},"shot":{}}"#)
                .contains("has no option")
        );
        let kind = error(r#"{"game":"three-cushion","shot":{"events":[{"t_s":1,"kind":"kiss"}]}}"#);
        assert_eq!(kind, "event 0: there is no event kind \"kiss\"");
        assert_eq!(ask(r#"{"id":[1],"shot":{}}"#)["id"], json!([1]));
    }
}
