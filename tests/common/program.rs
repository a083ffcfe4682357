//! Runs the whole program, away from any terminal, display and configuration.

#![allow(dead_code)] // each test crate uses its own share

use std::process::{Command, Stdio};

/// What came of a run.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The program, not yet started. Made for another processor, it runs under the emulator that
/// `MOHAWK_RUNNER` names with its arguments (`script/test-arm`).
pub fn program() -> Command {
    let path = env!("CARGO_BIN_EXE_mohawk");
    let runner = std::env::var("MOHAWK_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace().chain([path]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command
}

/// Runs the program to its end.
pub fn mohawk(args: &[&str]) -> Outcome {
    let output = program()
        .args(args)
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env_remove("RUST_LOG")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    Outcome {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program, expects it to work, and gives what it wrote to stdout.
#[track_caller]
pub fn stdout(args: &[&str]) -> String {
    let outcome = mohawk(args);
    assert_eq!(outcome.code, 0, "{args:?}: {}", outcome.stderr);
    outcome.stdout
}

/// The same, as JSON.
#[track_caller]
pub fn json(args: &[&str]) -> serde_json::Value {
    let text = stdout(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

/// Runs the program, expects it to fail with `code`, and gives what it says.
#[track_caller]
pub fn refused(code: i32, args: &[&str]) -> String {
    let outcome = mohawk(args);
    assert_eq!(outcome.code, code, "{args:?}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "{args:?}: talk belongs on stderr");
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    outcome.stderr
}

#[track_caller]
pub fn assert_mentions(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}
