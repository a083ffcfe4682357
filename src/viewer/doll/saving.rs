//! Dolls, pictures and strokes in files, and the recovery of unsaved dolls.

use super::app::DollApp;
use crate::viewer::files::output::{free_name, save_new_picture, shown};
use crate::viewer::files::stroke_recording::StrokeRecording;
use crate::viewer::input::action::Recovery;
use crate::viewer::window_host::WindowHost;
use mohawk::doll::{Doll, DollSession, DollStrokes, PAGE};
use mohawk::render::page_picture;
use mohawk::strokes::VERSION;
use std::path::Path;
use std::time::Instant;

/// Size of saved pictures, pixels: twice that of the page.
const PICTURE_SIZE: [u32; 2] = [2 * PAGE[0], 2 * PAGE[1]];

impl DollApp {
    /// Opens a doll. Asks first if that would lose changes.
    pub(super) fn load(&mut self, path: &Path) {
        self.end_stroke();
        match self.is_unsaved() {
            true => self.overlay.asks_to_replace(path),
            false => _ = self.open(path),
        }
    }

    /// Replaces the doll by one in a file. Returns whether that worked.
    pub(super) fn open(&mut self, path: &Path) -> bool {
        match Doll::open(path) {
            Ok(doll) => self.session = DollSession::new(doll),
            Err(error) => {
                self.overlay.error(error.to_string());
                return false;
            }
        }
        let state = self.session.history().state();
        self.document.set_saved(Some(path), state);
        self.document.clear_autosave();
        self.recording = None;
        self.overlay.clear_messages();
        tracing::info!("opened {}", path.display());
        true
    }

    /// Saves the doll in its file, or in a new one. Returns whether that worked.
    pub(super) fn save(&mut self) -> bool {
        let path = self.document.path.clone();
        self.save_to(&path.unwrap_or_else(|| free_name("doll")))
    }

    /// Saves the doll under the typed name. Returns whether that worked.
    pub(super) fn save_as(&mut self) -> bool {
        match self.document.typed_path() {
            Some(path) => self.save_to(&path),
            None => self.save(),
        }
    }

    fn save_to(&mut self, path: &Path) -> bool {
        // An active stroke is part of what is saved.
        self.end_stroke();
        if let Err(error) = self.session.doll().save(path) {
            self.overlay.error(error.to_string());
            return false;
        }
        let state = self.session.history().state();
        self.document.set_saved(Some(path), state);
        self.document.clear_autosave();
        self.overlay.notice(format!("Saved {}", shown(path)));
        self.overlay.asks_to_quit = false;
        true
    }

    /// Autosaves the doll when that is due.
    pub(crate) fn autosave(&mut self) {
        self.document.report_autosave(&mut self.overlay);
        if self.autosave_due().is_some_and(|due| due <= Instant::now()) {
            let state = self.session.history().state();
            self.document.autosave(state, self.session.doll().clone());
        }
    }

    /// Returns when the autosave is due.
    pub(crate) fn autosave_due(&self) -> Option<Instant> {
        let wanted = self.is_unsaved() && !self.session.is_brushing();
        let state = self.session.history().state();
        wanted.then(|| self.document.autosave_due(state)).flatten()
    }

    /// Opens, deletes or postpones the offered doll.
    pub(super) fn recover(&mut self, answer: Recovery) {
        if let Some(left) = self.document.answer(answer, &mut self.overlay)
            && self.open(&left.file)
        {
            self.document.set_unsaved(left.source.as_deref());
            let (state, doll) = (self.session.history().state(), self.session.doll());
            self.document.recovered(left, state, doll.clone());
            self.overlay.notice("Opened the unsaved doll");
        }
    }

    /// Saves a picture of the page.
    pub(super) fn save_picture(&mut self, host: &WindowHost) {
        let picture = page_picture(&host.gl, self.session.doll(), PICTURE_SIZE);
        save_new_picture(picture, &mut self.overlay);
    }

    /// Starts recording strokes, or saves the recorded ones.
    pub(super) fn toggle_strokes(&mut self) {
        let file_of = |strokes| DollStrokes {
            version: VERSION,
            size: PAGE,
            strokes,
            undo: 0,
        };
        let (recording, overlay) = (&mut self.recording, &mut self.overlay);
        StrokeRecording::toggle(recording, overlay, "mohawk doll", file_of);
    }
}
