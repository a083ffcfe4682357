//! The settings in use, and the user's own while a scene overrides some of them.

use mohawk::Config;
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use std::path::PathBuf;

/// The settings of the window.
pub(crate) struct Settings {
    /// The settings in use: the user's, with those that a scene overrides.
    pub(crate) config: Config,
    /// The settings that the program started with, to which the panel resets.
    started: Config,
    /// The user's settings as last saved or loaded.
    pub(super) saved: Config,
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
        (self.saved, self.started) = (loaded.clone(), loaded);
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
        let reset = overrides.map_or(&self.started, |overrides| &overrides.staged);
        (&mut self.config, reset)
    }
}

/// The settings that a scene overrides.
struct SceneOverrides {
    /// The user's settings when the scene began.
    before: Config,
    /// The same with the scene's settings.
    staged: Config,
    /// The number of colliders of a scene that has its own. They come first.
    colliders: Option<usize>,
    /// The last settings in use, and the user's settings for them: a cache for every frame.
    known: Option<(Config, Config)>,
}

impl SceneOverrides {
    /// Returns `None` if the scene changes no settings.
    fn new(before: Config, staged: Config) -> Option<Self> {
        if before == staged {
            return None;
        }
        let (own, overrides) = (&before.sim.colliders, &staged.sim.colliders);
        Some(Self {
            colliders: (own != overrides).then_some(overrides.len()),
            before,
            staged,
            known: None,
        })
    }

    /// Returns the user's settings for those in use, `now`: the settings before the scene, with
    /// what the user has changed since. Of colliders, the user has those that were added to the
    /// scene's.
    fn user_settings(&mut self, now: &Config) -> Config {
        if let Some((_, own)) = self.known.as_ref().filter(|(known, _)| known == now) {
            return own.clone();
        }
        let merged = Config::merged(&self.staged, now, &self.before);
        let mut own = merged.unwrap_or_else(|_| self.before.clone());
        if let Some(count) = self.colliders {
            let added = now.sim.colliders.iter().skip(count);
            own.sim.colliders.clone_from(&self.before.sim.colliders);
            own.sim.colliders.extend(added);
            own.sim.colliders.truncate(Collider::MAX);
        }
        self.known = Some((now.clone(), own.clone()));
        own
    }

    /// Notes that a collider in use was removed.
    fn removed_collider(&mut self, index: usize) {
        if let Some(count) = self.colliders.as_mut().filter(|count| index < **count) {
            *count -= 1;
        }
        self.known = None;
    }

    /// Replaces the user's settings, after a file has changed. `lend` puts the scene's into
    /// settings. Returns the settings to use instead of `now`.
    fn replace(&mut self, own: Config, now: &Config, lend: impl Fn(&mut Config)) -> Config {
        let overrides = |config: &Config| {
            let mut config = config.clone();
            lend(&mut config);
            config
        };
        // Flags, which are neither the user's nor the scene's, stay.
        let staged = Config::merged(&overrides(&self.before), &self.staged, &overrides(&own));
        let staged = staged.unwrap_or_else(|_| overrides(&own));
        let used = Config::merged(&self.staged, now, &staged).unwrap_or_else(|_| staged.clone());
        self.before = own;
        self.staged = staged;
        self.known = None;
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::sim::SolverKind;

    fn ball(x: f32) -> Collider {
        Collider {
            from: [x, 0.0, 0.0],
            to: None,
            radius: 0.5,
        }
    }

    fn lend(config: &mut Config) {
        config.sim.hold = 0.0;
        config.sim.colliders = vec![ball(1.0), ball(2.0)];
    }

    /// Returns the user's settings, what a scene overrides of them, and the settings in use.
    fn playing() -> (Config, SceneOverrides, Config) {
        let mut before = Config::default();
        (before.sim.hold, before.sim.colliders) = (0.5, vec![ball(9.0)]);
        let mut staged = before.clone();
        lend(&mut staged);
        let overrides = SceneOverrides::new(before.clone(), staged.clone()).unwrap();
        (before, overrides, staged)
    }

    #[test]
    fn what_a_scene_set_goes_with_it_and_what_people_changed_stays() {
        let (before, mut overrides, mut now) = playing();
        assert!(SceneOverrides::new(before.clone(), before.clone()).is_none());
        assert_eq!(overrides.user_settings(&now), before);
        now.sim.solver = SolverKind::Rod;
        now.look.hair.gloss = 0.25;
        let own = overrides.user_settings(&now);
        assert_eq!((own.sim.hold, own.sim.solver), (0.5, SolverKind::Rod));
        assert_eq!(own.look.hair.gloss, 0.25);
        now.sim.hold = 0.7;
        assert_eq!(overrides.user_settings(&now).sim.hold, 0.7);
    }

    #[test]
    fn colliders_of_a_scene_go_with_it_and_added_ones_stay() {
        let (_, mut overrides, mut now) = playing();
        now.sim.colliders[0].from = [5.0; 3];
        now.sim.colliders.push(ball(3.0));
        let both = [ball(9.0), ball(3.0)];
        assert_eq!(overrides.user_settings(&now).sim.colliders, both);
        // The second one of the scene is removed, then the added one.
        for left in [&both[..], &both[..1]] {
            now.sim.colliders.remove(1);
            overrides.removed_collider(1);
            assert_eq!(overrides.user_settings(&now).sim.colliders, left);
        }
    }

    #[test]
    fn a_settings_file_may_change_behind_a_scene() {
        let (mut file, mut overrides, mut now) = playing();
        now.sim.friction = 1.5;
        (file.sim.hold, file.sim.friction, file.groom.length) = (0.9, 1.5, 2.0);
        now = overrides.replace(file.clone(), &now, lend);
        assert_eq!((now.sim.hold, now.groom.length), (0.0, 2.0));
        assert_eq!(now.sim.friction, 1.5);
        assert_eq!(overrides.user_settings(&now), file);
    }
}
