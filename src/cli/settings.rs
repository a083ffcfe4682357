//! The flags that commands share: the head, the settings file, the flags that override it, and the
//! scene.

mod head;

pub use head::{HeadArgs, LimitArgs};

use super::messages::usage_error;
use super::output;
use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mohawk::config::{Config, ConfigError, VERSION};
use mohawk::roots::{Amount, Method, RootSettings};
use mohawk::scene_file::{SceneError, SceneSetup};
use mohawk::sim::{HeadCollider, Scene, SolverKind};
use mohawk::{
    groom::GroomSettings,
    look::{Lights, Look},
    presets::Preset,
    settings::Choice,
};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The number of roots and where they are.
#[derive(Debug, clap::Args)]
pub struct RootArgs {
    #[arg(long, value_name = "N", help = RootSettings::strands.meaning_with_range(), conflicts_with = "spacing", allow_negative_numbers = true, value_parser = checked("not a whole number", |n: &u32| Amount::Strands(*n).check()), help_heading = "Hair")]
    strands: Option<u32>,
    #[arg(long, value_name = "R", help = RootSettings::spacing.meaning(), allow_negative_numbers = true, value_parser = checked("not a number", |n: &f32| Amount::Spacing(*n).check()), help_heading = "Hair")]
    pub spacing: Option<f32>,
    #[arg(long, value_name = "S", help = RootSettings::seed.meaning(), allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = "Hair")]
    seed: Option<u64>,
    /// Sampling method
    #[arg(long, value_name = "METHOD", value_parser = choice::<Method>(), help_heading = "Hair")]
    method: Option<Method>,
}

impl RootArgs {
    /// Sets the settings whose flags were given.
    pub fn override_in(&self, config: &mut Config) {
        let roots = &mut config.roots;
        override_with(self.strands.map(Amount::Strands), &mut roots.amount);
        override_with(self.spacing.map(Amount::Spacing), &mut roots.amount);
        override_with(self.seed, &mut roots.seed);
        override_with(self.method, &mut roots.method);
    }
}

/// The strands and how they move.
#[derive(Debug, clap::Args)]
pub struct HairArgs {
    #[command(flatten)]
    roots: RootArgs,

    #[arg(long, value_name = "L", help = GroomSettings::length.meaning_with_range(), allow_negative_numbers = true, value_parser = checked("not a number", |n: &f32| GroomSettings::length.check(n)), help_heading = "Hair")]
    length: Option<f32>,
    /// Solver that moves the hair
    #[arg(long, value_name = "NAME", value_parser = choice::<SolverKind>(), help_heading = "Hair")]
    solver: Option<SolverKind>,
    /// Shape of the head that hair collides with (solver spring: the plane at each root, or none)
    #[arg(long, value_name = "NAME", value_parser = choice::<HeadCollider>(), help_heading = "Hair")]
    collider: Option<HeadCollider>,
    /// Set any setting, as in --set sim.hold=0.5; may be given several times
    ///
    /// The keys are those of --print-config. They override all other flags.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment, help_heading = "Settings file")]
    assignments: Vec<(String, String)>,
}

impl HairArgs {
    /// Sets the settings whose flags were given.
    pub fn override_in(&self, config: &mut Config) -> Result<(), ConfigError> {
        self.roots.override_in(config);
        override_with(self.length, &mut config.groom.length);
        override_with(self.solver, &mut config.sim.solver);
        override_with(self.collider, &mut config.sim.head_collider);
        for (key, value) in &self.assignments {
            config.set(key, value)?;
        }
        Ok(())
    }
}

/// Sets a setting if its flag was given.
fn override_with<T>(given: Option<T>, setting: &mut T) {
    if let Some(value) = given {
        *setting = value;
    }
}

/// The head and all settings: the flags that `view` and `render` have in common.
#[derive(Debug, clap::Args)]
pub struct SettingsArgs {
    #[command(flatten)]
    hair: HairArgs,
    /// Colours, widths, lights and sky; classic has the spring of the first program too
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Look::NAMES), help_heading = "Hair")]
    look: Option<String>,
    /// Arrangement of the lights
    #[arg(long, value_name = "NAME", value_parser = choice::<Lights>(), help_heading = "Hair")]
    light: Option<Lights>,

    #[command(flatten)]
    pub head: HeadArgs,

    /// Write all settings to stdout as a settings file, and stop
    #[arg(long, help_heading = "Settings file")]
    print_config: bool,
    /// Reload the head, the files it names, the scene and the settings file when they change
    ///
    /// A window keeps its view and the settings changed in it. `render` renders again.
    #[arg(long, conflicts_with = "print_config", help_heading = "Settings file")]
    pub watch: bool,
}

/// The settings file as JSON.
#[derive(Serialize)]
struct Versioned<'a> {
    version: i64,
    #[serde(flatten)]
    config: &'a Config,
}

