//! The files that the window writes: the file of a document (a style or a doll), its autosave and
//! the recovery after a crash; pictures; and recorded strokes. `tip_recording` writes the path of a
//! strand's tip.

pub(crate) mod tip_recording;

use crate::numbers::plural;
use crate::viewer::interface::Overlay;
use crate::viewer::paths::{free_name, shown};
use crate::viewer::platform::Beside;
use mohawk::autosave::{Autosave, Recoverable, Unsaved};
use mohawk::files::{is_dir, write_whole};
use mohawk::render::RenderError;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::{io, sync::Arc};
use three_d::RenderTarget;
use web_time::{Duration, Instant};

/// The shortest time between two autosaves.
const INTERVAL: Duration = Duration::from_secs(3);

/// The path of a document's file, and the state that is saved in it.
pub(crate) type FileState = (Option<PathBuf>, Option<u64>);

/// The file of a document, and its saved state.
///
/// Documents number the states of their history. A document is saved if its state is the one that
/// was saved last.
pub(crate) struct DocumentFile {
    /// The file that the document was opened from, or saved to last.
    pub(crate) path: Option<PathBuf>,
    /// The file name in the panel.
    pub(crate) name: String,
    /// The state that was saved last, if it is one of the history.
    saved: Option<u64>,
    /// The extension of files of its type.
    extension: &'static str,
    /// `None`: there is no autosave.
    autosave: Option<Arc<Autosave>>,
    /// The writing of the last autosave.
    writing: Option<Beside<Result<(), String>>>,
    /// The state that was autosaved last, and when.
    autosaved: Option<(u64, Instant)>,
}

impl DocumentFile {
    /// Returns a document without a file, whose present `state` is saved. With an overlay, unsaved
    /// changes survive a crash if the system has a place for them, and the overlay offers the
    /// newest unsaved document of the sessions that crashed.
    pub(crate) fn new<T: Unsaved>(state: u64, overlay: Option<&mut Overlay>) -> Self {
        let folder = Autosave::folder::<T>().zip(overlay);
        let begun = (folder.as_ref()).map(|(folder, _)| Autosave::begin::<T>(folder));
        let autosave = begun.transpose().unwrap_or_else(|error| {
            tracing::warn!("there is no autosave: {error}");
            None
        });
        if let Some((folder, overlay)) = folder {
            overlay.left = Recoverable::all(&folder, T::EXTENSION).into_iter().next();
        }
        Self {
            path: None,
            name: String::new(),
            saved: Some(state),
            extension: T::EXTENSION,
            autosave: autosave.map(Arc::new),
            writing: None,
            autosaved: None,
        }
    }

    /// Returns `true` if a state of the document is saved.
    pub(crate) fn is_saved(&self, state: u64) -> bool {
        self.saved == Some(state)
    }

    /// Notes that the document is another one, or has been saved: `path` holds the state `saved`;
    /// `None`: the document is not saved.
    pub(crate) fn set_file(&mut self, path: Option<&Path>, saved: Option<u64>) {
        let name = path.map(|path| path.display().to_string());
        self.name = name.unwrap_or_default();
        self.path = path.map(Path::to_owned);
        self.saved = saved;
    }

    /// Returns the file, and the state that it holds.
    pub(crate) fn file(&self) -> FileState {
        (self.path.clone(), self.saved)
    }

    /// Returns the path of a name, with an extension; `None` if it is empty.
    pub(crate) fn path_of(&self, name: &str) -> Option<PathBuf> {
        let name = name.trim();
        let mut path = (!name.is_empty()).then(|| PathBuf::from(name))?;
        if path.extension().is_none() && !is_dir(&path) {
            path.set_extension(self.extension);
        }
        Some(path)
    }

