//! The edge of the house: frames come in from files, cameras and folders; match files and diagrams go out.

mod chain;
#[cfg_attr(
    not(feature = "vision"),
    allow(dead_code, reason = "only video needs it")
)]
mod clock;
pub mod export;
mod layout;
mod pictures;
mod positions;
pub mod source;
#[cfg(feature = "vision")]
mod video;
#[cfg(feature = "vision")]
mod writer;

pub use export::{ExportError, OutFolder, match_json, read_json, read_match, write_atomically};
pub use pictures::{read_picture, write_picture};
pub use positions::{PositionRow, PositionsWriter, read_positions};
pub use source::{
    OpenOptions, Source, SourceEnd, SourceError, SourceInfo, open, open_all, open_with,
};
#[cfg(feature = "vision")]
pub use writer::VideoFile;
