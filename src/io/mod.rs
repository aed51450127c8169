//! The edge of the house: frames come in from files, cameras and folders; match files and diagrams go out.

mod chain;
#[cfg_attr(
    not(feature = "vision"),
    allow(dead_code, reason = "only video needs it")
)]
mod clock;
mod pictures;
pub mod source;
#[cfg(feature = "vision")]
mod video;

pub use pictures::read_picture;
pub use source::{
    OpenOptions, Source, SourceEnd, SourceError, SourceInfo, open, open_all, open_with,
};
