//! The flags that commands share: the head, the settings file, the flags that override it, and the
//! scene.

use super::messages::{Messages, usage_error};
use super::output;
use super::pipeline::{self, Source};
use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mohawk::config::{Config, ConfigError, VERSION};
use mohawk::roots::{Amount, Method, RootSettings};
use mohawk::scene_file::{SceneError, SceneSetup};
use mohawk::sim::{HeadCollider, Scene, SolverKind};
use mohawk::{
    groom::GroomSettings,
    head::{HeadSettings, Limits, PaintRule, Up},
    look::{Lights, Look},
    presets::Preset,
    settings::Choice,
    srgb::linear_from_srgb,
    style::Saved,
};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The head and the settings that it is read with.
#[derive(Debug, clap::Args)]
pub struct HeadArgs {
    /// Head to load: glTF 2.0 (.glb, .gltf, .vrm), FBX, OBJ, PLY or STL, or a style (.mohawk or its folder) [default: the
    /// shipped head]
    ///
    /// Hair grows on the triangles whose vertex colours are painted black on white. A style brings
    /// its head and its settings; --config and flags override them.
    #[arg(value_name = "HEAD")]
    pub path: Option<PathBuf>,

    /// Style to start from: a name that `mohawk presets` lists, or a .mohawk file
    ///
    /// --config and flags override its settings. HEAD gets the settings alone: maps and brushed
    /// strands belong to the preset's own head.
    #[arg(long, value_name = "NAME", value_parser = PresetParser, hide_possible_values = true)]
    pub preset: Option<Preset>,

    /// Settings file; flags override it
    #[arg(long, value_name = "FILE", help_heading = "Settings file")]
    pub config: Option<PathBuf>,

    /// Vertex colours that are scalp paint: auto, alpha, a colour by name or #rrggbb (sRGB)
    ///
    /// `auto` takes colours for paint that are black on white. A colour takes what has it, whatever
    /// the other colours look like.
    #[arg(long, value_name = "PAINT", value_parser = paint, help_heading = "Head")]
    paint: Option<(PaintRule, [f32; 3])>,
    /// Leave out parts by a word in the name of their node or material, such as hair; may be given
    /// several times
    #[arg(long, value_name = "WORD", help_heading = "Head")]
    hide: Vec<String>,
    /// The direction that is up in the file of the head [possible values: y, z, -z, x]
    #[arg(long, value_name = "AXIS", value_parser = choice::<Up>(), allow_hyphen_values = true, hide_possible_values = true, help_heading = "Head")]
    up: Option<Up>,
    #[arg(long = "turn", value_name = "DEG", help = HeadSettings::turn_deg.meaning_with_range(), allow_negative_numbers = true, value_parser = checked("not a number", |n: &f32| HeadSettings::turn_deg.check(n)), help_heading = "Head")]
    turn_deg: Option<f32>,
    /// Change a limit on files; --help lists the limits
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit, long_help = limit_help(), help_heading = "Limits")]
    limits: Vec<(String, u64)>,

    #[command(flatten)]
    pub messages: Messages,
    /// Write the result to stdout as JSON
    #[arg(long, help_heading = "Messages")]
    pub json: bool,
}

impl HeadArgs {
    /// Returns the name of the head in messages: its path as given, or the preset.
    pub fn name(&self) -> String {
        match (&self.path, &self.preset) {
            (None, Some(preset)) => format!("preset {}", preset.name()),
            (path, _) => pipeline::name_of(path.as_deref()),
        }
    }

    /// Returns the head that was asked for, to be read with these settings.
    pub fn source<'a>(&'a self, config: &'a Config) -> Source<'a> {
        Source {
            config,
            path: self.path.as_deref(),
            preset: self.preset.as_ref(),
            messages: self.messages,
        }
    }

    /// Checks that the head file can be read, for commands that would go on without it.
    #[cfg(feature = "viewer")]
    pub fn check_readable(&self) -> Result<()> {
        if let Some(path) = &self.path {
            std::fs::File::open(path).with_context(|| {
                let hint = "check the path (mohawk --help lists the commands)";
                format!("{} cannot be read; {hint}", path.display())
            })?;
        }
        Ok(())
    }

