//! Diagrams: a table, and what happened on it in a shot.

mod badges;
mod shot;
mod svg;
mod table;

pub use shot::{Paths, shot_diagram};
