//! The flags that commands share: which head, which settings, and what overrides them.

use super::scene::SceneArg;
use super::talk::Talk;
use super::{data, pipeline, usage_error};
#[cfg(feature = "viewer")]
use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mohawk::config::{Config, ConfigError, VERSION};
use mohawk::groom::GroomSettings;
use mohawk::head::Limits;
use mohawk::look::Look;
use mohawk::roots::{Amount, Method};
use mohawk::scene_file::Staging;
use mohawk::settings::Choice;
use mohawk::sim::{HeadCollider, SolverKind};
use mohawk::style::Saved;
use serde::Serialize;
use std::path::PathBuf;

/// Which head, and the settings to read it with.
#[derive(Debug, clap::Args)]
pub struct HeadArgs {
    /// Head to load: glTF 2.0 (.glb or .gltf), or a style (.mohawk or its folder); the shipped head
    /// if absent
    ///
    /// Hair grows on the triangles whose vertex colours are painted black, on white. A style brings
    /// its head and its settings; --config and flags override these.
    #[arg(value_name = "HEAD")]
    pub path: Option<PathBuf>,

    /// Settings file; flags override it
    #[arg(long, value_name = "FILE", help_heading = "Settings file")]
    pub config: Option<PathBuf>,

    /// Lift a guard against hostile files; --help lists them
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit, long_help = limit_help(), help_heading = "Limits")]
    limits: Vec<(String, u64)>,
}

impl HeadArgs {
    /// What to call the head: its path as it was typed.
    pub fn name(&self) -> String {
        pipeline::name_of(self.path.as_deref())
    }

    /// A mistyped name is told at once, where a command would otherwise go on without its head.
    #[cfg(feature = "viewer")]
    pub fn check_there(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.path {
            std::fs::File::open(path).with_context(|| {
                let hint = "check the path (mohawk --help lists the commands)";
                format!("{} cannot be read; {hint}", path.display())
            })?;
        }
        Ok(())
    }

    /// The settings file, or the defaults without one, and the limits.
    pub fn config(&self) -> anyhow::Result<Config> {
        let mut config = match (&self.config, &self.path) {
            (Some(path), _) => Config::load(path)?,
            (None, Some(style)) if Saved::is_named(style) => Saved::open(style)?.style.config,
            (None, _) => Config::default(),
        };
        for (name, value) in &self.limits {
            let set = config.head.limits.set(name, *value);
            set.map_err(|problem| ConfigError::Range {
                file: "the command line".to_owned(),
                problem,
            })?;
        }
        Ok(config)
    }
}

/// How many roots, and where.
#[derive(Debug, clap::Args)]
pub struct RootArgs {
    /// About this many strands, 1 to 2000000
    #[arg(long, value_name = "N", conflicts_with = "spacing", allow_negative_numbers = true, value_parser = strands, help_heading = "Hair")]
    strands: Option<u32>,
    /// Distance that neighbouring roots keep, in decimetres, instead of a number of strands
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = spacing, help_heading = "Hair")]
    spacing: Option<f32>,
    /// Seed of everything random: same seed, same hair, on every machine
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = "Hair")]
    seed: Option<u64>,
    /// How roots are chosen
    #[arg(long, value_name = "METHOD", value_parser = choice::<Method>(), help_heading = "Hair")]
    method: Option<Method>,
}

impl RootArgs {
    /// The spacing, if one was given.
    pub fn spacing(&self) -> Option<f32> {
        self.spacing
    }

    /// Puts the flags that were given into the settings.
    pub fn override_in(&self, config: &mut Config) {
        if let Some(strands) = self.strands {
            config.roots.amount = Amount::Strands(strands);
        }
        if let Some(spacing) = self.spacing {
            config.roots.amount = Amount::Spacing(spacing);
        }
        if let Some(seed) = self.seed {
            config.roots.seed = seed;
        }
        if let Some(method) = self.method {
            config.roots.method = method;
        }
    }
}

/// How many strands, how long, how they move: what every command that has hair takes.
#[derive(Debug, clap::Args)]
pub struct HairArgs {
    #[command(flatten)]
    roots: RootArgs,

    /// Strand length in decimetres, 0.01 to 10
    #[arg(long, value_name = "L", allow_negative_numbers = true, value_parser = length, help_heading = "Hair")]
    length: Option<f32>,
    /// How hair moves
    #[arg(long, value_name = "NAME", value_parser = choice::<SolverKind>(), help_heading = "Hair")]
    solver: Option<SolverKind>,
    /// What of the head hair collides with (spring: the plane at each root, or nothing)
    #[arg(long, value_name = "NAME", value_parser = choice::<HeadCollider>(), help_heading = "Hair")]
    collider: Option<HeadCollider>,
    /// Set any setting, as in --set sim.hold=0.5; may be given several times
    ///
    /// Keys are those of --print-config. These come last, after all other flags.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment, help_heading = "Settings file")]
    assignments: Vec<(String, String)>,
}

