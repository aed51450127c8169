//! `marqueur analyze`.

use std::path::{Path, PathBuf};

use clap::Args;

#[cfg(feature = "vision")]
use crate::cli::annotate;
use crate::{
    calib::Calibration,
    cli::{CliError, Near, Progress, TableArgs, print_json, recorder::Recorder, sheet},
    io::{OpenOptions, OutFolder, Source, match_json, open_all},
    model::{TableSpec, record::MatchRecord},
};

const EXAMPLES: &str = "Examples:
  marqueur analyze match.mp4 --game three-cushion
  marqueur analyze first.mp4 second.mp4 --game three-cushion --players \"Ann,Bob\" --target 40 --out out/final
  marqueur analyze club.mp4 --game three-cushion --table carom-230 --calibration calibration/club.toml --strict";

/// Recorded video to a match file, with a reason for every point
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// Video files or folders of pictures; several are one match, one after another
    #[arg(required = true, value_name = "VIDEO")]
    pub sources: Vec<String>,
    /// The game, by its name in `marqueur games`
    #[arg(long)]
    pub game: String,
    /// Variant of the game, for example 47/2
    #[arg(long)]
    pub variant: Option<String>,
    /// Calibration made by `marqueur calibrate`; without it the table is found in the picture
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Folder for the results [default: out/ and the video's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would show it")]
    pub table: TableArgs,
    /// Names of the players, in the order they begin
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Option of the game, by its name in the rule book; may be given again
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = parse_option)]
    pub options: Vec<(String, String)>,
    /// Points that win
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub target: Option<u32>,
    /// Prints the match as JSON on standard output
    #[arg(long)]
    pub json: bool,
    /// Ends with 6 when some shots need review
    #[arg(long)]
    pub strict: bool,
    /// Writes annotated.mp4 too
    #[arg(long)]
    pub annotate: bool,
    /// Detection threads [default: one per core]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: Option<u16>,
    /// Frames per second of a folder of pictures
    #[arg(long, default_value_t = 30.0, value_parser = parse_fps)]
    pub fps: f64,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("give it as OPTION=VALUE".to_owned()),
    }
}

fn parse_fps(text: &str) -> Result<f64, String> {
    let fps: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=1000.0).contains(&fps) {
        return Ok(fps);
    }
    Err("give 0.1 to 1000 frames per second".to_owned())
}

/// What is asked of the pipeline, checked as far as the command line can.
#[derive(Debug)]
pub struct Request<'a> {
    /// The arguments.
    pub args: &'a AnalyzeArgs,
    /// The table, where one was named; otherwise the game decides.
    pub table: Option<TableSpec>,
    /// Where the near end lies, where told.
    pub near: Option<Near>,
}

/// Runs the command.
///
/// # Errors
/// [`CliError`] with the exit code of whatever went wrong.
pub fn run(args: &AnalyzeArgs) -> Result<(), CliError> {
    let request = Request {
        args,
        table: args.table.spec()?,
        near: args.table.near,
    };
    let source = open_all(&args.sources, &open_options(args))?;
    let out = OutFolder::create(&out_folder(args))?;
    let progress = Progress::new(source.info().frames_hint, args.json);
    let mut recorder = Recorder::new(&out)?;
    let watched = watch(&request, source, &progress, &mut recorder);
    progress.finish();
    let Watched {
        record,
        calibration,
    } = watched?;
    recorder.finish(&out, &record, &calibration.table)?;
    let match_file = out.write_match(&record)?;
    if args.annotate {
        annotate(args, &record, &calibration, &recorder, &out)?;
    }
    if args.json {
        print_json(match_json(&record).value())?;
    } else {
        println!("{}", sheet::score_sheet(&record));
        println!("{}", farewell(&record, &match_file, args));
    }
    if args.strict && !record.result.needs_review.is_empty() {
        return Err(CliError::NeedsReview(record.result.needs_review));
    }
    Ok(())
}

/// What the pipeline gives back.
#[derive(Debug)]
pub struct Watched {
    /// The match.
    pub record: MatchRecord,
    /// What it was seen through.
    pub calibration: Calibration,
}

/// The one call into the pipeline.
fn watch(
    _request: &Request<'_>,
    _source: Box<dyn Source>,
    _progress: &Progress,
    _recorder: &mut Recorder,
) -> Result<Watched, CliError> {
    Err(CliError::Failed("the stages are not joined yet".to_owned()))
}

fn out_folder(args: &AnalyzeArgs) -> PathBuf {
    args.out.clone().unwrap_or_else(|| {
        let first = args.sources.first().map_or("match", String::as_str);
        let stem = Path::new(first).file_stem().unwrap_or_default();
        Path::new("out").join(stem)
    })
}

#[cfg(feature = "vision")]
fn annotate(
    args: &AnalyzeArgs,
    record: &MatchRecord,
    calibration: &Calibration,
    recorder: &Recorder,
    out: &OutFolder,
) -> Result<(), CliError> {
    let annotation = annotate::Annotation {
        record,
        calibration,
        recorder,
    };
    annotation.write(&args.sources, &open_options(args), out.path())?;
    Ok(())
}

#[cfg(not(feature = "vision"))]
fn annotate(
    _args: &AnalyzeArgs,
    _record: &MatchRecord,
    _calibration: &Calibration,
    _recorder: &Recorder,
    _out: &OutFolder,
) -> Result<(), CliError> {
    Err(CliError::Usage(
        "--annotate needs a marqueur built with the feature `vision`".to_owned(),
    ))
}

fn open_options(args: &AnalyzeArgs) -> OpenOptions {
    OpenOptions {
        folder_fps: args.fps,
        ..OpenOptions::default()
    }
}

/// Where everything lies, and what to try next.
fn farewell(record: &MatchRecord, match_file: &Path, args: &AnalyzeArgs) -> String {
    let out = match_file.parent().unwrap_or(Path::new("."));
    let shots = out.join("shots");
    let mut lines = vec![format!("  match file      {}", match_file.display())];
    lines.push(format!(
        "  every position  {}",
        out.join("positions.csv").display()
    ));
    if let Some(last) = record.shots.last() {
        let (first, last) = (
            shots.join("001.svg"),
            shots.join(format!("{:03}.svg", last.n)),
        );
        lines.push(format!(
            "  shot diagrams   {} to {}",
            first.display(),
            last.display()
        ));
        lines.push(format!("\nTry next:\n  xdg-open {}", first.display()));
    } else {
        lines.push("\nTry next:".to_owned());
    }
    if let Some(truth) = truth_beside(args) {
        lines.push(format!(
            "  marqueur evaluate --truth {} {}",
            truth.display(),
            match_file.display()
        ));
    }
    lines.push(
        "  marqueur analyze YOUR_VIDEO.mp4 --game three-cushion --players \"Ann,Bob\"".to_owned(),
    );
    lines.join("\n")
}

/// A rendered clip has its truth beside it.
fn truth_beside(args: &AnalyzeArgs) -> Option<PathBuf> {
    let [only] = args.sources.as_slice() else {
        return None;
    };
    let truth = Path::new(only).with_extension("truth.json");
    truth.is_file().then_some(truth)
}