    /// Returns the settings of the settings file, the preset or the style, with the limits that were
    /// given.
    pub fn config(&self) -> Result<Config> {
        let style = self.path.as_deref().filter(|path| Saved::is_named(path));
        let mut config = match (&self.config, &self.preset, style) {
            (_, Some(preset), Some(style)) => bail!(
                "{} is a style and has its own settings: name it or --preset {}, not both",
                style.display(),
                preset.name()
            ),
            (Some(path), Some(preset), _) => preset.open()?.style.config.overridden_by(path)?,
            (None, Some(preset), _) => preset.open()?.style.config,
            (Some(path), None, _) => Config::load(path)?,
            (None, None, Some(style)) => Saved::open(style)?.style.config,
            (None, None, None) => Config::default(),
        };
        if let Some((rule, color)) = self.paint {
            (config.head.paint, config.head.paint_color) = (rule, color);
        }
        if !self.hide.is_empty() {
            config.head.hide = self.hide.clone();
            config.head.validate()?;
        }
        config.head.up = self.up.unwrap_or(config.head.up);
        config.head.turn_deg = self.turn_deg.unwrap_or(config.head.turn_deg);
        for (name, value) in &self.limits {
            let set = config.head.limits.set(name, *value);
            set.context("the command line")?;
        }
        Ok(config)
    }
}

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
    /// Colours, widths, lights and sky
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
        let files = [&self.head.path, &self.head.config];
        let scene = scene.and_then(SceneArg::file);
        if self.watch && files.into_iter().flatten().chain(scene).next().is_none() {
            let text =
                "--watch: there is no file to watch; name a head, --scene FILE or --config FILE";
            return Err(usage_error(command, text));
        }
        Ok(())
    }

    /// Reads the settings file and applies the settings of a scene, then the flags.
    pub fn read(&self, scene: Option<&SceneSetup>) -> Result<Config> {
        let mut config = self.head.config()?;
        if let Some(name) = &self.look {
            config.set_look(name);
        }
        override_with(self.light, &mut config.look.light.lights);
        if let Some(scene) = scene {
            scene.prepare(&mut config)?;
        }
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
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

fn limit(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, for example file-bytes=4G")?;
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'k' | 'K')) => (&value[..at], 1 << 10),
        Some((at, 'M')) => (&value[..at], 1 << 20),
        Some((at, 'G')) => (&value[..at], 1 << 30),
        _ => (value, 1),
    };
    let value = digits.parse::<u64>().ok();
    let value = value.and_then(|number| number.checked_mul(unit));
    let not_whole = "its value is not a whole number (k, M and G are 1024, 1024² and 1024³)";
    let value = value.ok_or(not_whole)?;
    let mut limits = Limits::default();
    limits.set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
}

/// Reads which vertex colours are paint, and the linear colour of paint.
fn paint(text: &str) -> Result<(PaintRule, [f32; 3]), String> {
    const BLACK: [f32; 3] = [0.0; 3];
    Ok(match text {
        "auto" => (PaintRule::Auto, BLACK),
        "alpha" => (PaintRule::Alpha, BLACK),
        "white" => (PaintRule::White, BLACK),
        "black" => (PaintRule::Color, BLACK),
        "red" => (PaintRule::Color, [1.0, 0.0, 0.0]),
        "green" => (PaintRule::Color, [0.0, 1.0, 0.0]),
        "blue" => (PaintRule::Color, [0.0, 0.0, 1.0]),
        _ => {
            let wrong = || {
                let names = "auto, alpha, black, white, red, green, blue";
                format!("{text} is not one of {names}, nor a colour like #802000")
            };
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
            let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let [_, rgb @ ..] = number.ok_or_else(wrong)?.to_be_bytes();
            let color = rgb.map(|byte| linear_from_srgb(f32::from(byte) / 255.0));
            let head = HeadSettings {
                paint_color: color,
                ..HeadSettings::default()
            };
            head.validate().map_err(|error| error.to_string())?;
            (PaintRule::Color, color)
        }
    })
}

fn limit_help() -> String {
    let mut help = "Change a limit that guards against hostile files; may be given several times. \
        k, M and G stand for 1024, 1024² and 1024³. The limits and their defaults:\n"
        .to_owned();
    for (name, about, default) in Limits::names() {
        let default = match default {
            n if n.is_multiple_of(1 << 30) => format!("{}G", n >> 30),
            n if n.is_multiple_of(1 << 20) => format!("{}M", n >> 20),
            n => n.to_string(),
        };
        let named = format!("{name}={default}");
        help += &format!("\n  {named:<18} {about}");
    }
    help
}
