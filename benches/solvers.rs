//! What moving hair costs, each figure beside a baseline of the same run.
//!
//! ```sh
//! cargo bench --bench solvers
//! cargo bench --bench solvers -- --json
//! cargo bench --bench solvers -- --kernel ftl
//! ```
//!
//! Runs the kernels of `mohawk bench` that simulate. `docs/performance.md` explains the figures.

use std::process::{Command, ExitCode};

const KERNELS: &str = "spring,ftl,followers,grid,head,solvers";

fn main() -> std::io::Result<ExitCode> {
    // Cargo adds a flag of its own.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let mut bench = Command::new(env!("CARGO_BIN_EXE_mohawk"));
    bench.arg("bench").args(&args);
    if !args.iter().any(|arg| arg.starts_with("--kernel")) {
        bench.args(["--kernel", KERNELS]);
    }
    let status = bench.status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
