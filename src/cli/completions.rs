//! `mohawk completions`: completion scripts for shells.

use super::output;
use anyhow::Context;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  mohawk completions bash > ~/.local/share/bash-completion/completions/mohawk
  mohawk completions zsh > ~/.zfunc/_mohawk
  mohawk completions fish > ~/.config/fish/completions/mohawk.fish";

/// Write the completion script of a shell to stdout
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to write the script for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub fn run(self, program: &mut clap::Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, program, "mohawk", &mut script);
        output::print(&String::from_utf8(script).context("the script is not text")?)
    }
}
