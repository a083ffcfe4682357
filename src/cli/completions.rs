//! `mohawk completions`: so that a shell knows every flag.

use super::{Cli, data};
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  mohawk completions bash > ~/.local/share/bash-completion/completions/mohawk
  mohawk completions zsh > ~/.zfunc/_mohawk
  mohawk completions fish > ~/.config/fish/completions/mohawk.fish";

/// Write a shell's completion script to stdout
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "mohawk", &mut script);
        data::print(&String::from_utf8(script).context("the script is no text")?)
    }
}
