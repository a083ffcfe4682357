//! A sheet: a picture that is kept on the GPU, to be laid over others.

use super::RenderError;
use super::frame::{OPAQUE, PREMULTIPLIED, Squares, WHOLE, blank_texture, with_program};
use three_d::*;

/// A picture that is kept, premultiplied, and laid over others in parts.
pub struct Sheet {
    context: Context,
    pixels: Texture2D,
    square: Squares,
}

impl Sheet {
    /// Returns a sheet of `size` pixels.
    pub fn new(context: &Context, size: [u32; 2]) -> Self {
        Self {
            context: context.clone(),
            pixels: blank_texture::<[u8; 4]>(context, size, Interpolation::Nearest),
            square: Squares::one(context),
        }
    }

    /// Returns its size, pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.pixels.width(), self.pixels.height()]
    }

    /// Clears the sheet and paints on it.
    ///
    /// # Errors
    /// Those of `paint`.
    pub fn paint(
        &mut self,
        paint: impl FnOnce() -> Result<(), CoreError>,
    ) -> Result<(), CoreError> {
        let clear = ClearState::color(0.0, 0.0, 0.0, 0.0);
        self.pixels
            .as_color_target(None)
            .clear(clear)
            .write(paint)?;
        Ok(())
    }

    /// Lays parts of the sheet over the same parts of a target of its size.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn lay_over(
        &self,
        target: &RenderTarget<'_>,
        parts: &[ScissorBox],
    ) -> Result<(), RenderError> {
        let states = RenderStates {
            blend: PREMULTIPLIED,
            ..OPAQUE
        };
        let shaders = || [WHOLE, include_str!("copy.frag")];
        for &part in parts {
            target.write_partially::<RendererError>(part, || {
                with_program(&self.context, "copy", &[], shaders, |program| {
                    program.use_texture("picture", &self.pixels);
                    self.square.draw(program, states, target.viewport());
                })
            })?;
        }
        Ok(())
    }
}
