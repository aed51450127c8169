//! marqueur watches a billiard table through one camera above it and keeps the score.
//!
//! One line runs through the house; each arrow is a type of [`model`]:
//!
//! `io` -[`Frame`](model::Frame)-> `detect` -[`Detections`](model::Detections)-> `track`
//! -[`TrackedFrame`](model::TrackedFrame)-> `events` -[`Shot`](model::Shot)-> `rules` -`Ruling`-> `score`.

pub mod accuracy;
pub mod calib;
pub mod cli;
pub mod detect;
pub mod draw;
pub mod events;
pub mod geom;
pub mod io;
pub mod model;
pub mod pipeline;
pub mod rules;
pub mod score;
pub mod synth;
pub mod track;
pub mod units;
