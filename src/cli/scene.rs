//! `--scene`: a scene by its name or as a file.

use mohawk::scene_file::{SceneError, SceneSetup};
use mohawk::sim::Scene;
use std::path::{Path, PathBuf};

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
