//! Where frames come from.

use std::path::{Path, PathBuf};

use crate::{
    io::{chain::Chain, pictures::Pictures},
    model::{Frame, Picture},
};

/// What a source says of itself before the first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceInfo {
    /// File or folder name without its folders, or a stream's address without user and password.
    pub name: String,
    /// Width and height of every frame, px, after turning.
    pub size: [u32; 2],
    /// Frames per second by the container; a wish rather than a fact where the rate varies. `None` for live sources
    /// that do not say.
    pub nominal_fps: Option<f64>,
    /// Frames the container promises; wrong where the rate varies. `None` for live sources.
    pub frames_hint: Option<u64>,
}

/// How a source ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceEnd {
    /// Frames read.
    pub frames: u64,
    /// Nothing the container promised is missing.
    pub complete: bool,
    /// Frames whose time the stream did not tell (usably): it was filled in from the nominal rate or the clock.
    pub times_filled_in: u64,
    /// What is wrong, in words, with the file's name; `None` when all is well.
    pub warning: Option<String>,
}

/// A source of frames, in presentation order.
pub trait Source: Send {
    /// What the source says of itself.
    fn info(&self) -> &SourceInfo;

    /// The next frame; `None` when there is none left (see [`Source::end`] for why).
    ///
    /// # Errors
    /// [`SourceError`] when the source breaks in a way that more reading cannot mend.
    fn read(&mut self) -> Result<Option<Frame>, SourceError>;

    /// How the reading went so far; final once [`Source::read`] has returned `None`.
    fn end(&self) -> SourceEnd;

    /// Takes back a picture that is no longer needed, so that its memory is used again. Never required.
    fn recycle(&mut self, picture: Picture) {
        drop(picture);
    }
}

/// How to open a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenOptions {
    /// Frames per second of a folder of pictures, which have no time of their own.
    pub folder_fps: f64,
    /// How long a stream may take to open or to deliver the next frame, ms.
    pub stream_timeout_ms: i32,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            folder_fps: 30.0,
            stream_timeout_ms: 5000,
        }
    }
}

/// Why a source cannot be opened or read. Every message names the source and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is no such file.
    #[error("{path}: no such file or folder; check the path")]
    Missing {
        /// As given.
        path: String,
    },
    /// The file cannot be read.
    #[error("{path}: cannot be read ({reason}); check its permissions")]
    Unreadable {
        /// As given.
        path: String,
        /// By the operating system.
        reason: std::io::Error,
    },
    /// The file is no video.
    #[error("{name}: not a video ({reason}); try to play it with `ffplay`")]
    NotAVideo {
        /// File name.
        name: String,
        /// What it looks like instead.
        reason: String,
    },
    /// The video is cut off or damaged so that nothing can be read.
    #[error("{name}: the video is cut off or damaged ({reason}); copy or record it again")]
    Broken {
        /// File name.
        name: String,
        /// What is missing.
        reason: String,
    },
    /// A folder without pictures.
    #[error(
        "{name}: no pictures in this folder; png, jpg, bmp, tif and webp are read, in the order of their names"
    )]
    NoPictures {
        /// Folder name.
        name: String,
    },
    /// A picture cannot be decoded.
    #[error(
        "{name}: the picture cannot be decoded ({reason}); replace it or take it out of the folder"
    )]
    BadPicture {
        /// File name.
        name: String,
        /// By the decoder.
        reason: String,
    },
    /// The frame size changed on the way.
    #[error(
        "{name}: the picture size changes from {from_w} x {from_h} to {to_w} x {to_h}; analyze the parts one by one",
        from_w = from[0], from_h = from[1], to_w = to[0], to_h = to[1]
    )]
    SizeChanged {
        /// Where.
        name: String,
        /// Size so far, px.
        from: [u32; 2],
        /// Size now, px.
        to: [u32; 2],
    },
    /// A camera or stream does not answer.
    #[error(
        "{name}: the camera or stream does not answer; check that it is connected and sends, and that the address is right"
    )]
    NoAnswer {
        /// Address without secrets.
        name: String,
    },
    /// OpenCV reported an error.
    #[error("{name}: OpenCV failed ({reason}); `marqueur doctor` checks the installation")]
    OpenCv {
        /// Source name.
        name: String,
        /// By OpenCV.
        reason: String,
    },
    /// This program was built without OpenCV.
    #[error(
        "{name}: this marqueur was built without OpenCV and reads only folders of pictures; build with the feature `vision`"
    )]
    NoVision {
        /// Source name.
        name: String,
    },
}

