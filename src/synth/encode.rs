//! Pictures into an H.264 file, by the `ffmpeg` program.
//!
//! The program rather than a library: it takes the planes as they are, offers the encoder's rate control and presets,
//! and is among the packages the project installs anyway.

use std::{
    io::{BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
};

use crate::synth::render::Planes;

/// Why a video could not be written.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The program does not start.
    #[error("cannot start the ffmpeg program; install the ffmpeg package")]
    Start(#[source] std::io::Error),
    /// The pipe broke.
    #[error("ffmpeg stopped while {path} was written: {said}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the program said.
        said: String,
        /// Why.
        source: std::io::Error,
    },
    /// It ended with an error.
    #[error("ffmpeg could not write {path}: {said}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the program said.
        said: String,
    },
}

/// How pictures are coded.
#[derive(Clone, Debug, PartialEq)]
pub struct Coding {
    /// Constant quality: lower is better, 18 is nearly lossless.
    pub crf: u8,
    /// x264's preset.
    pub preset: String,
}

impl Default for Coding {
    fn default() -> Self {
        Self {
            crf: 22,
            preset: "veryfast".to_owned(),
        }
    }
}

/// A frame rate as a fraction: whole rates over 1, broadcast rates over 1001.
pub fn rational(fps: f64) -> (u64, u64) {
    let whole = fps.round();
    if (fps - whole).abs() < 1e-9 {
        return (whole as u64, 1);
    }
    let broadcast = (fps * 1.001).round();
    if (fps - broadcast / 1.001).abs() < 5e-3 {
        return (broadcast as u64 * 1000, 1001);
    }
    ((fps * 1000.0).round() as u64, 1000)
}

/// A video file being written.
#[derive(Debug)]
pub struct Encoder {
    path: PathBuf,
    child: Child,
    pipe: BufWriter<ChildStdin>,
}

impl Encoder {
    /// Starts the file. The number of encoder threads is fixed, since it shapes the bytes.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn new(
        path: &Path,
        [width, height]: [u32; 2],
        (num, den): (u64, u64),
        coding: &Coding,
    ) -> Result<Self, EncodeError> {
        let size = format!("{width}x{height}");
        let rate = format!("{num}/{den}");
        let crf = coding.crf.to_string();
        let mut child = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p"])
            .args(["-s", &size, "-r", &rate, "-i", "-"])
            .args(["-c:v", "libx264", "-preset", &coding.preset, "-crf", &crf])
            .args(["-threads", "2", "-pix_fmt", "yuv420p"])
            .args(["-color_range", "tv", "-colorspace", "bt709"])
            .args(["-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-fflags", "+bitexact", "-flags:v", "+bitexact"])
            .args(["-movflags", "+faststart"])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(EncodeError::Start)?;
        let stdin = child.stdin.take().ok_or_else(|| {
            EncodeError::Start(std::io::Error::other("its standard input is closed"))
        })?;
        Ok(Self {
            path: path.to_owned(),
            child,
            pipe: BufWriter::with_capacity(1 << 16, stdin),
        })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// When the program has stopped: its message is kept.
    pub fn push(&mut self, planes: &Planes) -> Result<(), EncodeError> {
        let written = [&planes.y, &planes.u, &planes.v]
            .into_iter()
            .try_for_each(|plane| self.pipe.write_all(plane));
        written.map_err(|source| EncodeError::Write {
            path: self.path.clone(),
            said: said(&mut self.child),
            source,
        })
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the program reports one.
    pub fn finish(self) -> Result<(), EncodeError> {
        let Self {
            path,
            mut child,
            mut pipe,
        } = self;
        let flushed = pipe.flush();
        drop(pipe);
        let said = said(&mut child);
        let ended = flushed.and_then(|()| child.wait());
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(EncodeError::Failed { path, said }),
            Err(source) => Err(EncodeError::Write { path, said, source }),
        }
    }
}

/// What the program wrote to its standard error before it ended.
fn said(child: &mut Child) -> String {
    let mut text = String::new();
    if let Some(mut err) = child.stderr.take() {
        let _ = err.read_to_string(&mut text);
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_become_the_fractions_files_use() {
        assert_eq!(rational(60.0), (60, 1));
        assert_eq!(rational(29.97), (30000, 1001));
        assert_eq!(rational(59.94), (60000, 1001));
        assert_eq!(rational(12.5), (12500, 1000));
    }
}
