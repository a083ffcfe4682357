//! `mohawk view`: the window.

use super::{data, settings::SettingsArgs};
use crate::bindings::BINDINGS;
use serde::Serialize;

/// Open a window on a head: drag it and the hair follows
///
/// Drag the head to swing it and the background to look around it; press F1 for all keys. A file
/// dropped on the window is loaded as the new head.
#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    /// List every drag and key on stdout, and stop
    #[arg(long, help_heading = "Window")]
    list_bindings: bool,

    #[command(flatten)]
    settings: SettingsArgs,
}

/// What a drag or a key does.
#[derive(Serialize)]
struct Binding {
    group: &'static str,
    input: &'static str,
    does: &'static str,
}

impl ViewArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.settings.talk.start();
        if self.list_bindings {
            return list_bindings(self.settings.talk.json);
        }
        let Some(config) = self.settings.config()? else {
            return Ok(());
        };
        run(self.settings, config)
    }
}

/// Works without a display, and in a build that has no window.
fn list_bindings(json: bool) -> anyhow::Result<()> {
    let rows = |group, rows: &[(&'static str, &'static str)]| {
        let rows = rows.iter();
        rows.map(move |&(input, does)| Binding { group, input, does })
            .collect::<Vec<_>>()
    };
    if json {
        let all = BINDINGS.iter().flat_map(|&(group, of)| rows(group, of));
        return data::print_json(&all.collect::<Vec<_>>());
    }
    let inputs = BINDINGS.iter().flat_map(|(_, of)| of.iter());
    let width = inputs.map(|(input, _)| input.chars().count()).max();
    let width = width.unwrap_or(0);
    let groups = BINDINGS.iter().map(|&(group, of)| {
        let rows = rows(group, of).into_iter();
        let rows = rows.map(|row| format!("  {:width$}   {}\n", row.input, row.does));
        format!("{group}\n{}", rows.collect::<String>())
    });
    data::print(&groups.collect::<Vec<_>>().join("\n"))
}

#[cfg(feature = "viewer")]
fn run(args: SettingsArgs, config: crate::Config) -> anyhow::Result<()> {
    use anyhow::Context;

    // A mistyped name should end here, not in a window with another head.
    if let Some(path) = &args.head.path {
        std::fs::File::open(path)
            .with_context(|| format!("{} could not be read", path.display()))?;
    }
    crate::viewer::run(crate::viewer::Options {
        config,
        config_path: args.head.config,
        head: args.head.path,
    })?;
    Ok(())
}

#[cfg(not(feature = "viewer"))]
fn run(_: SettingsArgs, _: crate::Config) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}