/// Opens a video file, a folder of pictures, a stream's address, `/dev/videoN` or a camera's number.
///
/// # Errors
/// [`SourceError`] when there is no such source, or nothing can be decoded from it.
pub fn open(address: &str) -> Result<Box<dyn Source>, SourceError> {
    open_with(address, &OpenOptions::default())
}

/// As [`open`], with options.
///
/// # Errors
/// As [`open`].
pub fn open_with(address: &str, options: &OpenOptions) -> Result<Box<dyn Source>, SourceError> {
    match kind_of(address)? {
        Kind::Folder(path) => Ok(Box::new(Pictures::open(&path, options.folder_fps)?)),
        kind => open_video(kind, options),
    }
}

/// Opens several sources as one: each continues where the one before ended, one nominal frame later.
///
/// # Errors
/// As [`open`]; all are opened at once, so a missing third file is told before the first is read.
pub fn open_all(
    addresses: &[String],
    options: &OpenOptions,
) -> Result<Box<dyn Source>, SourceError> {
    let mut parts = addresses
        .iter()
        .map(|a| open_with(a, options))
        .collect::<Result<Vec<_>, _>>()?;
    match parts.len() {
        0 => Err(SourceError::Missing {
            path: "(no source)".to_owned(),
        }),
        1 => Ok(parts.remove(0)),
        _ => Ok(Box::new(Chain::new(parts)?)),
    }
}

/// What an address means.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    not(feature = "vision"),
    allow(dead_code, reason = "only the vision feature opens these")
)]
pub(crate) enum Kind {
    /// A folder of pictures.
    Folder(PathBuf),
    /// A video file.
    File(PathBuf),
    /// A stream's address.
    Stream(String),
    /// A camera's number.
    Camera(i32),
}

fn kind_of(address: &str) -> Result<Kind, SourceError> {
    let path = Path::new(address);
    if let Some((scheme, _)) = address.split_once("://") {
        if scheme == "file" {
            return kind_of(&address["file://".len()..]);
        }
        return Ok(Kind::Stream(address.to_owned()));
    }
    let camera = address.strip_prefix("/dev/video").unwrap_or(address);
    if !path.is_file()
        && !path.is_dir()
        && let Ok(n) = camera.parse::<i32>()
    {
        return Ok(Kind::Camera(n));
    }
    match std::fs::metadata(path) {
        Ok(m) if m.is_dir() => Ok(Kind::Folder(path.to_owned())),
        Ok(_) => std::fs::File::open(path)
            .map(|_| Kind::File(path.to_owned()))
            .map_err(|reason| SourceError::Unreadable {
                path: address.to_owned(),
                reason,
            }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(SourceError::Missing {
            path: address.to_owned(),
        }),
        Err(reason) => Err(SourceError::Unreadable {
            path: address.to_owned(),
            reason,
        }),
    }
}

#[cfg(feature = "vision")]
fn open_video(kind: Kind, options: &OpenOptions) -> Result<Box<dyn Source>, SourceError> {
    Ok(Box::new(crate::io::video::Video::open(&kind, options)?))
}

#[cfg(not(feature = "vision"))]
fn open_video(kind: Kind, _options: &OpenOptions) -> Result<Box<dyn Source>, SourceError> {
    Err(SourceError::NoVision { name: kind.name() })
}

impl Kind {
    /// The name to show: no folders, no user, no password, no query (which may hold a token).
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Folder(path) | Self::File(path) => name_of(path),
            Self::Camera(n) => format!("camera {n}"),
            Self::Stream(address) => without_secrets(address),
        }
    }
}

/// The last part of a path.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |n| n.to_string_lossy().into_owned(),
    )
}

fn without_secrets(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = rest
        .split_once('/')
        .map_or((rest, None), |(h, p)| (h, Some(p)));
    let host = host.rsplit('@').next().unwrap_or(host);
    path.map_or_else(
        || format!("{scheme}://{host}"),
        |p| format!("{scheme}://{host}/{p}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_never_reach_a_name() {
        assert_eq!(
            without_secrets("rtsp://me:secret@cam.local:554/one?token=abc"),
            "rtsp://cam.local:554/one"
        );
        assert_eq!(
            without_secrets("udp://127.0.0.1:9000"),
            "udp://127.0.0.1:9000"
        );
    }

    #[test]
    fn addresses_mean_what_they_look_like() {
        assert_eq!(kind_of("0").unwrap(), Kind::Camera(0));
        assert_eq!(kind_of("/dev/video977").unwrap(), Kind::Camera(977));
        assert!(matches!(kind_of("rtsp://x/y").unwrap(), Kind::Stream(_)));
        assert!(matches!(
            kind_of("no-such-file.mp4"),
            Err(SourceError::Missing { .. })
        ));
    }
}
