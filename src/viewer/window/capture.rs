//! Pictures of the window, asked for by key or by the command line, and the report at its end.

use super::HeadWindow;
#[cfg(not(target_arch = "wasm32"))]
use crate::viewer::Report;
#[cfg(not(target_arch = "wasm32"))]
use crate::viewer::doll::DollApp;
use crate::viewer::files::{save_new_picture, save_picture, screen_picture};
#[cfg(not(target_arch = "wasm32"))]
use crate::viewer::input::action::Action;
use crate::viewer::interface::eyedropper;
use crate::viewer::view::Picture;
use crate::viewer::{Snapshot, ViewerError};
use three_d::{PhysicalPoint, RenderTarget, ScissorBox, Viewport};
use web_time::{Duration, Instant};

/// Returns the mean colour of a pixel of what was drawn and of those around it, sRGB.
fn color_at(target: &RenderTarget<'_>, at: PhysicalPoint) -> [f32; 3] {
    let inside = |at: f32, side: u32| (at as i32 - 1).clamp(0, side as i32 - 3);
    let around = ScissorBox {
        x: inside(at.x, target.width()),
        y: inside(at.y, target.height()),
        width: 3,
        height: 3,
    };
    let pixels: Vec<[u8; 4]> = target.read_color_partially(around);
    [0, 1, 2].map(|i| {
        let sum: f32 = pixels.iter().map(|pixel| f32::from(pixel[i])).sum();
        sum / (255.0 * pixels.len().max(1) as f32)
    })
}

impl HeadWindow {
    /// Gives the colour of what was drawn to the field that asked for one, or to the brush.
    pub(super) fn take_picked_color(&mut self, target: &RenderTarget<'_>) {
        let Some(at) = self.picked.take() else {
            return;
        };
        let color = color_at(target, at);
        let ctx = self.host.gui.context();
        eyedropper::give(ctx, color);
        if let Some(color) = eyedropper::taken(ctx, eyedropper::painted()) {
            self.app.styling.hand.color = color;
        }
        tracing::info!("took the colour {color:.2?}");
        self.acted = true;
    }

    /// Returns `true` if the snapshot is taken of this frame.
    pub(super) fn snapshot_is_due(&self) -> bool {
        let due = self.app.snapshot_due;
        due.is_some_and(|due| due <= Instant::now())
    }

    /// Saves the picture of the scene that was asked for, which has all samples. The panel and what
    /// else the interface draws are not in it.
    pub(super) fn save_view(&mut self, scene: Viewport) {
        let app = &mut self.app;
        if let Some(Picture { transparent, .. }) = app.view.picture.take() {
            let (camera, scale, gl) = (app.view.camera, app.view.pixel_scale, &self.host.gl);
            let picture = (app.subject).refined_picture(!transparent, camera, gl, scene, scale);
            save_new_picture(picture, &mut app.overlay);
            self.acted = true;
        }
    }

    /// Takes the snapshot of the frame that was just drawn for it: of the whole window.
    pub(super) fn take_snapshot(&mut self, target: &RenderTarget<'_>) -> Result<(), ViewerError> {
        if let Some(Snapshot { path, .. }) = self.app.snapshot.clone() {
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
        let ms = self.since.elapsed().as_millis();
        if self.app.loading.drawing.take().is_some() {
            let name = self.app.subject.name();
            tracing::debug!("{name} is shown before its hair, {ms} ms after the GL context");
        }
        let subject = &self.app.subject;
        let is_there = self.app.loading.has_shown || subject.is_headless();
        if !is_there || self.report.first_picture_seconds.is_some() {
            return;
        }
        tracing::debug!("first picture {ms} ms after the GL context");
        self.report.first_picture_seconds = Some(ms as f64 / 1000.0);
        #[cfg(target_arch = "wasm32")]
        crate::viewer::platform::page::picture_stands();
        if let Some(snapshot) = &self.app.snapshot {
            let delay = Duration::try_from_secs_f64(snapshot.delay_secs);
            self.app.snapshot_due = Some(Instant::now() + delay.unwrap_or_default());
        }
    }

    /// Returns the report of the window, or why the snapshot failed.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn report(mut self) -> Result<Report, ViewerError> {
        if let Some(Err(error)) = self.app.presets.saving.finish() {
            tracing::error!("{error}");
        }
        self.app.end_recording("");
        if self.app.styling.recording.is_some() {
            self.app.perform(Action::ToggleStrokes);
        }
        self.doll.iter_mut().for_each(DollApp::end_recording);
        if let Some(Snapshot { path, .. }) = self.app.snapshot.take()
            && self.report.screenshot.is_none()
        {
            let closed = ViewerError::Closed { path };
            return Err((self.app.snapshot_problem).map_or(closed, ViewerError::Head));
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
}
