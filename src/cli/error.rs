//! What the command line ends with.

use std::{error::Error, process::ExitCode};

use crate::{
    calib::CalibError,
    io::{ExportError, SourceError},
    pipeline::{AnalyzeError, PrepareError},
};

/// Why a command did not end well. [`CliError::code`] gives the promised exit code.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command cannot be understood or contradicts itself: 2.
    #[error("{0}")]
    Usage(String),
    /// The source cannot be opened or read: 3.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The calibration was refused, or a given one does not fit the picture: 4.
    #[error("{0}")]
    Calibration(String),
    /// There is no table or are no balls to be seen: 5.
    #[error("{0}")]
    NothingToJudge(String),
    /// With `--strict`: done, but these shots need a person: 6.
    #[error("{} of the shots need review: {}", .0.len(), list(.0))]
    NeedsReview(Vec<u32>),
    /// The results cannot be written: 1.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A file that is no video cannot be read or understood: 1.
    #[error("{path}: {what}")]
    File {
        /// As given.
        path: String,
        /// What is wrong and what to do.
        what: String,
        /// Below it.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// Checks were made and some failed: 1.
    #[error("{0}")]
    Failed(String),
}

impl CliError {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Source(_) => 3,
            Self::Calibration(_) => 4,
            Self::NothingToJudge(_) => 5,
            Self::NeedsReview(_) => 6,
            Self::Export(_) | Self::File { .. } | Self::Failed(_) => 1,
        }
    }

    /// A file that cannot be read or understood.
    pub fn file(
        path: &std::path::Path,
        what: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::File {
            path: path.display().to_string(),
            what: what.into(),
            source: Some(Box::new(source)),
        }
    }

    /// The message and everything below it, once, without repeating what a level already said.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut below = self.source();
        while let Some(error) = below {
            let message = error.to_string();
            if !text.contains(&message) {
                text.push_str(": ");
                text.push_str(&message);
            }
            below = error.source();
        }
        text
    }
}

impl From<PrepareError> for CliError {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Source(e) => Self::Source(e),
            PrepareError::Detect(e) => Self::NothingToJudge(e.to_string()),
            PrepareError::Calib(
                e @ (CalibError::NoPicture
                | CalibError::TooDark { .. }
                | CalibError::NoTable { .. }),
            ) => Self::NothingToJudge(e.to_string()),
            PrepareError::Calib(e) => Self::Calibration(e.to_string()),
        }
    }
}

impl From<AnalyzeError> for CliError {
    fn from(error: AnalyzeError) -> Self {
        match error {
            AnalyzeError::Prepare(e) => e.into(),
            AnalyzeError::Source(e) => Self::Source(e),
            AnalyzeError::Observer(e) => {
                Self::Failed(format!("the results cannot be written: {e}"))
            }
        }
    }
}

impl From<&CliError> for ExitCode {
    fn from(error: &CliError) -> Self {
        Self::from(error.code())
    }
}

fn list(shots: &[u32]) -> String {
    let numbers: Vec<String> = shots.iter().map(u32::to_string).collect();
    numbers.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_says_everything_once() {
        let below = std::io::Error::other("disk full");
        let error = CliError::file(std::path::Path::new("a.json"), "cannot be read", below);
        assert_eq!(error.chain(), "a.json: cannot be read: disk full");
        assert_eq!(error.code(), 1);
        assert_eq!(
            CliError::NeedsReview(vec![3, 5]).chain(),
            "2 of the shots need review: 3, 5"
        );
    }
}
