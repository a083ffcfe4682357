//! Pictures of the window, asked for by key or by the command line, and the report at its end.

use super::HeadWindow;
use crate::viewer::ViewerError;
use crate::viewer::files::output::{save_new_picture, save_picture, screen_picture};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use three_d::{RenderTarget, Viewport};

/// The report of a window, made when it is closed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The name of the last head; `None`: none was shown.
    pub head: Option<String>,
    /// The number of its triangles.
    pub triangles: usize,
    /// The number of its strands.
    pub strands: usize,
    /// The name of the graphics driver.
    pub renderer: String,
    /// The number of pictures drawn.
    pub pictures: u64,
    /// The time from the GL context to the first picture of a head with its hair on the screen.
    pub first_picture_seconds: Option<f64>,
    /// The picture that was asked for.
    pub screenshot: Option<PathBuf>,
}

impl HeadWindow {
    /// Takes the pictures that are due of the frame that was just drawn.
    pub(super) fn take_picture(
        &mut self,
        target: &RenderTarget<'_>,
        scene: Viewport,
    ) -> Result<(), ViewerError> {
        if let Some(transparent) = self.screenshot.take() {
            self.save_screenshot(target, transparent, scene);
        }
        let now = Instant::now();
        let job = self.app.snapshot_job.as_ref();
        if let Some(job) = job.filter(|job| job.due.is_some_and(|due| due <= now)) {
            let path = job.snapshot.path.clone();
            if let Err(source) = save_picture(&path, &screen_picture(target)) {
                return Err(ViewerError::Screenshot { path, source });
            }
            self.report.screenshot = Some(path);
            self.app.quit = true;
        }
        Ok(())
    }

    /// Counts a frame that has reached the screen. The first with a head starts the delay of the
    /// snapshot.
    pub(super) fn shown(&mut self) {
        self.report.pictures += 1;
        let subject = &self.app.subject;
        let is_there = subject.head.is_some() || subject.is_headless();
        if !is_there || self.report.first_picture_seconds.is_some() {
            return;
        }
        let elapsed = self.since.elapsed();
        let ms = elapsed.as_millis();
        tracing::debug!("first picture {ms} ms after the GL context");
        self.report.first_picture_seconds = Some(elapsed.as_secs_f64());
        if let Some(job) = &mut self.app.snapshot_job {
            let delay = Duration::try_from_secs_f64(job.snapshot.delay_secs);
            job.due = Some(Instant::now() + delay.unwrap_or_default());
        }
    }

    /// Returns the report of the window, or why the snapshot failed.
    pub(super) fn report(mut self) -> Result<Report, ViewerError> {
        self.app.end_recording("");
        if let Some(job) = self.app.snapshot_job.take()
            && self.report.screenshot.is_none()
        {
            let path = job.snapshot.path;
            let closed = ViewerError::Closed { path };
            return Err(job.problem.map_or(closed, ViewerError::Head));
        }
        let subject = &self.app.subject;
        Ok(Report {
            head: subject.head.as_ref().map(|head| head.name.clone()),
            triangles: subject.triangles(),
            strands: subject.strands(),
            renderer: self.app.statistics.renderer,
            ..self.report
        })
    }

    fn save_screenshot(&mut self, target: &RenderTarget<'_>, transparent: bool, scene: Viewport) {
        let picture = if transparent {
            let camera = self.app.view.camera;
            let scale = self.host.window.scale_factor() as f32;
            (self.app.subject).cut_out(camera, &self.host.gl, scene, scale)
        } else {
            Ok(screen_picture(target))
        };
        save_new_picture(picture, &mut self.app.overlay);
    }
}
