//! The doll in hand, and what each request does to it.

use super::saving::WORDS;
use crate::numbers::grouped;
use crate::viewer::ViewerError;
use crate::viewer::action::Action;
use crate::viewer::desk::Desk;
use crate::viewer::keeper::Keeper;
use crate::viewer::overlay::{MessageKind, Overlay};
use crate::viewer::recording::Recording;
use glam::{DVec2, Vec2};
use mohawk::autosave::LeftBehind;
use mohawk::doll::{
    Doll, DollBrush, DollSession, DollSettings, DollStroke, DollTool, Face, Mouth, PageFit,
};
use mohawk::render::Paper;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Radii that the panel offers, pixels of the page.
pub(super) const RADII: RangeInclusive<f64> = 5.0..=150.0;
/// How far the eyes follow: at this distance they look as far aside as they can, pixels of the page.
const LOOKS_FAR: f32 = 150.0;
/// Eyes move in so many steps to each side, and are drawn anew at each.
const LOOK_STEPS: f32 = 6.0;

/// What is asked for beside what the doll's own window does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// Back to the head.
    ToHead,
    /// The window is to be closed.
    Quit,
}

/// The doll's window.
pub(crate) struct DollApp {
    pub(super) session: DollSession,
    pub(super) brush: DollBrush,
    pub(super) paper: Paper,
    pub(super) overlay: Overlay,
    pub(super) panel_shown: bool,
    /// There is a head to go back to.
    pub(super) has_head: bool,
    /// Where it was opened from or saved to, and the state of its history that is there.
    pub(super) file: Option<PathBuf>,
    pub(super) saved: u64,
    pub(super) name: String,
    pub(super) keeper: Keeper<Doll>,
    /// Dolls of sessions that broke off, the newest first.
    pub(super) left: Vec<LeftBehind>,
    /// Someone types a path.
    pub(super) path: String,
    pub(super) recording: Option<Recording<DollStroke>>,
    /// The stroke under way, to be recorded.
    pub(super) stroke: Option<DollStroke>,
    begun: Instant,
    /// Where the pointer is on the page; `None`: not over it.
    pub(super) pointer: Option<DVec2>,
    pub(super) drags: Drags,
    /// How the page lies in the window, logical pixels.
    pub(super) fit: PageFit,
    pub(super) face: Face,
    /// The hair on the GPU is not that of the doll.
    pub(super) stale: bool,
    /// A picture is to be taken of the next frame.
    pub(super) takes_picture: bool,
    pub(crate) leaves: Option<Leave>,
}

/// Who owns a drag, decided when the button goes down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Drags {
    #[default]
    Nothing,
    /// The tool.
    Brush,
    /// The interface.
    Panel,
}

impl DollApp {
    pub(crate) fn new(
        desk: &Desk,
        session: DollSession,
        file: Option<PathBuf>,
        has_head: bool,
    ) -> Result<Self, ViewerError> {
        let opened = file.as_deref().map(|file| file.display().to_string());
        let mut app = Self {
            keeper: Keeper::new(true),
            left: Vec::new(),
            paper: Paper::new(&desk.gl)?,
            brush: DollBrush::default(),
            overlay: Overlay::with(WORDS),
            panel_shown: true,
            has_head,
            saved: session.history().state(),
            session,
            name: opened.unwrap_or_default(),
            file,
            path: String::new(),
            recording: None,
            stroke: None,
            begun: Instant::now(),
            pointer: None,
            drags: Drags::Nothing,
            fit: PageFit::of(mohawk::doll::PAGE),
            face: Face::default(),
            stale: true,
            takes_picture: false,
            leaves: None,
        };
        let doll = app.session.doll();
        tracing::info!("doll: {} hairs", doll.hairs.len());
        app.offer_left();
        Ok(app)
    }

    /// What the window is called.
    pub(super) fn title(&self) -> String {
        let doll = self.session.doll();
        let file = self.file.as_deref().and_then(Path::file_name);
        let name = match file {
            Some(file) => file.to_string_lossy().into_owned(),
            None => doll.settings.figure.name().to_owned(),
        };
        format!("mohawk – {name} – {} hairs", grouped(doll.hairs.len()))
    }

    /// When the picture changes next although nobody does anything.
    pub(crate) fn next_change(&self) -> Option<Instant> {
        let keeps = self.keep_due().into_iter();
        keeps.chain(self.overlay.next_change()).min()
    }

    /// Is there something that closing the window would lose?
    pub(crate) fn is_unsaved(&self) -> bool {
        self.session.history().state() != self.saved
    }

    /// The pointer is here, logical pixels; what is in hand works.
    pub(super) fn point(&mut self, at: Vec2) {
        let [x, y] = self.fit.to_page(f64::from(at.x), f64::from(at.y));
        self.pointer = Some(DVec2::new(x, y));
        if self.drags == Drags::Brush {
            self.session.move_to(x, y);
            if let Some(stroke) = &mut self.stroke {
                let time = self.begun.elapsed().as_secs_f64();
                stroke.points.push([time, x, y]);
            }
            self.stale = true;
        }
        self.look();
    }

