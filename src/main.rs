//! The `mohawk` program.
fn main() {}
