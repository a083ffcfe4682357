//! The flags that commands share: which head, which settings, and what overrides them.

use super::data;
use super::talk::Talk;
use super::usage_error;
use crate::{
    config::{Config, ConfigError, VERSION},
    groom::GroomSettings,
    look::Look,
    roots::Amount,
};
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::path::PathBuf;

/// Which head, and the settings to read it with.
#[derive(Debug, clap::Args)]
pub struct HeadArgs {
    /// Head to load: glTF 2.0 (.glb or .gltf); the shipped head if absent
    ///
    /// Hair grows on the triangles whose vertex colours are painted black, on white.
    #[arg(value_name = "HEAD")]
    pub path: Option<PathBuf>,

    /// Settings file; flags override it
    #[arg(long, value_name = "FILE", help_heading = "Settings file")]
    pub config: Option<PathBuf>,
}

impl HeadArgs {
    /// The settings file, or the defaults without one.
    pub fn config(&self) -> Result<Config, ConfigError> {
        match &self.config {
            Some(path) => Config::load(path),
            None => Ok(Config::default()),
        }
    }
}

/// How many roots, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Hair")]
pub struct RootArgs {
    /// About this many strands, 1 to 2000000
    #[arg(long, value_name = "N", conflicts_with = "spacing", value_parser = strands)]
    strands: Option<u32>,
    /// Distance that neighbouring roots keep, in decimetres, instead of a number of strands
    #[arg(long, value_name = "R", value_parser = spacing)]
    spacing: Option<f32>,
    /// Seed of everything random: same seed, same hair, on every machine
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
}

impl RootArgs {
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
    }
}

/// Which head, and every setting: what `view` and `render` take.
#[derive(Debug, clap::Args)]
pub struct SettingsArgs {
    #[command(flatten)]
    pub head: HeadArgs,
    #[command(flatten)]
    roots: RootArgs,

    /// Strand length in decimetres, 0.01 to 10
    #[arg(long, value_name = "L", value_parser = length, help_heading = "Hair")]
    length: Option<f32>,
    /// Colours, widths and sky
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Look::NAMES), help_heading = "Hair")]
    look: Option<String>,

    /// Write every setting as it would be used to stdout, as a settings file, and stop
    #[arg(long, help_heading = "Settings file")]
    print_config: bool,
    /// Reload the head, the files it names and the settings file whenever they change
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
    /// The settings to use, or `None` when printing them was all that was asked for.
    pub fn config(&self) -> anyhow::Result<Option<Config>> {
        let config = self.read()?;
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
    pub fn check_watch(&self, command: &str) -> anyhow::Result<()> {
        if self.watch && self.head.path.is_none() && self.head.config.is_none() {
            let text = "--watch: there is no file to watch; name a head, or --config FILE";
            return Err(usage_error(command, text.to_owned()));
        }
        Ok(())
    }

    /// The settings file as it is now, with the flags on top.
    pub fn read(&self) -> Result<Config, ConfigError> {
        let mut config = self.head.config()?;
        self.roots.override_in(&mut config);
        if let Some(length) = self.length {
            config.groom.length = length;
        }
        if let Some(look) = self.look.as_deref().and_then(Look::named) {
            config.look = look;
        }
        Ok(config)
    }
}

// The ranges live with the settings; these only ask them.

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

/// A time that people type, up to an hour.
pub fn seconds(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|s| (0.0..=3600.0).contains(s));
    secs.ok_or_else(|| "expected a number from 0 to 3600".to_owned())
}
