//! `marqueur synth`: renders scenes with known truth.

use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    cli::CliError,
    cli::say,
    model::TableSpec,
    synth::{
        encode::Coding,
        look::Cloth,
        play_match::{MatchWish, play},
        scene::{Scene, SceneError, SceneOptions, write_truth},
        script::{Script, Shot, Timing},
        trajectory::{self, TrajectoryError},
        view::ViewLimits,
    },
};

/// Renders scenes with known truth: a simulated three-cushion match, or shots from trajectory files.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example: marqueur synth --out match.mp4 --seed 7 --shots 6 --size 1080p --fps 60
writes match.mp4 and match.truth.json. The same options give the same files."
)]
pub struct SynthArgs {
    /// Video file (.mp4), or a folder for several.
    #[arg(long, value_name = "FILE.mp4|DIR")]
    pub out: PathBuf,
    /// Everything not chosen is drawn from this number.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Shots of the match.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=500))]
    pub shots: u64,
    /// Share of shots that should score.
    #[arg(long, default_value_t = 0.5)]
    pub scoring: f64,
    /// Longest shot, seconds.
    #[arg(long, default_value_t = 9.0)]
    pub longest: f64,
    /// Picture size: 720p, 1080p, 2160p or WIDTHxHEIGHT.
    #[arg(long, default_value = "1080p", value_parser = parse_size)]
    pub size: [u32; 2],
    /// Frames per second.
    #[arg(long, default_value_t = 60.0)]
    pub fps: f64,
    /// Exposure of each frame, milliseconds.
    #[arg(long, default_value_t = 6.0)]
    pub exposure_ms: f64,
    /// Colour of the cloth.
    #[arg(long)]
    pub cloth: Option<Cloth>,
    /// Table, by name.
    #[arg(long, default_value = "carom-match")]
    pub table: String,
    /// Sensor noise, steps of 255.
    #[arg(long)]
    pub noise: Option<f32>,
    /// Quality of the video (x264's crf): lower is better.
    #[arg(long, default_value_t = 22, value_parser = clap::value_parser!(u8).range(0..=51))]
    pub crf: u8,
    /// x264's preset.
    #[arg(long, default_value = "veryfast")]
    pub preset: String,
    /// Show the shots of these trajectory files, in a row, instead of a simulated match.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub trajectory: Vec<PathBuf>,
    /// Scenes to render, with seeds that follow one another; with more than one, --out is a folder.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub count: u64,
}

