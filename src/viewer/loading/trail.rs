//! Styles on other models, which undo and redo lead back to.
//!
//! A preset on another model begins another session. The one before it is kept whole, with its
//! history: undo reaches it after the first change of the new one, and redo leads on from its last.

use crate::viewer::background::LoadedHead;
use crate::viewer::files::FileState;
use crate::viewer::presets::Session;
use mohawk::Config;
use mohawk::head::Model;

/// The number of sessions that are kept before the one that is shown, and after it. Each has a head,
/// its hair and a history.
const MAX: usize = 4;

/// The sessions before and after the one that is shown; the nearest are last.
#[derive(Default)]
pub(crate) struct Trail {
    before: Vec<Left>,
    after: Vec<Left>,
}

/// A session that is not shown.
pub(crate) struct Left {
    pub(crate) loaded: LoadedHead,
    /// The settings as last saved.
    pub(crate) saved_settings: Config,
    /// The file, and the state that is in it.
    pub(crate) file: FileState,
    pub(crate) presets: Session,
    /// The state of the session before it from which redo leads to it.
    pub(crate) from: u64,
}

impl Trail {
    /// Keeps a session whose place another one takes. What redo led to is gone.
    pub(crate) fn begin_after(&mut self, left: Option<Left>) {
        self.after.clear();
        self.before.extend(left);
        if self.before.len() > MAX {
            self.before.remove(0);
        }
    }

    /// Takes the session that undo leads to, or redo (`forward`), from a state of the one that is
    /// shown.
    pub(crate) fn take(&mut self, forward: bool, state: u64) -> Option<Left> {
        match forward {
            true => self.after.pop_if(|left| left.from == state),
            false => self.before.pop(),
        }
    }

    /// Keeps the session in place of which [`take`](Self::take) has given another one.
    pub(crate) fn leave(&mut self, forward: bool, left: Option<Left>) {
        match forward {
            true => self.before.extend(left),
            false => self.after.extend(left),
        }
    }

    /// Returns a head of this model that is kept.
    pub(crate) fn on(&self, model: &Model) -> Option<&LoadedHead> {
        let all = self.before.iter().chain(&self.after);
        let mut all = all.map(|left| &left.loaded);
        all.find(|loaded| loaded.model.is_same(model))
    }

    /// Returns how many sessions undo and redo lead to, from the last state of the one that is shown.
    pub(crate) fn counts(&self, state: u64) -> [usize; 2] {
        let is_next = self.after.last().is_some_and(|left| left.from == state);
        [
            self.before.len(),
            if is_next { self.after.len() } else { 0 },
        ]
    }
}