    /// Returns when the `unsaved` state is to be autosaved, or, if nothing is unsaved, when the
    /// autosave of another state is to be deleted; `None`: there is nothing to do.
    pub(crate) fn autosave_due(&self, unsaved: Option<u64>) -> Option<Instant> {
        self.autosave.as_ref()?;
        let now = Instant::now();
        let Some((last, at)) = self.autosaved else {
            return unsaved.map(|_| now);
        };
        // The disk is slow.
        let is_writing = self.writing.as_ref().is_some_and(|w| !w.is_finished());
        match unsaved {
            Some(state) if last == state => None,
            _ if is_writing => Some(now + INTERVAL),
            Some(_) => Some(at + INTERVAL),
            None => Some(now),
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
        self.writing = Some(Beside::begin(move || {
            let written = autosave.save(&document, path.as_deref());
            written.map_err(|error| error.to_string())?;
            tracing::debug!("autosaved");
            Ok(())
        }));
    }

    /// Reports why the last autosave failed, once.
    pub(crate) fn report_autosave(&mut self, overlay: &mut Overlay) {
        let finished = self.writing.take_if(|writing| writing.is_finished());
        if let Some(Err(problem)) = finished.and_then(Beside::join) {
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

    /// Keeps the autosave for the next start of the program, whatever ends this one.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn keep_autosave(&self) {
        self.autosave.iter().for_each(|autosave| autosave.keep());
    }

    /// Deletes the file of a recovered document, which is open and not saved, once this session has
    /// autosaved it.
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
        self.writing.take()?.join()
    }
}

/// Waits for the last autosave, which is deleted then unless it is kept.
impl Drop for DocumentFile {
    fn drop(&mut self) {
        self.finish_writing();
    }
}

/// Saves a picture under a new name, and says so.
pub(crate) fn save_new_picture(
    picture: Result<image::RgbaImage, RenderError>,
    overlay: &mut Overlay,
) {
    let path = free_name("mohawk", "png");
    let saved = picture
        .map_err(anyhow::Error::from)
        .and_then(|picture| Ok(save_picture(&path, &picture)?));
    let path = shown(&path);
    match saved {
        Ok(()) => overlay.notice(format!("Saved the picture as {path}")),
        Err(why) => overlay.error(format!("Cannot save {path}: {why:#}")),
    }
}

/// Returns the picture that the window shows.
pub(crate) fn screen_picture(target: &RenderTarget<'_>) -> image::RgbaImage {
    let pixels: Vec<[u8; 4]> = target.read_color();
    // The alpha of the window has no meaning.
    image::RgbaImage::from_fn(target.width(), target.height(), |x, y| {
        let [r, g, b, _] = pixels[(y * target.width() + x) as usize];
        image::Rgba([r, g, b, 255])
    })
}

/// Writes a PNG, whole or not at all.
pub(crate) fn save_picture(path: &Path, picture: &image::RgbaImage) -> io::Result<()> {
    let mut png = io::Cursor::new(Vec::new());
    picture
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(io::Error::other)?;
    write_whole(path, png.get_ref())
}

/// Strokes, each with the state of the history that it has led to.
pub(crate) struct StrokeRecording<S> {
    done: Vec<(u64, S)>,
    undone: Vec<(u64, S)>,
}

impl<S: Clone> StrokeRecording<S> {
    /// Adds a stroke that has led to a state.
    pub(crate) fn add(&mut self, stroke: S, state: u64) {
        self.undone.clear();
        self.done.push((state, stroke));
    }

    /// Undoes the stroke that has led to a state.
    pub(crate) fn undo(&mut self, state: u64) {
        let last = self.done.pop_if(|(of, _)| *of == state);
        self.undone.extend(last);
    }

    /// Redoes the stroke that leads to a state.
    pub(crate) fn redo(&mut self, state: u64) {
        let last = self.undone.pop_if(|(of, _)| *of == state);
        self.done.extend(last);
    }

    /// Returns the number of strokes.
    pub(crate) fn len(&self) -> usize {
        self.done.len()
    }

    /// Starts to record strokes, or saves those that were recorded. `file_of` makes a stroke file
    /// of them, and `command` replays it.
    pub(crate) fn toggle<F: Serialize>(
        running: &mut Option<Self>,
        overlay: &mut Overlay,
        command: &str,
        file_of: impl FnOnce(Vec<S>) -> F,
    ) {
        let Some(recording) = running.take() else {
            let (done, undone) = (Vec::new(), Vec::new());
            *running = Some(Self { done, undone });
            return overlay.notice("Recording strokes");
        };
        let count = recording.len();
        if count == 0 {
            return overlay.notice("No strokes were recorded");
        }
        let strokes = recording.done.iter().map(|(_, stroke)| stroke.clone());
        let text = serde_json::to_vec_pretty(&file_of(strokes.collect()));
        let path = free_name("mohawk", "json");
        let place = shown(&path);
        let text = text.map_err(io::Error::other);
        match text.and_then(|text| write_whole(&path, &text)) {
            Ok(()) => overlay.notice(format!(
                "Saved {} as {place}: {command} --strokes replays them",
                plural(count, "stroke")
            )),
            Err(error) => {
                overlay.error(format!("{place} could not be written: {error}"));
                *running = Some(recording);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::style::Saved;

    /// Undo and redo may lead from a state that was autosaved back to the saved one.
    #[test]
    fn the_autosave_of_another_state_than_the_saved_one_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let mut document = DocumentFile::new::<Saved>(0, None);
        document.autosave = Some(Arc::new(Autosave::begin::<Saved>(folder.path()).unwrap()));
        let is_due = |document: &DocumentFile, state| {
            let due = document.autosave_due(state)?;
            Some(due <= Instant::now())
        };
        let kept = |document: &DocumentFile| document.autosave_due(None).is_none();
        assert!(kept(&document));
        assert_eq!(is_due(&document, Some(1)), Some(true));
        document.autosave(1, Saved::default());
        document.finish_writing();
        assert_eq!(document.autosave_due(Some(1)), None);
        assert_eq!(is_due(&document, Some(2)), Some(false));
        assert_eq!(is_due(&document, None), Some(true));
        let file = || {
            let sessions = std::fs::read_dir(folder.path()).unwrap();
            let mut files = sessions.map(|session| session.unwrap().path().join("document.mohawk"));
            files.any(|file| file.exists())
        };
        assert!(file());
        document.clear_autosave();
        assert!(!file() && kept(&document));
        // The unsaved state is autosaved again once it comes back.
        assert_eq!(is_due(&document, Some(1)), Some(true));
    }
}
