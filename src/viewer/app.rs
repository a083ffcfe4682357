//! The state of the window with a head, and what each request does to it.
//!
//! Parts own their state; they are other modules of `viewer`, and know no `App`. The modules here
//! perform the requests of their subject, and `run` lets time pass.

mod colliders;
mod gestures;
mod guides;
mod lab;
mod line;
mod loading;
mod presets;
mod reload;
mod run;
mod save_later;
mod saving;
mod scene;
mod styling;
mod trail;
mod view;

use super::background::{BackgroundTask, BaldSkin, StyleJob, Wake, has_style};
use super::files::DocumentFile;
use super::input::Pointer;
use super::input::action::{Action, HandTool, Replacement};
use super::interface::Overlay;
use super::lab::Lab;
use super::loading::{FirstHead, Loading};
use super::panel_state::PanelState;
use super::playback::{Playback, Speed};
use super::presets::Presets;
use super::remembered::{Place, Remembered};
use super::scenes::Scenes;
use super::settings::Settings;
use super::statistics::Statistics;
use super::styling::ring::Sizing;
use super::styling::{FROZEN, Styling};
use super::subject::Subject;
use super::subject::roots_view::RootsView;
use super::view::ViewState;
use super::{Options, Snapshot};
use crate::numbers::grouped;
use mohawk::render::{OrbitCamera, Quality, Stage, renderer_name};
use mohawk::sim::{STEP_SECS, Sdf, Simulation};
use mohawk::style::Saved;
use std::{path::Path, rc::Rc, sync::Arc};
use three_d::Context;
use web_time::Instant;

/// Something that looks at the hair.
type Watch = Box<dyn FnMut(&Simulation)>;

/// The title while there is nothing to show yet.
pub(super) const LOADING: &str = "mohawk – loading…";

/// The state of the window with a head. Each part owns its state; requests go through `App`, which
/// tells the parts.
pub(super) struct App {
    pub(super) settings: Settings,
    /// Wakes the window when background tasks have news.
    pub(super) wake: Wake,
    pub(super) loading: Loading,
    pub(super) document: DocumentFile,
    pub(super) view: ViewState,
    pub(super) pointer: Pointer,
    pub(super) playback: Playback,
    pub(super) scenes: Scenes,
    pub(super) subject: Subject,
    /// Bakes the distance field of the head on screen.
    skin: BackgroundTask<Arc<Sdf>>,
    pub(super) styling: Styling,
    pub(super) presets: Presets,
    bald: BaldSkin,
    pub(super) roots_view: RootsView,
    pub(super) lab: Lab,
    pub(super) statistics: Statistics,
    pub(super) overlay: Overlay,
    pub(super) panel: PanelState,
    /// Called after every step, if the hair is measured.
    pub(super) watch: Option<Watch>,
    /// The things that the next run finds.
    pub(super) remembered: Remembered,
    /// A picture to take before the window closes.
    pub(super) snapshot: Option<Snapshot>,
    /// The time to take it, known once the head is on the screen.
    pub(super) snapshot_due: Option<Instant>,
    /// The reason why there is nothing to take a picture of.
    pub(super) snapshot_problem: Option<String>,
    pub(super) quit: bool,
}

impl App {
    /// Returns the state while the first head is on its way.
    pub(super) fn new(
        options: Options,
        remembered: Remembered,
        head: FirstHead,
        wake: Wake,
        gl: &Context,
    ) -> Self {
        let (renderer, _) = renderer_name(gl);
        tracing::info!("drawing with {renderer}");
        let stage = Stage::new(gl, &options.config.look, Quality::of_window(gl));
        let mut overlay = Overlay::default();
        let model = options.head.clone().filter(|_| options.scene.is_none());
        let offers = options.snapshot.is_none().then_some(&mut overlay);
        let mut app = Self {
            wake,
            loading: Loading::new(head, &options),
            document: DocumentFile::new::<Saved>(0, offers),
            subject: Subject::new(stage, &options.config),
            presets: Presets::new(&options.config),
            settings: Settings::new(options.config, options.config_path),
            view: ViewState::default(),
            pointer: Pointer::default(),
            playback: Playback::default(),
            scenes: Scenes::default(),
            skin: BackgroundTask::default(),
            styling: Styling::default(),
            bald: BaldSkin::default(),
            roots_view: RootsView::default(),
            lab: Lab::default(),
            statistics: Statistics {
                renderer,
                ..Statistics::default()
            },
            overlay,
            panel: PanelState::default(),
            watch: None,
            remembered,
            snapshot: options.snapshot,
            snapshot_due: None,
            snapshot_problem: None,
            quit: false,
        };
        if let Some(path) = model {
            let mut head = app.settings.model();
            app.remembered.use_model(&path, &mut head);
            app.settings.set_model(&head);
        }
        if let Some(opening) = options.scene {
            app.open_with(opening);
        }
        if options.graphs {
            app.statistics.graphs.toggle();
        }
        if options.split.is_some() {
            app.set_beside(options.split);
        }
        app
    }

