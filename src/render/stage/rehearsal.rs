//! Compiling the programs of a picture one at a time, before it is drawn.

use super::Stage;
use crate::render::frame::rehearse;
use crate::render::{RenderError, Shot};
use three_d::{RenderTarget, Viewport};

impl Stage {
    /// Compiles a program that pictures in motion need, if one is missing, and draws nothing.
    /// Returns `true` if none is.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn rehearse(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<bool, RenderError> {
        let has_all = rehearse(|| self.draw(target, viewport, shot, pixel_scale));
        (self.changed, self.unprepared, self.lit_view) = (true, true, None);
        (self.sky, self.views) = Default::default();
        has_all
    }
}
