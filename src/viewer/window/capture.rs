//! Pictures of the window: asked for by key, or by the command line.

use super::HeadWindow;
use crate::viewer::files::output::{free_name, save_picture, screen_picture, shown};
use crate::viewer::{Report, ViewerError};
use std::time::Instant;
use three_d::{RenderTarget, Viewport};

/// A picture to take of the next frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Capture {
    /// The whole window.
    Window,
    /// Head and hair alone.
    CutOut,
}

impl HeadWindow {
    /// Takes the pictures that are due of the frame that was just drawn.
    pub(super) fn take_picture(
        &mut self,
        target: &RenderTarget<'_>,
        scene: Viewport,
    ) -> Result<(), ViewerError> {
        if let Some(capture) = self.capture.take() {
            self.save_screenshot(target, capture, scene);
        }
        let snapshot = self.app.snapshot_job.as_ref();
        if let Some(path) = snapshot.and_then(|snapshot| snapshot.due_at(Instant::now())) {
            save_picture(path, &screen_picture(target)).map_err(|source| {
                ViewerError::Screenshot {
                    path: path.to_owned(),
                    source,
                }
            })?;
            self.pictures.saved = Some(path.to_owned());
            self.app.quit = true;
        }
        Ok(())
    }

    /// Counts a frame that has reached the screen.
    pub(super) fn shown(&mut self) {
        let subject = &self.app.subject;
        let is_there = subject.head.is_some() || subject.is_headless();
        let first = self.pictures.count(is_there);
        if let (true, Some(snapshot)) = (first, &mut self.app.snapshot_job) {
            snapshot.start(Instant::now());
        }
    }

    /// Returns the report of the window, or why the snapshot failed.
    pub(super) fn report(mut self) -> Result<Report, ViewerError> {
        self.app.end_recording("");
        if let Some(snapshot) = self.app.snapshot_job.take()
            && self.pictures.saved.is_none()
        {
            return Err(snapshot.failure());
        }
        Ok(self.pictures.report(&self.app))
    }

    fn save_screenshot(&mut self, target: &RenderTarget<'_>, capture: Capture, scene: Viewport) {
        let picture = if capture == Capture::CutOut {
            let camera = self.app.view.camera;
            let scale = self.host.window.scale_factor() as f32;
            (self.app.subject).cut_out(camera, &self.host.gl, scene, scale)
        } else {
            Ok(screen_picture(target))
        };
        let path = free_name("png");
        let saved = picture
            .map_err(anyhow::Error::from)
            .and_then(|picture| Ok(save_picture(&path, &picture)?));
        let path = shown(&path);
        let overlay = &mut self.app.overlay;
        match saved {
            Ok(()) => overlay.notice(format!("Saved {path}")),
            Err(why) => overlay.error(format!("Cannot save {path}: {why:#}")),
        }
    }
}
