//! The viewer's state: settings, head, strands in motion, camera; and what each
//! request does to it.

use super::action::Action;
use super::loader::{HeadSource, Loaded, Loader};
use super::motion::HeadMotion;
use super::overlay::{Kind, Overlay};
use super::panel::{Panel, Status, grouped};
use super::pick;
use super::pointer::{Drag, Gesture, Under};
use super::{Options, ViewerError};
use crate::config::Config;
use crate::groom::Groom;
use crate::head::Head;
use crate::look::Look;
use crate::render::{CameraView, OrbitCamera, RenderError, Shot, Stage};
use crate::roots::Roots;
use crate::scalp::Scalp;
use crate::sim::{Pose, STEP_SECS, Scene, Simulation};
use glam::Vec2;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
    /// Where the head was commanded to be at the end of the last frame.
    last_pose: Pose,
    returns_to_rest: bool,
    paused: bool,
    loader: Loader,
    head: Option<Box<Head>>,
    scalp: Option<Arc<Scalp>>,
    roots: Option<Roots>,
    groom: Groom,
    sim: Simulation,
    tips: Vec<[f32; 4]>,
    stage: Stage,
    pub(super) overlay: Overlay,
    panel: Panel,
    pub(super) panel_shown: bool,
    pub(super) title: String,
    pub(super) quit: bool,
    pub(super) dragging: Option<Drag>,
    frame_secs: Average,
    sim_ms: Average,
    renderer: String,
}

/// A running mean that follows the last half second or so.
#[derive(Default)]
struct Average(Option<f32>);

impl Average {
    fn add(&mut self, sample: f32) {
        self.0 = Some(self.0.map_or(sample, |mean| mean + 0.1 * (sample - mean)));
    }

    fn get(&self) -> f32 {
        self.0.unwrap_or(0.0)
    }
}

/// What the window must do for the app.
pub(super) enum Request {
    OpenDialog,
    Screenshot { transparent: bool },
}

impl App {
    /// An app whose head is on its way; `wake` is called when there is news of it.
    pub(super) fn new(
        options: Options,
        stage: Stage,
        renderer: String,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let mut loader = Loader::new(wake);
        let source = options.head.map_or(HeadSource::Shipped, HeadSource::File);
        loader.load(source, &options.config);
        let groom = Groom::default();
        let sim = Simulation::new(&groom, options.config.sim.clone(), Pose::IDENTITY);
        let mut motion = HeadMotion::default();
        // The first thing a newcomer sees is hair that moves.
        motion.play(Scene::Swing, 0.0, true);
        Self {
            started: options.config.clone(),
            saved: options.config.clone(),
            config: options.config,
            config_path: options.config_path,
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            motion,
            last_pose: Pose::IDENTITY,
            returns_to_rest: false,
            paused: false,
            loader,
            head: None,
            scalp: None,
            roots: None,
            groom,
            sim,
            tips: Vec::new(),
            stage,
            overlay: Overlay::default(),
            panel: Panel::default(),
            panel_shown: true,
            title: "mohawk – loading…".to_owned(),
            quit: false,
            dragging: None,
            frame_secs: Average::default(),
            sim_ms: Average::default(),
            renderer,
        }
    }

    /// Takes what the loading thread has finished.
    pub(super) fn take_loaded(&mut self) {
        match self.loader.poll() {
            None => {}
            Some(Loaded::Failed(why)) => {
                self.overlay.say(Kind::Error, why);
                if self.head.is_none() {
                    // An error over a head beats an error over nothing.
                    self.loader.load(HeadSource::Shipped, &self.config);
                }
            }
            Some(Loaded::Roots(roots)) => {
                self.roots = Some(roots);
                self.regrow();
            }
            Some(Loaded::Head {
                source,
                head,
                scalp,
                roots,
            }) => self.show_head(&source, head, scalp, roots),
        }
    }

    fn show_head(
        &mut self,
        source: &HeadSource,
        head: Box<Head>,
        scalp: Option<Arc<Scalp>>,
        roots: Option<Roots>,
    ) {
        if self.head.is_some() {
            self.overlay.clear_messages();
        }
        for warning in &head.warnings {
            self.overlay.say(Kind::Notice, warning.clone());
        }
        if let Some(advice) = head.paint_advice() {
            self.overlay.say(Kind::Advice, advice);
        }
        self.stage.set_head(&head);
        if *source != HeadSource::Shipped {
            self.motion.reset();
        }
        self.head = Some(head);
        self.scalp = scalp;
        self.roots = roots;
        self.regrow();
        let triangles = self.triangles();
        tracing::info!(
            "loaded {}: {} triangles, {} strands",
            self.head_name(),
            triangles,
            self.groom.len()
        );
    }

