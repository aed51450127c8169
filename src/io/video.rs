//! Video files, streams and cameras through OpenCV.

use std::time::Instant;

use ndarray::Array3;
use opencv::{
    core::{Mat, Vec3b, Vector},
    prelude::*,
    videoio::{self, VideoCapture},
};

use crate::{
    io::{
        clock::FrameClock,
        source::{Kind, OpenOptions, Source, SourceEnd, SourceError, SourceInfo},
    },
    model::{Frame, Picture},
};

/// Pictures kept for use again: more than are ever under way between two stages.
const SPARE_PICTURES: usize = 64;

/// An open video.
///
/// OpenCV 4.6 turns pictures with an orientation flag the wrong way (90 and 270 degrees), so its own turning is
/// switched off and done here.
pub(crate) struct Video {
    info: SourceInfo,
    capture: VideoCapture,
    clock: FrameClock,
    turn: Option<i32>,
    /// Set with the first frame of a live source.
    live: Option<Arrival>,
    frames: u64,
    ended: bool,
    turned: Mat,
    spare: Vec<Picture>,
}

/// When a live source's first frame arrived.
#[derive(Clone, Copy, Default)]
struct Arrival(Option<Instant>);

impl Arrival {
    fn seconds(&mut self) -> f64 {
        self.0
            .get_or_insert_with(Instant::now)
            .elapsed()
            .as_secs_f64()
    }
}

impl Video {
    pub(crate) fn open(kind: &Kind, options: &OpenOptions) -> Result<Self, SourceError> {
        let name = kind.name();
        let failed = |e: opencv::Error| cv_error(&name, &e);
        let mut capture = capture_of(kind, options).map_err(failed)?;
        if !capture.is_opened().map_err(failed)? {
            return Err(why_not(kind));
        }
        let _ = capture.set(videoio::CAP_PROP_ORIENTATION_AUTO, 0.0);
        let property = |id| capture.get(id).ok().filter(|v: &f64| v.is_finite());
        let angle = property(videoio::CAP_PROP_ORIENTATION_META).unwrap_or(0.0);
        let turn = turn_for(angle);
        let mut size = [
            property(videoio::CAP_PROP_FRAME_WIDTH).unwrap_or(0.0) as u32,
            property(videoio::CAP_PROP_FRAME_HEIGHT).unwrap_or(0.0) as u32,
        ];
        if size.contains(&0) {
            return Err(why_not(kind));
        }
        if swaps_sides(turn) {
            size.reverse();
        }
        let nominal_fps = property(videoio::CAP_PROP_FPS).filter(|f| (0.1..1000.0).contains(f));
        let frames_hint = property(videoio::CAP_PROP_FRAME_COUNT)
            .filter(|n| *n >= 1.0 && *n < 1e12)
            .map(|n| n as u64);
        let from_a_file = matches!(kind, Kind::File(_));
        let live = (!from_a_file && frames_hint.is_none()).then(Arrival::default);
        Ok(Self {
            clock: FrameClock::new(nominal_fps),
            info: SourceInfo {
                name,
                size,
                nominal_fps,
                frames_hint,
            },
            capture,
            turn,
            live,
            frames: 0,
            ended: false,
            turned: Mat::default(),
            spare: Vec::new(),
        })
    }

    /// Decodes the next picture into `pixels`; false at the end.
    ///
    /// OpenCV writes straight into the array's memory. A picture of another size makes it take new memory of its
    /// own instead, which is how a change of size is noticed.
    fn decode(&mut self, pixels: &mut Picture) -> Result<bool, SourceError> {
        let name = &self.info.name;
        let failed = |e: opencv::Error| cv_error(name, &e);
        if self.turn.is_some() && !self.capture.read(&mut self.turned).map_err(failed)? {
            return Ok(false);
        }
        let [width, height] = self.info.size.map(|n| n as i32);
        let Some(memory) = pixels.as_slice_mut() else {
            return Ok(false);
        };
        let wanted = memory.as_ptr();
        let mut target =
            Mat::new_rows_cols_with_bytes_mut::<Vec3b>(height, width, memory).map_err(failed)?;
        match self.turn {
            Some(code) => {
                opencv::core::rotate(&self.turned, &mut target, code).map_err(failed)?;
            }
            None if !self.capture.read(&mut target).map_err(failed)? => return Ok(false),
            None => {}
        }
        if target.data() == wanted {
            return Ok(true);
        }
        Err(SourceError::SizeChanged {
            name: name.clone(),
            from: self.info.size,
            to: [target.cols() as u32, target.rows() as u32],
        })
    }

    fn blank(&mut self) -> Picture {
        let [width, height] = self.info.size.map(|n| n as usize);
        self.spare
            .pop()
            .unwrap_or_else(|| Array3::zeros((height, width, 3)))
    }

