//! From tracked frames to shots: who touched what, when, and how sure we are.
mod analyse;
mod candidates;
mod cast;
mod doubt;
mod fit;
mod friction;
mod laws;
mod options;
mod outlier;
mod path;
mod plan;
mod pocket;
mod reading;
mod report;
mod scene;
mod search;
mod segment;
mod series;
mod shot;
mod solid;
mod solve;
mod stage;
mod stillness;
mod trace;
mod watch;

pub use options::Options;
pub use watch::{Recognizer, State};
