//! Long work of the window, which has turns of the page to itself: the page has one thread.

use super::HeadWindow;
#[cfg(target_arch = "wasm32")]
use crate::viewer::ViewerError;
#[cfg(target_arch = "wasm32")]
use three_d::RenderTarget;
use web_time::{Duration, Instant};

/// Work that takes longer has a turn to itself.
const LONG: Duration = Duration::from_millis(20);

impl HeadWindow {
    /// Takes what background tasks have done. Returns `true` if the picture waits for the next turn of
    /// the page, since that took long.
    pub(super) fn take_loaded(&mut self) -> bool {
        let started = Instant::now();
        self.app.take_loaded();
        let waits = cfg!(target_arch = "wasm32") && started.elapsed() > LONG;
        if waits {
            self.host.put_off();
        }
        waits
    }

    /// Compiles what the first picture needs, in turns. Returns `true` if the picture waits for that.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn rehearses(&mut self, [width, height]: [u32; 2]) -> Result<bool, ViewerError> {
        if self.report.first_picture_seconds.is_some() {
            return Ok(false);
        }
        let started = Instant::now();
        let target = RenderTarget::screen(&self.host.gl, width, height);
        let (camera, scale) = (self.app.view.camera, self.app.view.pixel_scale);
        while started.elapsed() < LONG {
            if self.app.subject.rehearse(camera, &target, scale)? {
                return Ok(false);
            }
        }
        self.host.put_off();
        Ok(true)
    }
}
