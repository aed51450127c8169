//! A recorded match, from its pictures to its record.

use rayon::ThreadPool;

use crate::{
    calib::Calibration,
    events::{self, Recognizer},
    io::{Source, SourceEnd, SourceError},
    model::{
        Detections, Frame, Shot, TrackedFrame,
        record::{CalibrationRecord, FORMAT, MatchRecord, ShotRecord, SourceRecord, TableRecord},
    },
    pipeline::{PrepareError, Setup, prepare, watch},
    rules,
    score::MatchBuilder,
    track::Tracker,
    units::Timestamp,
};

/// What is to be analyzed, and how.
pub struct Request<'a> {
    /// The table, the balls, the calibration.
    pub setup: Setup,
    /// The game and its options.
    pub options: rules::Options,
    /// Variant of the game, for the record.
    pub variant: Option<String>,
    /// Names of the players, in order.
    pub players: Vec<String>,
    /// Detection runs here.
    pub workers: &'a ThreadPool,
}

/// Who wants to know on the way.
pub trait Observer {
    /// A frame was looked at. `tracked` is `None` for a picture that shows no new moment.
    ///
    /// # Errors
    /// Ends the analysis.
    fn moment(
        &mut self,
        frame: &Frame,
        seen: &Detections,
        tracked: Option<&TrackedFrame>,
    ) -> std::io::Result<()>;

    /// The table was found, or the given calibration fits.
    fn calibrated(&mut self, calibration: &Calibration);

    /// A shot was judged.
    fn shot(&mut self, record: &ShotRecord, line: &str);

    /// Something the user should know.
    fn warning(&mut self, text: &str);
}

/// Why there is no record.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// Nothing could be learned from the first pictures.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The source breaks.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The observer could not take it.
    #[error("the results cannot be written: {0}")]
    Observer(#[from] std::io::Error),
}

/// Analyzes a source. `open` opens it: once to learn from its first seconds, once to watch it from the start.
///
/// # Errors
/// [`AnalyzeError`]; a source that breaks half-way is judged as far as it went, with a warning, when at least one
/// frame was read.
pub fn analyze(
    open: impl Fn() -> Result<Box<dyn Source>, SourceError>,
    request: &Request<'_>,
    observer: &mut dyn Observer,
) -> Result<MatchRecord, AnalyzeError> {
    let first = open()?;
    let mut ready = request.workers.install(|| prepare(first, &request.setup))?;
    let calibration = ready.calibration.clone();
    observer.calibrated(&calibration);
    let mut tracker = Tracker::new(&calibration, ready.detector.balls());
    let mut recognizer = Recognizer::new(
        &calibration.table,
        &request.setup.balls,
        events::Options::default(),
    );
    let mut game = MatchBuilder::new(&request.options);
    let mut judge = |shots: Vec<Shot>, observer: &mut dyn Observer| {
        for shot in shots {
            let (record, line) = game.add(&shot);
            observer.shot(record, &line);
        }
    };
    let source = open()?;
    let name = source.info().name.clone();
    let mut clock = Clock::default();
    let mut failed = None;
    let end = watch(
        source,
        &mut ready.detector,
        &mut tracker,
        request.workers,
        |frame, seen, tracked| {
            clock.tick(frame.at);
            if failed.is_none() {
                failed = observer.moment(frame, seen, tracked).err();
            }
            if let Some(tracked) = tracked {
                judge(recognizer.push(tracked), observer);
            }
            failed.is_none()
        },
    );
    if let Some(error) = failed {
        return Err(error.into());
    }
    let end = tolerate(end, clock.frames, observer)?;
    judge(recognizer.finish(), observer);
    if let Some(text) = &end.warning {
        observer.warning(text);
    }
    Ok(record(request, name, &calibration, &clock, game))
}

/// A source that broke after some frames is a source that ended early.
fn tolerate(
    end: Result<SourceEnd, SourceError>,
    frames: u64,
    observer: &mut dyn Observer,
) -> Result<SourceEnd, SourceError> {
    match end {
        Err(error) if frames > 0 => {
            observer.warning(&format!("{error}; judged as far as it could be read"));
            Ok(SourceEnd::default())
        }
        end => end,
    }
}

/// Counts frames and their time.
#[derive(Default)]
struct Clock {
    frames: u64,
    last: Timestamp,
}

impl Clock {
    fn tick(&mut self, at: Timestamp) {
        self.frames += 1;
        self.last = self.last.max(at);
    }

    fn fps(&self) -> f64 {
        let span = self.last.secs();
        if self.frames > 1 && span > 0.0 {
            (self.frames - 1) as f64 / span
        } else {
            0.0
        }
    }
}

fn record(
    request: &Request<'_>,
    name: String,
    calibration: &Calibration,
    clock: &Clock,
    game: MatchBuilder,
) -> MatchRecord {
    let table = &calibration.table;
    let players = game.players(&request.players);
    let given = request.options.given();
    let options = given
        .filter_map(|(n, v)| Some((n.to_owned(), serde_json::to_value(v).ok()?)))
        .collect();
    let (shots, result) = game.finish();
    MatchRecord {
        format: FORMAT.to_owned(),
        game: request.options.game().name().to_owned(),
        variant: request.variant.clone(),
        options,
        table: TableRecord {
            name: table.name.clone(),
            length_mm: table.length_mm,
            width_mm: table.width_mm,
        },
        source: SourceRecord {
            name,
            frames: clock.frames,
            fps: clock.fps(),
            dropped: 0,
            duration_s: clock.last.secs(),
        },
        calibration: CalibrationRecord {
            residual_mm: calibration.residual_mm,
            from: calibration.from.clone(),
        },
        players,
        shots,
        result,
    }
}
