//! The score: rulings, one after another, make a match.

mod builder;
mod line;
mod settle;
mod tally;
#[cfg(test)]
mod tests;

pub use builder::MatchBuilder;
pub use line::line;
pub use tally::{Match, average};