/// Why scenes could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// An option that cannot be.
    #[error("{0}")]
    Usage(String),
    /// A trajectory file.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
    /// The scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The output folder.
    #[error("cannot create {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl From<SynthError> for CliError {
    fn from(error: SynthError) -> Self {
        match error {
            SynthError::Usage(text) => Self::Usage(text),
            SynthError::Scene(e @ SceneError::Size(..)) => Self::Usage(e.to_string()),
            other => {
                let mut text = other.to_string();
                let mut below = std::error::Error::source(&other);
                while let Some(e) = below {
                    text = format!("{text}: {e}");
                    below = e.source();
                }
                Self::Failed(text)
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When an option is impossible, or a file cannot be read or written.
pub fn run(args: &SynthArgs) -> Result<(), SynthError> {
    check(args)?;
    for i in 0..args.count {
        let seed = args.seed.wrapping_add(i);
        let video = target(args, seed)?;
        let scene = Scene::new(script(args, seed)?, options(args, seed))?;
        let bar = progress(scene.frames());
        let truth = scene.film(&video, |done, _| bar.set_position(done))?;
        bar.finish_and_clear();
        write_truth(&truth, &video.with_extension("truth.json"))?;
        let points: i64 = truth.shots.iter().filter_map(|s| s.points).sum();
        let (shots, frames) = (truth.shots.len(), truth.frames.len());
        say(&format!(
            "{}: {shots} shots, {points} points, {frames} frames",
            video.display()
        ));
    }
    Ok(())
}

fn check(args: &SynthArgs) -> Result<(), SynthError> {
    let usage = |text: &str| Err(SynthError::Usage(text.to_owned()));
    if !(1.0..=1000.0).contains(&args.fps) {
        return usage("--fps must be between 1 and 1000");
    }
    if !(0.0..=1000.0 / args.fps).contains(&args.exposure_ms) {
        return usage("--exposure-ms must not be longer than a frame");
    }
    if !(0.0..=1.0).contains(&args.scoring) {
        return usage("--scoring must be between 0 and 1");
    }
    if !(3.0..=60.0).contains(&args.longest) {
        return usage("--longest must be between 3 and 60 seconds");
    }
    if args.noise.is_some_and(|n| !(0.0..=8.0).contains(&n)) {
        return usage("--noise must be between 0 and 8");
    }
    Ok(())
}

fn options(args: &SynthArgs, seed: u64) -> SceneOptions {
    SceneOptions {
        size: args.size,
        fps: args.fps,
        exposure_s: args.exposure_ms * 1e-3,
        cloth: args.cloth,
        noise: args.noise,
        view: ViewLimits::default(),
        coding: Coding {
            crf: args.crf,
            preset: args.preset.clone(),
        },
        seed,
    }
}

/// What happens: the files' shots, or a match.
fn script(args: &SynthArgs, seed: u64) -> Result<Script, SynthError> {
    let (game, shots) = if args.trajectory.is_empty() {
        let table = TableSpec::named(&args.table)
            .filter(|t| !t.pockets)
            .ok_or_else(|| SynthError::Usage(format!("there is no carom table {}", args.table)))?;
        let wish = MatchWish {
            shots: args.shots as usize,
            scoring: args.scoring,
            longest_s: args.longest,
        };
        ("three-cushion".to_owned(), play(&table, &wish, seed))
    } else {
        from_files(&args.trajectory)?
    };
    Script::from_shots(&game, shots, &Timing::default()).ok_or_else(|| {
        SynthError::Usage(
            "the shots cannot be put in a row: none, or tables and balls differ".to_owned(),
        )
    })
}

fn from_files(files: &[PathBuf]) -> Result<(String, Vec<Shot>), SynthError> {
    let mut game = String::new();
    let mut shots = Vec::new();
    for file in files {
        let shot = trajectory::read(file)?;
        let player = if shot.play.struck == crate::model::Ball::Yellow {
            "B"
        } else {
            "A"
        };
        game = shot.game;
        shots.push(Shot {
            play: shot.play,
            player: player.to_owned(),
            points: shot.three_cushion_point.map(i64::from),
        });
    }
    Ok((game, shots))
}

/// The video file of a seed.
fn target(args: &SynthArgs, seed: u64) -> Result<PathBuf, SynthError> {
    let single = args.count == 1 && args.out.extension().is_some_and(|e| e == "mp4");
    let folder = if single {
        args.out.parent().unwrap_or(Path::new("."))
    } else {
        args.out.as_path()
    };
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|source| SynthError::Folder {
            path: folder.to_owned(),
            source,
        })?;
    }
    Ok(if single {
        args.out.clone()
    } else {
        folder.join(format!("scene-{seed:05}.mp4"))
    })
}

fn progress(frames: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames {per_sec} {eta}");
    let bar = ProgressBar::new(frames);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    match text {
        "720p" => return Ok([1280, 720]),
        "1080p" => return Ok([1920, 1080]),
        "2160p" | "4k" => return Ok([3840, 2160]),
        _ => {}
    }
    let (w, h) = text
        .split_once('x')
        .ok_or_else(|| format!("{text} is no size: give 720p, 1080p, 2160p or WIDTHxHEIGHT"))?;
    let number = |v: &str| {
        v.parse::<u32>()
            .map_err(|_| format!("{v} is no number of pixels"))
    };
    Ok([number(w)?, number(h)?])
}
