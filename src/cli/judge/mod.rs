//! `marqueur judge`.

mod cases;
mod jsonl;
mod typed;

use std::path::PathBuf;

use clap::Args;

use crate::{
    cli::{CliError, print_json},
    rules::{self, Game, Options},
};

const EXAMPLES: &str = "Examples:
  marqueur judge testdata/rules/three-cushion.cases
  echo 'S(A); A>R; A/E; A/N; A/W; A>B' | marqueur judge --game three-cushion --explain
  marqueur judge --state three-cushion
  marqueur judge --jsonl < shots.jsonl

Shots typed on standard input are a game in progress, one shot a line: A and B are the players' cue balls, R is the
red, full names work too. The first shot is taken as played from where the balls lie; `--set start.opening=true` makes
it an opening. `--explain` shows why, step by step.";

/// Rules only: runs files of rule cases, or judges shots from standard input
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    /// Files of rule cases
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The game of shots typed on standard input
    #[arg(long, default_value = "three-cushion")]
    pub game: String,
    /// Variant of the game, for example 47/2
    #[arg(long)]
    pub variant: Option<String>,
    /// Option of the game, by its name in `marqueur games`; may be given again
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    pub options: Vec<String>,
    /// Points that win; 0 plays without end
    #[arg(long, value_name = "N")]
    pub target: Option<u32>,
    /// Names of the players, in the order they begin
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Shows the reasoning as a numbered list
    #[arg(long)]
    pub explain: bool,
    /// Prints a JSON object for each shot
    #[arg(long)]
    pub json: bool,
    /// Reads one JSON object a line and answers each with one
    #[arg(long, conflicts_with_all = ["files", "explain", "state"])]
    pub jsonl: bool,
    /// Prints a game's first state as JSON
    #[arg(long, value_name = "GAME", conflicts_with = "files")]
    pub state: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage; a file that cannot be read; cases that fail; nothing to judge.
pub fn run(args: &JudgeArgs) -> Result<(), CliError> {
    if args.jsonl {
        return jsonl::run();
    }
    if let Some(game) = &args.state {
        return print_json(&rules::start(&options(args, game)?));
    }
    if args.files.is_empty() {
        return typed::run(args, options(args, &args.game)?);
    }
    cases::run(&args.files)
}

/// The game and its options, as the command line sets them.
fn options(args: &JudgeArgs, game: &str) -> Result<Options, CliError> {
    let usage = |e: rules::OptionError| CliError::Usage(e.to_string());
    let mut options = Options::new(Game::named(game).map_err(usage)?);
    if let Some(variant) = &args.variant {
        return Err(CliError::Usage(format!(
            "{game} has no variants; leave out --variant {variant}"
        )));
    }
    for pair in &args.options {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| CliError::Usage(format!("--set {pair}: give it as OPTION=VALUE")))?;
        options.set(name.trim(), value).map_err(usage)?;
    }
    if let Some(target) = args.target {
        options.set_target(i64::from(target)).map_err(usage)?;
    }
    Ok(options)
}
