//! Files of rule cases.

use std::{fs, path::PathBuf};

use crate::{
    cli::{CliError, say},
    rules::cases,
};

/// Runs every case of the files: a line for each that fails, and a count.
pub(super) fn run(files: &[PathBuf]) -> Result<(), CliError> {
    let (mut passed, mut failed) = (0, 0);
    for path in files {
        let text =
            fs::read_to_string(path).map_err(|e| CliError::file(path, "cannot be read", e))?;
        let cases =
            cases::parse(&text).map_err(|e| CliError::file(path, "is no file of cases", e))?;
        for case in &cases {
            match cases::run(case) {
                Ok(_) => passed += 1,
                Err(failure) => {
                    failed += 1;
                    say(&format!("{}:{}: {failure}", path.display(), failure.line));
                }
            }
        }
    }
    say(&format!(
        "{} cases, {passed} passed, {failed} failed",
        passed + failed
    ));
    if failed > 0 {
        return Err(CliError::Failed(format!(
            "{failed} of {} cases fail",
            passed + failed
        )));
    }
    Ok(())
}
