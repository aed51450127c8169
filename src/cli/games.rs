//! `marqueur games`.

use clap::Args;
use serde::Serialize;

use crate::{
    cli::{CliError, print_json, say},
    rules::{Game, OptionKind, OptionValue},
};

const EXAMPLES: &str = "Examples:
  marqueur games
  marqueur games three-cushion --json";

/// Lists the games with their options and defaults
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GamesArgs {
    /// Only this game
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct GameEntry {
    name: &'static str,
    about: &'static str,
    target: &'static str,
    options: Vec<OptionEntry>,
}

#[derive(Serialize)]
struct OptionEntry {
    name: &'static str,
    default: OptionValue,
    allowed: Allowed,
    about: &'static str,
}

/// What an option may be.
#[derive(Serialize)]
#[serde(untagged)]
enum Allowed {
    Words(Vec<&'static str>),
    Flags([bool; 2]),
    Range { min: f64, max: f64, whole: bool },
}

/// Runs the command.
///
/// # Errors
/// When there is no such game.
pub fn run(args: &GamesArgs) -> Result<(), CliError> {
    let games = match &args.name {
        Some(name) => vec![Game::named(name).map_err(|e| CliError::Usage(e.to_string()))?],
        None => Game::ALL.to_vec(),
    };
    let entries: Vec<GameEntry> = games.into_iter().map(entry).collect();
    if args.json {
        return print_json(&entries);
    }
    entries.iter().for_each(print);
    Ok(())
}

fn entry(game: Game) -> GameEntry {
    let option = |spec: &'static crate::rules::OptionSpec| OptionEntry {
        name: spec.name,
        default: spec.default_value(),
        allowed: match spec.kind {
            OptionKind::Flag(_) => Allowed::Flags([true, false]),
            OptionKind::Word(words) => Allowed::Words(words.to_vec()),
            OptionKind::Whole(_, min, max) => Allowed::Range {
                min: min as f64,
                max: max as f64,
                whole: true,
            },
            OptionKind::Number(_, min, max) => Allowed::Range {
                min,
                max,
                whole: false,
            },
        },
        about: spec.about,
    };
    GameEntry {
        name: game.name(),
        about: game.about(),
        target: game.target_option(),
        options: game.options().map(option).collect(),
    }
}

fn print(game: &GameEntry) {
    say(&format!("{}: {}", game.name, game.about));
    say(&format!("  --target sets {}", game.target));
    for option in &game.options {
        let allowed = match &option.allowed {
            Allowed::Words(words) => words.join(" | "),
            Allowed::Flags(_) => "true | false".to_owned(),
            Allowed::Range { min, max, .. } => format!("{min}..{max}"),
        };
        let default = option.default.to_string();
        say(&format!(
            "  {:<20} {default:<12} {} ({allowed})",
            option.name, option.about
        ));
    }
}
