//! The settings in use, and the user's own while a scene overrides some of them.

mod scene_overrides;

use crate::viewer::app::settings::scene_overrides::SceneOverrides;
use mohawk::config::Config;
use std::path::PathBuf;

/// The settings of the window.
pub(crate) struct Settings {
    /// The settings in use: the user's, with those that a scene overrides.
    pub(crate) config: Config,
    /// The settings that the program started with, to which the panel resets.
    started: Config,
    /// The settings as last saved or loaded.
    saved: Config,
    /// The file that the settings came from, or were saved to.
    pub(super) path: Option<PathBuf>,
    overrides: Option<SceneOverrides>,
}

impl Settings {
    pub(super) fn new(config: Config, path: Option<PathBuf>) -> Self {
        Self {
            started: config.clone(),
            saved: config.clone(),
            config,
            path,
            overrides: None,
        }
    }

    /// Returns the user's settings: those in use without the scene's.
    pub(super) fn user(&mut self) -> Config {
        match &mut self.overrides {
            Some(overrides) => overrides.user_settings(&self.config),
            None => self.config.clone(),
        }
    }

    /// Replaces the user's settings. `stage` puts the scene's into settings.
    pub(super) fn set_user(&mut self, user: Config, stage: impl Fn(&mut Config)) {
        self.config = match &mut self.overrides {
            Some(overrides) => overrides.replace(user, &self.config, stage),
            None => user,
        };
    }

    /// The user's settings come from a file: they are what the panel resets to.
    pub(super) fn set_loaded(&mut self, loaded: Config) {
        self.saved = loaded.clone();
        self.started = loaded;
    }

    /// The user's settings have been saved.
    pub(super) fn set_saved(&mut self, user: Config) {
        self.saved = user;
    }

    pub(super) fn are_saved(&mut self) -> bool {
        self.user() == self.saved
    }

    /// Begins to override settings: `staged` are the user's settings at an earlier time, `before`,
    /// with the scene's. Settings that the user has changed since stay the user's.
    pub(super) fn begin_override(&mut self, before: &Config, staged: Config) {
        let user = self.config.clone();
        self.config = Config::merged(before, &user, &staged).unwrap_or(staged);
        self.overrides = SceneOverrides::new(user, self.config.clone());
    }

    /// Ends the override: the user's settings are in use.
    pub(super) fn end_override(&mut self) {
        self.config = self.user();
        self.overrides = None;
    }

    /// Whether a scene overrides settings.
    pub(super) fn are_overridden(&self) -> bool {
        self.overrides.is_some()
    }

    /// Removes a collider from the settings in use.
    pub(super) fn remove_collider(&mut self, index: usize) {
        self.config.sim.colliders.remove(index);
        if let Some(overrides) = &mut self.overrides {
            overrides.removed_collider(index);
        }
    }

    /// Returns the settings in use for the panel to change, and those that it resets to.
    pub(crate) fn edited(&mut self) -> (&mut Config, &Config) {
        let overrides = self.overrides.as_ref();
        let reset = overrides.map_or(&self.started, SceneOverrides::staged);
        (&mut self.config, reset)
    }
}
