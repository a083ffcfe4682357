//! `--scene`: what is to be played, by name or as a file.

use mohawk::scene_file::{Staging, StagingError};
use mohawk::sim::Scene;
use std::path::{Path, PathBuf};

/// A scene by name or by file.
#[derive(Clone, Debug)]
pub enum SceneArg {
    Named(Scene),
    File(PathBuf),
}

impl SceneArg {
    /// Parses what was typed; files end in `.toml`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_file = Path::new(text).extension().is_some_and(|end| end == "toml");
        if is_file {
            return Ok(SceneArg::File(text.into()));
        }
        let named = text.parse::<Scene>().map(SceneArg::Named);
        named.map_err(|error| format!("{}, or a .toml file", error.expected))
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&PathBuf> {
        match self {
            SceneArg::Named(_) => None,
            SceneArg::File(path) => Some(path),
        }
    }

    /// Reads the file.
    pub fn load(&self) -> Result<Staging, StagingError> {
        match self {
            SceneArg::Named(scene) => Ok((*scene).into()),
            SceneArg::File(path) => Staging::load(path),
        }
    }
}
