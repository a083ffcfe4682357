//! Scenes: what they put in place while they are played, and how all of it goes back.

use super::App;
use super::reload::Pending;
use crate::viewer::Opening;
use crate::viewer::app::scene_overrides::SceneOverrides;
use crate::viewer::background::loader::HeadSource;
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use mohawk::config::Config;
use mohawk::render::{CameraView, OrbitCamera};
use mohawk::scene_file::Staging;
use mohawk::sim::{Pose, Scene};
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;

/// The scene that is played, apart from its motion: what has to go back when it ends.
pub(super) struct ActiveScene {
    staging: Rc<Staging>,
    pub(super) overrides: Option<SceneOverrides>,
    /// The camera before, where the scene has one of its own.
    camera: Option<OrbitCamera>,
    /// The head before, where the scene has one of its own.
    home: Option<HeadSource>,
}

/// A scene that begins as soon as its head is there.
pub(super) struct Next {
    staging: Rc<Staging>,
    /// The person's settings when it was asked for, and the same with the scene's.
    before: Config,
    staged: Config,
    home: Option<HeadSource>,
}

impl App {
    /// The scene that the window was opened with.
    pub(super) fn open_with(&mut self, opening: Opening) {
        let staging = Rc::new(opening.staging);
        if staging.file().is_some() {
            self.opened = Some(staging.clone());
        }
        let next = Next {
            home: staging.head.is_some().then(|| self.home()),
            before: self.config.clone(),
            staged: opening.config,
            staging,
        };
        if next.staging.strands.is_some() {
            return self.begin(next);
        }
        // Its head is on its way already.
        let wanted = next.staging.head.clone().map(HeadSource::File);
        let source = wanted.unwrap_or_else(|| self.source.clone());
        self.pending = Some(Pending::of_scene(source, next));
    }

    /// Plays a scene file; a broken one is told, and what is shown stays.
    pub(super) fn open_scene(&mut self, path: &Path) {
        if let Some(told) = self.told_scene.take() {
            self.overlay.unsay(&told);
        }
        match Staging::load(path) {
            Ok(staging) => {
                let staging = Rc::new(staging);
                if self.play(staging.clone()) {
                    self.opened = Some(staging);
                    self.watch_files(SystemTime::now());
                }
            }
            Err(error) => {
                self.scene_is_broken(format!("{:#}", anyhow::Error::from(error)));
            }
        }
    }

    /// Tells what is wrong with a scene, until another one is opened.
    fn scene_is_broken(&mut self, text: String) {
        self.told_scene = Some(text.clone());
        self.overlay.say(MessageKind::Error, text);
    }

    /// Plays the scene file that was opened last.
    pub(super) fn play_opened(&mut self) {
        if let Some(staging) = self.opened.clone() {
            self.play(staging);
        }
    }

    /// Plays a named scene.
    pub(super) fn play_named(&mut self, scene: Scene) {
        self.play(Rc::new(scene.into()));
    }

    /// Plays a scene: at once, or as soon as the head is there that it plays on. False: its
    /// settings are wrong, which is told.
    pub(super) fn play(&mut self, staging: Rc<Staging>) -> bool {
        let before = self.user_settings();
        let mut staged = before.clone();
        if let Err(error) = staging.prepare(&mut staged) {
            self.scene_is_broken(error.to_string());
            return false;
        }
        let next = Next {
            home: staging.head.is_some().then(|| self.home()),
            before,
            staged,
            staging,
        };
        let awaits_scene = self.pending.as_ref().is_some_and(|p| p.next.is_some());
        if next.staging.strands.is_some() {
            if awaits_scene {
                // The head of a scene that nobody wants any more.
                self.bring_home(self.home());
            }
            self.begin(next);
            return true;
        }
        let wanted = next.staging.head.clone().map(HeadSource::File);
        let is_there = self.pending.is_none()
            && self.subject.head.is_some()
            && wanted.unwrap_or_else(|| self.home()) == self.source
            && next.staged.head == self.head_settings;
        if is_there {
            self.begin(next);
        } else if matches!(self.styling.bench, Bench::Away) && self.styling.sent_styled {
            let text = "One moment: hair is still growing, then play it again";
            self.overlay.say(MessageKind::Notice, text);
            return false;
        } else {
            self.await_head(next);
        }
        true
    }

    fn await_head(&mut self, next: Next) {
        let wanted = next.staging.head.clone().map(HeadSource::File);
        let wanted = wanted.unwrap_or_else(|| self.home());
        let order = self.order(wanted.clone(), next.staged.clone());
        self.loader.load(order);
        self.pending = Some(Pending::of_scene(wanted, next));
    }

    /// The head that people have chosen, whatever scene is played.
    fn home(&self) -> HeadSource {
        let chosen = self.pending.as_ref().filter(|p| p.next.is_none());
        if let Some(pending) = chosen {
            return pending.source.clone();
        }
        let home = self
            .active_scene
            .as_ref()
            .and_then(|scene| scene.home.clone());
        home.unwrap_or_else(|| self.source.clone())
    }

    /// Loads the person's head behind whatever is shown.
    fn bring_home(&mut self, home: HeadSource) {
        let own = self.user_settings();
        let order = self.order(home.clone(), own);
        self.loader.load(order);
        self.pending = Some(Pending::quiet(home));
    }

