//! The `mohawk` program: runs the command line, prints what went wrong, sets the exit code.
//!
//! It is a crate of its own on top of the library, which cannot see it: [`cli`] holds one file
//! per subcommand, `viewer` the window.

mod bindings;
mod cli;
#[cfg(feature = "viewer")]
mod file_watcher;
mod numbers;
#[cfg(feature = "viewer")]
mod ribbons;
#[cfg(feature = "viewer")]
mod roots_overlay;
#[cfg(feature = "viewer")]
mod viewer;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => cli::report(&error),
    }
}
