//! The settings in use, and the user's own while a scene overrides some of them.

use mohawk::Config;
use mohawk::head::HeadSettings;
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;
use std::path::PathBuf;

/// The settings of the window.
pub(crate) struct Settings {
    /// The settings in use: the user's, with those that a scene overrides.
    pub(crate) config: Config,
    /// The settings that the program started with, to which the panel resets.
    pub(super) started: Config,
    /// The settings with which files of heads are read unless others are remembered for one.
    model: HeadSettings,
    /// The user's settings as last saved or loaded.
    pub(super) saved: Config,
    /// The file that the settings came from, or were saved to.
    pub(super) path: Option<PathBuf>,
    overrides: Option<SceneOverrides>,
}

/// The settings that a scene overrides.
struct SceneOverrides {
    /// The user's settings when the scene began.
    before: Config,
    /// The user's settings with those of the scene.
    staged: Config,
    /// The number of colliders of a scene that has its own. They come first.
    colliders: Option<usize>,
    /// The last settings in use, and the user's settings for them: a cache for every frame.
    known: Option<(Config, Config)>,
}

impl Settings {
    pub(super) fn new(config: Config, path: Option<PathBuf>) -> Self {
        Self {
            model: config.head.clone(),
            started: config.clone(),
            saved: config.clone(),
            config,
            path,
            overrides: None,
        }
    }

    /// Returns the user's settings: those before the scene, with what the user has changed since.
    /// Of colliders, the user has those that were added to the scene's.
    pub(super) fn user(&mut self) -> Config {
        let now = &self.config;
        let Some(overrides) = &mut self.overrides else {
            return now.clone();
        };
        if let Some((_, own)) = overrides.known.as_ref().filter(|(known, _)| known == now) {
            return own.clone();
        }
        let merged = Config::merged(&overrides.staged, now, &overrides.before);
        let mut own = merged.unwrap_or_else(|_| overrides.before.clone());
        if let Some(count) = overrides.colliders {
            let added = now.sim.colliders.iter().skip(count);
            own.sim
                .colliders
                .clone_from(&overrides.before.sim.colliders);
            own.sim.colliders.extend(added);
            own.sim.colliders.truncate(Collider::MAX);
        }
        overrides.known = Some((now.clone(), own.clone()));
        own
    }

    /// Replaces the user's settings, as after a file has changed. `stage` puts the scene's into
    /// settings. What was changed while the scene plays is among the user's, unless the scene has set
    /// it too.
    pub(super) fn set_user(&mut self, user: Config, stage: impl Fn(&mut Config)) {
        if self.user() == user {
            return;
        }
        let Some(overrides) = &mut self.overrides else {
            self.config = user;
            return;
        };
        let with_scene = |config: &Config| {
            let mut config = config.clone();
            stage(&mut config);
            config
        };
        // Flags, which are neither the user's nor the scene's, stay.
        let (before, new) = (with_scene(&overrides.before), with_scene(&user));
        let staged = Config::merged(&before, &overrides.staged, &new).unwrap_or(new);
        self.config.clone_from(&staged);
        (overrides.before, overrides.staged, overrides.known) = (user, staged, None);
    }

    /// The user's settings come from a file: they are what the panel resets to.
    pub(super) fn set_loaded(&mut self, loaded: Config) {
        (self.saved, self.started) = (loaded.clone(), loaded);
    }

    /// The file of settings has changed: what it says of heads holds for all of them.
    pub(super) fn set_reloaded(&mut self, loaded: Config) {
        self.model.clone_from(&loaded.head);
        self.set_loaded(loaded);
    }

    /// Returns how files of heads are read unless it is remembered for one.
    pub(super) fn model(&self) -> HeadSettings {
        self.model.clone()
    }

    /// Sets how the file of the head is read. That is remembered, and so it is saved.
    pub(super) fn set_model(&mut self, head: &HeadSettings) {
        self.saved.head.clone_from(head);
        self.restore_model(head);
    }

    /// Sets how the file of the head was read, after another way has failed.
    pub(super) fn restore_model(&mut self, head: &HeadSettings) {
        let overrides = self.overrides.iter_mut();
        let others = overrides.flat_map(|overrides| [&mut overrides.before, &mut overrides.staged]);
        for config in others.chain([&mut self.config]) {
            config.head.clone_from(head);
        }
        if let Some(overrides) = &mut self.overrides {
            overrides.known = None;
        }
    }

    /// Returns how the file of the user's head is read, while a scene has it read in another way.
    pub(super) fn overridden_model(&self) -> Option<&HeadSettings> {
        let (own, staged) =
            (self.overrides.as_ref()).map(|it| (&it.before.head, &it.staged.head))?;
        (own != staged).then_some(own)
    }

    pub(super) fn are_saved(&mut self) -> bool {
        self.user() == self.saved
    }

