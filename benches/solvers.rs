//! What moving hair costs, each figure beside a baseline of the same run.
//!
//! ```sh
//! cargo bench --bench solvers
//! cargo bench --bench solvers -- --json
//! cargo bench --bench solvers -- --kernel ftl
//! ```
//!
//! The kernels of `mohawk bench` that simulate. What the figures mean: `docs/performance.md`.

use std::ffi::OsString;
use std::process::ExitCode;

const KERNELS: &str = "spring,ftl,followers,grid,head,solvers";

fn main() -> ExitCode {
    // Cargo adds a flag of its own.
    let more = std::env::args_os().skip(1).filter(|arg| arg != "--bench");
    let mut args: Vec<OsString> = vec!["mohawk".into(), "bench".into()];
    args.extend(more);
    let chooses = |arg: &OsString| arg.to_string_lossy().starts_with("--kernel");
    if !args.iter().any(chooses) {
        args.extend(["--kernel".into(), KERNELS.into()]);
    }
    match mohawk::cli::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => mohawk::cli::report(&error),
    }
}
