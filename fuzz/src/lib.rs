//! What the targets share: the checks of the soak, in `examples/soak`.

#[allow(dead_code)]
#[path = "../../examples/soak/check.rs"]
mod check;
#[path = "../../examples/soak/kinds.rs"]
pub mod kinds;
#[path = "../../examples/soak/memory.rs"]
mod memory;

/// The longest CPU time of a case, seconds: instrumented code is slow.
const MAX_SECS: f64 = 30.0;

/// Reads bytes as a file of a kind, and panics if something is found.
pub fn run(kind: kinds::Kind, bytes: &[u8]) {
    let outcome = check::check(kind, bytes, true, MAX_SECS);
    if let Some((problem, what)) = outcome.findings.first() {
        panic!("{problem}: {what}");
    }
}