    /// Grows strands from the roots and puts them at rest under the head.
    fn regrow(&mut self) {
        self.groom = match &self.roots {
            Some(roots) => Groom::grow(roots, &self.config.groom, self.config.roots.seed),
            None => Groom::default(),
        };
        self.sim.set_groom(&self.groom);
        self.stage.set_groom(&self.groom);
        self.title = format!(
            "mohawk – {} – {} strands",
            self.head_name(),
            grouped(self.groom.len())
        );
        self.update_tips();
    }

    fn update_tips(&mut self) {
        self.sim.write_drawn_tips(&mut self.tips);
        self.stage.set_tips(&self.tips);
    }

    fn head_name(&self) -> &str {
        self.head.as_ref().map_or("no head yet", |head| &head.name)
    }

    fn triangles(&self) -> usize {
        self.head
            .iter()
            .flat_map(|head| &head.parts)
            .map(|part| part.triangles.len())
            .sum()
    }

    /// Will the next picture differ although no event comes?
    pub(super) fn is_animating(&self) -> bool {
        let moving = !self.sim.is_settled()
            || self
                .motion
                .is_moving(self.returns_to_rest && self.dragging.is_none());
        (!self.paused && !self.groom.is_empty() && moving)
            || (!self.paused
                && self
                    .motion
                    .is_moving(self.returns_to_rest && self.dragging.is_none()))
            || self.sim.drawn_pose() != self.motion.pose(self.sim.time_secs()) && !self.paused
    }

    /// Advances the simulation by a frame of `elapsed_secs`.
    pub(super) fn advance(&mut self, elapsed_secs: f64) {
        if elapsed_secs > 0.0 {
            self.frame_secs.add(elapsed_secs as f32);
        }
        if self.paused {
            return;
        }
        if self.returns_to_rest
            && !matches!(self.dragging, Some(Drag::Head(_)))
            && self.motion.scene().is_none()
        {
            self.motion.return_to_rest(elapsed_secs as f32);
        }
        self.run_simulation(elapsed_secs);
    }

    fn run_simulation(&mut self, elapsed_secs: f64) {
        let started = Instant::now();
        let (from, since) = (self.last_pose, self.sim.time_secs());
        let motion = &self.motion;
        if motion.scene().is_some() {
            // A scene is a function of simulated time.
            self.sim
                .advance(elapsed_secs, &mut |time| motion.pose(time));
        } else {
            // The hand is sampled once a frame; the steps of the frame share its path out.
            let to = motion.pose(since);
            let span = elapsed_secs.max(STEP_SECS);
            self.sim.advance(elapsed_secs, &mut |time| {
                from.interpolate(&to, ((time - since) / span).clamp(0.0, 1.0))
            });
        }
        self.motion.finish_scene(self.sim.time_secs());
        self.last_pose = self.motion.pose(self.sim.time_secs());
        self.update_tips();
        self.sim_ms.add(started.elapsed().as_secs_f32() * 1e3);
    }

    fn shot(&self, background: bool) -> Shot {
        Shot {
            camera: self.camera,
            world_from_head: self.sim.drawn_pose().to_mat4(),
            background,
        }
    }

    /// Draws the scene into `viewport` of the target.
    pub(super) fn draw(
        &mut self,
        target: &three_d::RenderTarget<'_>,
        viewport: three_d::Viewport,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        let shot = self.shot(true);
        self.stage.draw(target, viewport, &shot, pixel_scale)
    }

    /// The head alone on nothing.
    pub(super) fn transparent_picture(
        &mut self,
        context: &three_d::Context,
        width: u32,
        height: u32,
    ) -> Result<image::RgbaImage, RenderError> {
        let shot = self.shot(false);
        crate::render::picture(context, &mut self.stage, &shot, width, height)
    }

