//! Errors of the command line that clap cannot find by itself.

/// The message of a build without the feature `viewer` that is asked to draw.
#[cfg(not(feature = "viewer"))]
pub const NO_DRAWING: &str = "this mohawk was built without its feature `viewer` and cannot draw; \
    build it with default features";

/// Wrong usage that shows only when several arguments are looked at together.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UsageError {
    /// The subcommand whose usage is shown.
    pub command: &'static str,
    pub message: String,
}

/// Returns a [`UsageError`].
pub fn usage_error(command: &'static str, message: impl Into<String>) -> anyhow::Error {
    let message = message.into();
    UsageError { command, message }.into()
}
