//! `mohawk view`: the window.

// A build that has no window checks the arguments all the same.
#![cfg_attr(not(feature = "viewer"), allow(dead_code))]

use super::{
    data,
    scene::SceneArg,
    settings::{SettingsArgs, choice, seconds},
    usage_error,
};
use crate::bindings::{BINDINGS, Bindings};
use clap::ArgAction;
use mohawk::Config;
use mohawk::scene_file::Staging;
use mohawk::sim::SolverKind;
use serde::Serialize;
use std::{ffi::OsString, path::PathBuf};

/// Open a window on a head: drag it and the hair follows
///
/// Drag the head to swing it and the background to look around it; press F1 for all keys. A head
/// dropped on the window is loaded, a scene file is played.
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

    /// Play a scene, or a scene file (.toml)
    ///
    /// still, swing, nod, turn, shake, walk, run, drop, gust, pendulum, cantilever; docs/solvers.md
    /// says what a file may contain. When it is stopped, head and settings are as without it.
    #[arg(long, value_name = "NAME|FILE", value_parser = SceneArg::parse, help_heading = "Motion")]
    scene: Option<SceneArg>,

    /// Show another solver beside that of the settings, on the same motion
    #[arg(long, value_name = "SOLVER", value_parser = choice::<SolverKind>(), help_heading = "Motion")]
    split: Option<SolverKind>,
    /// Show graphs of energy, stretch, depth and the time of a frame
    #[arg(long, help_heading = "Motion")]
    graphs: bool,

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
            return list_bindings(BINDINGS, self.settings.talk.json);
        }
        let staging = self.scene.as_ref().map(SceneArg::load).transpose()?;
        let Some(config) = self.settings.config(staging.as_ref())? else {
            return Ok(());
        };
        self.settings.check_watch("view", self.scene.as_ref())?;
        let shown = Shown {
            snapshot: self.snapshot()?,
            split: self.split,
            graphs: self.graphs,
        };
        run(
            self.settings,
            staging.map(|staging| (staging, config)),
            shown,
        )
    }
}

/// Works without a display, and in a build that has no window.
pub(super) fn list_bindings(bindings: &'static Bindings, json: bool) -> anyhow::Result<()> {
    let rows = |group, rows: &[(&'static str, &'static str)]| {
        let rows = rows.iter();
        rows.map(move |&(input, does)| Binding { group, input, does })
            .collect::<Vec<_>>()
    };
    if json {
        let all = bindings.iter().flat_map(|&(group, of)| rows(group, of));
        return data::print_json(&all.collect::<Vec<_>>());
    }
    let inputs = bindings.iter().flat_map(|(_, of)| of.iter());
    let width = inputs.map(|(input, _)| input.chars().count()).max();
    let width = width.unwrap_or(0);
    let groups = bindings.iter().map(|&(group, of)| {
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

/// What the window shows besides head and hair.
struct Shown {
    snapshot: Option<Snapshot>,
    split: Option<SolverKind>,
    graphs: bool,
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

/// Opens the window, if asked with a scene and the settings that it is played with.
#[cfg(feature = "viewer")]
fn run(args: SettingsArgs, scene: Option<(Staging, Config)>, shown: Shown) -> anyhow::Result<()> {
    use crate::viewer::{self, Opening, Options, Watch};
    args.head.check_there()?;
    let json = args.talk.json;
    let report = viewer::run(Options {
        config: args.read()?,
        config_path: args.head.config.clone(),
        head: args.head.path.clone(),
        scene: scene.map(|(staging, config)| Opening { staging, config }),
        snapshot: shown.snapshot.map(|snapshot| viewer::Snapshot {
            delay_secs: snapshot.delay_secs,
            path: snapshot.path,
        }),
        split: shown.split,
        graphs: shown.graphs,
        watch: args.watch.then(|| Watch {
            read_config: Box::new(move || args.read()),
        }),
    })?;
    if json {
        data::print_json(&report)?;
    }
    Ok(())
}

#[cfg(not(feature = "viewer"))]
fn run(_: SettingsArgs, _: Option<(Staging, Config)>, _: Shown) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}
