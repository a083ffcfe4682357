//! The files that the window writes. Here: the file of a document (a style or a doll), its
//! autosave, and the recovery after a crash. `output` writes pictures and strokes, and
//! `tip_recording` the path of a strand's tip.

pub(crate) mod output;
pub(crate) mod tip_recording;

use crate::viewer::interface::Overlay;
use mohawk::autosave::{Autosave, Recoverable, Unsaved};
use output::shown;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A number that no state of a document's history has.
const NO_STATE: u64 = u64::MAX;
/// The shortest time between two autosaves.
const INTERVAL: Duration = Duration::from_secs(3);

/// The file of a document, and its saved state.
///
/// Documents number the states of their history. A document is saved if its state is the one that
/// was saved last.
pub(crate) struct DocumentFile {
    /// The file that the document was opened from, or saved to last.
    pub(crate) path: Option<PathBuf>,
    /// The file name in the panel.
    pub(crate) name: String,
    saved: u64,
    /// The extension of files of its type.
    extension: &'static str,
    /// The folder of the autosaves of its type.
    folder: Option<PathBuf>,
    /// `None`: there is no autosave.
    autosave: Option<Arc<Autosave>>,
    /// The thread that writes the last autosave.
    writing: Option<JoinHandle<Result<(), String>>>,
    /// The state that was autosaved last, and when.
    autosaved: Option<(u64, Instant)>,
}

impl DocumentFile {
    /// Returns a document without a file, whose present `state` is saved. With `autosaves`, unsaved
    /// changes survive a crash if the system has a place for them.
    pub(crate) fn new<T: Unsaved>(state: u64, autosaves: bool) -> Self {
        let folder = Autosave::folder::<T>();
        let begun = folder.as_deref().filter(|_| autosaves);
        let begun = begun.map(Autosave::begin::<T>);
        let autosave = begun.transpose().unwrap_or_else(|error| {
            tracing::warn!("there is no autosave: {error}");
            None
        });
        Self {
            path: None,
            name: String::new(),
            saved: state,
            extension: T::EXTENSION,
            folder,
            autosave: autosave.map(Arc::new),
            writing: None,
            autosaved: None,
        }
    }

    /// Returns `true` if a state of the document is saved.
    pub(crate) fn is_saved(&self, state: u64) -> bool {
        state == self.saved
    }

    /// Notes that the document is another one, or has been saved: `path` holds this state.
    pub(crate) fn set_saved(&mut self, path: Option<&Path>, state: u64) {
        let name = path.map(|path| path.display().to_string());
        self.name = name.unwrap_or_default();
        self.path = path.map(Path::to_owned);
        self.saved = state;
    }

    /// Notes that the document is another one, and not saved.
    pub(crate) fn set_unsaved(&mut self, path: Option<&Path>) {
        self.set_saved(path, NO_STATE);
    }

    /// Returns the path that is typed in the panel, with an extension; `None` if it is empty.
    pub(crate) fn typed_path(&self) -> Option<PathBuf> {
        let name = self.name.trim();
        let mut path = (!name.is_empty()).then(|| PathBuf::from(name))?;
        if path.extension().is_none() && !path.is_dir() {
            path.set_extension(self.extension);
        }
        Some(path)
    }

    /// Returns when an unsaved state is to be autosaved; `None`: it is, or cannot be.
    pub(crate) fn autosave_due(&self, state: u64) -> Option<Instant> {
        self.autosave.as_ref()?;
        let now = Instant::now();
        match self.autosaved {
            None => Some(now),
            Some((last, _)) if last == state => None,
            // The disk is slow.
            Some(_) if self.writing.as_ref().is_some_and(|w| !w.is_finished()) => {
                Some(now + INTERVAL)
            }
            Some((_, at)) => Some(at + INTERVAL),
        }
    }

    /// Autosaves a state on a thread.
    pub(crate) fn autosave(&mut self, state: u64, document: impl Unsaved + Send + 'static) {
        let Some(autosave) = self.autosave.clone() else {
            return;
        };
        self.finish_writing();
        let path = self.path.clone();
        self.autosaved = Some((state, Instant::now()));
        self.writing = Some(thread::spawn(move || {
            let written = autosave.save(&document, path.as_deref());
            written.map_err(|error| error.to_string())?;
            tracing::debug!("autosaved");
            Ok(())
        }));
    }

    /// Reports why the last autosave failed, once.
    pub(crate) fn report_autosave(&mut self, overlay: &mut Overlay) {
        let finished = self.writing.take_if(|writing| writing.is_finished());
        if let Some(Ok(Err(problem))) = finished.map(JoinHandle::join) {
            overlay.notice(format!("The autosave failed: {problem}"));
        }
    }

    /// Deletes the autosave: nothing is unsaved.
    pub(crate) fn clear_autosave(&mut self) {
        self.finish_writing();
        if let (Some(_), Some(autosave)) = (self.autosaved.take(), &self.autosave) {
            autosave.clear();
        }
    }

    /// Offers the newest unsaved document of the sessions that crashed.
    pub(crate) fn offer_recovery(&self, overlay: &mut Overlay) {
        let folder = self.folder.as_deref();
        let all = folder.map(|folder| Recoverable::all(folder, self.extension));
        let newest = all.into_iter().flatten().next();
        overlay.left = newest.map(|left| (left.source.as_deref().map(shown), left));
    }

    /// Deletes the file of a recovered document, which is open and
    /// [unsaved](Self::set_unsaved), once this session has autosaved it.
    pub(crate) fn recovered(
        &mut self,
        from: Recoverable,
        state: u64,
        document: impl Unsaved + Send + 'static,
    ) {
        self.autosave(state, document);
        if let Some(Ok(())) = self.finish_writing() {
            from.discard();
        }
    }

    /// Waits for the last autosave, and returns its result.
    fn finish_writing(&mut self) -> Option<Result<(), String>> {
        self.writing.take()?.join().ok()
    }
}

/// Waits for the last autosave, which is deleted then.
impl Drop for DocumentFile {
    fn drop(&mut self) {
        self.finish_writing();
    }
}
