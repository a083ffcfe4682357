//! Everything said to a person: notices, progress and errors, all on stderr.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    env, fmt,
    io::{self, IsTerminal, Write},
    ops::Deref,
    time::Duration,
};
use tracing::{Event, Level, Subscriber, field::Field};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    prelude::*,
    registry::LookupSpan,
};

/// The flags of [`Talk`], which mean the same for every command.
pub const FLAGS: [&str; 5] = ["-q", "--quiet", "-v", "--verbose", "--json"];

/// How much to say, and whether to other programs.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Talk")]
pub struct Talk {
    #[command(flatten)]
    volume: Volume,
    /// Write what came of it to stdout as JSON, for other programs
    #[arg(long)]
    pub json: bool,
}

impl Deref for Talk {
    type Target = Volume;

    fn deref(&self) -> &Volume {
        &self.volume
    }
}

/// How much to say.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Talk")]
pub struct Volume {
    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is being done
    #[arg(short, long)]
    verbose: bool,
}

impl Volume {
    /// Sends the program's notices to stderr from here on. `RUST_LOG` overrides the level.
    pub fn start(self) {
        let levels = Targets::new().with_default(LevelFilter::ERROR);
        let levels = match self {
            Volume { quiet: true, .. } => levels,
            Volume { verbose: true, .. } => levels
                .with_default(LevelFilter::WARN)
                .with_target("kiddo", LevelFilter::ERROR)
                .with_target("mohawk", LevelFilter::DEBUG),
            Volume { .. } => levels.with_target("mohawk", LevelFilter::WARN),
        };
        let asked = env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
        let lines = tracing_subscriber::fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(stderr_has_colors())
            .event_format(Lines);
        tracing_subscriber::registry()
            .with(lines.with_filter(asked.unwrap_or(levels)))
            .init();
    }

    /// Says what has been done, in one line.
    #[cfg(feature = "viewer")]
    pub fn say(self, text: &str) {
        if !self.quiet {
            // Nobody is left to tell if stderr is gone.
            writeln!(io::stderr(), "{text}").ok();
        }
    }

    /// A bar for `steps` of work, or nothing where nobody watches.
    pub fn progress(self, what: &'static str, steps: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(steps), self.target()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{msg:>8} [{bar:30}] {percent:>3} % {eta}")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        bar
    }

    /// A sign that something is being done for as long as nobody knows.
    pub fn spinner(self, what: &'static str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, self.target()).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style.tick_chars("|/-\\ "));
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        bar
    }

    /// Bars hide themselves where stderr is not a terminal.
    fn target(self) -> ProgressDrawTarget {
        if self.quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        }
    }
}

/// Says what stopped the program.
pub fn error(message: &str) {
    // It may quote a file, which is not to talk to the terminal.
    let harmless = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let escaped = |c: char| match harmless(c) {
        true => c.to_string(),
        false => c.escape_default().to_string(),
    };
    let message: String = message.chars().map(escaped).collect();
    let mut stderr = io::stderr();
    // Nobody is left to tell if stderr is gone.
    let _ = if stderr_has_colors() {
        writeln!(stderr, "\x1b[1;31merror:\x1b[0m {message}")
    } else {
        writeln!(stderr, "error: {message}")
    };
}

fn stderr_has_colors() -> bool {
    // https://no-color.org: any value but an empty one.
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && io::stderr().is_terminal()
}

/// One plain line per event: `warning: nothing is painted`.
struct Lines;

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (name, color) = match *event.metadata().level() {
            Level::ERROR => ("error", "1;31"),
            Level::WARN => ("warning", "1;33"),
            Level::INFO => ("info", "1;32"),
            Level::DEBUG => ("debug", "2"),
            Level::TRACE => ("trace", "2"),
        };
        if writer.has_ansi_escapes() {
            write!(writer, "\x1b[{color}m{name}:\x1b[0m")?;
        } else {
            write!(writer, "{name}:")?;
        }
        let mut result = Ok(());
        event.record(&mut |field: &Field, value: &dyn fmt::Debug| {
            if result.is_ok() {
                result = match field.name() {
                    "message" => write!(writer, " {value:?}"),
                    name => write!(writer, " {name}={value:?}"),
                };
            }
        });
        result?;
        writeln!(writer)
    }
}
