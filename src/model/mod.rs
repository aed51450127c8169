//! The vocabulary every stage shares. Data, names and their text forms; no logic of any stage.

mod ball;
pub mod convert;
mod detection;
mod event;
mod frame;
mod names;
pub mod notation;
pub mod record;
mod shot;
pub mod table;
mod tracked;
pub mod truth;

pub use ball::{Ball, BallSet};
pub use detection::{BallDetection, Detections, Streak};
pub use event::{Event, EventKind, Evidence, Pin, PinCause, Zone};
pub use frame::{Frame, Picture};
pub use shot::{Layout, Shot};
pub use table::{Cushion, Pocket, TableSpec};
pub use tracked::{BallState, Measurement, TrackedFrame};
