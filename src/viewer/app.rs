//! The viewer's state, and what each request does to it.

mod reload;
mod roots;
mod run;

pub(super) use reload::Watched;

use super::action::Action;
use super::loader::{HeadSource, Loaded, LoadedHead, Loader, PlantSettings};
use super::motion::HeadMotion;
use super::overlay::{Kind, Overlay};
use super::panel::{Panel, Status};
use super::pointer::{Drag, Gesture};
use super::roots_view::RootsView;
use super::saving::{free_settings_name, shown};
use super::smoke::Smoke;
use super::subject::Subject;
use super::surveyor::Surveyor;
use super::{Options, ViewerError};
use crate::config::Config;
use crate::look::Look;
use crate::numbers::grouped;
use crate::render::{CameraView, OrbitCamera, RenderError, Stage};
use crate::sim::{STEP_SECS, Scene};
use reload::Pending;
use run::Average;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Everything the window shows and does, apart from the window itself.
pub(super) struct App {
    pub(super) config: Config,
    /// The settings the program started with: what "put it back" means.
    started: Config,
    /// The settings as last saved or loaded.
    saved: Config,
    config_path: Option<PathBuf>,
    pub(super) camera: OrbitCamera,
    motion: HeadMotion,
    pub(super) subject: Subject,
    pub(super) roots_view: RootsView,
    returns_to_rest: bool,
    paused: bool,
    loader: Loader,
    /// The head that is being loaded.
    pending: Option<Pending>,
    /// Where the head came from that is shown.
    source: HeadSource,
    /// What is watched for changes.
    pub(super) watched: Option<Watched>,
    pub(super) overlay: Overlay,
    panel: Panel,
    pub(super) panel_shown: bool,
    pub(super) title: String,
    pub(super) quit: bool,
    /// The hair that was asked for last; more is asked for when the settings leave it.
    asked: PlantSettings,
    /// The shipped head was tried when the first one failed.
    fell_back: bool,
    /// Broken strands that people have been told of.
    told_broken: u64,
    pub(super) dragging: Option<Drag>,
    frame_secs: Average,
    sim_ms: Average,
    pub(super) renderer: String,
    /// A picture to take and then quit.
    pub(super) smoke: Option<Smoke>,
}

/// What the window must do for the app.
pub(super) enum Request {
    OpenDialog,
    Screenshot { transparent: bool },
}

/// Sets the loading thread to work on the head that was asked for; `wake` is called from it
/// when there is news.
pub(super) fn start_loading(options: &Options, wake: impl Fn() + Send + 'static) -> Loader {
    let mut loader = Loader::new(wake);
    loader.load(source_of(options), &options.config);
    loader
}

fn source_of(options: &Options) -> HeadSource {
    let source = options.head.clone();
    source.map_or(HeadSource::Shipped, HeadSource::File)
}

impl App {
    /// An app whose head is on its way.
    pub(super) fn new(
        options: Options,
        loader: Loader,
        surveyor: Surveyor,
        stage: Stage,
        renderer: String,
    ) -> Self {
        let asked = PlantSettings::of(&options.config);
        let source = source_of(&options);
        Self {
            pending: Some(Pending::new(source.clone())),
            source,
            watched: None,
            subject: Subject::new(stage, &options.config),
            roots_view: RootsView::new(surveyor),
            started: options.config.clone(),
            saved: options.config.clone(),
            config: options.config,
            config_path: options.config_path,
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            motion: HeadMotion::default(),
            returns_to_rest: false,
            paused: false,
            loader,
            overlay: Overlay::default(),
            panel: Panel::default(),
            panel_shown: true,
            title: "mohawk – loading…".to_owned(),
            quit: false,
            asked,
            fell_back: false,
            told_broken: 0,
            dragging: None,
            frame_secs: Average::default(),
            sim_ms: Average::default(),
            renderer,
            smoke: options.snapshot.map(Smoke::new),
        }
    }

    /// Takes what the loading thread has finished.
    pub(super) fn take_loaded(&mut self) {
        match self.loader.poll() {
            None => return,
            Some(Loaded::Failed(why)) => self.loading_failed(why),
            Some(Loaded::Hair(hair)) => self.subject.wear(Some(*hair)),
            Some(Loaded::Head(loaded)) => self.show_head(*loaded),
        }
        self.reload_what_is_stale();
        self.plant_what_changed();
        self.title = format!(
            "mohawk – {} – {} strands",
            self.subject.name(),
            grouped(self.subject.strands())
        );
    }