    /// The file holds what it promised: as many frames, or as much time (where the rate varies, the promised count
    /// and rate are both wrong but their ratio is the duration). A quarter of a second is forgiven.
    fn kept_its_promise(&self) -> bool {
        let Some(promised) = self.info.frames_hint else {
            return true;
        };
        let step = self.clock.step_s();
        let forgiven = 0.25_f64.max(3.0 * step);
        let missing_s = promised as f64 * step - (self.clock.last_s() + step);
        self.frames >= promised || missing_s <= forgiven
    }
}

impl Source for Video {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn read(&mut self) -> Result<Option<Frame>, SourceError> {
        if self.ended {
            return Ok(None);
        }
        let mut pixels = self.blank();
        if !self.decode(&mut pixels)? {
            self.ended = true;
            if self.frames == 0 {
                return Err(SourceError::Broken {
                    name: self.info.name.clone(),
                    reason: "not one picture can be decoded".to_owned(),
                });
            }
            return Ok(None);
        }
        let told_ms = self
            .capture
            .get(videoio::CAP_PROP_POS_MSEC)
            .unwrap_or(f64::NAN);
        let arrived_s = self.live.as_mut().map(Arrival::seconds);
        let at = self.clock.stamp(told_ms * 1e-3, arrived_s);
        let seq = self.frames;
        self.frames += 1;
        Ok(Some(Frame { seq, at, pixels }))
    }

    fn end(&self) -> SourceEnd {
        let complete = self.ended && self.kept_its_promise();
        let short = self.ended && !complete;
        SourceEnd {
            frames: self.frames,
            complete,
            times_filled_in: self.clock.filled_in(),
            warning: short.then(|| {
                format!(
                    "{}: ends after {:.1} s and {} frames where {} were promised: the file is cut off or damaged",
                    self.info.name,
                    self.clock.last_s(),
                    self.frames,
                    self.info.frames_hint.unwrap_or(0),
                )
            }),
        }
    }

    fn recycle(&mut self, picture: Picture) {
        let [width, height] = self.info.size.map(|n| n as usize);
        let fits = picture.dim() == (height, width, 3) && picture.is_standard_layout();
        if fits && self.spare.len() < SPARE_PICTURES {
            self.spare.push(picture);
        }
    }
}

/// FFmpeg is asked for by name: otherwise GStreamer only prints noise. Timeouts must be given at opening.
fn capture_of(kind: &Kind, options: &OpenOptions) -> opencv::Result<VideoCapture> {
    match kind {
        Kind::Folder(path) | Kind::File(path) => VideoCapture::from_file(path, videoio::CAP_FFMPEG),
        Kind::Stream(address) => VideoCapture::from_file_with_params(
            address,
            videoio::CAP_FFMPEG,
            &Vector::from_slice(&[
                videoio::CAP_PROP_OPEN_TIMEOUT_MSEC,
                options.stream_timeout_ms,
                videoio::CAP_PROP_READ_TIMEOUT_MSEC,
                options.stream_timeout_ms,
            ]),
        ),
        Kind::Camera(n) => VideoCapture::new(*n, videoio::CAP_V4L2),
    }
}

/// How to turn a picture that carries the orientation flag `degrees`.
///
/// # Source
/// Measured on phone files with OpenCV 4.6: flag 90 wants counter-clockwise, 270 clockwise, 180 half a turn.
fn turn_for(degrees: f64) -> Option<i32> {
    match degrees.round() as i64 {
        90 => Some(opencv::core::ROTATE_90_COUNTERCLOCKWISE),
        180 => Some(opencv::core::ROTATE_180),
        270 => Some(opencv::core::ROTATE_90_CLOCKWISE),
        _ => None,
    }
}

fn swaps_sides(turn: Option<i32>) -> bool {
    turn.is_some_and(|code| code != opencv::core::ROTATE_180)
}

/// Tells why something that is there does not open.
fn why_not(kind: &Kind) -> SourceError {
    let name = kind.name();
    let Kind::File(path) = kind else {
        return SourceError::NoAnswer { name };
    };
    let head = head_of(path);
    if head.is_empty() {
        return SourceError::Broken {
            name,
            reason: "the file is empty".to_owned(),
        };
    }
    if head.get(4..8) == Some(b"ftyp") {
        return SourceError::Broken {
            name,
            reason: "its index is missing, the recording or the copying was not finished"
                .to_owned(),
        };
    }
    let is_text = std::str::from_utf8(&head).is_ok() && !head.contains(&0);
    let reason = if is_text {
        "it holds text"
    } else {
        "no known container or codec"
    };
    SourceError::NotAVideo {
        name,
        reason: reason.to_owned(),
    }
}

/// The first bytes of a file, cut back to whole characters so that text stays text.
fn head_of(path: &std::path::Path) -> Vec<u8> {
    use std::io::Read;
    let mut head = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        let _ = file.take(512).read_to_end(&mut head);
    }
    let whole = match std::str::from_utf8(&head) {
        Err(e) if e.error_len().is_none() => e.valid_up_to(),
        _ => head.len(),
    };
    head.truncate(whole);
    head
}

fn cv_error(name: &str, error: &opencv::Error) -> SourceError {
    SourceError::OpenCv {
        name: name.to_owned(),
        reason: error.message.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests;
