//! Scenes with known truth: shots, simulated or read, become pictures and truth.json.

pub mod aim;
pub mod encode;
pub mod look;
pub mod path;
pub mod physics;
pub mod play;
pub mod play_match;
mod players;
pub mod render;
pub mod scene;
pub mod script;
pub mod trajectory;
pub mod verdict;
pub mod view;
