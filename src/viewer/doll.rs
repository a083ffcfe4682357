//! The 2D doll in the window: its state, what each action does to it, and its files.
//!
//! `frame` handles events and draws, `panel` shows the panel, and [`run`] opens a window of its
//! own.

mod frame;
mod panel;
mod recorded;
#[cfg(not(target_arch = "wasm32"))]
mod run;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use run::run;

use crate::numbers::grouped;
use crate::viewer::files::DocumentFile;
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::HeldKeys;
use crate::viewer::input::action::{Action, Replacement};
use crate::viewer::interface::Overlay;
use crate::viewer::paths::{free_name, shown};
use crate::viewer::platform::{self, FileDialog};
use crate::viewer::window_host::WindowHost;
use glam::{DVec2, Vec2};
use mohawk::doll::{
    Doll, DollBrush, DollSession, DollStroke, DollTool, Face, Mouth, PAGE, PageFit,
};
use mohawk::render::Paper;
use recorded::{stroke_file, whole_reset};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use web_time::Instant;

/// Range of the radius of the brush, pixels of the page.
const RADII: RangeInclusive<f64> = 5.0..=150.0;
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
    session: DollSession,
    pub(crate) held: HeldKeys,
    brush: DollBrush,
    paper: Paper,
    pub(crate) overlay: Overlay,
    panel_shown: bool,
    /// `true` if there is a head to go back to.
    has_head: bool,
    pub(crate) document: DocumentFile,
    /// The path that is typed in the panel.
    path: String,
    recording: Option<StrokeRecording<DollStroke>>,
    /// `true` if the next settings continue the change of a drag in the panel.
    merging: bool,
    /// The stroke of the drag, to be recorded, and when it began.
    stroke: Option<(DollStroke, Instant)>,
    /// Position of the pointer on the page, if it is over it.
    pointer: Option<DVec2>,
    /// `true` if the interface owns a drag, as decided when the button was pressed.
    panel_dragged: bool,
    /// The place of the page in the window, logical pixels.
    fit: PageFit,
    /// `true` if a picture is saved after the next frame.
    takes_picture: bool,
    /// The way in which the doll is left after this frame, if it is.
    pub(crate) leaves: Option<Leave>,
}

impl DollApp {
    pub(crate) fn new(
        host: &WindowHost,
        session: DollSession,
        file: Option<PathBuf>,
        has_head: bool,
    ) -> Self {
        let state = session.history().state();
        let mut overlay = Overlay::default();
        let mut document = DocumentFile::new::<Doll>(state, Some(&mut overlay));
        document.set_file(file.as_deref(), Some(state));
        tracing::info!("doll: {} hairs", session.doll().hairs.len());
        Self {
            document,
            paper: Paper::new(&host.gl),
            brush: DollBrush::default(),
            overlay,
            panel_shown: true,
            has_head,
            session,
            held: HeldKeys::default(),
            path: String::new(),
            recording: None,
            merging: false,
            stroke: None,
            pointer: None,
            panel_dragged: false,
            fit: PageFit::of(PAGE),
            takes_picture: false,
            leaves: None,
        }
    }

    /// Returns the title of the window.
    fn title(&self) -> String {
        let doll = self.session.doll();
        let file = self.document.path.as_deref().and_then(Path::file_name);
        let name = file.map_or(doll.settings.figure.name().into(), OsStr::to_string_lossy);
        format!("mohawk – {name} – {} hairs", grouped(doll.hairs.len()))
    }

