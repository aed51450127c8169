//! A progress bar on a terminal, and lines that do not tear it.

use std::io::IsTerminal;

use crate::cli::complain;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how far a command is, on standard error; without a terminal only its lines appear.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    on_terminal: bool,
    quiet: bool,
}

impl Progress {
    /// A bar of `frames` (unknown for live sources). A quiet one shows no lines.
    pub fn new(frames: Option<u64>, quiet: bool) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        let target = if on_terminal && !quiet {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(frames, target);
        let template = if frames.is_some() {
            "{bar:32} {pos}/{len} frames  {per_sec}  {eta} left"
        } else {
            "{spinner} {pos} frames  {per_sec}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self {
            bar,
            on_terminal,
            quiet,
        }
    }

    /// `frames` are done.
    pub fn set(&self, frames: u64) {
        self.bar.set_position(frames);
    }

    /// One line above the bar.
    pub fn line(&self, text: &str) {
        if self.quiet {
            return;
        }
        if self.on_terminal {
            self.bar.println(text);
        } else {
            complain(text);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