    fn loading_failed(&mut self, why: String) {
        if self.fails_smoke(&why) {
            return;
        }
        self.overlay.say(Kind::Error, why);
        if let Some(pending) = self.pending.take() {
            self.watch_failed(pending);
        }
        if let Some(hair) = &self.subject.hair {
            // The head that was to bring the asked-for hair is not coming.
            self.asked = hair.settings.clone();
        }
        if self.subject.head.is_none() && !self.fell_back {
            // An error over a head beats an error over nothing.
            self.fell_back = true;
            self.pending = Some(Pending::new(HeadSource::Shipped));
            self.loader.load(HeadSource::Shipped, &Config::default());
        }
    }

    /// Ends a smoke test that has nothing to show; false: there is none.
    fn fails_smoke(&mut self, why: &str) -> bool {
        if let Some(smoke) = &mut self.smoke {
            smoke.fail(why.to_owned());
            self.quit = true;
        }
        self.smoke.is_some()
    }

    fn show_head(&mut self, loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let again = self.pending.take().is_some_and(|pending| pending.again);
        if self.subject.head.is_some() {
            self.overlay.clear_messages();
        }
        if again {
            self.overlay.say(Kind::Notice, reload::told(&loaded.source));
        } else if self.subject.head.is_some() {
            self.motion.reset();
            self.subject.reset();
        } else {
            // The first thing a newcomer sees is hair that moves.
            self.motion.play(Scene::Swing, now, true);
        }
        for warning in loaded.head.warnings_beside_advice() {
            self.overlay.say(Kind::Notice, warning);
        }
        if let Some(advice) = loaded.head.paint_advice() {
            if self.fails_smoke(&format!("{}: {advice}", loaded.source)) {
                return;
            }
            self.overlay.say(Kind::Advice, advice);
        }
        if let Some(problem) = loaded.problem {
            if self.fails_smoke(&format!("{}: {problem}", loaded.source)) {
                return;
            }
            self.overlay.say(Kind::Error, problem);
        }
        if let Some(hair) = &loaded.hair {
            self.asked = hair.settings.clone();
        }
        self.source = loaded.source;
        self.subject.show(loaded.head, loaded.scalp);
        self.subject.wear(loaded.hair);
        self.watch_shown(loaded.since);
        tracing::info!(
            "loaded {}: {} triangles, {} strands",
            self.subject.name(),
            self.subject.triangles(),
            self.subject.strands()
        );
    }

    /// Asks for other hair when the settings have left what was asked for.
    fn plant_what_changed(&mut self) {
        let wanted = PlantSettings::of(&self.config);
        let Some(scalp) = self.subject.scalp.clone() else {
            return;
        };
        if wanted == self.asked || self.pending.is_some() {
            return;
        }
        self.asked = wanted.clone();
        match &self.subject.hair {
            Some(hair) => self.loader.grow(hair, &scalp, wanted),
            None => self.loader.plant(scalp, wanted),
        }
    }

    /// Follows the pointer in a view `height` logical pixels high.
    pub(super) fn gesture(&mut self, gesture: &Gesture, height: f32) {
        match *gesture {
            Gesture::Began(drag) => {
                self.dragging = Some(drag);
                if self.paused && matches!(drag, Drag::Head(_)) {
                    let text = "Time is paused: Space goes on, . makes one step";
                    self.overlay.say(Kind::Notice, text);
                } else if matches!(drag, Drag::Head(_)) {
                    self.motion.grab(self.subject.sim().time_secs());
                }
            }
            Gesture::Ended(_) => self.dragging = None,
            Gesture::Moved(Drag::Interface, _) => {}
            Gesture::Moved(Drag::Head(_), _) if self.paused => {}
            Gesture::Moved(Drag::Head(kind), delta) => {
                self.motion
                    .drag(kind, delta, self.camera.yaw, self.camera.pixel_size(height));
            }
            Gesture::Moved(Drag::Orbit, delta) => self.camera.orbit(delta),
            Gesture::Moved(Drag::Pan, delta) => self.camera.pan(delta, height),
            Gesture::Moved(Drag::Zoom, delta) => self.camera.zoom((delta.y * 0.008).exp()),
            Gesture::Zoomed(factor) => self.camera.zoom(factor),
        }
    }

