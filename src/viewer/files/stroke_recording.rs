//! The recording of strokes, and the stroke file that is made of them.

use super::output::{free_name, shown};
use crate::viewer::interface::overlay::Overlay;
use mohawk::files::write_whole;
use serde::Serialize;
use std::io;

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
        let path = free_name("json");
        let place = shown(&path);
        let text = text.map_err(io::Error::other);
        match text.and_then(|text| write_whole(&path, &text)) {
            Ok(()) => overlay.notice(format!(
                "Saved {count} strokes as {place}: {command} --strokes replays them"
            )),
            Err(error) => {
                overlay.error(format!("{place} could not be written: {error}"));
                *running = Some(recording);
            }
        }
    }
}
