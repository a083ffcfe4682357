//! The scene that plays, and the scene file that was opened last.

use super::background::HeadSource;
use mohawk::render::OrbitCamera;
use mohawk::scene_file::SceneSetup;
use std::{path::Path, rc::Rc};

/// The scenes of the window.
#[derive(Default)]
pub(crate) struct Scenes {
    /// The scene that plays, unless it is the greeting.
    pub(super) active: Option<ActiveScene>,
    /// The scene file that was opened last.
    pub(crate) opened: Option<Rc<SceneSetup>>,
    /// The message about a broken scene file.
    pub(super) error: Option<String>,
}

/// A scene that plays, and what comes back when it ends.
pub(super) struct ActiveScene {
    pub(super) setup: Rc<SceneSetup>,
    /// The camera before a scene that has strands of its own.
    pub(super) camera: Option<OrbitCamera>,
    /// The user's head before a scene that has a head of its own.
    pub(super) home: Option<HeadSource>,
}

impl Scenes {
    /// Returns `true` if a scene plays on a head of its own.
    pub(super) fn has_own_head(&self) -> bool {
        self.active
            .as_ref()
            .is_some_and(|scene| scene.home.is_some())
    }

    /// Returns the file of the scene that was opened last.
    pub(super) fn opened_file(&self) -> Option<&Path> {
        self.opened.as_ref()?.file.as_deref()
    }
}
