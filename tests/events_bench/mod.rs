//! Test bench of `events`: exact simulated shots, seen through a noisy, biased, forgetful camera.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly"
)]
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

pub(crate) mod camera;
pub(crate) mod score;
pub(crate) mod thin;
pub(crate) mod trajectory;
