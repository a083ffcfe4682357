//! Plays scenes, and restores the head, the camera and the settings after them.

use super::App;
use crate::viewer::Opening;
use crate::viewer::background::HeadSource;
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::loading::{Pending, PendingScene, Purpose};
use crate::viewer::playback::HeadMotion;
use crate::viewer::scenes::ActiveScene;
use crate::viewer::styling::StylerSlot;
use glam::Vec3;
use mohawk::render::{CameraView, OrbitCamera};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::Pose;
use std::path::Path;
use std::rc::Rc;
use web_time::SystemTime;

impl App {
    /// Plays the scene that the window was opened with.
    pub(super) fn open_with(&mut self, opening: Opening) {
        let setup = Rc::new(opening.setup);
        if setup.file.is_some() {
            self.scenes.opened = Some(setup.clone());
        }
        let next = PendingScene {
            home: setup.head.is_some().then(|| self.home()),
            before: self.settings.config.clone(),
            staged: opening.config,
            setup,
        };
        if next.setup.strands.is_some() {
            return self.begin(next);
        }
        // Its head is on its way already.
        let own = next.setup.head.clone();
        let source = own.or_else(|| self.loading.source.clone());
        let purpose = Purpose::Scene(Box::new(next));
        self.loading.pending = Some(Pending::new(source, purpose));
    }

    /// Plays a scene file. If it is broken, what is shown stays.
    pub(super) fn open_scene(&mut self, path: &Path) {
        if let Some(error) = self.scenes.error.take() {
            self.overlay.messages.remove(&error);
        }
        match SceneSetup::load(path) {
            Ok(setup) => {
                let setup = Rc::new(setup);
                self.freeze(false);
                if self.play(setup.clone()) {
                    self.scenes.opened = Some(setup);
                    self.remembered.add_recent(path);
                    self.watch_files(SystemTime::now());
                }
            }
            Err(error) => self.report_scene(format!("{:#}", anyhow::Error::from(error))),
        }
    }

    /// Reports a broken scene, until another one is opened.
    fn report_scene(&mut self, error: String) {
        self.scenes.error = Some(error.clone());
        self.overlay.error(error);
    }

    /// Plays a scene now, or as soon as its head is loaded. Returns false if its settings are
    /// wrong, or if it cannot begin yet; a message says so.
    pub(super) fn play(&mut self, setup: Rc<SceneSetup>) -> bool {
        let before = self.settings.user();
        let mut staged = before.clone();
        if let Err(error) = setup.prepare(&mut staged) {
            self.report_scene(error.to_string());
            return false;
        }
        let next = PendingScene {
            home: setup.head.is_some().then(|| self.home()),
            before,
            staged,
            setup,
        };
        if next.setup.strands.is_some() {
            if self.loading.awaits_scene() {
                // That head belongs to a scene that is not wanted any more.
                self.bring_home(self.home());
            }
            self.begin(next);
            return true;
        }
        let wanted = next.setup.head.clone().or_else(|| self.home());
        let is_there = self.loading.pending.is_none()
            && self.subject.head.is_some()
            && wanted == self.loading.source
            && next.staged.head == self.loading.head_settings;
        if is_there {
            self.begin(next);
        } else if self.awaits_style() {
            return false;
        } else {
            let staged = next.staged.clone();
            self.load_kept(wanted, staged, Purpose::Scene(Box::new(next)));
        }
        true
    }

    /// Returns the head that the user has chosen, whatever scene plays.
    fn home(&self) -> HeadSource {
        let pending = self.loading.pending.as_ref();
        let chosen = pending.filter(|_| !self.loading.awaits_scene());
        let active = self.scenes.active.as_ref();
        let chosen = chosen.map(|pending| &pending.source);
        let home = chosen.or_else(|| active?.home.as_ref());
        home.unwrap_or(&self.loading.source).clone()
    }

    /// Returns `true` if the head of a scene is shown, and not the user's.
    pub(super) fn shows_head_of_scene(&self) -> bool {
        self.home() != self.loading.source
    }

    /// Returns `true` if the style cannot be set aside yet, and says so.
    fn awaits_style(&mut self) -> bool {
        let styling = &self.styling;
        let is_away = matches!(styling.styler, StylerSlot::Working) && styling.sent_styled;
        let notice = match is_away || styling.is_behind() {
            true => "Hair is still growing. Try again in a moment",
            // It would lose its own settings.
            false if self.loading.awaits_chosen() => {
                "Another head is being loaded. Try again in a moment"
            }
            false => return false,
        };
        self.overlay.notice(notice);
        true
    }

    /// Loads the user's head behind what is shown.
    fn bring_home(&mut self, home: HeadSource) {
        let config = self.settings.user();
        self.load_kept(home, config, Purpose::Quiet);
    }

    /// Plays an animation of the head, by its place in the list of the rig.
    pub(super) fn play_animation(&mut self, animation: usize) {
        let head = self.subject.head.as_ref();
        let setup = head.and_then(|head| SceneSetup::of_animation(head, animation));
        if let Some(setup) = setup {
            self.play(Rc::new(setup));
        }
    }

    /// Plays the animation of a head that has just been shown, as the settings name it.
    pub(super) fn play_its_animation(&mut self, wanted: Option<&str>) {
        let head = self.subject.head.as_ref();
        match head.map_or(Ok(None), |head| head.animation(wanted)) {
            Ok(Some(animation)) => self.play_animation(animation),
            Ok(None) => {}
            Err(problem) => {
                let name = self.subject.name();
                self.overlay.error(format!("{name}: {problem}"));
            }
        }
    }

