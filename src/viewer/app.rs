//! The viewer's state, and what each request does to it.

mod act;
mod bald;
mod colliders;
mod field;
mod graphs;
mod lab;
mod loaded;
mod reload;
mod roots;
mod run;
mod saving;
mod scene;
pub(crate) mod scene_overrides;
mod settings;
pub(crate) mod snapshot;
mod split;
mod strokes;
mod styling;
mod works;

pub(super) use reload::Watched;

use super::graphs::Graphs;
use super::lab::Lab;
use super::styling::Styling;
use super::subject::Subject;
use super::{Options, ViewerError};
use crate::numbers::grouped;
use crate::viewer::app::snapshot::SnapshotJob;
use crate::viewer::background::autosave_worker::AutosaveWorker;
use crate::viewer::background::loader::{HeadSource, Loader, Order, SLOW};
use crate::viewer::background::roots_survey::RootsSurvey;
use crate::viewer::background::style_job::What;
use crate::viewer::background::task::{BackgroundTask, Wake};
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::input::pointer::Drag;
use crate::viewer::interface::overlay::Overlay;
use crate::viewer::interface::panel::Panel;
use crate::viewer::playback::head_motion::HeadMotion;
use crate::viewer::playback::speed::Speed;
use crate::viewer::subject::comparison::{Side, Views};
use crate::viewer::subject::roots_view::RootsView;
use bald::Planter;
use glam::Vec2;
use mohawk::autosave::LeftBehind;
use mohawk::config::Config;
use mohawk::head::HeadSettings;
use mohawk::render::{CameraView, OrbitCamera, RenderError, Stage};
use mohawk::scene_file::Staging;
use mohawk::sim::{Field, SolverKind};
use mohawk::style::Saved;
use reload::Pending;
use run::Average;
use saving::Stash;
use scene::ActiveScene;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Everything the window shows and does, apart from the window itself.
pub(super) struct App {
    /// The settings in use: the person's, and those that a scene has lent.
    config: Config,
    /// The settings the program started with: what "put it back" means.
    started: Config,
    /// The settings as last saved or loaded.
    saved: Config,
    config_path: Option<PathBuf>,
    pub(super) camera: OrbitCamera,
    motion: HeadMotion,
    /// The scene that is played, unless it is the greeting.
    active_scene: Option<ActiveScene>,
    /// The scene file that was opened last.
    opened: Option<Rc<Staging>>,
    /// What was said of a scene file that is broken.
    told_scene: Option<String>,
    /// The scene in the window.
    pub(super) views: Views,
    /// The view in which something is held.
    held_in: Option<Side>,
    /// The solver that was compared with last.
    compared: Option<SolverKind>,
    /// Where the pointer is in the scene, logical pixels; `None`: it is elsewhere.
    pub(super) pointer: Option<Vec2>,
    pub(super) drag_state: DragState,
    pub(super) subject: Subject,
    pub(super) roots_view: RootsView,
    lab: Lab,
    returns_to_rest: bool,
    paused: bool,
    speed: Speed,
    /// What the frames in which time went on took.
    going_secs: f64,
    loader: Loader,
    /// Measures the skin.
    baker: BackgroundTask<Arc<Field>>,
    /// The field of the head that is shown has been asked for.
    field_asked: bool,
    /// The head that is being loaded.
    pending: Option<Pending>,
    /// Where the head came from that is shown, and what it was read with.
    source: HeadSource,
    head_settings: HeadSettings,
    /// What is watched for changes.
    pub(super) watched: Option<Watched>,
    pub(super) overlay: Overlay,
    panel: Panel,
    pub(super) panel_shown: bool,
    pub(super) title: String,
    pub(super) quit: bool,
    /// The shipped head was tried when the first one failed.
    fell_back: bool,
    /// Broken strands that people have been told of.
    told_broken: u64,
    pub(super) dragging: Option<Drag>,
    pub(super) graphs: Graphs,
    frame_secs: Average,
    sim_ms: Average,
    /// The same of the solvers that are compared.
    side_ms: [Average; 2],
    pub(super) renderer: String,
    /// A picture to take and then quit.
    pub(super) snapshot_job: Option<SnapshotJob>,
    pub(super) styling: Styling,
    autosave: AutosaveWorker<Saved>,
    planter: Planter,
    /// What sessions that broke off have left, and what of that is being opened.
    left: Vec<LeftBehind>,
    recovering: Option<LeftBehind>,
    stash: Option<Stash>,
    /// Another number whenever maps or hair have changed.
    painted: u64,
    /// A button of the mouse is down.
    pressing: bool,
    /// Where the mouse is in the window, logical pixels.
    seen_pointer: Option<Vec2>,
    /// Pixels for a logical one.
    pub(super) pixel_scale: f32,
}

/// What the window must do for the app.
pub(super) enum Request {
    /// Show the doll.
    Doll,
    OpenDialog,
    Screenshot {
        transparent: bool,
    },
}

/// Sets the loading thread to work on the head that was asked for; `wake` is called from it
/// when there is news.
pub(super) fn start_loading(options: &Options, wake: impl Fn() + Send + 'static) -> Loader {
    let mut loader = Loader::new(wake);
    let (source, config) = first_head(options);
    loader.load(Order {
        source,
        config: config.clone(),
        // They have been read, and what flags change in them.
        own_settings: false,
        kept: None,
    });
    loader
}

