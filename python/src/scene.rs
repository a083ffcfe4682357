//! Scenes and solvers by their names.

use crate::work::check_process;
use crate::{Error, arrays, failed, found, within};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{PoseTrack, Scene, SolverKind};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;

/// The most frames of one call.
const MAX_FRAMES: u32 = 1_000_000;

/// Return the names of the solvers.
#[pyfunction]
pub fn solvers() -> Vec<&'static str> {
    SolverKind::ALL.map(|solver| solver.name()).into()
}

/// Return the names of the scenes.
#[pyfunction]
pub fn scenes() -> Vec<&'static str> {
    Scene::ALL.map(|scene| scene.name()).into()
}

/// Reads a scene: its name, the path of its file, or poses for each frame.
pub fn read_scene(scene: &Bound<'_, PyAny>, fps: f64) -> PyResult<SceneSetup> {
    if let Ok(name) = scene.cast::<PyString>()
        && let Ok(named) = name.to_string().parse::<Scene>()
    {
        return Ok(named.into());
    }
    let Ok(path) = scene.extract::<PathBuf>() else {
        check_fps(fps)?;
        let track = PoseTrack::new(arrays::poses("scene", scene)?, fps);
        return Ok(track
            .ok_or_else(|| Error::new_err("scene: it has no poses"))?
            .into());
    };
    if path.extension().is_none_or(|extension| extension != "toml") {
        let known = scenes().join(", ");
        return Err(Error::new_err(format!(
            "scene {:?}: expected {known}, a file .toml, or poses (frames, 4, 4)",
            path.display().to_string()
        )));
    }
    // Threads check the strands of a file.
    check_process()?;
    SceneSetup::load(&found(path)?).map_err(failed)
}

fn check_fps(fps: f64) -> PyResult<()> {
    mohawk::embed::check_fps(fps).map_err(|error| Error::new_err(error.to_string()))
}

/// Returns a number of frames, if it and their rate can be played.
pub fn frame_count(frames: i64, fps: f64) -> PyResult<u32> {
    check_fps(fps)?;
    within("frames", frames, 1..=MAX_FRAMES)
}