    /// Eyes follow the pointer, and the mouth what is done.
    pub(super) fn look(&mut self) {
        let eyes = Vec2::from(self.session.doll().settings.figure.eyes());
        let gaze = self.pointer.map_or(Vec2::ZERO, |at| {
            let way = (at.as_vec2() - eyes) / LOOKS_FAR;
            way / way.length().max(1.0)
        });
        self.face = Face {
            gaze: (gaze * LOOK_STEPS)
                .round()
                .to_array()
                .map(|x| x / LOOK_STEPS),
            mouth: match (self.drags, self.brush.tool) {
                (Drags::Brush, DollTool::Cut) => Mouth::Oh,
                (Drags::Brush, _) => Mouth::Happy,
                _ => Mouth::Smile,
            },
        };
    }

    /// The button goes down on the page.
    pub(super) fn begin_stroke(&mut self, at: Vec2) {
        self.drags = Drags::Brush;
        self.begun = Instant::now();
        self.session.begin(self.brush);
        self.stroke = Some(DollStroke {
            tool: self.brush.tool,
            radius: self.brush.radius as f32,
            strength: self.brush.strength as f32,
            color: matches!(self.brush.tool, DollTool::Color | DollTool::Clip)
                .then_some(self.brush.color),
            clip: (self.brush.tool == DollTool::Clip).then_some(self.brush.clip),
            points: Vec::new(),
        });
        self.point(at);
    }

    /// It goes up.
    pub(super) fn end_stroke(&mut self) {
        if std::mem::take(&mut self.drags) != Drags::Brush {
            return;
        }
        let stroke = self.stroke.take();
        let changed = self.session.end();
        let (name, clips) = (self.brush.tool.name(), self.session.doll().clips.len());
        let outcome = if changed {
            "changed hair"
        } else {
            "touched nothing"
        };
        tracing::info!("stroke: {name}, {outcome}, {clips} clips");
        if let (true, Some(recording), Some(stroke)) = (changed, &mut self.recording, stroke) {
            recording.add(stroke, self.session.history().state());
        }
        self.stale = true;
        self.look();
    }

    pub(super) fn cancel_stroke(&mut self) {
        self.drags = Drags::Nothing;
        self.stroke = None;
        self.session.cancel();
        self.stale = true;
        self.look();
    }

    /// Other settings; `merge`: a slider is being dragged.
    pub(super) fn set(&mut self, settings: DollSettings, merge: bool) {
        // The panel hears of a frame's clicks before the page hears of its strokes.
        self.end_stroke();
        match self.session.set_settings(settings, merge) {
            Ok(()) => self.stale = true,
            Err(error) => self.overlay.say(MessageKind::Error, error.to_string()),
        }
        self.look();
    }

    /// Another doll in place of this one.
    pub(super) fn take(&mut self, doll: Doll, path: &Path) {
        self.session = DollSession::new(doll);
        self.saved = self.session.history().state();
        self.name = path.display().to_string();
        self.file = Some(path.to_owned());
        self.keeper.clear();
        self.recording = None;
        self.stale = true;
        self.overlay.clear_messages();
        self.look();
        tracing::info!("opened {}", path.display());
    }

    /// Does what was asked for.
    pub(super) fn perform(&mut self, desk: &mut Desk, action: Action) {
        desk.dirty = true;
        match action {
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Reset => self.reset(),
            Action::ResizeBrush(factor) => {
                let radius = self.brush.radius * f64::from(factor);
                self.brush.radius = radius.clamp(*RADII.start(), *RADII.end());
            }
            Action::Open => desk.ask_for_file(crate::viewer::dialog::Asked::Doll),
            Action::Load(path) => self.load(&path),
            Action::Replace { path, save } => self.replace(&path, save),
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
            // What only heads know.
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.end_stroke();
        if self.session.reset() {
            self.stale = true;
            let text = "All hair as it grew; Ctrl+Z takes that back";
            self.overlay.say(MessageKind::Notice, text);
        }
    }

    /// Opens another doll in place of an unsaved one, which is saved first if so asked.
    fn replace(&mut self, path: &Path, save: bool) {
        if !save || self.save() {
            self.open(path);
        }
    }

    fn undo(&mut self) {
        let state = self.session.history().state();
        self.drags = Drags::Nothing;
        if let Some(name) = self.session.undo() {
            if let Some(recording) = &mut self.recording {
                recording.undo(state);
            }
            self.overlay
                .say(MessageKind::Notice, format!("Undone: {name}"));
        }
        self.stale = true;
        self.look();
    }

    fn redo(&mut self) {
        self.drags = Drags::Nothing;
        if let Some(name) = self.session.redo() {
            if let Some(recording) = &mut self.recording {
                recording.redo(self.session.history().state());
            }
            self.overlay
                .say(MessageKind::Notice, format!("Done again: {name}"));
        }
        self.stale = true;
        self.look();
    }

    /// Cancels the stroke, closes what is open, or leaves.
    fn escape(&mut self) {
        if self.drags == Drags::Brush {
            self.cancel_stroke();
        } else if !self.overlay.close_topmost() {
            match self.has_head {
                true => self.leaves = Some(Leave::ToHead),
                false => self.ask_to_quit(),
            }
        }
    }

    /// Is the question open whether the window is to be closed?
    pub(crate) fn asks_to_quit(&self) -> bool {
        self.overlay.asks_to_quit
    }

    /// Closes the window, or asks first if that would lose something.
    pub(crate) fn ask_to_quit(&mut self) {
        match self.is_unsaved() {
            true => self.overlay.asks_to_quit = true,
            false => self.leaves = Some(Leave::Quit),
        }
    }
}