    /// The scene's part of what is under a point of a view of `size` logical pixels.
    pub(super) fn locate(&self, point: Vec2, size: Vec2) -> Under {
        let pose = self.sim.drawn_pose().to_mat4();
        let hit = self.head.as_ref().is_some_and(|head| {
            pick::hits_head(
                head,
                &self.groom,
                &self.tips,
                pose,
                &self.camera,
                point,
                size,
            )
        });
        if hit { Under::Head } else { Under::Background }
    }

    /// Follows the pointer in a view `height` logical pixels high.
    pub(super) fn gesture(&mut self, gesture: &Gesture, height: f32) {
        match *gesture {
            Gesture::Began(drag) => {
                self.dragging = Some(drag);
                if matches!(drag, Drag::Head(_)) {
                    self.motion.grab(self.sim.time_secs());
                }
            }
            Gesture::Ended(_) => self.dragging = None,
            Gesture::Moved(Drag::Interface, _) => {}
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
        let now = self.sim.time_secs();
        match action {
            Action::Open => return Some(Request::OpenDialog),
            Action::Screenshot { transparent } => return Some(Request::Screenshot { transparent }),
            Action::Load(path) => self.load(&path),
            Action::Reset => {
                self.motion.reset();
                self.last_pose = Pose::IDENTITY;
                self.sim.reset(Pose::IDENTITY);
                self.update_tips();
            }
            Action::ResetCamera => self.camera = OrbitCamera::named(CameraView::ThreeQuarter),
            Action::View(view) => {
                let named = OrbitCamera::named(view);
                (self.camera.yaw, self.camera.pitch) = (named.yaw, named.pitch);
            }
            Action::TogglePause => self.paused = !self.paused,
            Action::StepOnce if self.paused => self.run_simulation(STEP_SECS),
            Action::StepOnce => {}
            Action::Save => self.save(),
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::Look(name) => {
                if let Some(look) = Look::named(name) {
                    self.config.look = look;
                    self.apply_settings();
                }
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
        self.loader
            .load(HeadSource::File(path.to_owned()), &self.config);
    }

    fn escape(&mut self) {
        if self.overlay.asks_to_quit {
            self.overlay.asks_to_quit = false;
        } else if self.overlay.sheet {
            self.overlay.sheet = false;
        } else {
            self.ask_to_quit();
        }
    }

    /// Quits, or asks first if that would lose changed settings.
    pub(super) fn ask_to_quit(&mut self) {
        let unsaved = self.config != self.saved;
        self.overlay.asks_to_quit = unsaved;
        self.quit = !unsaved;
    }

    fn save(&mut self) {
        let path = self
            .config_path
            .clone()
            .unwrap_or_else(|| PathBuf::from("mohawk.toml"));
        match self.config.save(&path) {
            Ok(()) => {
                self.saved = self.config.clone();
                self.overlay.say(
                    Kind::Notice,
                    format!(
                        "Saved the settings in {}: mohawk --config {0}",
                        path.display()
                    ),
                );
            }
            Err(error) => self.overlay.say(Kind::Error, error.to_string()),
        }
        self.config_path = Some(path);
    }

    /// Puts changed settings to work: cheap ones at once, new roots on the thread.
    fn apply_settings(&mut self) {
        self.stage.set_look(&self.config.look);
        self.sim.set_settings(self.config.sim.clone());
    }

    /// Shows the panel in `ui` and puts to work what changed in it.
    pub(super) fn show_panel(&mut self, ui: &mut three_d::egui::Ui) -> Vec<Action> {
        let before = self.config.clone();
        let name = self.head_name().to_owned();
        let status = Status {
            head_name: &name,
            triangles: self.triangles(),
            strands: self.groom.len(),
            spacing: self.roots.as_ref().map(|roots| roots.spacing),
            frames_per_second: self.frame_secs.get().max(1e-4).recip(),
            sim_ms_per_frame: self.sim_ms.get(),
            renderer: &self.renderer,
            paused: self.paused,
            scene: self.motion.scene(),
            unsaved: self.config != self.saved,
        };
        let actions = self.panel.show(
            ui,
            &mut self.config,
            &self.started,
            &mut self.returns_to_rest,
            &status,
        );
        if self.config.look != before.look || self.config.sim != before.sim {
            self.apply_settings();
        }
        if self.config.groom != before.groom {
            self.regrow();
        }
        if self.config.roots != before.roots
            && let Some(scalp) = &self.scalp
        {
            self.loader.resample(scalp.clone(), &self.config.roots);
        }
        actions
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
