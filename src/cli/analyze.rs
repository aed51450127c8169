//! `marqueur analyze`.

use std::path::{Path, PathBuf};

use clap::Args;

#[cfg(feature = "vision")]
use crate::cli::annotate;
use crate::{
    calib::Calibration,
    cli::{CliError, Progress, TableArgs, print_json, recorder::Recorder, say, sheet},
    io::{OpenOptions, OutFolder, match_json, open_all},
    model::{
        BallSet, Detections, Frame, TableSpec, TrackedFrame,
        record::{MatchRecord, ShotRecord},
    },
    pipeline, rules,
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
    /// Take the calibration as it is, even if the table seems to lie elsewhere
    #[arg(long, requires = "calibration")]
    pub unchecked: bool,
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

/// Runs the command.
///
/// # Errors
/// [`CliError`] with the exit code of whatever went wrong.
pub fn run(args: &AnalyzeArgs) -> Result<(), CliError> {
    check_players(&args.players)?;
    let setup = setup(args)?;
    let options = rule_options(args, &setup.table)?;
    let table = setup.table.clone();
    let open = || open_all(&args.sources, &open_options(args));
    let frames = open()?.info().frames_hint;
    let workers = workers(args.workers)?;
    let out = OutFolder::create(&out_folder(args))?;
    let progress = Progress::new(frames, args.json);
    let mut desk = Desk {
        recorder: Recorder::new(&out)?,
        progress,
        frames: 0,
        calibration: None,
    };
    let players = args.players.clone();
    let request = pipeline::Request {
        setup,
        options,
        variant: args.variant.clone(),
        players,
        workers: &workers,
    };
    let analyzed = pipeline::analyze(open, &request, &mut desk);
    desk.progress.finish();
    let record = analyzed?;
    desk.recorder.finish(&out, &record, &table)?;
    let match_file = out.write_match(&record)?;
    if args.annotate {
        annotate(args, &record, &desk, &out)?;
    }
    if args.json {
        print_json(match_json(&record).value())?;
    } else {
        say(&sheet::score_sheet(&record));
        say(&farewell(&record, &match_file, args));
    }
    if args.strict && !record.result.needs_review.is_empty() {
        return Err(CliError::NeedsReview(record.result.needs_review));
    }
    Ok(())
}

/// The game and its options, as the command line sets them; spots are those of the table, where the game knows it.
fn rule_options(args: &AnalyzeArgs, table: &TableSpec) -> Result<rules::Options, CliError> {
    let usage = |e: rules::OptionError| CliError::Usage(e.to_string());
    let mut options = rules::Options::new(rules::Game::named(&args.game).map_err(usage)?);
    if let Some(variant) = &args.variant {
        return Err(CliError::Usage(format!(
            "{} has no variants; leave out --variant {variant}",
            args.game
        )));
    }
    if table.name != options.word(&rules::options::TABLE) {
        // A table without spots of its own leaves them where they are by default.
        let _ = options.set(rules::options::TABLE.name, &table.name);
    }
    for (name, value) in &args.options {
        options.set(name, value).map_err(usage)?;
    }
    if let Some(target) = args.target {
        options.set_target(i64::from(target)).map_err(usage)?;
    }
    Ok(options)
}

/// Names that can be told apart on one line, two of them or none.
fn check_players(names: &[String]) -> Result<(), CliError> {
    let plain = |n: &String| !n.trim().is_empty() && !n.chars().any(char::is_control);
    let two = names.len() == 2 && names[0].trim() != names[1].trim();
    if names.is_empty() || two && names.iter().all(plain) {
        return Ok(());
    }
    Err(CliError::Usage(
        "--players takes two different names, as in --players \"Ann,Bob\"".to_owned(),
    ))
}

/// The table, its camera and the balls.
fn setup(args: &AnalyzeArgs) -> Result<pipeline::Setup, CliError> {
    let named = args.table.spec()?;
    let calibration = match &args.calibration {
        Some(path) => {
            Some(Calibration::load(path).map_err(|e| CliError::Calibration(e.to_string()))?)
        }
        None => None,
    };
    let table = named
        .or_else(|| calibration.as_ref().map(|c| c.table.clone()))
        .or_else(|| TableSpec::named("carom-match"))
        .ok_or_else(|| CliError::Usage("name the table with --table or --table-size".to_owned()))?;
    Ok(pipeline::Setup {
        table,
        near: args.table.near.map(Into::into),
        calibration,
        unchecked: args.unchecked,
        balls: BallSet::carom(),
    })
}

fn workers(asked: Option<u16>) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(asked.map_or(0, usize::from))
        .build()
        .map_err(|e| CliError::Failed(format!("the detection threads cannot be started: {e}")))
}

/// Where the results of a running analysis go.
struct Desk {
    recorder: Recorder,
    progress: Progress,
    frames: u64,
    calibration: Option<Calibration>,
}

impl pipeline::Observer for Desk {
    fn calibrated(&mut self, calibration: &Calibration) {
        self.calibration = Some(calibration.clone());
    }

    fn moment(
        &mut self,
        _: &Frame,
        _: &Detections,
        tracked: Option<&TrackedFrame>,
    ) -> std::io::Result<()> {
        self.frames += 1;
        self.progress.set(self.frames);
        tracked
            .map_or(Ok(()), |t| self.recorder.frame(t))
            .map_err(std::io::Error::other)
    }

    fn shot(&mut self, _: &ShotRecord, line: &str) {
        self.progress.line(line);
    }

    fn warning(&mut self, text: &str) {
        self.progress.line(&format!("warning: {text}"));
    }
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
    desk: &Desk,
    out: &OutFolder,
) -> Result<(), CliError> {
    if let Some(calibration) = &desk.calibration {
        let annotation = annotate::Annotation {
            record,
            calibration,
            recorder: &desk.recorder,
        };
        annotation.write(&args.sources, &open_options(args), out.path())?;
    }
    Ok(())
}

#[cfg(not(feature = "vision"))]
fn annotate(_: &AnalyzeArgs, _: &MatchRecord, _: &Desk, _: &OutFolder) -> Result<(), CliError> {
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
    let places = [
        ("match file", match_file.to_owned()),
        ("every contact", out.join("events.csv")),
        ("every position", out.join("positions.csv")),
        ("shot diagrams", out.join("shots")),
    ];
    let video = args.annotate.then(|| ("video", out.join("annotated.mp4")));
    let mut lines: Vec<String> = places
        .into_iter()
        .chain(video)
        .map(|(what, path)| format!("  {what:14}  {}", path.display()))
        .collect();
    lines.push("\nTry next:".to_owned());
    if let Some(first) = record.shots.first() {
        let diagram = out.join(format!("shots/{:03}.svg", first.n));
        lines.push(format!("  xdg-open {}", diagram.display()));
    }
    let program = std::env::args()
        .next()
        .unwrap_or_else(|| "marqueur".to_owned());
    if let Some(truth) = truth_beside(args) {
        let (truth, found) = (truth.display(), match_file.display());
        lines.push(format!("  {program} evaluate --truth {truth} {found}"));
    }
    lines.push(format!(
        "  {program} analyze YOUR_VIDEO.mp4 --game {} --players \"Ann,Bob\" --annotate",
        record.game
    ));
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
