//! `mohawk presets`: the styles to start from.

use super::messages::Messages;
use super::output::CommandResult;
use mohawk::presets::Preset;
use mohawk::style::Card;
use serde::Serialize;
use std::path::PathBuf;
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  mohawk presets
  mohawk --preset curls
  mohawk render --preset curls --set groom.length=1.5 -o curls.png
  mohawk style --preset curls --strokes cut.json -o mine.mohawk

Own presets are saved in the window, or put into the folder that this command names: any .mohawk
file is one.";

/// List the presets: styles to start from, for --preset
///
/// The shipped presets come first, then your own.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct PresetsArgs {
    #[command(flatten)]
    messages: Messages,
    /// Write the result to stdout as JSON
    #[arg(long, help_heading = "Messages")]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    /// The folder of the user's presets, which may not exist.
    folder: Option<PathBuf>,
    presets: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    about: String,
    /// The file; `None`: it ships with the program.
    file: Option<PathBuf>,
}

impl PresetsArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.messages.start();
        let (presets, warnings) = Preset::all();
        for warning in warnings {
            warn!("{warning}");
        }
        let row = |(preset, card): (Preset, Card)| Row {
            name: preset.name().to_owned(),
            about: card.about,
            file: preset.path().map(Into::into),
        };
        let listed = Listed {
            folder: Preset::folder(),
            presets: presets.into_iter().map(row).collect(),
        };
        listed.print(self.json)
    }
}

impl CommandResult for Listed {
    fn text(&self) -> String {
        let names = self.presets.iter().map(|row| row.name.chars().count());
        let width = names.max().unwrap_or(0) + 2;
        let mut text = String::new();
        let (own, shipped): (Vec<_>, Vec<_>) =
            self.presets.iter().partition(|row| row.file.is_some());
        let folder = self.folder.as_ref().map(|folder| folder.display());
        let folder = folder.map_or_else(|| "none".to_owned(), |folder| folder.to_string());
        for (title, rows) in [
            ("Shipped with the program".to_owned(), shipped),
            (format!("Your own, in {folder}"), own),
        ] {
            text += &format!("{title}:\n");
            for Row { name, about, .. } in &rows {
                text += format!("  {name:width$}{about}").trim_end();
                text += "\n";
            }
            if rows.is_empty() {
                text += "  (none)\n";
            }
        }
        text
    }
}
