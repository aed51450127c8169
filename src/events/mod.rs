//! From tracked frames to shots: who touched what, when, and how sure we are.
mod analyse;
mod candidates;
mod fit;
mod laws;
mod options;
mod path;
mod plan;
mod pocket;
mod reading;
mod scene;
mod search;
mod segment;
mod series;
mod shot;
mod solve;
mod stage;
mod stillness;
mod watch;

pub use options::Options;
pub use watch::{Recognizer, State};
