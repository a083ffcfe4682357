//! Undo and redo.

use super::state::Styler;
use crate::roots::SampleError;
use crate::style::change::{Change, History};
use crate::style::contents::Style;
use crate::style::progress::Progress;

/// [`History::undo`] or [`History::redo`].
type Step = fn(&mut History, &mut Style) -> Option<String>;

/// [`History::last_done`] or [`History::last_undone`].
type Next = fn(&History) -> Option<&[Change]>;

impl Styler {
    /// Undoes the last change, and returns its name; `None` if there is none. A stroke in progress
    /// is cancelled. An override of settings may end ([`override_config`](Self::override_config)).
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config), if the roots change; nothing has changed then.
    pub fn undo(&mut self, progress: Progress) -> Result<Option<String>, SampleError> {
        self.step_history(progress, History::last_done, (History::undo, History::redo))
    }

    /// Redoes the change that was undone last, and returns its name; `None` if there is none. A
    /// stroke in progress is cancelled.
    ///
    /// # Errors
    ///
    /// As [`undo`](Self::undo).
    pub fn redo(&mut self, progress: Progress) -> Result<Option<String>, SampleError> {
        let (redo, undo): (Step, Step) = (History::redo, History::undo);
        self.step_history(progress, History::last_undone, (redo, undo))
    }

    fn step_history(
        &mut self,
        progress: Progress,
        next: Next,
        (step, back): (Step, Step),
    ) -> Result<Option<String>, SampleError> {
        self.cancel();
        let was_open = self.history.is_open();
        let shown = self.style.config.clone();
        self.swap_override();
        let old = self.style.config.roots.clone();
        let changes = next(&self.history).unwrap_or_default();
        let regrows = changes.iter().any(|change| change.regrows(&self.style));
        let is_settings = changes.iter().any(|c| matches!(c, Change::Config(_)));
        let Some(name) = step(&mut self.history, &mut self.style) else {
            self.swap_override();
            return Ok(None);
        };
        let follicles = match self.follicles_for(&old, &self.style.config.roots, progress) {
            Ok(follicles) => follicles,
            Err(error) => {
                back(&mut self.history, &mut self.style);
                self.history.reopen(was_open);
                self.swap_override();
                return Err(error);
            }
        };
        match is_settings || self.overrides_roots() {
            true => self.active_override = None,
            false => self.swap_override(),
        }
        self.previous_follicles = None;
        let has_other_follicles = follicles.is_some();
        if let Some(follicles) = follicles {
            self.follicles = follicles;
        }
        match regrows || has_other_follicles {
            true => self.grow(),
            false => self.grow_if_changed(&shown),
        }
        Ok(Some(name))
    }
}