    /// Returns the number and the name of the animation that plays.
    pub(super) fn animation(&self) -> Option<(usize, String)> {
        let setup = &self.scenes.active.as_ref()?.setup;
        setup.animation().map(|place| (place, setup.to_string()))
    }

    /// Begins a scene whose head is loaded.
    pub(super) fn begin(&mut self, next: PendingScene) {
        let last = self.end_scene();
        self.pointer.colliders = DragState::default();
        self.settings.begin_override(&next.before, next.staged);
        let setup = next.setup;
        let own_strands = setup.strands.is_some();
        // Strands of its own hide a head that may be another scene's.
        let last_home = last.filter(|_| own_strands).and_then(|last| last.home);
        self.scenes.active = Some(ActiveScene {
            setup: setup.clone(),
            camera: own_strands.then_some(self.view.camera),
            home: next.home.or(last_home),
        });
        self.subject.set_scene(Some(setup.clone()));
        self.subject.apply(&self.settings.config);
        if own_strands {
            self.frame_scene();
        }
        if setup.starts_from_rest() || setup.animation().is_some() {
            self.restart(setup.clone());
        } else {
            let now = self.subject.sim().time_secs();
            self.playback.motion.play(setup.clone(), now, false);
        }
        self.follow_settings();
        tracing::info!("playing {setup}");
    }

    /// Puts the hair to rest where a scene begins, and begins the scene.
    pub(super) fn restart(&mut self, setup: Rc<SceneSetup>) {
        self.playback.motion.play(setup, 0.0, false);
        self.restart_scene();
    }

    /// Restarts the scene, which may be the greeting; without one, puts all to rest.
    pub(super) fn restart_scene(&mut self) {
        let Some(setup) = self.playback.motion.playing() else {
            return self.rest();
        };
        self.restart_hair(setup.pose(0.0));
        self.playback.motion.restart();
        self.carry_view();
    }

    /// Moves the camera along with a head that walks.
    pub(super) fn carry_view(&mut self) {
        let now = self.subject.sim().time_secs();
        if let Some(followed) = self.playback.motion.followed(now) {
            self.view.carry(followed);
        }
    }

    /// Puts the hair to rest at time 0.
    fn restart_hair(&mut self, pose: Pose) {
        (self.subject.simulations).change(|sim| sim.reset(pose));
        self.statistics.reported_resets = 0;
        self.statistics.graphs.clear();
    }

    /// Ends the scene: its strands, camera and settings go. Its head stays.
    pub(super) fn end_scene(&mut self) -> Option<ActiveScene> {
        let scene = self.scenes.active.take()?;
        self.settings.end_override();
        if let Some(camera) = scene.camera {
            self.view.camera = camera;
        }
        self.pointer.colliders = DragState::default();
        self.subject.set_scene(None);
        self.subject.apply(&self.settings.config);
        tracing::info!("stopped {}", scene.setup);
        Some(scene)
    }

    /// Stops the scene. The head stays where it is, and the user can move it. Returns `false` if it
    /// cannot be stopped yet.
    pub(super) fn leave_scene(&mut self) -> bool {
        let (home, head) = (self.home(), self.settings.user().head);
        let loading = &self.loading;
        let is_other = home != loading.source || loading.head_settings != head;
        let is_left = self.scenes.active.is_some() && is_other && loading.pending.is_none();
        if is_left && self.awaits_style() {
            return false;
        }
        let now = self.subject.sim().time_secs();
        self.playback.motion.grab(now);
        if is_left || self.loading.awaits_scene() {
            // While the scene plays, it is known whose head is shown.
            self.bring_home(home);
        }
        let Some(scene) = self.end_scene() else {
            return true;
        };
        if scene.setup.strands.is_some() || self.playback.motion.is_away() {
            // The head was not there to be moved.
            self.rest();
        }
        self.follow_settings();
        true
    }

    /// Puts head and hair to rest.
    pub(super) fn rest(&mut self) {
        self.playback.motion = HeadMotion::default();
        self.restart_hair(Pose::IDENTITY);
        self.view.carry(Vec3::ZERO);
    }

    /// Resets the camera to show all of the head, or of where the scene's strands reach.
    pub(super) fn reset_camera(&mut self) {
        match self.subject.is_headless() {
            true => self.frame_scene(),
            false => self.view.place(&self.settings.config.view),
        }
    }

    fn frame_scene(&mut self) {
        let scene = self.scenes.active.as_ref();
        if let Some(reach) = scene.and_then(|scene| scene.setup.reach()) {
            let size = self.view.each();
            let aspect = size.x / size.y;
            self.view.camera = OrbitCamera::framing(CameraView::ThreeQuarter, &reach, aspect);
        }
    }

    /// Replaces the user's settings. Those that a scene overrides stay.
    pub(super) fn set_user_settings(&mut self, user: mohawk::Config) {
        // Its modifier may be another one.
        self.pointer.line = None;
        let scene = self.scenes.active.as_ref();
        self.settings.set_user(user, |config| {
            if let Some(scene) = scene {
                // This worked when the scene began, and no setting depends on another.
                let _ = scene.setup.prepare(config);
            }
        });
    }

    /// Restarts the scene that plays if its file has changed. The camera stays.
    pub(super) fn reload_scene(&mut self) {
        let scene = self.scenes.active.as_ref();
        let file = scene.and_then(|scene| scene.setup.file.as_deref());
        if let Some(path) = file.map(Path::to_owned) {
            let camera = self.view.camera;
            self.open_scene(&path);
            self.view.camera = camera;
        }
    }
}
