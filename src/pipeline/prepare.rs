//! What must be known before a match can be watched: where the table is, and how its cloth and balls look.

use crate::{
    calib::{CalibError, Calibration, Near, Options, estimate},
    detect::{DetectError, Detector},
    io::{Source, SourceError},
    model::{BallSet, Picture, TableSpec},
    units::Timestamp,
};

/// Pictures learned from at once, and the time between them, s.
const PICTURES: usize = 12;
const SPACING_S: f64 = 0.3;
/// How long a table or balls are waited for (fade-in, lights off, a title), s.
const PATIENCE_S: f64 = 30.0;

/// A table this far from where its calibration says was moved, or its camera was, mm.
const MOVED_MM: f64 = 25.0;

/// What is known beforehand.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The table's measures.
    pub table: TableSpec,
    /// Where the near end is, where told.
    pub near: Option<Near>,
    /// A calibration made earlier; without one the table is found in the picture.
    pub calibration: Option<Calibration>,
    /// Take that calibration as it is, wherever the table seems to lie.
    pub unchecked: bool,
    /// The balls of the game.
    pub balls: BallSet,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The camera over the table.
    pub calibration: Calibration,
    /// Knows this cloth and these balls.
    pub detector: Detector,
}

/// Why a match cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The source breaks.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The table is not found, or not as told.
    #[error(transparent)]
    Calib(#[from] CalibError),
    /// No cloth or no balls.
    #[error(transparent)]
    Detect(#[from] DetectError),
}

/// Reads the first seconds of a source and learns from them; goes on reading while they show no table or no balls.
///
/// # Errors
/// What the first pictures that showed anything were refused for.
pub fn prepare(mut source: Box<dyn Source>, setup: &Setup) -> Result<Prepared, PrepareError> {
    let mut refused: Option<PrepareError> = None;
    loop {
        let (pictures, last) = sample(source.as_mut())?;
        if !pictures.is_empty() {
            let error = match attempt(&pictures, setup) {
                Ok(prepared) => return Ok(prepared),
                Err(error) => error,
            };
            if refused.as_ref().is_none_or(nothing_seen) {
                refused = Some(error);
            }
        }
        if pictures.is_empty() || last.secs() > PATIENCE_S {
            return Err(refused.unwrap_or(PrepareError::Detect(DetectError::NoPictures)));
        }
    }
}

/// Whether the pictures were refused for showing nothing at all: a later refusal tells more.
fn nothing_seen(error: &PrepareError) -> bool {
    matches!(
        error,
        PrepareError::Calib(CalibError::TooDark { .. } | CalibError::NoTable { .. })
    )
}

/// Some pictures of a source's first seconds.
///
/// # Errors
/// What the source reports.
pub fn first_pictures(source: &mut dyn Source) -> Result<Vec<Picture>, SourceError> {
    Ok(sample(source)?.0)
}

/// The next pictures, spaced in time; fewer at the end of the source.
fn sample(source: &mut dyn Source) -> Result<(Vec<Picture>, Timestamp), SourceError> {
    let mut pictures = Vec::with_capacity(PICTURES);
    let mut kept: Option<Timestamp> = None;
    let mut last = Timestamp::ZERO;
    while pictures.len() < PICTURES {
        let Some(frame) = source.read()? else { break };
        last = frame.at;
        if kept.is_none_or(|k| frame.at.since(k) >= SPACING_S) {
            kept = Some(frame.at);
            pictures.push(frame.pixels);
        } else {
            source.recycle(frame.pixels);
        }
    }
    Ok((pictures, last))
}

fn attempt(pictures: &[Picture], setup: &Setup) -> Result<Prepared, PrepareError> {
    let calibration = match &setup.calibration {
        Some(given) => {
            let (h, w, _) = pictures.first().map_or((0, 0, 0), Picture::dim);
            let given = given.fits([w as u32, h as u32])?;
            if !setup.unchecked {
                check(&given, pictures)?;
            }
            given
        }
        None => estimate(pictures, &setup.table, &Options { near: setup.near })?,
    };
    let views: Vec<&Picture> = pictures.iter().collect();
    let detector = Detector::learn(&views, &calibration, &setup.balls)?;
    Ok(Prepared {
        calibration,
        detector,
    })
}

/// Refuses a calibration when the table is surely found elsewhere; where it is not found nothing is said.
fn check(given: &Calibration, pictures: &[Picture]) -> Result<(), CalibError> {
    let Ok(found) = estimate(pictures, &given.table, &Options::default()) else {
        return Ok(());
    };
    let off_mm = given.away_from(&found);
    tracing::debug!(off_mm, "calibration against picture");
    if off_mm > MOVED_MM {
        return Err(CalibError::Moved { off_mm });
    }
    Ok(())
}
