//! `mohawk man`: manual pages of the program and its commands.

use super::output;
use clap_mangen::roff::{Roff, roman};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  mkdir -p ~/.local/share/man/man1
  mohawk man ~/.local/share/man/man1
  man mohawk-render";

/// Write the manual pages of the program and its commands
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// Folder for mohawk.1, and for a page of each command, such as mohawk-render.1
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl ManArgs {
    pub fn run(self, program: clap::Command) -> anyhow::Result<()> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        output::check_folder(&self.folder.join("mohawk.1"))?;
        let commands = program.get_subcommands().cloned();
        for command in commands.chain([program.clone()]) {
            let name = command.get_display_name().unwrap_or("mohawk");
            let file = self.folder.join(format!("{name}.1"));
            output::write(&file, &page(command)?)?;
        }
        Ok(())
    }
}

/// Returns the page of a command. Its examples and notes stand at the end, in sections of their own.
fn page(mut command: clap::Command) -> anyhow::Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string);
    command = command.after_help(None::<&str>);
    let mut page = Vec::new();
    // An empty date would be left out, and the others would move to its place.
    clap_mangen::Man::new(command)
        .date(" ")
        .source(concat!("mohawk ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
        .render(&mut page)?;
    let mut roff = Roff::new();
    let mut kept_lines = false;
    for line in notes.iter().flat_map(|notes| notes.lines()) {
        // Indented lines are typed or read as they stand; others are filled.
        let keeps = line.starts_with(' ');
        if keeps != kept_lines {
            roff.control(if keeps { "nf" } else { "fi" }, []);
            kept_lines = keeps;
        }
        match line {
            "Examples:" => drop(roff.control("SH", ["EXAMPLES"])),
            "" => drop(roff.control("PP", [])),
            _ => drop(roff.text([roman(line)])),
        }
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}
