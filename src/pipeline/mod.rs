//! The six names joined: `io -> detect -> track -> events -> rules -> score`. The only room that knows all of them.

mod analyze;
mod prepare;
mod watch;

pub use analyze::{AnalyzeError, Observer, Request, analyze};
pub use prepare::{PrepareError, Prepared, Setup, first_pictures, prepare};
pub use watch::watch;