impl HairArgs {
    /// Puts the flags that were given into the settings.
    pub fn override_in(&self, config: &mut Config) -> Result<(), ConfigError> {
        self.roots.override_in(config);
        if let Some(length) = self.length {
            config.groom.length = length;
        }
        if let Some(solver) = self.solver {
            config.sim.solver = solver;
        }
        if let Some(collider) = self.collider {
            config.sim.head_collider = collider;
        }
        for (key, value) in &self.assignments {
            config.set(key, value)?;
        }
        Ok(())
    }
}

/// Parses the name of a choice; the help lists all with their descriptions.
pub(super) fn choice<T: Choice + 'static>() -> impl TypedValueParser<Value = T> {
    let values = T::all().iter();
    let values = values.map(|choice| PossibleValue::new(choice.name()).help(choice.about()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<T>())
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        (text.split_once('=')).ok_or("expected KEY=VALUE, for example sim.hold=0.5")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// Which head, and every setting: what `view` and `render` take.
#[derive(Debug, clap::Args)]
pub struct SettingsArgs {
    #[command(flatten)]
    hair: HairArgs,
    /// Colours, widths and sky
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Look::NAMES), help_heading = "Hair")]
    look: Option<String>,

    #[command(flatten)]
    pub head: HeadArgs,

    /// Write every setting as it would be used to stdout, as a settings file, and stop
    #[arg(long, help_heading = "Settings file")]
    print_config: bool,
    /// Reload the head, the files it names, the scene and the settings file whenever they change
    ///
    /// A window keeps what you see and what you have set; `render` renders again.
    #[arg(long, conflicts_with = "print_config", help_heading = "Settings file")]
    pub watch: bool,

    #[command(flatten)]
    pub talk: Talk,
}

/// The settings file as JSON.
#[derive(Serialize)]
struct Versioned<'a> {
    version: i64,
    #[serde(flatten)]
    config: &'a Config,
}

impl SettingsArgs {
    /// The settings to use, those of a scene among them, or `None` when printing them was all that
    /// was asked for.
    pub fn config(&self, scene: Option<&Staging>) -> anyhow::Result<Option<Config>> {
        let config = self.read_for(scene)?;
        if !self.print_config {
            return Ok(Some(config));
        }
        if self.talk.json {
            data::print_json(&Versioned {
                version: VERSION,
                config: &config,
            })?;
        } else {
            data::print(&config.to_toml()?)?;
        }
        Ok(None)
    }

    /// Refuses to watch where there is nothing to watch.
    pub fn check_watch(&self, command: &str, scene: Option<&SceneArg>) -> anyhow::Result<()> {
        let files = [&self.head.path, &self.head.config];
        let scene = scene.and_then(SceneArg::file);
        if self.watch && files.into_iter().flatten().chain(scene).next().is_none() {
            let text =
                "--watch: there is no file to watch; name a head, --scene FILE or --config FILE";
            return Err(usage_error(command, text.to_owned()));
        }
        Ok(())
    }

    /// The settings file as it is now, with the flags on top.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub fn read(&self) -> anyhow::Result<Config> {
        let mut config = self.below_flags()?;
        self.hair.override_in(&mut config)?;
        Ok(config)
    }

    /// The same with a scene's settings in between.
    pub fn read_for(&self, scene: Option<&Staging>) -> anyhow::Result<Config> {
        let mut config = self.below_flags()?;
        if let Some(scene) = scene {
            scene.prepare(&mut config)?;
        }
        self.hair.override_in(&mut config)?;
        Ok(config)
    }

    fn below_flags(&self) -> anyhow::Result<Config> {
        let mut config = self.head.config()?;
        if let Some(look) = self.look.as_deref().and_then(Look::named) {
            config.look = look;
        }
        Ok(config)
    }
}

// The ranges live with the settings; these only ask them.

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
    let number = digits.parse::<u64>().ok();
    let value = number
        .and_then(|number| number.checked_mul(unit))
        .ok_or("its value is not a whole number (k, M and G are 1024, 1024² and 1024³)")?;
    let mut limits = Limits::default();
    limits.set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
}

fn limit_help() -> String {
    let mut help = "Lift (or lower) a guard against files that ask for too much; may be given \
        several times. k, M and G stand for 1024, 1024² and 1024³. As it is:\n"
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

fn strands(text: &str) -> Result<u32, String> {
    let strands = text.parse().map_err(|_| "not a whole number")?;
    Amount::Strands(strands)
        .check()
        .map_err(|e| e.to_string())?;
    Ok(strands)
}

fn spacing(text: &str) -> Result<f32, String> {
    let spacing = text.parse().map_err(|_| "not a number")?;
    Amount::Spacing(spacing)
        .check()
        .map_err(|e| e.to_string())?;
    Ok(spacing)
}

fn length(text: &str) -> Result<f32, String> {
    let length = text.parse().map_err(|_| "not a number")?;
    let settings = GroomSettings {
        length,
        ..Default::default()
    };
    settings.validate().map_err(|e| e.to_string())?;
    Ok(length)
}

/// Frames a second that people type.
pub fn fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.1..=1000.0).contains(fps));
    fps.ok_or_else(|| "expected a number from 0.1 to 1000".to_owned())
}

/// A time that people type, up to an hour.
pub fn seconds(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|s| (0.0..=3600.0).contains(s));
    secs.ok_or_else(|| "expected a number from 0 to 3600".to_owned())
}
