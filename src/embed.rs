//! The library as few objects, for the packages of other languages: a head, its hair and its motion.
//!
//! Settings are given by their keys in a settings file, with values as they are written there.
//! Lengths are decimetres. The packages add names, arrays and documentation of their languages.

mod hair;
mod head;
mod motion;
mod strands;

pub use crate::style::Progress;
pub use hair::{Hair, Skin};
pub use head::{OpenHead, StyleSource};
pub use motion::{MAX_SECS, Motion, check_fps};

use crate::config::{Config, ConfigError};
use crate::head::LoadError;
use crate::presets::PresetError;
use crate::roots::SampleError;
use crate::scene_file::SceneError;
use crate::strands::StrandsError;
use crate::style::{FileError, OpenError};
use std::ops::ControlFlow;

/// An error of a head, its hair or its motion.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A setting is unknown, or has a wrong value.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// A setting belongs to another section.
    #[error("{setting}: it cannot be set here; the sections that can are {sections}")]
    Section {
        /// The key and the value.
        setting: String,
        /// The sections that can be set.
        sections: String,
    },
    /// The file of the head cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Nothing is painted on the head, or only triangles without an area.
    #[error("{0}")]
    Bald(String),
    /// The head cannot be sampled.
    #[error("{0}: {1}")]
    Sample(String, SampleError),
    /// There is no such preset.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The file of a style cannot be read.
    #[error(transparent)]
    Style(#[from] FileError),
    /// A file of strands cannot be read or written.
    #[error(transparent)]
    StrandsFile(#[from] StrandsError),
    /// The strands of a file do not lie on the head.
    #[error(
        "{0}: fewer than half of its roots lie on the skin of {1}, or it has a head of its own. Move the \
         strands onto the head, or open the head that they were made for"
    )]
    Elsewhere(String, String),
    /// Hair cannot grow on the head.
    #[error("{0}: {1}")]
    Open(String, OpenError),
    /// The file of a scene cannot be read, or its settings are wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A scene with strands or a head of its own was given hair.
    #[error("{0}: the scene has a head or strands of its own, so no hair can be given")]
    OwnStrands(String),
    /// Strands are outside the limits of scene files.
    #[error("{0}")]
    Strands(String),
    /// A time is negative, not a number, or longer than [`MAX_SECS`].
    #[error("seconds = {0}: expected 0 to {MAX_SECS}")]
    Seconds(f64),
    /// A frame rate is not within 0.1 to 1000.
    #[error("fps = {0}: expected 0.1 to 1000")]
    Fps(f64),
    /// The callback cancelled.
    #[error("the work was cancelled")]
    Cancelled,
}

/// Returns the text of an error with those of its causes.
pub fn with_causes(error: impl std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let told = error.to_string();
        if !text.contains(&told) {
            text = format!("{text}: {told}");
        }
        cause = error.source();
    }
    text
}

/// Sets the settings of some sections, each a key and a value.
///
/// # Errors
///
/// [`EmbedError::Setting`] and [`EmbedError::Section`]. Settings before the wrong one are set.
pub fn set(
    config: &mut Config,
    settings: &[(String, String)],
    sections: &[&str],
) -> Result<(), EmbedError> {
    for (key, value) in settings {
        config.set(key, value)?;
        let section = key.split('.').next().unwrap_or_default();
        if !sections.contains(&section) {
            return Err(EmbedError::Section {
                setting: format!("{key} = {value}"),
                sections: sections.join(", "),
            });
        }
    }
    Ok(())
}

/// Returns an error if the callback cancels.
fn tell(progress: Progress, share: f32) -> Result<(), EmbedError> {
    match progress(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(EmbedError::Cancelled),
    }
}

#[cfg(test)]
mod tests;