    /// Overrides settings with those of a scene. `staged` are the scene's settings on top of
    /// `before`, the user's settings when it was loaded. Settings that the user has changed since
    /// then stay.
    pub(super) fn begin_override(&mut self, before: &Config, staged: Config) {
        let user = self.config.clone();
        self.config = Config::merged(before, &user, &staged).unwrap_or(staged);
        let (own, scene) = (&user.sim.colliders, &self.config.sim.colliders);
        self.overrides = (user != self.config).then(|| SceneOverrides {
            colliders: (own != scene).then_some(scene.len()),
            before: user.clone(),
            staged: self.config.clone(),
            known: None,
        });
    }

    /// Ends the override: the user's settings are in use.
    pub(super) fn end_override(&mut self) {
        self.config = self.user();
        self.overrides = None;
    }

    /// Returns `true` if a scene overrides settings.
    pub(super) fn are_overridden(&self) -> bool {
        self.overrides.is_some()
    }

    /// Removes a collider from the settings in use.
    pub(super) fn remove_collider(&mut self, index: usize) {
        self.config.sim.colliders.remove(index);
        if let Some(overrides) = &mut self.overrides {
            let count = overrides.colliders.as_mut();
            if let Some(count) = count.filter(|count| index < **count) {
                *count -= 1;
            }
            overrides.known = None;
        }
    }

    /// Returns the settings in use for the panel to change, and those that it resets to.
    pub(crate) fn edited(&mut self) -> (&mut Config, &Config) {
        let overrides = self.overrides.as_ref();
        let reset = overrides.map_or(&self.started, |overrides| &overrides.staged);
        (&mut self.config, reset)
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

    fn stage(config: &mut Config) {
        config.sim.hold = 0.0;
        config.sim.colliders = vec![ball(1.0), ball(2.0)];
    }

    /// Returns the user's settings, and the settings in use while a scene overrides some.
    fn playing() -> (Config, Settings) {
        let mut before = Config::default();
        (before.sim.hold, before.sim.colliders) = (0.5, vec![ball(9.0)]);
        let mut settings = Settings::new(before.clone(), None);
        settings.begin_override(&before, before.clone());
        assert!(!settings.are_overridden(), "a scene without settings");
        let mut staged = before.clone();
        stage(&mut staged);
        settings.begin_override(&before, staged);
        (before, settings)
    }

    #[test]
    fn what_a_scene_set_goes_with_it_and_what_people_changed_stays() {
        let (before, mut settings) = playing();
        assert_eq!(settings.user(), before);
        settings.config.sim.solver = SolverKind::Rod;
        settings.config.look.hair.gloss = 0.25;
        let own = settings.user();
        assert_eq!((own.sim.hold, own.sim.solver), (0.5, SolverKind::Rod));
        assert_eq!(own.look.hair.gloss, 0.25);
        settings.config.sim.hold = 0.7;
        assert_eq!(settings.user().sim.hold, 0.7);
    }

    #[test]
    fn colliders_of_a_scene_go_with_it_and_added_ones_stay() {
        let (_, mut settings) = playing();
        let colliders = &mut settings.config.sim.colliders;
        colliders[0].from = [5.0; 3];
        colliders.push(ball(3.0));
        let both = [ball(9.0), ball(3.0)];
        assert_eq!(settings.user().sim.colliders, both);
        // The second one of the scene is removed, then the added one.
        for left in [&both[..], &both[..1]] {
            settings.remove_collider(1);
            assert_eq!(settings.user().sim.colliders, left);
        }
    }

    #[test]
    fn what_a_style_says_of_its_head_holds_for_no_other() {
        let (before, mut settings) = playing();
        let turned = |degrees| {
            let mut config = before.clone();
            config.head.turn_deg = degrees;
            config
        };
        settings.set_loaded(turned(90.0));
        assert_eq!(settings.model(), before.head);
        settings.set_reloaded(turned(45.0));
        assert_eq!(settings.model(), turned(45.0).head);
        // A scene may have the head read in another way.
        settings.set_model(&turned(30.0).head);
        assert_eq!(settings.overridden_model(), None);
        settings.begin_override(&turned(30.0), turned(60.0));
        assert_eq!(settings.overridden_model(), Some(&turned(30.0).head));
    }

    #[test]
    fn a_settings_file_may_change_behind_a_scene() {
        let (mut file, mut settings) = playing();
        settings.config.sim.friction = 1.5;
        (file.sim.hold, file.sim.friction, file.groom.length) = (0.9, 1.5, 2.0);
        settings.set_user(file.clone(), stage);
        let now = &settings.config;
        assert_eq!((now.sim.hold, now.groom.length), (0.0, 2.0));
        assert_eq!(now.sim.friction, 1.5);
        assert_eq!(settings.user(), file);
    }

    /// The change once came back, and was a step to undo again.
    #[test]
    fn what_was_changed_while_a_scene_plays_can_be_undone() {
        let (before, mut settings) = playing();
        settings.config.look.hair.gloss = 0.25;
        assert_ne!(settings.user(), before);
        settings.set_user(before.clone(), stage);
        assert_eq!(settings.user(), before);
        assert_eq!(settings.config.sim.hold, 0.0);
    }
}
