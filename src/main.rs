//! The `mohawk` program: runs the command line, says what went wrong, sets the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match mohawk::cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => mohawk::cli::report(&error),
    }
}
