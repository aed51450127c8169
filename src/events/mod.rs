//! From tracked frames to shots: who touched what, when, and how sure we are.
mod analyse;
mod candidates;
mod fit;
mod friction;
mod laws;
mod options;
mod outlier;
mod path;
mod plan;
mod pocket;
mod reading;
mod scene;
mod search;
mod segment;
mod series;
mod shot;
mod solid;
mod solve;
mod stage;
mod stillness;
mod watch;

pub use options::Options;
pub use watch::{Recognizer, State};
