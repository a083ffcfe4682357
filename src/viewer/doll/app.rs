//! The state of the doll's window, and what each action does to it.

use crate::bindings::DOLL_BINDINGS;
use crate::numbers::grouped;
use crate::viewer::ViewerError;
use crate::viewer::files::document::DocumentFile;
use crate::viewer::files::stroke_recording::StrokeRecording;
use crate::viewer::input::action::Action;
use crate::viewer::interface::overlay::{Overlay, Words};
use crate::viewer::window_host::WindowHost;
use crate::viewer::window_host::file_dialog::Asked;
use glam::{DVec2, Vec2};
use mohawk::doll::{
    Doll, DollBrush, DollSession, DollSettings, DollStroke, DollTool, Face, Mouth, PageFit,
};
use mohawk::render::Paper;
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The texts of the doll's window.
const WORDS: Words = Words {
    bindings: DOLL_BINDINGS,
    drop: "Drop a doll to open it",
    thing: "doll",
};

/// Range of the radius, pixels of the page.
pub(super) const RADII: RangeInclusive<f64> = 5.0..=150.0;
/// Distance of the pointer at which the eyes have turned as far as they can, pixels of the page.
const GAZE_DISTANCE: f32 = 150.0;
/// Number of steps of the eyes to each side. The face is drawn again at each step.
const GAZE_STEPS: f32 = 6.0;

/// A way to leave the doll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// Back to the head.
    ToHead,
    /// Close the window.
    Quit,
}

/// The doll's part of a window.
pub(crate) struct DollApp {
    pub(super) session: DollSession,
    pub(super) brush: DollBrush,
    pub(super) paper: Paper,
    pub(crate) overlay: Overlay,
    pub(super) panel_shown: bool,
    /// Whether there is a head to go back to.
    pub(super) has_head: bool,
    pub(super) document: DocumentFile<Doll>,
    /// The path that is typed in the panel.
    pub(super) path: String,
    pub(super) recording: Option<StrokeRecording<DollStroke>>,
    /// The active stroke, to be recorded.
    pub(super) stroke: Option<DollStroke>,
    begun: Instant,
    /// Position of the pointer on the page, if it is over it.
    pub(super) pointer: Option<DVec2>,
    /// The owner of the active drag.
    pub(super) drag: DragOwner,
    /// The place of the page in the window, logical pixels.
    pub(super) fit: PageFit,
    /// Whether a picture is saved after the next frame.
    pub(super) takes_picture: bool,
    /// Whether and how the doll is left.
    pub(crate) leaves: Option<Leave>,
}

/// The owner of a drag, decided when the button is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DragOwner {
    #[default]
    Nothing,
    /// The tool.
    Brush,
    /// The interface.
    Panel,
}

impl DollApp {
    pub(crate) fn new(
        host: &WindowHost,
        session: DollSession,
        file: Option<PathBuf>,
        has_head: bool,
    ) -> Result<Self, ViewerError> {
        let state = session.history().state();
        let mut document = DocumentFile::new(state, true);
        document.set_saved(file.as_deref(), state);
        let mut app = Self {
            document,
            paper: Paper::new(&host.gl),
            brush: DollBrush::default(),
            overlay: Overlay::new(WORDS),
            panel_shown: true,
            has_head,
            session,
            path: String::new(),
            recording: None,
            stroke: None,
            begun: Instant::now(),
            pointer: None,
            drag: DragOwner::Nothing,
            fit: PageFit::of(mohawk::doll::PAGE),
            takes_picture: false,
            leaves: None,
        };
        let doll = app.session.doll();
        tracing::info!("doll: {} hairs", doll.hairs.len());
        app.document.offer_recovery(&mut app.overlay);
        Ok(app)
    }

    /// Returns the title of the window.
    pub(super) fn title(&self) -> String {
        let doll = self.session.doll();
        let file = self.document.path.as_deref().and_then(Path::file_name);
        let name = file.map_or(doll.settings.figure.name().into(), OsStr::to_string_lossy);
        format!("mohawk – {name} – {} hairs", grouped(doll.hairs.len()))
    }