    /// Does what people asked for; what only the window can do comes back.
    pub(super) fn perform(&mut self, action: Action) -> Option<Request> {
        let now = self.subject.sim().time_secs();
        match action {
            Action::Open => return Some(Request::OpenDialog),
            Action::Screenshot { transparent } => return Some(Request::Screenshot { transparent }),
            Action::Load(path) => self.load(&path),
            Action::Reset => {
                self.motion.reset();
                self.subject.reset();
            }
            Action::ResetCamera => self.camera = OrbitCamera::named(CameraView::ThreeQuarter),
            Action::View(view) => {
                let named = OrbitCamera::named(view);
                (self.camera.yaw, self.camera.pitch) = (named.yaw, named.pitch);
            }
            Action::TogglePause => self.paused = !self.paused,
            Action::StepOnce if self.paused => self.run_simulation(STEP_SECS),
            Action::StepOnce => {}
            Action::Save => _ = self.save(),
            Action::SaveAndQuit => self.quit = self.save(),
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::ToggleRoots => self.roots_view.switches.roots ^= true,
            Action::FaceGap => self.face_gap(),
            Action::Look(name) => {
                if let Some(look) = Look::named(name) {
                    self.config.look = look;
                    self.subject.apply(&self.config);
                }
            }
            Action::NextSolver => {
                let solver = self.config.sim.solver.next();
                self.config.sim.solver = solver;
                self.subject.apply(&self.config);
                let text = format!("solver {solver}: {}", solver.about());
                self.overlay.say(Kind::Notice, text);
            }
            Action::Play(Some(scene)) => self.motion.play(scene, now, false),
            Action::Play(None) => self.motion.grab(now),
            Action::Escape => self.escape(),
            Action::Quit => self.quit = true,
        }
        None
    }

    /// Loads a head; the one on screen stays until the other is there.
    pub(super) fn load(&mut self, path: &Path) {
        let source = HeadSource::File(path.to_owned());
        self.pending = Some(Pending::new(source.clone()));
        self.loader.load(source, &self.config);
    }

    fn escape(&mut self) {
        if !self.overlay.close_topmost() {
            self.ask_to_quit();
        }
    }

    /// Quits, or asks first if that would lose changed settings.
    pub(super) fn ask_to_quit(&mut self) {
        let unsaved = self.config != self.saved && self.smoke.is_none();
        self.overlay.asks_to_quit = unsaved;
        self.quit = !unsaved;
    }

    /// Saves the settings where they came from, else in a new file; true if that worked.
    fn save(&mut self) -> bool {
        let path = self.config_path.clone().unwrap_or_else(free_settings_name);
        let place = shown(&path);
        match self.config.save(&path) {
            Ok(()) => {
                self.saved = self.config.clone();
                self.config_path = Some(path);
                self.config_saved();
                let text = format!("Saved {place}: use it with mohawk --config");
                self.overlay.say(Kind::Notice, text);
                true
            }
            Err(error) => {
                let error = anyhow::Error::from(error);
                self.overlay.say(Kind::Error, format!("{error:#}"));
                false
            }
        }
    }

    /// Shows the panel in `ui` and puts to work what changed in it.
    pub(super) fn show_panel(&mut self, ui: &mut three_d::egui::Ui) -> Vec<Action> {
        let before = self.config.clone();
        let name = self.subject.name().to_owned();
        let status = Status {
            head_name: &name,
            triangles: self.subject.triangles(),
            strands: self.subject.strands(),
            spacing: self.subject.spacing(),
            whole: self.subject.whole(),
            findings: &self.roots_view.findings,
            frames_per_second: self.frame_secs.get().max(1e-4).recip(),
            sim_ms_per_frame: self.sim_ms.get(),
            renderer: &self.renderer,
            paused: self.paused,
            scene: self.motion.scene(),
            reset_strands: self.subject.sim().reset_strands(),
            unsaved: self.config != self.saved,
        };
        let actions = self.panel.show(
            ui,
            &mut self.config,
            &self.started,
            &mut self.roots_view.switches,
            &mut self.returns_to_rest,
            &status,
        );
        if self.config.look != before.look || self.config.sim != before.sim {
            self.subject.apply(&self.config);
        }
        self.plant_what_changed();
        actions
    }

    /// When the picture changes next although nothing moves and nobody does anything.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let tells = self.loader.tells_at();
        let smoke = self.smoke.as_ref().and_then(Smoke::due);
        let changes = tells.into_iter().chain(self.overlay.next_change());
        changes.chain(smoke).min()
    }

    /// What is being loaded and how far it is.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        self.loader.progress()
    }
}

impl From<RenderError> for ViewerError {
    fn from(error: RenderError) -> Self {
        ViewerError::Graphics(error.to_string())
    }
}
