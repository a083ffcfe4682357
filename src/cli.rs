//! The command line.
//!
//! There is one file for each subcommand. Arguments become a checked [`Config`](mohawk::Config) and
//! a few paths, then the command runs. `settings` has the flags that commands share, `pipeline` the
//! way from a head file to hair, `output` and `messages` what goes to stdout and to stderr.

mod bench;
mod completions;
mod convert;
mod doll;
mod export;
mod inspect;
mod man;
mod messages;
mod output;
mod pipeline;
mod presets;
mod render;
pub(crate) mod report;
mod sample;
mod settings;
mod simulate;
mod style;
mod view;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use messages::UsageError;
use std::{ffi::OsString, process::ExitCode};

const EXAMPLES: &str = "\
Examples:
  mohawk                                    The shipped head: drag it, its mohawk swings
  mohawk --preset curls                     Another hairstyle; mohawk presets lists them
  mohawk my-head.glb                        Your head; hair grows where it is painted black
  mohawk --strands 20000 --look classic     More hair, drawn as the reference program does
  mohawk render -o swing.gif                A clip, without a window
  mohawk inspect my-head.glb                What is in a file, and whether hair grows on it
  mohawk sample -o roots.ply                Hair roots alone, measured and exported
  mohawk simulate --solver ftl -o p.npy     Hair in motion as numbers
  mohawk style --strokes s.json -o s.mohawk Comb, cut and paint hair, and save it as a style
  mohawk doll                               A paper doll whose hair you brush
  mohawk export a.gltf --painted -o a.glb   A head as one file, with its paint
  mohawk convert a.hair -o a.usda           Strands of other programs in other formats
  mohawk bench                              How fast this machine is
  mohawk --print-config > hair.toml         Every setting in one file, to edit and...
  mohawk --config hair.toml                 ...to use

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl+C.";

/// Real-time hair on a 3D head
///
/// Opens a window that shows a head with a mohawk. Drag the head and the hair follows. Your own
/// head can be loaded from glTF, FBX, OBJ, USD and other files. Without a command this is `mohawk
/// view`.
#[derive(Debug, Parser)]
#[command(
    name = "mohawk",
    bin_name = "mohawk",
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
    Presets(presets::PresetsArgs),
    Doll(doll::DollArgs),
    Export(export::ExportArgs),
    Convert(convert::ConvertArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Ends the program at once. Another thread may be drawing, and what drivers do at an orderly end
/// crashes then.
fn end(status: i32) -> ! {
    #[cfg(unix)]
    #[allow(unsafe_code)] // Nothing of the program runs after it.
    unsafe {
        libc::_exit(status)
    }
    #[cfg(not(unix))]
    std::process::exit(status)
}

/// Runs the program with its arguments, of which the first is the name of the program.
///
/// # Errors
/// A [`clap::Error`] or [`UsageError`] for wrong usage and requests for help; else what failed.
pub fn run(args: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let cli = Cli::try_parse_from(command_first(args.into_iter().collect()))?;
    // The status is that of a program that Ctrl+C ends. Where it is ignored, it stays so.
    let stop = || {
        mohawk::files::remove_parts();
        end(130)
    };
    ctrlc::try_set_handler(stop).ok();
    match cli.command.unwrap_or(Command::View(cli.view)) {
        Command::View(args) => args.run(),
        Command::Render(args) => args.run(),
        Command::Inspect(args) => args.run(),
        Command::Sample(args) => args.run(),
        Command::Simulate(args) => args.run(),
        Command::Style(args) => args.run(),
        Command::Presets(args) => args.run(),
        Command::Doll(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Convert(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Completions(args) => args.run(&mut Cli::command()),
        Command::Man(args) => args.run(Cli::command()),
    }
}

/// Moves leading flags of [`messages`] behind the command, as in `mohawk --json inspect`.
///
/// Without a command the arguments are those of `view`, so clap would take a command after a flag
/// for a head.
fn command_first(mut args: Vec<OsString>) -> Vec<OsString> {
    let is_flag = |arg: &&OsString| {
        arg.to_str()
            .is_some_and(|arg| messages::FLAGS.contains(&arg))
    };
    let flags = args.iter().skip(1).take_while(is_flag).count();
    if let Some(command) = args.get(flags + 1)
        && Cli::command().find_subcommand(command).is_some()
    {
        args[1..flags + 2].rotate_right(1);
    }
    args
}

/// Shows an error, or the help that was asked for, and returns the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(UsageError { command, message }) = error.downcast_ref() {
        let mut root = Cli::command();
        root.build();
        let mut found = root.find_subcommand_mut(command).cloned().unwrap_or(root);
        return print_usage(&found.error(ErrorKind::ArgumentConflict, message));
    }
    if let Some(usage) = error.downcast_ref::<clap::Error>() {
        return print_usage(usage);
    }
    messages::error(error);
    ExitCode::from(1)
}

/// Prints wrong usage or help, and returns the exit code.
fn print_usage(usage: &clap::Error) -> ExitCode {
    // A closed terminal leaves nowhere to report to.
    usage.print().ok();
    ExitCode::from(if usage.use_stderr() { 2 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_flags_may_come_before_the_command() {
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
