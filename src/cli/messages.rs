//! Messages to people: warnings, progress and errors, all on stderr.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mohawk::embed::with_causes;
use std::io::{self, IsTerminal, Write};
use std::{env, fmt, ops::ControlFlow, time::Duration};
use tracing::{Event, Level, Subscriber, field::Field};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::{Context, Layer},
    prelude::*,
};

/// The flags that every command has: those of [`Messages`], and `--json`.
pub const FLAGS: [&str; 5] = ["-q", "--quiet", "-v", "--verbose", "--json"];

/// The flags for messages.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Messages")]
pub struct Messages {
    /// Show errors only
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Show each step
    #[arg(short, long)]
    verbose: bool,
}

impl Messages {
    /// Sends the log of the program to stderr. `RUST_LOG` overrides the level.
    pub fn start(self) {
        let levels = Targets::new().with_default(LevelFilter::ERROR);
        let levels = match self {
            Messages { quiet: true, .. } => levels,
            Messages { verbose: true, .. } => levels
                .with_default(LevelFilter::WARN)
                .with_target("kiddo", LevelFilter::ERROR)
                .with_target("mohawk", LevelFilter::DEBUG),
            Messages { .. } => levels.with_target("mohawk", LevelFilter::WARN),
        };
        let asked = env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
        tracing_subscriber::registry()
            .with(Lines.with_filter(asked.unwrap_or(levels)))
            .init();
    }

    /// Shows a line, unless quiet.
    #[cfg(feature = "viewer")]
    pub fn say(self, text: &str) {
        if !self.quiet {
            // A closed stderr leaves nowhere to report to.
            writeln!(io::stderr(), "{text}").ok();
        }
    }

    /// Shows a bar for `steps` of work.
    pub fn progress(self, what: &'static str, steps: u64) -> ProgressBar {
        let template = "{msg:>8} [{bar:30}] {percent:>3} % {eta}";
        self.bar(what, Some(steps), template)
    }

    /// Shows a bar while `work` reports the share of it that is done, from 0 to 1.
    pub fn with_bar<T>(
        self,
        what: &'static str,
        work: impl FnOnce(&mut dyn FnMut(f32) -> ControlFlow<()>) -> T,
    ) -> T {
        const STEPS: f32 = 1000.0;
        let bar = self.progress(what, STEPS as u64);
        let result = work(&mut |share| {
            bar.set_position((share * STEPS) as u64);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        result
    }

    /// Shows a spinner for work of unknown length.
    pub fn spinner(self, what: &'static str) -> ProgressBar {
        let bar = self.bar(what, None, "{spinner} {msg}");
        // WebAssembly has no thread that could turn it.
        if !cfg!(target_family = "wasm") {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        bar
    }

    /// Returns a bar, which hides itself if stderr is not a terminal.
    fn bar(self, what: &'static str, steps: Option<u64>, template: &str) -> ProgressBar {
        let target = match self.quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(steps, target).with_message(what);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> ").tick_chars("|/-\\ "));
        }
        bar
    }
}

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

/// Returns the error of a build without the feature `viewer` that is asked to draw.
#[cfg(not(feature = "viewer"))]
pub fn no_drawing() -> anyhow::Error {
    anyhow::anyhow!(
        "this mohawk was built without its feature `viewer` and cannot draw; build it with \
         default features"
    )
}

/// Shows an error and its causes.
pub fn error(error: &anyhow::Error) {
    show("error", "1;31", &with_causes(&**error));
}

/// Shows a line after the name of its kind, which has this ANSI colour on a terminal.
fn show(kind: &str, color: &str, text: &str) {
    // The text may quote a file, whose control characters must not reach the terminal.
    let is_harmless = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let escaped = |c: char| match is_harmless(c) {
        true => c.to_string(),
        false => c.escape_default().to_string(),
    };
    let text: String = text.chars().map(escaped).collect();
    // https://no-color.org: any value but an empty one turns colours off.
    let may_color = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let label = match may_color && io::stderr().is_terminal() {
        true => format!("\x1b[{color}m{kind}:\x1b[0m"),
        false => format!("{kind}:"),
    };
    // A closed stderr leaves nowhere to report to.
    let line = format!("{label} {text}\n");
    io::stderr().write_all(line.as_bytes()).ok();
}

/// Writes an event in one line, as in `warning: nothing is painted`.
struct Lines;

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let (kind, color) = match *event.metadata().level() {
            Level::ERROR => ("error", "1;31"),
            Level::WARN => ("warning", "1;33"),
            Level::INFO => ("info", "1;32"),
            Level::DEBUG => ("debug", "2"),
            Level::TRACE => ("trace", "2"),
        };
        let mut words = Vec::new();
        event.record(&mut |field: &Field, value: &dyn fmt::Debug| {
            words.push(match field.name() {
                "message" => format!("{value:?}"),
                name => format!("{name}={value:?}"),
            });
        });
        show(kind, color, &words.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_that_are_quoted_are_not_repeated() {
        for (outer, text) in [
            (
                "hair.png could not be written",
                "hair.png could not be written: disk full",
            ),
            ("cannot write: disk full", "cannot write: disk full"),
        ] {
            let error = anyhow::anyhow!("disk full").context(outer);
            assert_eq!(with_causes(&*error), text);
        }
    }
}
