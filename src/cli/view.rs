//! `mohawk view`: the window.

// A build without a window checks the arguments too.
#![cfg_attr(not(feature = "viewer"), allow(dead_code, unused_variables))]

use super::settings::{SceneArg, SettingsArgs, choice, seconds};
use super::{messages::usage_error, output};
use crate::bindings::BINDINGS;
use clap::ArgAction;
use mohawk::sim::SolverKind;
#[cfg(feature = "viewer")]
use mohawk::{Config, scene_file::SceneSetup};
use serde::Serialize;
use std::{ffi::OsString, path::PathBuf};

/// Open a window on a head; drag it and the hair follows
///
/// Drag the head to swing it and the background to look around it. F1 shows all keys. Drop a head
/// file on the window to load it, or a scene file to play it.
#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    /// List every drag and key on stdout, and stop
    #[arg(long, help_heading = "Window")]
    list_bindings: bool,
    /// Save a picture of the window this long after the head has been loaded, and quit
    ///
    /// This is for tests of the whole program. It saves the whole window with its panel as a PNG,
    /// where F12 saves the scene alone. It shows no questions, and fails if no head with hair is
    /// shown.
    #[arg(long, num_args = 2, value_names = ["SECONDS", "FILE.png"], action = ArgAction::Set, conflicts_with_all = ["list_bindings", "print_config"], help_heading = "Window")]
    screenshot_after: Option<Vec<OsString>>,

    /// Play a scene, or a scene file (.toml)
    #[arg(long, value_name = "NAME|FILE", long_help = SceneArg::help(SCENE_ABOUT), value_parser = SceneArg::parse, help_heading = "Motion")]
    scene: Option<SceneArg>,

    /// Show a second solver beside that of the settings, in the same motion
    #[arg(long, value_name = "SOLVER", value_parser = choice::<SolverKind>(), help_heading = "Motion")]
    split: Option<SolverKind>,
    /// Show graphs of energy, stretch, penetration depth and frame time
    #[arg(long, help_heading = "Motion")]
    graphs: bool,

    #[command(flatten)]
    settings: SettingsArgs,
}

/// A drag or a key and its effect.
#[derive(Serialize)]
struct Binding {
    group: &'static str,
    input: &'static str,
    does: &'static str,
}

impl ViewArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.settings.head.messages.start();
        if self.list_bindings {
            return list_bindings(BINDINGS, self.settings.head.json);
        }
        let setup = self.scene.as_ref().map(SceneArg::load).transpose()?;
        let Some(config) = self.settings.config(setup.as_ref())? else {
            return Ok(());
        };
        self.settings.check_watch("view", self.scene.as_ref())?;
        let snapshot = self.snapshot()?;
        #[cfg(feature = "viewer")]
        return self.open_window(setup.map(|setup| (setup, config)), snapshot);
        #[cfg(not(feature = "viewer"))]
        Err(super::messages::no_drawing())
    }
}

/// Prints drags and keys with their effects; needs no display.
pub(super) fn list_bindings(table: &'static str, json: bool) -> anyhow::Result<()> {
    let lines = table.lines();
    let inputs = lines.filter_map(|line| Some(line.split_once(" | ")?.0));
    let width = inputs.map(|input| input.chars().count()).max().unwrap_or(0);
    let (mut rows, mut text, mut group) = (Vec::new(), String::new(), "");
    for line in table.lines() {
        let Some((input, does)) = line.split_once(" | ") else {
            group = line;
            text += &format!("\n{group}\n");
            continue;
        };
        rows.push(Binding { group, input, does });
        text += &format!("  {input:width$}   {does}\n");
    }
    match json {
        true => output::print_json(&rows),
        false => output::print(text.trim_start()),
    }
}

impl ViewArgs {
    /// Returns the picture to take: seconds after loading, and its file.
    fn snapshot(&self) -> anyhow::Result<Option<(f64, PathBuf)>> {
        let Some([delay, path]) = self.screenshot_after.as_deref() else {
            return Ok(None); // clap accepts two values or none.
        };
        let wrong = |text: String| usage_error("view", format!("--screenshot-after: {text}"));
        let delay = delay.to_string_lossy();
        let delay_secs = seconds(&delay).map_err(|why| wrong(format!("{delay:?}: {why}")))?;
        let path = PathBuf::from(path);
        if output::extension(&path) != "png" {
            return Err(wrong(format!("{} must end in .png", path.display())));
        }
        output::check_folder(&path)?;
        Ok(Some((delay_secs, path)))
    }

    /// Opens the window, with a scene and the settings that it is played with if there is one.
    #[cfg(feature = "viewer")]
    fn open_window(
        self,
        scene: Option<(SceneSetup, Config)>,
        snapshot: Option<(f64, PathBuf)>,
    ) -> anyhow::Result<()> {
        use crate::viewer::{self, Opening, Options, ReadConfig, Snapshot};
        let args = self.settings;
        args.head.check_readable()?;
        let json = args.head.json;
        let report = viewer::run(Options {
            config: args.read(None)?,
            config_path: args.head.config.clone(),
            head: args.head.path.clone(),
            preset: args.head.preset.clone(),
            scene: scene.map(|(setup, config)| Opening { setup, config }),
            snapshot: snapshot.map(|(delay_secs, path)| Snapshot { delay_secs, path }),
            split: self.split,
            graphs: self.graphs,
            watch: args
                .watch
                .then(|| Box::new(move || args.read(None)) as ReadConfig),
        })?;
        if json {
            output::print_json(&report)?;
        }
        Ok(())
    }
}

const SCENE_ABOUT: &str = "Play a scene, or a scene file (.toml). When it is stopped, the head and \
    the settings are those without the scene.";
