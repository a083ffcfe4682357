//! The viewer's state, and what each request does to it.

mod act;
mod colliders;
mod field;
mod graphs;
mod lab;
mod reload;
mod roots;
mod run;
mod saving;
mod scene;
mod settings;
mod split;
mod strokes;
mod styling;
mod works;

pub(super) use reload::Watched;

use super::baker::Baker;
use super::colliders::Hands;
use super::graphs::Graphs;
use super::lab::Lab;
use super::loader::{HeadSource, Loaded, LoadedHead, Loader, Order, SLOW};
use super::motion::HeadMotion;
use super::overlay::{Kind, Overlay};
use super::panel::Panel;
use super::pointer::Drag;
use super::roots_view::RootsView;
use super::smoke::Smoke;
use super::speed::Speed;
use super::split::{Side, Views};
use super::styling::keeper::Keeper;
use super::styling::{Bench, Styling};
use super::subject::Subject;
use super::surveyor::Surveyor;
use super::works::What;
use super::{Options, ViewerError};
use crate::config::Config;
use crate::head::HeadSettings;
use crate::numbers::grouped;
use crate::render::{CameraView, OrbitCamera, RenderError, Stage};
use crate::sim::{Scene, SolverKind};
use crate::staging::Staging;
use crate::style::{LeftBehind, Saved};
use glam::Vec2;
use reload::Pending;
use run::Average;
use saving::Stash;
use scene::OnStage;
use std::path::{Path, PathBuf};
use std::rc::Rc;
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
    on_stage: Option<OnStage>,
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
    pub(super) hands: Hands,
    pub(super) subject: Subject,
    pub(super) roots_view: RootsView,
    lab: Lab,
    returns_to_rest: bool,
    paused: bool,
    speed: Speed,
    /// What the frames in which time went on took.
    going_secs: f64,
    loader: Loader,
    baker: Baker,
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
    pub(super) smoke: Option<Smoke>,
    pub(super) styling: Styling,
    keeper: Keeper,
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
    OpenDialog,
    Screenshot { transparent: bool },
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
        (baker, surveyor): (Baker, Surveyor),
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
            on_stage: None,
            opened: None,
            told_scene: None,
            views: Views::new(Vec2::new(960.0, 800.0)),
            held_in: None,
            compared: None,
            pointer: None,
            hands: Hands::default(),
            returns_to_rest: false,
            paused: false,
            speed: Speed::default(),
            going_secs: 0.0,
            loader,
            baker,
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
            smoke: options.snapshot.map(Smoke::new),
            styling: Styling::default(),
            keeper: Keeper::new(is_for_people),
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

    /// Takes what the loading thread has finished.
    pub(super) fn take_loaded(&mut self) {
        while let Some(loaded) = self.loader.poll() {
            match loaded {
                Loaded::Failed(why) => self.loading_failed(why),
                Loaded::Styled(styler, done) => self.take_styled(styler, done),
                Loaded::Head(loaded) => self.show_head(*loaded),
            }
            self.reload_what_is_stale();
            self.follow_settings();
            self.retitle();
        }
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

    fn loading_failed(&mut self, why: String) {
        if self.fails_smoke(&why) {
            return;
        }
        self.overlay.say(Kind::Error, why);
        if let Some(pending) = self.pending.take() {
            self.watch_failed(pending);
        }
        self.recovering = None;
        // It is still shown.
        self.stash.take_if(|stash| stash.source == self.source);
        if self.subject.head.is_none() && !self.fell_back {
            // An error over a head beats an error over nothing.
            self.fell_back = true;
            self.pending = Some(Pending::new(HeadSource::Shipped));
            self.loader.load(Order {
                source: HeadSource::Shipped,
                config: Config::default(),
                own_settings: false,
                kept: None,
            });
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

    fn show_head(&mut self, mut loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let pending = self.pending.take();
        let (again, quiet) = (pending.as_ref()).map_or((false, false), |p| (p.again, p.quiet));
        let next = pending.and_then(|pending| pending.next);
        let first = self.subject.head.is_none();
        if !first {
            self.overlay.clear_messages();
        }
        if again {
            self.overlay.say(Kind::Notice, reload::told(&loaded.source));
        } else if next.is_some() || (quiet && self.on_stage.is_some()) {
            // A scene begins, or goes on in front of the head.
        } else if first {
            // The first thing a newcomer sees is hair that moves.
            self.motion.play(Rc::new(Scene::Swing.into()), now, true);
        } else {
            self.strike();
            self.rest();
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
        if let Some(problem) = loaded.problem.take() {
            if self.fails_smoke(&format!("{}: {problem}", loaded.source)) {
                return;
            }
            self.overlay.say(Kind::Error, problem);
        }
        let triangles: usize = (loaded.head.parts.iter())
            .map(|part| part.triangles.len())
            .sum();
        let strands = loaded.worn.as_ref().map_or(0, |hair| hair.groom.len());
        let name = &loaded.head.name;
        tracing::info!("loaded {name}: {triangles} triangles, {strands} strands");
        self.take_style(&mut loaded);
        self.source = loaded.source;
        self.head_settings = loaded.settings;
        self.forget_field();
        self.subject.show(loaded.head);
        self.subject.wear(loaded.worn);
        self.painted += 1;
        self.watch_shown(loaded.since);
        if let Some(next) = next {
            self.begin(*next);
        }
        let source = self.source.clone();
        self.recovered(&source);
    }

    /// Takes the style of a head that takes the place of another, or is there again.
    fn take_style(&mut self, loaded: &mut LoadedHead) {
        let styling = &mut self.styling;
        styling.stroke = None;
        styling.refused = None;
        styling.own = None;
        styling.bench = match loaded.styler.take() {
            Some(styler) => Bench::Here(styler),
            None => Bench::Empty,
        };
        styling.model = std::mem::take(&mut loaded.model);
        if loaded.keeps_style
            && let Some(stash) = self.stash.take()
        {
            // States are counted anew, and what was unsaved still is.
            styling.saved = if stash.unsaved { u64::MAX } else { 0 };
            (styling.file, styling.name) = (stash.file, stash.name);
            return;
        }
        styling.saved = 0;
        styling.file = match &loaded.source {
            HeadSource::File(path) if Saved::is_named(path) => Some(path.clone()),
            _ => None,
        };
        let name = styling.file.as_ref().map(|file| file.display().to_string());
        styling.name = name.unwrap_or_default();
        if self.stash.is_none() {
            self.keeper.clear();
        }
        if loaded.takes_over {
            let taken = self
                .styling
                .bench
                .here()
                .map(|styler| styler.style().config.clone());
            if let Some(config) = taken {
                (self.started, self.saved) = (config.clone(), config.clone());
                self.set_own(config);
                self.subject.apply(&self.config);
            }
        }
    }

    /// Opens a file: plays a scene, or loads a head; the one on screen stays until the other is there.
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
        self.send(What::Picture(self.styling.hand.map, path.to_owned()));
    }

    /// When the picture changes next although nothing moves and nobody does anything.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let baking = self.baker.progress().map(|(since, _)| since + SLOW);
        let tells = self.loader.tells_at().into_iter().chain(baking).min();
        let smoke = self.smoke.as_ref().and_then(Smoke::due);
        let changes = tells.into_iter().chain(self.overlay.next_change());
        changes.chain(smoke).chain(self.keep_due()).min()
    }

    /// What is being loaded and how far it is.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        let baking = (self.baker.progress()).filter(|(since, _)| since.elapsed() >= SLOW);
        let baking = baking.map(|(_, share)| ("Measuring the skin", share));
        self.loader.progress().or(baking)
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