    /// Its head is there: the scene begins.
    pub(super) fn begin(&mut self, next: Next) {
        let last = self.end_scene();
        self.drag_state = DragState::default();
        let before = self.config.clone();
        // What people have changed since they asked for it stays theirs.
        let staged = Config::merged(&next.before, &before, &next.staged);
        self.config = staged.unwrap_or(next.staged);
        let staging = next.staging;
        let own_strands = staging.strands.is_some();
        // Strands of its own hide a head that may be another scene's.
        let home = next
            .home
            .or_else(|| last.filter(|_| own_strands).and_then(|last| last.home));
        self.active_scene = Some(ActiveScene {
            staging: staging.clone(),
            overrides: SceneOverrides::new(before, self.config.clone()),
            camera: own_strands.then_some(self.camera),
            home,
        });
        self.subject.set_staging(Some(staging.clone()));
        self.subject.apply(&self.config);
        self.reset_camera_to(CameraView::ThreeQuarter, own_strands);
        if staging.starts_from_rest() {
            self.restart(staging.clone());
        } else {
            let now = self.subject.sim().time_secs();
            self.motion.play(staging.clone(), now, false);
        }
        self.follow_settings();
        self.retitle();
        tracing::info!("playing {staging}");
    }

    /// Puts hair to rest where a scene begins, and begins it.
    pub(super) fn restart(&mut self, staging: Rc<Staging>) {
        self.begin_anew(staging.pose(0.0));
        self.motion.play(staging, 0.0, false);
    }

    /// The scene from its beginning, the greeting too; without one, all at rest.
    pub(super) fn restart_scene(&mut self) {
        let Some(staging) = self.motion.playing() else {
            return self.rest();
        };
        self.begin_anew(staging.pose(0.0));
        self.motion.restart();
    }

    /// Hair at rest, at time 0.
    fn begin_anew(&mut self, pose: Pose) {
        self.subject.restart(pose);
        self.told_broken = 0;
        self.graphs.clear();
    }

    /// Takes everything of a scene from the picture and the settings, but its head.
    pub(super) fn end_scene(&mut self) -> Option<ActiveScene> {
        let mut scene = self.active_scene.take()?;
        if let Some(overrides) = &mut scene.overrides {
            self.config = overrides.user_settings(&self.config);
        }
        if let Some(camera) = scene.camera {
            self.camera = camera;
        }
        self.drag_state = DragState::default();
        self.subject.set_staging(None);
        self.subject.apply(&self.config);
        tracing::info!("stopped {}", scene.staging);
        Some(scene)
    }

    /// Stops the scene; the head stays where it is, in the person's hands.
    pub(super) fn leave_scene(&mut self) {
        self.motion.grab(self.subject.sim().time_secs());
        let awaited = self.pending.as_ref().is_some_and(|p| p.next.is_some());
        let home = self.home();
        let Some(scene) = self.end_scene() else {
            if awaited {
                self.bring_home(home);
            }
            return;
        };
        if scene.staging.strands.is_some() {
            // The head was not there to be moved.
            self.rest();
        }
        let other_head = home != self.source || self.head_settings != self.config.head;
        if awaited || (other_head && self.pending.is_none()) {
            self.bring_home(home);
        }
        self.follow_settings();
        self.retitle();
    }

    /// Head and hair at rest, at once.
    pub(super) fn rest(&mut self) {
        self.motion.reset();
        self.begin_anew(Pose::IDENTITY);
    }

    /// Looks from a named side at all there is: at the head, or at where strands can get.
    pub(super) fn reset_camera(&mut self) {
        let framed = self.subject.own_strands().is_some();
        if !framed {
            self.camera = OrbitCamera::named(CameraView::ThreeQuarter);
            self.camera.zoom(self.views.distance());
        }
        self.reset_camera_to(CameraView::ThreeQuarter, framed);
    }

    fn reset_camera_to(&mut self, view: CameraView, framed: bool) {
        let scene = self.active_scene.as_ref().filter(|_| framed);
        if let Some(reach) = scene.and_then(|scene| scene.staging.reach()) {
            let size = self.views.each();
            let aspect = size.x / size.y;
            self.camera = OrbitCamera::framing(view, &reach, aspect);
        }
    }

    /// Has a scene lent settings?
    pub(super) fn has_overrides(&self) -> bool {
        let scene = self.active_scene.as_ref();
        scene.is_some_and(|scene| scene.overrides.is_some())
    }

    /// The person's settings: those in use without what a scene has lent.
    pub(super) fn user_settings(&mut self) -> Config {
        let scene = self.active_scene.as_mut();
        match scene.and_then(|scene| scene.overrides.as_mut()) {
            Some(overrides) => overrides.user_settings(&self.config),
            None => self.config.clone(),
        }
    }

    /// The person's settings are `own` now.
    pub(super) fn set_own(&mut self, own: Config) {
        let scene = self.active_scene.as_mut();
        let Some(scene) = scene.filter(|scene| scene.overrides.is_some()) else {
            self.config = own;
            return;
        };
        let staging = &scene.staging;
        if let Some(overrides) = &mut scene.overrides {
            self.config = overrides.replace(own, &self.config, |config| {
                // It was good when the scene began, and no setting depends on another.
                let _ = staging.prepare(config);
            });
        }
    }

    /// A scene file has changed: if it is played, it begins anew, seen from where it was.
    pub(super) fn reload_scene(&mut self) {
        let file = self
            .active_scene
            .as_ref()
            .and_then(|scene| scene.staging.file());
        if let Some(path) = file.map(Path::to_owned) {
            let camera = self.camera;
            self.open_scene(&path);
            self.camera = camera;
        }
    }
}
