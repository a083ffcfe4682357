//! The file of a document (a style or a doll), its autosave, and the recovery after a crash.

use super::output::shown;
use crate::viewer::background::autosave_worker::AutosaveWorker;
use crate::viewer::input::action::Recovery;
use crate::viewer::interface::overlay::Overlay;
use mohawk::autosave::{LeftBehind, Unsaved};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A number that no state of a document's history has.
const NO_STATE: u64 = u64::MAX;

/// The file of a document, and its saved state.
///
/// Documents number the states of their history. A document is saved if its state is the one that
/// was saved last.
pub(crate) struct DocumentFile<T> {
    /// The file that the document was opened from, or saved to last.
    pub(crate) path: Option<PathBuf>,
    /// The file name in the panel.
    pub(crate) name: String,
    saved: u64,
    autosave: AutosaveWorker<T>,
    /// Unsaved documents of sessions that crashed, the newest first.
    left: Vec<LeftBehind>,
}

impl<T> DocumentFile<T>
where
    T: Unsaved<Error: Display> + Send + 'static,
{
    /// A document without a file, whose present `state` is saved. `autosaves`: unsaved changes
    /// shall survive a crash.
    pub(crate) fn new(state: u64, autosaves: bool) -> Self {
        Self {
            path: None,
            name: String::new(),
            saved: state,
            autosave: AutosaveWorker::new(autosaves),
            left: Vec::new(),
        }
    }

    /// Whether a state of the document is saved.
    pub(crate) fn is_saved(&self, state: u64) -> bool {
        state == self.saved
    }

    /// The document is another one, or has been saved: `path` holds this state.
    pub(crate) fn set_saved(&mut self, path: Option<&Path>, state: u64) {
        self.set_path(path);
        self.saved = state;
    }

    /// The document is another one, and not saved.
    pub(crate) fn set_unsaved(&mut self, path: Option<&Path>) {
        self.set_saved(path, NO_STATE);
    }

    /// Sets the file, and its name in the panel.
    fn set_path(&mut self, path: Option<&Path>) {
        let name = path.map(|path| path.display().to_string());
        self.name = name.unwrap_or_default();
        self.path = path.map(Path::to_owned);
    }

    /// Returns the path that is typed in the panel, with an extension; `None` if it is empty.
    pub(crate) fn typed_path(&self, extension: &str) -> Option<PathBuf> {
        let name = self.name.trim();
        let mut path = (!name.is_empty()).then(|| PathBuf::from(name))?;
        if path.extension().is_none() && !path.is_dir() {
            path.set_extension(extension);
        }
        Some(path)
    }

    /// Returns when an unsaved state is to be autosaved; `None`: it is, or cannot be.
    pub(crate) fn autosave_due(&self, state: u64) -> Option<Instant> {
        self.autosave.due(state)
    }

    /// Autosaves a state.
    pub(crate) fn autosave(&mut self, state: u64, document: T) {
        self.autosave.save(state, document, self.path.clone());
    }

    /// Returns why the last autosave failed.
    pub(crate) fn autosave_problem(&self) -> Option<String> {
        self.autosave.problem()
    }

    /// Deletes the autosave: nothing is unsaved.
    pub(crate) fn clear_autosave(&mut self) {
        self.autosave.clear();
    }

    /// Offers the newest unsaved document of a session that crashed.
    pub(crate) fn offer_left(&mut self, overlay: &mut Overlay) {
        self.left = AutosaveWorker::<T>::left_behind();
        overlay.left = self.left.first().map(|left| {
            let name = left.of.as_deref().map(shown);
            (name, left.saved.elapsed().unwrap_or_default())
        });
    }

    /// Takes the answer to the offer. Returns the document to open.
    pub(crate) fn answer(&mut self, answer: Recovery, overlay: &mut Overlay) -> Option<LeftBehind> {
        overlay.left = None;
        let left = (!self.left.is_empty()).then(|| self.left.remove(0))?;
        match answer {
            Recovery::Later => None,
            Recovery::Delete => {
                left.discard();
                None
            }
            Recovery::Open => Some(left),
        }
    }

    /// A recovered document is open, and [`set_unsaved`](Self::set_unsaved): deletes the file that
    /// it came from, once this session has autosaved it.
    pub(crate) fn recovered(&mut self, left: LeftBehind, state: u64, document: T) {
        self.autosave(state, document);
        if self.autosave.flush() {
            left.discard();
        }
    }
}

/// Reports that a document could not be autosaved.
pub(crate) fn report_autosave(overlay: &mut Overlay, thing: &str, problem: Option<String>) {
    if let Some(problem) = problem {
        overlay.notice(format!("The autosave of the {thing} failed: {problem}"));
    }
}
