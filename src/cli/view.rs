//! `mohawk view`: the window.

// A build that has no window checks the arguments all the same.
#![cfg_attr(not(feature = "viewer"), allow(dead_code))]

use super::{data, settings::SettingsArgs, settings::seconds, usage_error};
use crate::bindings::BINDINGS;
use clap::ArgAction;
use serde::Serialize;
use std::{ffi::OsString, path::PathBuf};

/// Open a window on a head: drag it and the hair follows
///
/// Drag the head to swing it and the background to look around it; press F1 for all keys. A file
/// dropped on the window is loaded as the new head.
#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    /// List every drag and key on stdout, and stop
    #[arg(long, help_heading = "Window")]
    list_bindings: bool,
    /// Save a picture of the window so long after the head is there, and quit
    ///
    /// For tests of the whole program: fails if there is no head with hair to be seen, and asks
    /// nothing. Takes what F12 takes; the file is a PNG.
    #[arg(long, num_args = 2, value_names = ["SECONDS", "FILE.png"], action = ArgAction::Set, conflicts_with_all = ["list_bindings", "print_config"], help_heading = "Window")]
    screenshot_after: Option<Vec<OsString>>,

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
        self.settings.check_watch("view")?;
        let snapshot = self.snapshot()?;
        run(self.settings, config, snapshot)
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

/// A picture to take, and when.
struct Snapshot {
    delay_secs: f64,
    path: PathBuf,
}

impl ViewArgs {
    fn snapshot(&self) -> anyhow::Result<Option<Snapshot>> {
        let Some([delay, path]) = self.screenshot_after.as_deref() else {
            return Ok(None); // clap sees to it that there are two or none.
        };
        let wrong = |text: String| usage_error("view", format!("--screenshot-after: {text}"));
        let delay = delay.to_string_lossy();
        let delay_secs = seconds(&delay).map_err(|why| wrong(format!("{delay:?}: {why}")))?;
        let path = PathBuf::from(path);
        let is_png = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("png");
        if !path.extension().is_some_and(is_png) {
            let text = format!("{} must end in .png", path.display());
            return Err(wrong(text));
        }
        data::check_folder(&path)?;
        Ok(Some(Snapshot { delay_secs, path }))
    }
}

#[cfg(feature = "viewer")]
fn run(
    args: SettingsArgs,
    config: crate::Config,
    snapshot: Option<Snapshot>,
) -> anyhow::Result<()> {
    args.head.check_there()?;
    let json = args.talk.json;
    let report = crate::viewer::run(crate::viewer::Options {
        config,
        config_path: args.head.config.clone(),
        head: args.head.path.clone(),
        snapshot: snapshot.map(|snapshot| crate::viewer::Snapshot {
            delay_secs: snapshot.delay_secs,
            path: snapshot.path,
        }),
        watch: args.watch.then(|| crate::viewer::Watch {
            read_config: Box::new(move || args.read()),
        }),
    })?;
    if json {
        data::print_json(&report)?;
    }
    Ok(())
}

#[cfg(not(feature = "viewer"))]
fn run(_: SettingsArgs, _: crate::Config, _: Option<Snapshot>) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}
