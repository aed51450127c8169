//! Test bench of `events`: exact simulated shots, seen through a noisy, biased, forgetful camera.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

pub(crate) mod camera;
pub(crate) mod score;
pub(crate) mod thin;
pub(crate) mod trajectory;
