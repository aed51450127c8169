//! Shots typed in notation: a game, one shot a line.

use std::io::BufRead;

use serde_json::json;

use crate::{
    cli::{CliError, complain, judge::JudgeArgs, say},
    model::{
        Shot,
        notation::{Names, Script, of_event},
    },
    rules::{self, GameState, Messages, Options, Player, Ruling, Said},
    score::{Match, line},
};

/// Judges every line of standard input.
pub(super) fn run(args: &JudgeArgs, mut options: Options) -> Result<(), CliError> {
    let given = |options: &Options, name: &str| options.given().any(|(n, _)| n == name);
    if !given(&options, "start.opening") && !given(&options, "start.lag") {
        options
            .set("start.opening", "false")
            .map_err(|e| CliError::Usage(e.to_string()))?;
    }
    let who_is_open = !given(&options, "start.shooter");
    let mut game = Match::new(rules::start(&options));
    let (mut judged, mut wrong) = (0_u32, 0_u32);
    for (number, text) in std::io::stdin().lock().lines().enumerate() {
        let text =
            text.map_err(|e| CliError::Failed(format!("standard input cannot be read: {e}")))?;
        let text = text.split('#').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let shot = match read(text, game.state_mut()) {
            Ok(shot) => shot,
            Err(error) => {
                complain(&format!("line {}: {error}", number + 1));
                wrong += 1;
                continue;
            }
        };
        if judged == 0 && who_is_open {
            begin(&mut game, &shot);
        }
        judged += 1;
        if !answer(args, &mut game, &shot, judged) {
            return Ok(());
        }
    }
    match (judged, wrong) {
        (0, 0) => Err(CliError::NothingToJudge(
            "no shot on standard input".to_owned(),
        )),
        (_, 0) => Ok(()),
        (_, wrong) => Err(CliError::Failed(format!("{wrong} lines could not be read"))),
    }
}

/// The owner of the first ball struck is the first to shoot.
fn begin(game: &mut Match, shot: &Shot) {
    let state = game.state().clone();
    if let Some(owner) = shot.struck.and_then(|ball| state.owner(ball)) {
        *game.state_mut() = state.start_with(owner);
    }
}

fn read(text: &str, state: &mut GameState) -> Result<Shot, String> {
    let names = Names::carom(state.balls.a, state.balls.b);
    let sketch = Script::parse(text, &names)
        .map_err(|e| e.to_string())?
        .sketch();
    let mut said = Vec::new();
    for text in &sketch.operator {
        said.push(Said::parse(text, |name| names.ball(name)).map_err(|e| e.to_string())?);
    }
    said.extend(sketch.calls.iter().map(|words| Said::Call(words.join(","))));
    state.said.extend(said);
    Ok(sketch.shot)
}

fn answer(args: &JudgeArgs, game: &mut Match, shot: &Shot, number: u32) -> bool {
    let messages = Messages::english();
    let ruling = rules::judge(game.state(), shot);
    let score = game.score_after(&ruling);
    game.add(&ruling);
    if args.json {
        let answer =
            json!({ "id": number, "ruling": ruling.record(messages), "state": game.state() });
        return say(&answer.to_string());
    }
    let next = ruling.next.map_or_else(
        || "the game is over".to_owned(),
        |p| format!("next {}", name(args, p)),
    );
    let (a, b) = (name(args, Player::A), name(args, Player::B));
    let head = line(number, shot.struck, &ruling, messages);
    let mut lines = vec![format!("{head} ({a} {}, {b} {}; {next})", score.a, score.b)];
    if args.explain {
        lines.extend(explanation(&ruling, shot, messages));
    }
    say(&lines.join("\n"))
}

/// The name to show for a player.
fn name(args: &JudgeArgs, player: Player) -> &str {
    let at = if player == Player::A { 0 } else { 1 };
    args.players.get(at).map_or(player.name(), String::as_str)
}

/// The reasoning, numbered, with the events each step rests on; then what a person must tell, what belongs where, and
/// the readings that compete.
fn explanation(ruling: &Ruling, shot: &Shot, messages: &Messages) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, reason) in ruling.reasons.iter().enumerate() {
        let events: Vec<String> = reason
            .events
            .iter()
            .filter_map(|i| shot.events.get(*i))
            .map(|e| of_event(&e.kind))
            .collect();
        let shown = if events.is_empty() {
            String::new()
        } else {
            format!(" [{}]", events.join("; "))
        };
        lines.push(format!(
            "  {}. {}: {}{shown}",
            number + 1,
            reason.rule,
            messages.say(&reason.message)
        ));
    }
    lines.extend(
        ruling
            .placements
            .iter()
            .map(|p| format!("  place {} on {}", p.ball, p.spot)),
    );
    lines.extend(
        ruling
            .needs_operator
            .iter()
            .map(|m| format!("  ask: {}", messages.say(m))),
    );
    lines.extend(ruling.alternatives.iter().map(|a| {
        let why: Vec<String> = a
            .ruling
            .reasons
            .iter()
            .map(|r| messages.say(&r.message))
            .collect();
        format!(
            "  {:.1} %: {}: {}",
            a.probability * 100.0,
            a.ruling.verdict.name(),
            why.join("; ")
        )
    }));
    lines
}
