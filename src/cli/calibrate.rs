//! `marqueur calibrate`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{
    calib::{CalibError, Options, find, picture},
    cli::{CliError, TableArgs, say},
    io::{self, OpenOptions, SourceError, write_picture},
    model::{Picture, TableSpec},
    pipeline::{PrepareError, first_pictures},
};

const EXAMPLES: &str = "Examples:
  marqueur calibrate club.mp4 --table carom-match -o calibration/club.toml
  marqueur calibrate photo.jpg --table-size 2300x1150 --ball-diameter 61.5";

/// Finds the table in a picture or video and writes the camera to a file, with its error in mm
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArgs {
    /// Picture, video file, folder of pictures or stream
    #[arg(value_name = "SOURCE")]
    pub source: String,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would show it")]
    pub table: TableArgs,
    /// File to write [default: calibration/ and the source's name]; a picture of what was found goes beside it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// [`CliError`] with the exit code of whatever went wrong.
pub fn run(args: &CalibrateArgs) -> Result<(), CliError> {
    let table = args
        .table
        .spec()?
        .or_else(|| TableSpec::named("carom-match"));
    let table = table.ok_or_else(|| CliError::Usage("name the table with --table".to_owned()))?;
    let pictures = pictures(&args.source)?;
    let options = Options {
        near: args.table.near.map(Into::into),
    };
    let found = find(&pictures, &table, &options).map_err(PrepareError::Calib)?;
    let file = args.output.clone().unwrap_or_else(|| {
        let stem = Path::new(&args.source).file_stem().unwrap_or_default();
        Path::new("calibration").join(stem).with_extension("toml")
    });
    if let Some(folder) = file.parent() {
        let bad = |e| CliError::file(folder, "cannot be made; choose another file with -o", e);
        std::fs::create_dir_all(folder).map_err(bad)?;
    }
    let c = &found.calibration;
    c.save(&file)
        .map_err(|e: CalibError| CliError::Failed(e.to_string()))?;
    say(&format!(
        "{}: {:.1} mm rms, {:.1} mm at the worst mark",
        verdict(c.residual_mm),
        c.residual_mm,
        c.worst_mm
    ));
    say(&format!("  calibration  {}", file.display()));
    if let Some(first) = pictures.first() {
        let drawn = file.with_extension("png");
        write_picture(&drawn, &picture::overlay(first, &found))?;
        say(&format!(
            "  look at      {}: every line must lie on its cushion's nose",
            drawn.display()
        ));
    }
    Ok(())
}

/// The residual in a word: two millimetres are a thirtieth of a ball.
fn verdict(residual_mm: f64) -> &'static str {
    match residual_mm {
        r if r < 1.0 => "good",
        r if r < 2.0 => "fair",
        _ => "poor",
    }
}

/// A picture as it is, or some of a video's first ones.
fn pictures(source: &str) -> Result<Vec<Picture>, SourceError> {
    let ending = Path::new(source)
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
        .to_lowercase();
    if ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp"].contains(&ending.as_str()) {
        return Ok(vec![io::read_picture(Path::new(source))?]);
    }
    let mut source = io::open_with(source, &OpenOptions::default())?;
    first_pictures(source.as_mut())
}
