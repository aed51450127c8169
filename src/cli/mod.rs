//! One file per command. Parses, asks the rooms, prints.
pub mod analyze;
#[cfg(feature = "vision")]
pub mod annotate;
pub mod calibrate;
pub mod doctor;
mod error;
pub mod evaluate;
pub mod games;
pub mod judge;
mod progress;
pub mod recorder;
pub mod sheet;
pub mod synth;
mod table_args;

use std::{
    io::{IsTerminal, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

pub use analyze::AnalyzeArgs;
pub use calibrate::CalibrateArgs;
pub use doctor::DoctorArgs;
pub use error::CliError;
pub use evaluate::EvaluateArgs;
pub use games::GamesArgs;
pub use judge::JudgeArgs;
pub use progress::Progress;
pub use synth::SynthArgs;
pub use table_args::{Near, TableArgs};

/// Watches a billiard table through one camera above it and keeps the score, with a reason for every point.
#[derive(Debug, Parser)]
#[command(name = "marqueur", version, max_term_width = 110, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Says more on standard error; twice for still more
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

const EXAMPLES: &str = "Example:
  marqueur analyze match.mp4 --game three-cushion --players \"Ann,Bob\" --out out/match

Exit codes: 0 done; 1 results cannot be written or a check failed; 2 wrong usage; 3 the source cannot be opened
or read; 4 calibration refused or does not fit; 5 no table or no balls; 6 with --strict: some shots need review.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Recorded video to a match file, with a reason for every point
    Analyze(AnalyzeArgs),
    /// Finds the table in a picture or video and writes the camera to a file, with its error in mm
    Calibrate(CalibrateArgs),
    /// Rules only: runs files of rule cases, or judges shots in notation from standard input
    Judge(JudgeArgs),
    /// Compares a match file with known truth
    Evaluate(EvaluateArgs),
    /// Renders scenes with known truth
    Synth(SynthArgs),
    /// Lists the games with their options
    Games(GamesArgs),
    /// Checks the machine and says what is missing
    Doctor(DoctorArgs),
}

impl Command {
    fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Analyze(args) => analyze::run(args),
            Self::Calibrate(args) => calibrate::run(args),
            Self::Judge(args) => judge::run(args),
            Self::Evaluate(args) => evaluate::run(args),
            Self::Synth(args) => Ok(synth::run(args)?),
            Self::Games(args) => games::run(args),
            Self::Doctor(args) => doctor::run(args),
        }
    }
}

/// Parses the command line, runs the command, prints the error chain once.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(cli.verbose);
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("marqueur: {}", error.chain()));
            ExitCode::from(&error)
        }
    }
}

/// Logs go to standard error; `RUST_LOG` overrules `-v`.
fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .with_target(false)
        .init();
}

/// Prints a value as JSON on standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| CliError::Failed(format!("the result cannot be written as JSON: {e}")))?;
    match writeln!(std::io::stdout(), "{text}") {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(CliError::Failed(format!(
            "the result cannot be written to standard output: {e}"
        ))),
        _ => Ok(()),
    }
}

/// Prints a line on standard output. Returns false when nobody reads any more (`| head`): the reader's choice, not an
/// error, and no reason to panic as `println!` does.
pub(crate) fn say(line: &str) -> bool {
    writeln!(std::io::stdout(), "{line}").is_ok()
}

/// Prints a line on standard error.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_every_command_shows_an_example() {
        let mut command = super::Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands_mut() {
            let help = sub.render_long_help().to_string();
            assert!(help.contains("Example"), "{} has none", sub.get_name());
        }
    }
}
