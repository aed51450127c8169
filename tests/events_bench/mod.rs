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

/// Prints what the recognizer thinks when `DEBUG_SCENES` is set.
pub(crate) fn trace_when_asked() {
    if std::env::var("DEBUG_SCENES").is_ok() {
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .without_time()
            .with_target(false)
            .try_init();
    }
}