    /// Returns the title of the window, which names the style's file, else the head.
    pub(super) fn title(&self) -> String {
        if !self.loading.has_shown && !self.subject.is_headless() {
            return LOADING.to_owned();
        }
        let strands = self.subject.strands();
        let plural = if strands == 1 { "" } else { "s" };
        let file = self.document.path.as_deref().and_then(Path::file_name);
        let name = match file.filter(|_| !self.subject.is_headless()) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.subject.name(),
        };
        let strands = grouped(strands);
        format!("mohawk – {name} – {strands} strand{plural}")
    }

    /// Opens a file: plays a scene, loads a head, or takes a picture as a map. The head on screen
    /// stays until the other one is loaded.
    pub(super) fn load(&mut self, path: &Path) {
        let end = path.extension().unwrap_or_default();
        if end.eq_ignore_ascii_case("toml") && Saved::files_of(path).is_empty() {
            return self.open_scene(path);
        }
        let is_end = |own: &str| end.eq_ignore_ascii_case(own);
        if ["png", "jpg", "jpeg"].into_iter().any(is_end) {
            let job = StyleJob::Picture(self.styling.hand.map, path.to_owned());
            return self.queue_style_job(job);
        }
        // A style brings settings of its own.
        let replaces = self.is_styled() || self.loading.stash.is_some() || has_style(path);
        if replaces && self.is_unsaved() {
            self.overlay.replaces = Some(Replacement::File(path.to_owned()));
        } else {
            self.load_other(path);
        }
    }

    /// Performs an action.
    pub(super) fn perform(&mut self, action: Action) {
        if let Action::Play(_) | Action::PlayAnimation(_) | Action::PlayFile = action {
            self.freeze(false);
        }
        match action {
            Action::Load(path) => self.load(&path),
            Action::ReadModel => self.read_model(),
            Action::Reset => {
                if self.leave_scene() {
                    self.rest();
                }
            }
            Action::ResetCamera => self.reset_camera(),
            Action::View(view) => {
                let named = OrbitCamera::named(view);
                (self.view.camera.yaw, self.view.camera.pitch) = (named.yaw, named.pitch);
            }
            Action::TogglePause => {
                self.playback.paused ^= true;
                self.playback.log_time(self.subject.sim());
            }
            Action::StepOnce if self.styling.frozen => self.overlay.notice(FROZEN),
            Action::StepOnce => {
                self.playback.paused = true;
                self.run_simulation(STEP_SECS);
                self.playback.log_time(self.subject.sim());
            }
            Action::Restart => self.restart_scene(),
            Action::Slower => self.set_speed(self.playback.speed.slower()),
            Action::Faster => self.set_speed(self.playback.speed.faster()),
            Action::Speed(speed) => self.set_speed(speed),
            Action::Save => _ = self.save(None),
            #[cfg(target_arch = "wasm32")]
            Action::CopyLink => self.copy_link(),
            Action::SaveAndQuit => self.save_then(Action::Quit),
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel.shown = !self.panel.shown,
            Action::Search => self.panel.shown = true,
            Action::ToggleRoots => self.roots_view.switches.roots ^= true,
            Action::FaceGap => self.face_gap(),
            Action::Look(name) => {
                self.settings.config.set_look(name);
                self.subject.apply(&self.settings.config);
            }
            Action::NextSolver => self.set_solver(self.settings.config.sim.solver.next()),
            Action::Solver(solver) => self.set_solver(solver),
            Action::Beside(solver) => self.set_beside(solver),
            Action::ToggleSplit => {
                let next = self.settings.config.sim.solver.next();
                let right = self.view.compared_with.unwrap_or(next);
                let is_alone = self.subject.simulations.beside().is_none();
                self.set_beside(is_alone.then_some(right));
            }
            Action::ToggleGraphs => self.statistics.graphs.toggle(),
            Action::ToggleFullDetail => {
                let detail = &mut self.statistics.detail;
                detail.pinned = !detail.pinned;
            }
            Action::Play(scene) => _ = self.play(Rc::new(scene.into())),
            Action::PlayAnimation(animation) => self.play_animation(animation),
            Action::PlayFile => _ = self.scenes.opened.clone().map(|setup| self.play(setup)),
            Action::StopScene => _ = self.leave_scene(),
            Action::WetAgain => self.subject.simulations.change(Simulation::wet_again),
            Action::AddCollider(which) => self.add_collider(which),
            Action::RemoveCollider(index) => self.remove_collider(index),
            Action::ToggleLab(overlay) => self.toggle_lab(overlay),
            Action::PickStrand => self.pick_strand(),
            Action::ToggleRecording => self.toggle_recording(),
            // An unsaved style whose saving fails is not replaced.
            Action::Replace { save: true, what } => {
                self.save_then(Action::Replace { save: false, what });
            }
            Action::Replace { what, .. } => match what {
                Replacement::File(path) => self.load_other(&path),
                Replacement::Preset(preset) => self.load_preset(preset),
            },
            Action::Preset(number) => self.choose_preset(number),
            Action::AskToDelete(number) => {
                let listed = self.presets.listed.get(number);
                self.overlay.deletes = listed.map(|listed| listed.preset.clone());
            }
            Action::DeletePreset(preset) => self.delete_preset(&preset),
            Action::Escape => {
                let shows_strip =
                    self.panel.shown && !self.styling.on && self.remembered.place == Place::Look;
                let closed = self.pointer.line.take().is_some()
                    || self.overlay.close_topmost()
                    || self.close_save_form()
                    || !std::mem::take(&mut self.panel.query).is_empty()
                    || std::mem::take(&mut self.styling.canvas.open)
                    || self.awaits_stroke()
                    || self.pointer.colliders.selected.take().is_some()
                    || shows_strip && std::mem::take(&mut self.presets.all_shown);
                if closed {
                    return;
                }
                if self.styling.on {
                    self.toggle_brush();
                } else if self.subject.simulations.beside().is_some() {
                    self.set_beside(None);
                } else if self.statistics.graphs.shown {
                    self.statistics.graphs.toggle();
                } else {
                    self.ask_to_quit();
                }
            }
            Action::Close => self.ask_to_quit(),
            Action::Quit => self.quit = true,
            Action::DrawLine(modifier) => self.ask_for_line(modifier),
            Action::TakeGuides(modifier, count) => self.take_guides(modifier, count),
            Action::HoldForGuides(tool) => {
                self.styling.hand.brush.guides = true;
                self.hold(HandTool::Brush(tool));
            }
            Action::ToggleBrush => self.toggle_brush(),
            Action::Hold(held) => self.hold(held),
            Action::ResizeBrush(factor) => self.styling.hand.resize(factor),
            Action::BeginSizing(strength) => {
                let (hand, at) = (&self.styling.hand, self.pointer.position);
                self.styling.sizing = at.map(|at| Sizing::new(strength, at, hand));
            }
            Action::EndSizing => {
                if let Some(sizing) = self.styling.sizing.take() {
                    tracing::info!("brush {}", sizing.description(&self.styling.hand));
                }
            }
            Action::ToggleMirror => self.styling.hand.brush.mirror ^= true,
            Action::ToggleGuides => self.styling.hand.brush.guides ^= true,
            Action::ToggleFreeze => self.freeze(!self.styling.frozen),
            Action::ToggleCanvas => self.toggle_canvas(),
            Action::FillMap(side) => self.fill_map(side),
            Action::EditLayer(name, edit) => self.edit_layer(name, edit),
            Action::Select(by) => self.select(by),
            Action::Undo => self.undo(StyleJob::Undo),
            Action::Redo => self.undo(StyleJob::Redo),
            Action::ToggleStrokes => self.toggle_strokes(),
            Action::SaveAs(path) => {
                if self.save(path) {
                    self.panel.saving = None;
                }
            }
            Action::AskToSave(what) => self.ask_to_save(what),
            Action::ExportHair(path, hair) => self.export_hair(&path, hair),
            Action::Recover { open } => self.recover(open),
            // The window performs these.
            Action::Open
            | Action::Doll
            | Action::DollTool(_)
            | Action::PickColor
            | Action::SavePreset { .. }
            | Action::Screenshot { .. } => {}
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.playback.speed = speed;
        tracing::info!("speed {}", speed.name());
        self.playback.log_time(self.subject.sim());
    }
}
