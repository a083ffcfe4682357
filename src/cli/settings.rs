//! The flags that `view` and `render` share: a groom file, and what overrides it.

use super::talk::Talk;
use crate::{config::Config, groom::GroomSettings, look::Look, roots::Amount};
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Which head, and which settings.
#[derive(Debug, clap::Args)]
pub struct SettingsArgs {
    /// Head to load: glTF 2.0 (.glb or .gltf); the shipped head if absent
    ///
    /// Hair grows on the triangles whose vertex colours are painted black, on white.
    pub head: Option<PathBuf>,

    /// About this many strands, 1 to 2000000
    #[arg(long, value_name = "N", conflicts_with = "spacing", value_parser = strands, help_heading = "Hair")]
    strands: Option<u32>,
    /// Distance that neighbouring roots keep, in decimetres, instead of a number of strands
    #[arg(long, value_name = "R", value_parser = spacing, help_heading = "Hair")]
    spacing: Option<f32>,
    /// Seed of everything random: same seed, same hair, on every machine
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = "Hair")]
    seed: Option<u64>,
    /// Strand length in decimetres, 0.01 to 10
    #[arg(long, value_name = "L", value_parser = length, help_heading = "Hair")]
    length: Option<f32>,
    /// Colours, widths and sky
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Look::NAMES), help_heading = "Hair")]
    look: Option<String>,

    /// Settings file; the flags above override it
    #[arg(long, value_name = "FILE", help_heading = "Settings file")]
    pub config: Option<PathBuf>,
    /// Write every setting as it would be used to stdout, as a settings file, and stop
    #[arg(long, help_heading = "Settings file")]
    print_config: bool,

    #[command(flatten)]
    pub talk: Talk,
}

impl SettingsArgs {
    /// The settings to use, or `None` when printing them was all that was asked for.
    pub fn config(&self) -> anyhow::Result<Option<Config>> {
        let mut config = match &self.config {
            Some(path) => Config::load(path)?,
            None => Config::default(),
        };
        if let Some(strands) = self.strands {
            config.roots.amount = Amount::Strands(strands);
        }
        if let Some(spacing) = self.spacing {
            config.roots.amount = Amount::Spacing(spacing);
        }
        if let Some(seed) = self.seed {
            config.roots.seed = seed;
        }
        if let Some(length) = self.length {
            config.groom.length = length;
        }
        if let Some(look) = self.look.as_deref().and_then(Look::named) {
            config.look = look;
        }
        if !self.print_config {
            return Ok(Some(config));
        }
        print(&config.to_toml()?)?;
        Ok(None)
    }
}

/// Writes data to stdout; a reader that has had enough (`| head`) is no failure.
fn print(data: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(data.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("stdout could not be written"),
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