    /// Returns when the window changes next without input.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let autosave = self.autosave_due().into_iter();
        autosave.chain(self.overlay.messages.next_change()).min()
    }

    /// Returns `true` if closing the window would lose changes.
    pub(crate) fn is_unsaved(&self) -> bool {
        !self.document.is_saved(self.session.history().state())
    }

    /// Moves the pointer to a position in logical pixels, and an active stroke with it.
    fn point(&mut self, at: Vec2) {
        let [x, y] = self.fit.to_page(f64::from(at.x), f64::from(at.y));
        self.pointer = Some(DVec2::new(x, y));
        if let Some((stroke, begun)) = &mut self.stroke {
            self.session.move_to(x, y);
            stroke.points.push([begun.elapsed().as_secs_f64(), x, y]);
        }
    }

    /// Returns the face: the eyes follow the pointer, the mouth shows the tool in use.
    fn face(&self) -> Face {
        let eyes = Vec2::from(self.session.doll().settings.figure.eyes());
        let gaze = self.pointer.map_or(Vec2::ZERO, |at| {
            let direction = (at.as_vec2() - eyes) / GAZE_DISTANCE;
            direction / direction.length().max(1.0)
        });
        let gaze = ((gaze * GAZE_STEPS).round() / GAZE_STEPS).to_array();
        let mouth = match (&self.stroke, self.brush.tool) {
            (Some(_), DollTool::Cut) => Mouth::Oh,
            (Some(_), _) => Mouth::Happy,
            (None, _) => Mouth::Smile,
        };
        Face { gaze, mouth }
    }

    /// Begins a stroke at a position in logical pixels.
    fn begin_stroke(&mut self, at: Vec2) {
        let brush = self.brush;
        self.session.begin(brush);
        let stroke = DollStroke {
            tool: brush.tool,
            radius: brush.radius as f32,
            strength: brush.strength as f32,
            color: brush.tool.has_color().then_some(brush.color),
            clip: (brush.tool == DollTool::Clip).then_some(brush.clip),
            points: Vec::new(),
        };
        self.stroke = Some((stroke, Instant::now()));
        self.point(at);
    }

    /// Ends the stroke.
    fn end_stroke(&mut self) {
        self.panel_dragged = false;
        let Some((stroke, _)) = self.stroke.take() else {
            return;
        };
        let changed = self.session.end();
        let (name, clips) = (self.brush.tool.name(), self.session.doll().clips.len());
        let outcome = ["touched nothing", "changed hair"][usize::from(changed)];
        tracing::info!("stroke: {name}, {outcome}, {clips} clips");
        if let (true, Some(recording)) = (changed, &mut self.recording) {
            recording.add(stroke, self.session.history().state());
        }
    }

    /// Performs an action.
    fn perform(&mut self, host: &mut WindowHost, action: Action) {
        host.dirty = true;
        match action {
            Action::Undo => self.step_history(false),
            Action::Redo => self.step_history(true),
            Action::Reset => {
                self.end_stroke();
                if self.session.reset() {
                    if let Some(recording) = &mut self.recording {
                        recording.add(whole_reset(), self.session.history().state());
                    }
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
            Action::Open => {
                let dialog = FileDialog {
                    title: "Open a doll",
                    kinds: vec![("Dolls", vec!["doll", "json"])],
                };
                host.ask_for_file(dialog, true);
            }
            Action::Load(path) => self.load(&path),
            // An unsaved doll whose saving fails is not replaced.
            Action::Replace { save: true, .. } if !self.save(None) => {}
            Action::Replace {
                what: Replacement::File(path),
                ..
            } => _ = self.open(&path),
            Action::Save => _ = self.save(None),
            Action::SaveAs(path) => _ = self.save(path),
            Action::SaveAndQuit => self.leaves = self.save(None).then_some(Leave::Quit),
            Action::Close => self.ask_to_quit(),
            Action::Quit => {
                self.overlay.asks_to_quit = false;
                self.leaves = Some(Leave::Quit);
            }
            Action::Doll => self.leaves = Some(Leave::ToHead),
            Action::Screenshot { .. } => self.takes_picture = true,
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::ToggleStrokes => self.toggle_recording(),
            Action::Escape => {
                if self.stroke.take().is_some() {
                    self.session.cancel();
                } else if !self.overlay.close_topmost() {
                    match self.has_head {
                        true => self.leaves = Some(Leave::ToHead),
                        false => self.ask_to_quit(),
                    }
                }
            }
            Action::Recover { open } => self.recover(open),
            // The other actions are those of the head.
            _ => {}
        }
    }

    /// Undoes the last change, or redoes it with `forward`.
    fn step_history(&mut self, forward: bool) {
        (self.stroke, self.panel_dragged) = (None, false);
        let before = self.session.history().state();
        let (name, done) = match forward {
            true => (self.session.redo(), "redo"),
            false => (self.session.undo(), "undo"),
        };
        let Some(name) = name else { return };
        match (&mut self.recording, forward) {
            (Some(recording), true) => recording.redo(self.session.history().state()),
            (Some(recording), false) => recording.undo(before),
            (None, _) => {}
        }
        self.overlay.notice(format!("{done}: {name}"));
    }

    /// Closes the window. Asks first if that would lose changes.
    pub(crate) fn ask_to_quit(&mut self) {
        if !platform::CAN_QUIT {
            return;
        }
        match self.is_unsaved() {
            true => self.overlay.asks_to_quit = true,
            false => self.leaves = Some(Leave::Quit),
        }
    }

    /// Starts to record strokes, or saves those that were recorded.
    fn toggle_recording(&mut self) {
        let (recording, overlay) = (&mut self.recording, &mut self.overlay);
        StrokeRecording::toggle(recording, overlay, "mohawk doll", stroke_file);
    }

    /// Saves the strokes that are being recorded.
    pub(crate) fn end_recording(&mut self) {
        if self.recording.is_some() {
            self.toggle_recording();
        }
    }

    /// Opens a doll. Asks first if that would lose changes.
    fn load(&mut self, path: &Path) {
        self.end_stroke();
        match self.is_unsaved() {
            true => self.overlay.replaces = Some(Replacement::File(path.to_owned())),
            false => _ = self.open(path),
        }
    }

    /// Replaces the doll by one in a file. Returns whether that worked.
    fn open(&mut self, path: &Path) -> bool {
        let doll = match Doll::open(path) {
            Ok(doll) => doll,
            Err(error) => {
                self.overlay.error(error.to_string());
                return false;
            }
        };
        self.overlay.messages.clear();
        self.end_recording();
        self.session = DollSession::new(doll);
        let state = self.session.history().state();
        self.document.set_file(Some(path), Some(state));
        self.document.clear_autosave();
        tracing::info!("opened {}", path.display());
        true
    }

    /// Saves the doll under a name; without one in its file, or in a new one. Returns whether that
    /// worked.
    fn save(&mut self, named: Option<PathBuf>) -> bool {
        let path = named.or_else(|| self.document.path.clone());
        let path = path.unwrap_or_else(|| free_name("mohawk", "doll"));
        // An active stroke is part of what is saved.
        self.end_stroke();
        if let Err(error) = self.session.doll().save(&path) {
            self.overlay.error(error.to_string());
            return false;
        }
        let state = self.session.history().state();
        self.document.set_file(Some(&path), Some(state));
        self.document.clear_autosave();
        self.overlay
            .notice(format!("Saved the doll as {}", shown(&path)));
        self.overlay.asks_to_quit = false;
        true
    }

    /// Autosaves the doll when that is due, and deletes the autosave of a state that was left for the
    /// saved one. `leaves`: the program ends, and the last changes are due at once.
    pub(crate) fn autosave(&mut self, leaves: bool) {
        self.document.report_autosave(&mut self.overlay);
        let due = self.autosave_due();
        if due.is_none_or(|due| !leaves && due > Instant::now()) {
            return;
        }
        if !self.is_unsaved() {
            return self.document.clear_autosave();
        }
        let state = self.session.history().state();
        self.document.autosave(state, self.session.doll().clone());
    }

    /// Returns when the autosave is due.
    pub(crate) fn autosave_due(&self) -> Option<Instant> {
        let state = self.session.history().state();
        let unsaved = self.is_unsaved().then_some(state);
        let is_brushing = self.session.is_brushing();
        (!is_brushing).then(|| self.document.autosave_due(unsaved))?
    }

    /// Opens the offered doll, or deletes it.
    fn recover(&mut self, open: bool) {
        let Some(left) = self.overlay.left.take() else {
            return;
        };
        if !open {
            return left.discard();
        }
        if self.open(&left.file) {
            self.document.set_file(left.source.as_deref(), None);
            let (state, doll) = (self.session.history().state(), self.session.doll());
            self.document.recovered(left, state, doll.clone());
            self.overlay.notice("Opened the unsaved doll");
        }
    }
}
