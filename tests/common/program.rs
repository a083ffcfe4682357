//! Runs the whole program without a terminal, display or configuration.

#![allow(dead_code)] // Each test crate uses a part of this.

use std::process::{Command, Stdio};

/// The result of a run.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Returns a command that starts the program. `MOHAWK_RUNNER` names an emulator and its arguments
/// if the program was built for another processor (`script/test-arm`).
pub fn program() -> Command {
    let path = env!("CARGO_BIN_EXE_mohawk");
    let runner = std::env::var("MOHAWK_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace().chain([path]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command
}

/// Runs the program and waits for its end.
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

/// Runs the program, asserts success and returns stdout.
#[track_caller]
pub fn stdout(args: &[&str]) -> String {
    let outcome = mohawk(args);
    assert_eq!(outcome.code, 0, "{args:?}: {}", outcome.stderr);
    outcome.stdout
}

/// Runs the program, asserts success and returns stdout as JSON.
#[track_caller]
pub fn json(args: &[&str]) -> serde_json::Value {
    let text = stdout(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

/// Runs the program, asserts that it fails with exit code `code`, and returns stderr.
#[track_caller]
pub fn refused(code: i32, args: &[&str]) -> String {
    let outcome = mohawk(args);
    assert_eq!(outcome.code, code, "{args:?}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "{args:?}: messages belong on stderr");
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    outcome.stderr
}

#[track_caller]
pub fn assert_mentions(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}