/// The head to begin with, and its settings: those of the scene that plays on it, if there is one.
fn first_head(options: &Options) -> (HeadSource, &Config) {
    let scene = options.scene.as_ref();
    let scene = scene.filter(|scene| scene.staging.strands.is_none());
    match scene {
        Some(scene) => {
            let own = scene.staging.head.clone().map(HeadSource::File);
            let source = own.unwrap_or_else(|| source_of(options));
            (source, &scene.config)
        }
        None => (source_of(options), &options.config),
    }
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
        (wake, surveyor): (Wake, RootsSurvey),
        stage: Stage,
        renderer: String,
    ) -> Self {
        let source = source_of(&options);
        let is_for_people = options.snapshot.is_none();
        let mut app = Self {
            pending: Some(Pending::quiet(source.clone())),
            source,
            head_settings: options.config.head.clone(),
            watched: None,
            subject: Subject::new(stage, &options.config),
            roots_view: RootsView::new(surveyor),
            lab: Lab::default(),
            started: options.config.clone(),
            saved: options.config.clone(),
            config: options.config,
            config_path: options.config_path,
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            motion: HeadMotion::default(),
            active_scene: None,
            opened: None,
            told_scene: None,
            views: Views::new(Vec2::new(960.0, 800.0)),
            held_in: None,
            compared: None,
            pointer: None,
            drag_state: DragState::default(),
            returns_to_rest: false,
            paused: false,
            speed: Speed::default(),
            going_secs: 0.0,
            loader,
            baker: BackgroundTask::new(wake.clone()),
            planter: Planter::new(wake),
            field_asked: false,
            overlay: Overlay::default(),
            panel: Panel::default(),
            panel_shown: true,
            title: "mohawk – loading…".to_owned(),
            quit: false,
            fell_back: false,
            told_broken: 0,
            dragging: None,
            graphs: Graphs::default(),
            frame_secs: Average::default(),
            sim_ms: Average::default(),
            side_ms: Default::default(),
            renderer,
            snapshot_job: options.snapshot.map(SnapshotJob::new),
            styling: Styling::default(),
            autosave: AutosaveWorker::new(is_for_people),
            left: Vec::new(),
            recovering: None,
            stash: None,
            painted: 0,
            pressing: false,
            seen_pointer: None,
            pixel_scale: 1.0,
        };
        app.offer_left();
        if let Some(opening) = options.scene {
            app.open_with(opening);
        }
        if options.graphs {
            app.graphs.toggle();
        }
        if options.split.is_some() {
            app.set_beside(options.split);
        }
        app
    }

    fn retitle(&mut self) {
        let strands = self.subject.strands();
        let plural = if strands == 1 { "" } else { "s" };
        let (name, strands) = (self.shown_name(), grouped(strands));
        self.title = format!("mohawk – {name} – {strands} strand{plural}");
    }

    /// What to call what is shown: the style's file, else the head.
    fn shown_name(&self) -> String {
        let file = self.styling.file.as_deref().and_then(Path::file_name);
        match file.filter(|_| self.subject.own_strands().is_none()) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.subject.name(),
        }
    }

    /// Opens a file: plays a scene, or loads a head; the one on screen stays until the other is
    /// there.
    pub(super) fn load(&mut self, path: &Path) {
        if path.extension().is_some_and(|end| end == "toml") {
            return self.open_scene(path);
        }
        if is_picture(path) {
            return self.take_picture(path);
        }
        if self.is_styled() && self.is_unsaved() {
            return self.overlay.asks_to_replace(path);
        }
        self.load_other(path);
    }

    /// A picture becomes the map that is chosen.
    fn take_picture(&mut self, path: &Path) {
        self.send_planted(What::Picture(self.styling.hand.map, path.to_owned()));
    }

    /// When the picture changes next although nothing moves and nobody does anything.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let aside = [self.baker.progress(), self.planting()]
            .into_iter()
            .flatten();
        let aside = aside.map(|(since, _)| since + SLOW);
        let tells = self.loader.tells_at().into_iter().chain(aside).min();
        let snapshot = self.snapshot_job.as_ref().and_then(SnapshotJob::due);
        let changes = tells.into_iter().chain(self.overlay.next_change());
        changes.chain(snapshot).chain(self.keep_due()).min()
    }

    /// What is being loaded and how far it is.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        let aside = [
            ("Measuring the skin", self.baker.progress()),
            ("Planting bald skin", self.planting()),
        ];
        let slow = aside.into_iter().find_map(|(what, progress)| {
            let (_, share) = progress.filter(|(since, _)| since.elapsed() >= SLOW)?;
            Some((what, share))
        });
        self.loader.progress().or(slow)
    }
}

/// Is this the name of a picture that maps can be read from?
fn is_picture(path: &Path) -> bool {
    let ends = ["png", "jpg", "jpeg"];
    (path.extension()).is_some_and(|end| ends.iter().any(|e| end.eq_ignore_ascii_case(e)))
}

impl From<RenderError> for ViewerError {
    fn from(error: RenderError) -> Self {
        ViewerError::Graphics(error.to_string())
    }
}
