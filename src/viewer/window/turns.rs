//! Long work of the window, which has turns of the page to itself: the page has one thread.

use super::HeadWindow;
use crate::viewer::ViewerError;
#[cfg(target_arch = "wasm32")]
use crate::viewer::{news::PageNews, news::WindowNews, platform::page};
use three_d::RenderTarget;
use web_time::{Duration, Instant};
#[cfg(target_arch = "wasm32")]
use winit::event::Event;

/// Work that takes longer has a turn to itself.
const LONG: Duration = Duration::from_millis(20);

/// Returns `true` if an event comes to nothing: the graphics driver was lost, and the page begins again
/// when it is back. What is unsaved is kept.
#[cfg(target_arch = "wasm32")]
pub(super) fn is_void(event: &Event<'_, WindowNews>) -> bool {
    let leaves = matches!(event, Event::UserEvent(WindowNews::Page(PageNews::Leaving)));
    page::is_lost() && !leaves
}

impl HeadWindow {
    /// Takes what background tasks have done, and compiles what the first picture needs. Returns `true`
    /// if a picture waits for the next turn, since this one is long.
    pub(super) fn waits(&mut self, size: [u32; 2]) -> Result<bool, ViewerError> {
        // A browser asks for a picture as soon as there is a window.
        Ok(self.host.is_put_off || self.take_loaded() || self.rehearses(size)?)
    }

    /// Takes what background tasks have done. Returns `true` if that took long.
    pub(super) fn take_loaded(&mut self) -> bool {
        let started = Instant::now();
        self.app.take_loaded();
        let waits = cfg!(target_arch = "wasm32") && started.elapsed() > LONG;
        if waits {
            self.host.put_off();
        }
        waits
    }

    /// Compiles what the first picture needs, in turns. Returns `true` if something is missing still.
    fn rehearses(&mut self, [width, height]: [u32; 2]) -> Result<bool, ViewerError> {
        if !cfg!(target_arch = "wasm32") || self.report.first_picture_seconds.is_some() {
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
