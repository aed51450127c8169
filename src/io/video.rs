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
        self.0.get_or_insert_with(Instant::now).elapsed().as_secs_f64()
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
        let frames_hint = property(videoio::CAP_PROP_FRAME_COUNT).filter(|n| *n >= 1.0 && *n < 1e12).map(|n| n as u64);
        let from_a_file = matches!(kind, Kind::File(_));
        let live = (!from_a_file && frames_hint.is_none()).then(Arrival::default);
        Ok(Self {
            clock: FrameClock::new(nominal_fps),
            info: SourceInfo { name, size, nominal_fps, frames_hint },
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
        let mut target = Mat::new_rows_cols_with_bytes_mut::<Vec3b>(height, width, memory).map_err(failed)?;
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
        self.spare.pop().unwrap_or_else(|| Array3::zeros((height, width, 3)))
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
        let told_ms = self.capture.get(videoio::CAP_PROP_POS_MSEC).unwrap_or(f64::NAN);
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
        return SourceError::Broken { name, reason: "the file is empty".to_owned() };
    }
    if head.get(4..8) == Some(b"ftyp") {
        return SourceError::Broken {
            name,
            reason: "its index is missing, the recording or the copying was not finished".to_owned(),
        };
    }
    let is_text = std::str::from_utf8(&head).is_ok() && !head.contains(&0);
    let reason = if is_text { "it holds text" } else { "no known container or codec" };
    SourceError::NotAVideo { name, reason: reason.to_owned() }
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
    SourceError::OpenCv { name: name.to_owned(), reason: error.message.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, process::Command};

    use super::*;
    use crate::io::open;

    /// Frames of a 64 x 48 picture: top left quarter red, the rest grey that grows with the number.
    fn write_video(path: &Path, fourcc: [char; 4], frames: usize) {
        let code = videoio::VideoWriter::fourcc(fourcc[0], fourcc[1], fourcc[2], fourcc[3]).unwrap();
        let size = opencv::core::Size::new(64, 48);
        let mut writer =
            videoio::VideoWriter::new_with_backend(path, videoio::CAP_FFMPEG, code, 25.0, size, true).unwrap();
        assert!(writer.is_opened().unwrap());
        for n in 0..frames {
            let mut pixels = Array3::<u8>::from_elem((48, 64, 3), 40 + 2 * n as u8);
            pixels.slice_mut(ndarray::s![..24, ..32, ..]).assign(&ndarray::arr1(&[0, 0, 255]));
            let bytes = pixels.as_slice_mut().unwrap();
            let mat = Mat::new_rows_cols_with_bytes_mut::<Vec3b>(48, 64, bytes).unwrap();
            writer.write(&mat).unwrap();
        }
        writer.release().unwrap();
    }

    fn read_all(path: &Path) -> (Vec<Frame>, SourceEnd, SourceInfo) {
        let mut source = open(&path.display().to_string()).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = source.read().unwrap() {
            frames.push(frame);
        }
        (frames, source.end(), source.info().clone())
    }

    fn is_red(pixels: &Picture, row: usize, column: usize) -> bool {
        pixels[[row, column, 2]] > 180 && pixels[[row, column, 0]] < 80
    }

    fn ffmpeg(arguments: &[&str]) {
        let status = Command::new("ffmpeg").args(["-v", "error", "-y"]).args(arguments).status().unwrap();
        assert!(status.success());
    }

    #[test]
    fn every_picture_comes_with_its_time_and_colours() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.mp4");
        write_video(&path, ['a', 'v', 'c', '1'], 40);
        let (frames, end, info) = read_all(&path);
        assert_eq!(info.size, [64, 48]);
        assert_eq!(info.frames_hint, Some(40));
        assert_eq!((frames.len(), end.complete, end.warning), (40, true, None));
        for (n, frame) in frames.iter().enumerate() {
            assert_eq!(frame.seq, n as u64);
            assert!((frame.at.secs() - n as f64 * 0.04).abs() < 1e-3);
            assert!(is_red(&frame.pixels, 10, 10) && !is_red(&frame.pixels, 40, 50));
            assert!((i32::from(frame.pixels[[40, 50, 1]]) - 40 - 2 * n as i32).abs() < 8);
        }
    }

    #[test]
    fn a_recycled_picture_is_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.avi");
        write_video(&path, ['M', 'J', 'P', 'G'], 3);
        let mut source = open(&path.display().to_string()).unwrap();
        let first = source.read().unwrap().unwrap().pixels;
        let memory = first.as_ptr();
        source.recycle(first);
        assert_eq!(source.read().unwrap().unwrap().pixels.as_ptr(), memory);
    }

    #[test]
    fn orientation_flags_are_honoured() {
        let dir = tempfile::tempdir().unwrap();
        let flat = dir.path().join("flat.mp4");
        write_video(&flat, ['a', 'v', 'c', '1'], 3);
        for (degrees, size) in [("90", [48, 64]), ("180", [64, 48]), ("270", [48, 64])] {
            let path = dir.path().join(format!("turned{degrees}.mp4"));
            ffmpeg(&[
                "-i",
                &flat.display().to_string(),
                "-c",
                "copy",
                "-metadata:s:v:0",
                &format!("rotate={degrees}"),
                &path.display().to_string(),
            ]);
            // What ffmpeg itself makes of the flag is the truth.
            let upright = dir.path().join("upright.mp4");
            ffmpeg(&["-i", &path.display().to_string(), &upright.display().to_string()]);
            let (turned, _, info) = read_all(&path);
            assert_eq!(info.size, size, "{degrees}");
            let corners = red_corners(&turned[1].pixels);
            assert_eq!(corners.iter().filter(|r| **r).count(), 1, "{degrees}");
            let (truth, _, _) = read_all(&upright);
            assert_eq!(corners, red_corners(&truth[1].pixels), "{degrees}");
            assert_ne!(corners, [true, false, false, false], "{degrees}");
        }
    }

    /// Which corners are red: top left, top right, bottom left, bottom right.
    fn red_corners(pixels: &Picture) -> [bool; 4] {
        let (h, w, _) = pixels.dim();
        [(8, 8), (8, w - 8), (h - 8, 8), (h - 8, w - 8)].map(|(y, x)| is_red(pixels, y, x))
    }

    #[test]
    fn a_variable_rate_is_read_from_the_stream() {
        let dir = tempfile::tempdir().unwrap();
        let (even, uneven) = (dir.path().join("even.mp4"), dir.path().join("uneven.mkv"));
        write_video(&even, ['a', 'v', 'c', '1'], 20);
        ffmpeg(&[
            "-i",
            &even.display().to_string(),
            "-vf",
            "select='not(between(n,5,11))'",
            "-vsync",
            "vfr",
            &uneven.display().to_string(),
        ]);
        let (frames, end, _) = read_all(&uneven);
        let times: Vec<i64> = frames.iter().map(|f| (f.at.secs() * 25.0).round() as i64).collect();
        assert_eq!(times, [0, 1, 2, 3, 4, 12, 13, 14, 15, 16, 17, 18, 19]);
        assert!(end.complete, "{end:?}");
    }

    #[test]
    fn what_is_no_video_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let text = dir.path().join("text.mp4");
        std::fs::write(&text, "Dear umpire, ü".repeat(60)).unwrap();
        let empty = dir.path().join("empty.mp4");
        std::fs::write(&empty, "").unwrap();
        let whole = dir.path().join("whole.mp4");
        write_video(&whole, ['a', 'v', 'c', '1'], 40);
        let bytes = std::fs::read(&whole).unwrap();
        let cut = dir.path().join("cut.mp4");
        std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
        let message = |p: &Path| open(&p.display().to_string()).err().map(|e| e.to_string()).unwrap();
        assert!(message(&text).contains("it holds text"));
        assert!(message(&empty).contains("empty"));
        assert!(message(&cut).contains("cut off"), "{}", message(&cut));
    }

    #[test]
    fn a_cut_file_that_still_opens_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let whole = dir.path().join("whole.mp4");
        write_video(&whole, ['a', 'v', 'c', '1'], 100);
        let mkv = dir.path().join("whole.mkv");
        ffmpeg(&["-i", &whole.display().to_string(), "-c", "copy", &mkv.display().to_string()]);
        let bytes = std::fs::read(&mkv).unwrap();
        let cut = dir.path().join("cut.mkv");
        std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
        let (frames, end, _) = read_all(&cut);
        assert!(frames.len() < 95);
        assert!(!end.complete);
        assert!(end.warning.unwrap().contains("cut off"));
        assert!(read_all(&mkv).1.complete);
    }
}