    /// Returns when the window changes next without input.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let autosave = self.autosave_due().into_iter();
        autosave.chain(self.overlay.next_change()).min()
    }

    /// Whether closing the window would lose changes.
    pub(crate) fn is_unsaved(&self) -> bool {
        !self.document.is_saved(self.session.history().state())
    }

    /// Moves the pointer to a position in logical pixels, and an active stroke with it.
    pub(super) fn point(&mut self, at: Vec2) {
        let [x, y] = self.fit.to_page(f64::from(at.x), f64::from(at.y));
        self.pointer = Some(DVec2::new(x, y));
        if self.drag == DragOwner::Brush {
            self.session.move_to(x, y);
            if let Some(stroke) = &mut self.stroke {
                let time = self.begun.elapsed().as_secs_f64();
                stroke.points.push([time, x, y]);
            }
        }
    }

    /// Returns the face: the eyes follow the pointer, the mouth shows the tool in use.
    pub(super) fn face(&self) -> Face {
        let eyes = Vec2::from(self.session.doll().settings.figure.eyes());
        let gaze = self.pointer.map_or(Vec2::ZERO, |at| {
            let direction = (at.as_vec2() - eyes) / GAZE_DISTANCE;
            direction / direction.length().max(1.0)
        });
        let gaze = (gaze * GAZE_STEPS).round() / GAZE_STEPS;
        let mouth = match (self.drag, self.brush.tool) {
            (DragOwner::Brush, DollTool::Cut) => Mouth::Oh,
            (DragOwner::Brush, _) => Mouth::Happy,
            _ => Mouth::Smile,
        };
        Face {
            gaze: gaze.to_array(),
            mouth,
        }
    }

    /// Begins a stroke at a position in logical pixels.
    pub(super) fn begin_stroke(&mut self, at: Vec2) {
        self.drag = DragOwner::Brush;
        self.begun = Instant::now();
        let brush = self.brush;
        self.session.begin(brush);
        self.stroke = Some(DollStroke {
            tool: brush.tool,
            radius: brush.radius as f32,
            strength: brush.strength as f32,
            color: brush.tool.has_color().then_some(brush.color),
            clip: (brush.tool == DollTool::Clip).then_some(brush.clip),
            points: Vec::new(),
        });
        self.point(at);
    }

    /// Ends the stroke.
    pub(super) fn end_stroke(&mut self) {
        if std::mem::take(&mut self.drag) != DragOwner::Brush {
            return;
        }
        let stroke = self.stroke.take();
        let changed = self.session.end();
        let (name, clips) = (self.brush.tool.name(), self.session.doll().clips.len());
        let outcome = ["touched nothing", "changed hair"][usize::from(changed)];
        tracing::info!("stroke: {name}, {outcome}, {clips} clips");
        if let (true, Some(recording), Some(stroke)) = (changed, &mut self.recording, stroke) {
            recording.add(stroke, self.session.history().state());
        }
    }

    /// Changes the settings. `merge` is true while a slider is dragged.
    pub(super) fn set(&mut self, settings: DollSettings, merge: bool) {
        // The panel handles the input of a frame before the page does.
        self.end_stroke();
        if let Err(error) = self.session.set_settings(settings, merge) {
            self.overlay.error(error.to_string());
        }
    }

    /// Performs an action.
    pub(super) fn perform(&mut self, host: &mut WindowHost, action: Action) {
        host.dirty = true;
        match action {
            Action::Undo => self.step_history(false),
            Action::Redo => self.step_history(true),
            Action::Reset => {
                self.end_stroke();
                if self.session.reset() {
                    let text = "All hair is as it grew; Ctrl+Z undoes that";
                    self.overlay.notice(text);
                }
            }
            Action::DollTool(tool) => {
                self.end_stroke();
                self.brush.tool = tool;
            }
            Action::ResizeBrush(factor) => {
                let radius = self.brush.radius * f64::from(factor);
                self.brush.radius = radius.clamp(*RADII.start(), *RADII.end());
            }
            Action::Open => host.ask_for_file(Asked::Doll),
            Action::Load(path) => self.load(&path),
            // An unsaved doll whose saving fails is not replaced.
            Action::Replace { save: true, .. } if !self.save() => {}
            Action::Replace { path, .. } => _ = self.open(&path),
            Action::Save => _ = self.save(),
            Action::SaveStyle => _ = self.save_as(),
            Action::SaveAndQuit => self.leaves = self.save().then_some(Leave::Quit),
            Action::Quit => {
                self.overlay.asks_to_quit = false;
                self.leaves = Some(Leave::Quit);
            }
            Action::Doll => self.leaves = Some(Leave::ToHead),
            Action::Screenshot { .. } => self.takes_picture = true,
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::ToggleStrokes => self.toggle_strokes(),
            Action::Escape => self.escape(),
            Action::Recover(what) => self.recover(what),
            // The other actions are those of the head.
            _ => {}
        }
    }

    /// Undoes the last change, or redoes it with `forward`.
    fn step_history(&mut self, forward: bool) {
        self.drag = DragOwner::Nothing;
        let before = self.session.history().state();
        let (name, done) = match forward {
            true => (self.session.redo(), "Redone"),
            false => (self.session.undo(), "Undone"),
        };
        let Some(name) = name else {
            return;
        };
        match (&mut self.recording, forward) {
            (Some(recording), true) => recording.redo(self.session.history().state()),
            (Some(recording), false) => recording.undo(before),
            (None, _) => {}
        }
        self.overlay.notice(format!("{done}: {name}"));
    }

    /// Cancels the stroke, else closes what is open, else leaves the doll.
    fn escape(&mut self) {
        if self.drag == DragOwner::Brush {
            (self.drag, self.stroke) = (DragOwner::Nothing, None);
            self.session.cancel();
        } else if !self.overlay.close_topmost() {
            match self.has_head {
                true => self.leaves = Some(Leave::ToHead),
                false => self.ask_to_quit(),
            }
        }
    }

    /// Closes the window. Asks first if that would lose changes.
    pub(crate) fn ask_to_quit(&mut self) {
        match self.is_unsaved() {
            true => self.overlay.asks_to_quit = true,
            false => self.leaves = Some(Leave::Quit),
        }
    }
}
