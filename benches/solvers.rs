//! What moving hair costs, each figure beside a baseline of the same run.
//!
//! ```sh
//! cargo bench --bench solvers
//! cargo bench --bench solvers -- --json
//! ```
//!
//! The kernels of `mohawk bench` that simulate. What the figures mean: `docs/performance.md`.

use std::ffi::OsString;
use std::process::ExitCode;

const KERNELS: &str = "spring,ftl,followers,grid,solvers";

fn main() -> ExitCode {
    let fixed = ["mohawk", "bench", "--kernel", KERNELS];
    // Cargo adds a flag of its own.
    let more = std::env::args_os().skip(1).filter(|arg| arg != "--bench");
    let args = fixed.into_iter().map(OsString::from).chain(more);
    match mohawk::cli::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => mohawk::cli::report(&error),
    }
}
