//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    marqueur::cli::main()
}
