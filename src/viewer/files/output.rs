//! Names of new files, pictures on disk, and the recording of strokes to a stroke file.

use crate::viewer::interface::Overlay;
use mohawk::files::write_whole;
use mohawk::render::RenderError;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use three_d::RenderTarget;

/// Returns the first name with this extension that no file in the current folder has:
/// mohawk-0001.png, mohawk-0002.png… for pictures and recordings, mohawk.toml, mohawk-0002.toml…
/// for documents and settings.
pub(crate) fn free_name(extension: &str) -> PathBuf {
    let is_document = ["toml", "mohawk", "doll"].contains(&extension);
    let names = (1..).map(|i| match i {
        1 if is_document => format!("mohawk.{extension}"),
        _ => format!("mohawk-{i:04}.{extension}"),
    });
    let mut paths = names.map(PathBuf::from);
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// Returns the absolute path, for messages.
pub(crate) fn shown(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
}

/// Saves a picture under a new name, and says so.
pub(crate) fn save_new_picture(
    picture: Result<image::RgbaImage, RenderError>,
    overlay: &mut Overlay,
) {
    let path = free_name("png");
    let saved = picture
        .map_err(anyhow::Error::from)
        .and_then(|picture| Ok(save_picture(&path, &picture)?));
    let path = shown(&path);
    match saved {
        Ok(()) => overlay.notice(format!("Saved {path}")),
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