impl SettingsArgs {
    /// Returns the settings, those of a scene among them. With `--print-config` it prints them
    /// instead and returns `None`.
    pub fn config(&self, scene: Option<&SceneSetup>) -> Result<Option<Config>> {
        let config = self.read(scene)?;
        if !self.print_config {
            return Ok(Some(config));
        }
        if self.head.json {
            output::print_json(&Versioned {
                version: VERSION,
                config: &config,
            })?;
        } else {
            output::print(&config.to_toml()?)?;
        }
        Ok(None)
    }

    /// Checks that `--watch` has a file to watch.
    pub fn check_watch(&self, command: &'static str, scene: Option<&SceneArg>) -> Result<()> {
        if self.watch && self.watched(scene).is_empty() {
            let text = "--watch: there is no file to watch; name a head, --preset FILE, --scene FILE \
                        or --config FILE";
            return Err(usage_error(command, text));
        }
        Ok(())
    }

    /// Returns the files that were named.
    pub fn watched(&self, scene: Option<&SceneArg>) -> Vec<PathBuf> {
        let files = [&self.head.path, &self.head.config].into_iter().flatten();
        let preset = self.head.preset.as_ref().and_then(Preset::path);
        let all = files.cloned().chain(preset.map(Path::to_owned));
        all.chain(scene.and_then(SceneArg::file).cloned()).collect()
    }

    /// Reads the settings file and applies the settings of a scene, then the flags.
    pub fn read(&self, scene: Option<&SceneSetup>) -> Result<Config> {
        let mut config = self.head.config()?;
        if let Some(scene) = scene {
            scene.prepare(&mut config)?;
        }
        if let Some(name) = &self.look {
            config.set_look(name);
        }
        override_with(self.light, &mut config.look.light.lights);
        self.hair.override_in(&mut config)?;
        Ok(config)
    }
}

/// A scene that was asked for.
#[derive(Clone, Debug)]
pub enum SceneArg {
    Named(Scene),
    File(PathBuf),
}

impl SceneArg {
    /// Parses a name, or the path of a file that ends in `.toml`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_file = Path::new(text).extension().is_some_and(|end| end == "toml");
        if is_file {
            return Ok(SceneArg::File(text.into()));
        }
        let named = text.parse::<Scene>().map(SceneArg::Named);
        named.map_err(|error| format!("{}, or a .toml file", error.expected))
    }

    /// Returns the long help of a `--scene` flag: `about`, then the names of the scenes.
    pub fn help(about: &str) -> String {
        let names = Scene::ALL.map(Scene::name).join(", ");
        format!("{about}\n\nScenes: {names}. docs/solvers.md describes scene files.")
    }

    /// Returns the path of a scene file.
    pub fn file(&self) -> Option<&PathBuf> {
        match self {
            SceneArg::Named(_) => None,
            SceneArg::File(path) => Some(path),
        }
    }

    /// Returns the scene, read from its file if it has one.
    pub fn load(&self) -> Result<SceneSetup, SceneError> {
        match self {
            SceneArg::Named(scene) => Ok((*scene).into()),
            SceneArg::File(path) => SceneSetup::load(path),
        }
    }
}

/// Parses the name of a preset. The shipped ones can be completed.
#[derive(Clone)]
struct PresetParser;

impl TypedValueParser for PresetParser {
    type Value = Preset;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Preset, clap::Error> {
        let find = |name: &str| Preset::find(name).map_err(|error| error.to_string());
        TypedValueParser::parse_ref(&find, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Preset::shipped_names().map(PossibleValue::new)))
    }
}

/// Returns the parser of a choice by name. The help lists the names with their descriptions.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let rows = T::TABLE.iter();
    let values = rows.map(|row| PossibleValue::new(row.1).help(row.2.trim_end_matches('.')));
    PossibleValuesParser::new(values).try_map(|name| T::named("", &name))
}

/// Returns the parser of a number that `check` accepts; `otherwise` says what is wrong with other
/// text.
fn checked<T: FromStr, E: Display>(
    otherwise: &'static str,
    check: fn(&T) -> Result<(), E>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().map_err(|_| otherwise)?;
        check(&number).map_err(|error| error.to_string())?;
        Ok(number)
    }
}

/// Returns the parser of a number within a range.
pub fn within(
    range: RangeInclusive<f64>,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (min, max) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected a number from {min} to {max}"))
    }
}

/// Parses a frame rate, in frames per second.
pub fn fps(text: &str) -> Result<f64, String> {
    within(0.1..=1000.0)(text)
}

/// Parses a time, in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    within(0.0..=3600.0)(text)
}

/// Parses the size of a picture, in pixels.
pub fn resolution(text: &str) -> Result<(u32, u32), String> {
    const MAX: u32 = 16_384; // The largest picture that common GL drivers draw.
    let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=MAX).contains(n));
    text.split_once([',', 'x'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| format!("expected W,H with both from 1 to {MAX}, for example 1280,720"))
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        (text.split_once('=')).ok_or("expected KEY=VALUE, for example sim.hold=0.5")?;
    let (key, value) = (key.trim(), value.trim());
    let set = Config::default().set(key, value);
    set.map_err(|error| error.to_string())?;
    Ok((key.to_owned(), value.to_owned()))
}
