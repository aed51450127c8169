//! From tracked frames to shots: who touched what, when, and how sure we are.
//!
//! - [`watch`](Recognizer): frame by frame, is the table at rest or does a shot run (`stillness` asks each ball).
//!   When all lie still again, `shot` reads the whole of it
//!   (`stroke` tells strokes from hands):
//! - `series` and `outlier`: raw measurements with honest weights, strays marked;
//! - `segment`: every path is cut into stretches of constant acceleration, by least cost;
//! - `stage` and `cast`: changes of motion that may have one cause set a scene of a few balls and a few frames;
//! - `candidates` and `search`: what geometry allows, and the orders in which it may have happened, are the readings;
//! - `plan`, `laws`, `friction`, `solid` and `fit`: each reading is fitted with the laws of its contacts, and weighed
//!   by its evidence;
//! - `report` and `doubt`: the best reading is told as events with time, sigma and confidence; what others would have
//!   said, and orders that are not sure, as doubts;
//! - `pocket`: balls that left the table.
//!
//! Distance alone tells nothing: a contact is a jump of velocity that its law explains, where and when the gap closes.
//! With 0.5 mm of noise, 1.5 mm of calibration error and 3 % of lost measurements, 60 pictures a second time a contact
//! to 0.4 ms (median; 4 ms for 95 of 100), 30 pictures to 0.6 and 6 ms; a pass at 1 mm is never told as a contact, a
//! hit that gives 60 mm/s always (tests/events_bars.rs, tests/events_gaps.rs).

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
mod stroke;
mod trace;
mod watch;

pub use options::Options;
pub use watch::{Recognizer, State};
