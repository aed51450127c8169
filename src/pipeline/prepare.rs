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

/// What is known beforehand.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The table's measures.
    pub table: TableSpec,
    /// Where the near end is, where told.
    pub near: Option<Near>,
    /// A calibration made earlier; without one the table is found in the picture.
    pub calibration: Option<Calibration>,
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
    let mut begin = Timestamp::ZERO;
    loop {
        let (pictures, last) = sample(source.as_mut())?;
        let error = match (pictures.is_empty(), attempt(&pictures, setup)) {
            (true, _) => {
                return Err(refused.unwrap_or(PrepareError::Detect(DetectError::NoPictures)));
            }
            (false, Ok(prepared)) => return Ok(prepared),
            (false, Err(error)) => error,
        };
        let nothing_seen = |e: &PrepareError| {
            matches!(
                e,
                PrepareError::Calib(CalibError::TooDark { .. } | CalibError::NoTable { .. })
            )
        };
        if refused.as_ref().is_none_or(nothing_seen) {
            refused = Some(error);
        }
        if last.since(begin) > PATIENCE_S {
            return Err(refused.unwrap_or(PrepareError::Detect(DetectError::NoPictures)));
        }
        begin = begin.min(last);
    }
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
            given.fits([w as u32, h as u32])?
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
