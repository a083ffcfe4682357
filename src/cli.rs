//! The command line: what is typed becomes one checked [`Config`](mohawk::Config) and a few
//! paths, then a command runs. Data goes to stdout, talk to stderr.

mod bench;
mod completions;
mod data;
mod doll;
mod export;
mod inspect;
mod pipeline;
mod render;
pub(crate) mod report;
mod sample;
mod scene;
mod settings;
mod simulate;
mod style;
mod talk;
mod view;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use std::{ffi::OsString, process::ExitCode};

const EXAMPLES: &str = "\
Examples:
  mohawk                                    The shipped head: drag it, its mohawk swings
  mohawk my-head.glb                        Your head; hair grows where it is painted black
  mohawk --strands 20000 --look classic     More hair, drawn as the reference program does
  mohawk render -o swing.gif                A clip, without a window
  mohawk inspect my-head.glb                What is in a file, and whether hair grows on it
  mohawk sample -o roots.ply                Hair roots alone, measured and exported
  mohawk simulate --solver ftl -o p.npy     Hair in motion as numbers
  mohawk style --strokes s.json -o s.mohawk Comb, cut and paint hair, and save it as a style
  mohawk doll                               A paper doll whose hair you brush
  mohawk export a.gltf --painted -o a.glb   A head as one file, with its paint
  mohawk bench                              How fast this machine is
  mohawk --print-config > hair.toml         Every setting in one file, to edit and...
  mohawk --config hair.toml                 ...to use

Exit codes: 0 done, 1 failed, 2 wrong usage.";

#[cfg(not(feature = "viewer"))]
const NO_DRAWING: &str = "this mohawk was built without its feature `viewer` and cannot draw; \
    build it with default features";

/// Real-time hair on a 3D head
///
/// Opens a window on a head with a mohawk. Drag the head and the hair follows; give it your own
/// head as a glTF file. Without a command this is `mohawk view`.
#[derive(Debug, Parser)]
#[command(
    name = "mohawk",
    version,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    view: view::ViewArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    View(view::ViewArgs),
    Render(render::RenderArgs),
    Inspect(inspect::InspectArgs),
    Sample(sample::SampleArgs),
    Simulate(simulate::SimulateArgs),
    Style(style::StyleArgs),
    Doll(doll::DollArgs),
    Export(export::ExportArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
}

/// Runs the program with its arguments, the program's name first.
///
/// Wrong usage and requests for help are a [`clap::Error`] inside the returned error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let cli = Cli::try_parse_from(command_first(args.into_iter().collect()))?;
    match cli.command.unwrap_or(Command::View(cli.view)) {
        Command::View(args) => args.run(),
        Command::Render(args) => args.run(),
        Command::Inspect(args) => args.run(),
        Command::Sample(args) => args.run(),
        Command::Simulate(args) => args.run(),
        Command::Style(args) => args.run(),
        Command::Doll(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Completions(args) => args.run(),
    }
}

/// `mohawk --json inspect` as `mohawk inspect --json`: without a command the arguments are those
/// of `view`, so clap would take what follows a flag for a head.
fn command_first(mut args: Vec<OsString>) -> Vec<OsString> {
    let is_talk = |arg: &OsString| arg.to_str().is_some_and(|arg| talk::FLAGS.contains(&arg));
    let flags = args.iter().skip(1).take_while(|arg| is_talk(arg)).count();
    let root = Cli::command();
    if let Some(command) = args.get(flags + 1)
        && root.find_subcommand(command).is_some()
    {
        args[1..flags + 2].rotate_right(1);
    }
    args
}

/// Tells a person what went wrong (or the help they asked for) and gives the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<clap::Error>() {
        Some(usage) => {
            // Nobody is left to tell if the terminal is gone.
            usage.print().ok();
            ExitCode::from(if usage.use_stderr() { 2 } else { 0 })
        }
        None => {
            talk::error(&narrated(error));
            ExitCode::from(1)
        }
    }
}

/// The error and its causes, each told once: many errors quote their cause.
fn narrated(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.contains(&cause) {
            told = format!("{told}: {cause}");
        }
    }
    told
}

/// Wrong usage that only shows when several arguments are looked at together.
fn usage_error(command: &str, message: String) -> anyhow::Error {
    let mut root = Cli::command();
    root.build();
    let mut found = root.find_subcommand_mut(command).cloned().unwrap_or(root);
    found.error(ErrorKind::ArgumentConflict, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_that_are_quoted_are_not_repeated() {
        let error = anyhow::anyhow!("disk full").context("hair.png could not be written");
        assert_eq!(narrated(&error), "hair.png could not be written: disk full");
        let error = anyhow::anyhow!("disk full").context("cannot write: disk full");
        assert_eq!(narrated(&error), "cannot write: disk full");
    }

    #[test]
    fn flags_of_talk_may_come_before_the_command() {
        let ordered = |line: &str| {
            let args = line.split(' ').map(OsString::from).collect();
            let args = command_first(args).into_iter();
            let words: Vec<_> = args.map(|arg| arg.into_string().unwrap()).collect();
            words.join(" ")
        };
        for (typed, meant) in [
            (
                "mohawk --json -q inspect a.glb",
                "mohawk inspect --json -q a.glb",
            ),
            ("mohawk inspect --json", "mohawk inspect --json"),
            ("mohawk -v a.glb", "mohawk -v a.glb"),
            ("mohawk --strands 5 render", "mohawk --strands 5 render"),
            ("mohawk", "mohawk"),
        ] {
            assert_eq!(ordered(typed), meant);
        }
    }

    #[test]
    fn definition_is_sound() {
        Cli::command().debug_assert();
    }
}
