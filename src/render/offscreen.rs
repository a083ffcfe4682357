//! Pictures without a window, drawn in a surfaceless EGL context.

use super::pictures::{Screen, averaged};
use super::{RenderError, light::Quality, shot::Shot, stage::Stage, surfaceless};
use image::RgbaImage;
use three_d::*;

/// A GL context without a window.
pub struct Offscreen {
    context: Context,
    _current: surfaceless::Current,
}

impl Offscreen {
    /// Opens a context on the first EGL device that offers OpenGL 3.3.
    ///
    /// # Errors
    /// [`RenderError::NoContext`].
    pub fn new() -> Result<Self, RenderError> {
        let (context, current) = surfaceless::open_first().map_err(RenderError::NoContext)?;
        Ok(Self {
            context,
            _current: current,
        })
    }

    /// Returns the three-d context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns a stage with the quality of pictures.
    pub fn stage(&self, look: &crate::Look) -> Stage {
        Stage::new(&self.context, look, Quality::FULL)
    }

    /// Draws one picture of `width` by `height` pixels, straight alpha.
    ///
    /// # Errors
    /// Those of [`refined_picture`](super::refined_picture).
    pub fn render(
        &self,
        stage: &mut Stage,
        shot: &Shot,
        width: u32,
        height: u32,
    ) -> Result<RgbaImage, RenderError> {
        averaged(&self.context, [width, height], 1, |target| {
            stage.draw_still(target, target.viewport(), shot, 1.0)
        })
    }

    /// Draws one picture as [`render`](Self::render) does, of things that move meanwhile, as
    /// [`Stage::draw_moving`] says.
    ///
    /// # Errors
    /// Those of [`refined_picture`](super::refined_picture).
    pub fn render_moving(
        &self,
        stage: &mut Stage,
        (width, height): (u32, u32),
        moment: impl FnMut(&mut Stage, f64) -> Shot,
    ) -> Result<RgbaImage, RenderError> {
        averaged(&self.context, [width, height], 1, |target| {
            stage.draw_moving(target, target.viewport(), 1.0, moment)
        })
    }

    /// Returns a screen of `size` pixels.
    ///
    /// # Errors
    /// [`RenderError::Size`].
    pub fn screen(&self, size: [u32; 2]) -> Result<Screen, RenderError> {
        Screen::new(&self.context, size, 1)
    }
}
