//! The score: rulings, one after another, make a match.

mod builder;
mod line;
mod tally;

pub use builder::MatchBuilder;
pub use line::line;
pub use tally::{Match, average};
