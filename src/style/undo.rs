//! Undo and redo.

use super::Style;
use super::history::{Change, History};
use super::styler::Styler;
use crate::roots::SampleError;
use std::ops::ControlFlow;

/// [`History::undo`] or [`History::redo`].
type Go = fn(&mut History, &mut Style) -> Option<String>;

/// [`History::last_done`] or [`History::last_undone`].
type Next = fn(&History) -> Option<&[Change]>;

impl Styler {
    /// Takes back what was done last, and says what it was. `None`: there was nothing. A stroke
    /// that has not ended is cancelled; settings that were lent may not be lent any more
    /// ([`lend`](Self::lend)).
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config), where roots were others; then nothing changes.
    pub fn undo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(progress, History::last_done, (History::undo, History::redo))
    }

    /// Does again what was undone last, and says what it was. `None`: there was nothing. A stroke
    /// that has not ended is cancelled.
    ///
    /// # Errors
    ///
    /// As [`undo`](Self::undo).
    pub fn redo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(
            progress,
            History::last_undone,
            (History::redo, History::undo),
        )
    }

    fn back_or_forth(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
        next: Next,
        (go, back): (Go, Go),
    ) -> Result<Option<String>, SampleError> {
        self.cancel();
        let was_open = self.history.is_open();
        let shown = self.style.config.clone();
        self.swap_loan();
        let old = self.style.config.roots.clone();
        let changes = next(&self.history).unwrap_or_default();
        let regrows = changes.iter().any(|change| change.regrows(&self.style));
        let is_settings = changes.iter().any(|c| matches!(c, Change::Config(_)));
        let Some(name) = go(&mut self.history, &mut self.style) else {
            self.swap_loan();
            return Ok(None);
        };
        let follicles = match self.follicles_for(&old, &self.style.config.roots, progress) {
            Ok(follicles) => follicles,
            Err(error) => {
                back(&mut self.history, &mut self.style);
                self.history.reopen(was_open);
                self.swap_loan();
                return Err(error);
            }
        };
        match is_settings || self.lends_roots() {
            true => self.lent = None,
            false => self.swap_loan(), // lent as before
        }
        self.before = None;
        let samples = follicles.is_some();
        if let Some(follicles) = follicles {
            self.follicles = follicles;
        }
        match regrows || samples {
            true => self.grow(),
            false => self.grow_unlike(&shown),
        }
        Ok(Some(name))
    }
}
