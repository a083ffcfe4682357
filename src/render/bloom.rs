//! Light that a lens spreads around what is bright: a share of the picture, blurred.

use super::frame::{Drawn, Frame, OPAQUE, Squares, WHOLE, blank_texture};
use three_d::*;

/// Pixels of a picture along each side of a pixel of its blur.
const SHRINK: u32 = 4;

/// The blur of one picture.
pub struct Bloom {
    /// The picture blurred along both axes, and along one.
    blurred: Texture2D,
    between: Texture2D,
}

impl Bloom {
    /// Blurs a picture of `size` pixels. `use_picture` sets the uniforms of the final pass that
    /// say what its samples are.
    pub fn new(
        frame: &Frame,
        square: &Squares,
        size: [u32; 2],
        defines: &[&str],
        use_picture: impl Fn(&Program),
    ) -> Result<Self, RendererError> {
        let small = size.map(|side| side.div_ceil(SHRINK));
        let texture = || blank_texture::<[f16; 4]>(frame.context, small, Interpolation::Linear);
        let bloom = Self {
            blurred: texture(),
            between: texture(),
        };
        let viewport = Viewport::new_at_origo(small[0], small[1]);
        let shrink = || {
            let fragment = concat!(include_str!("samples.glsl"), include_str!("shrink.frag"));
            let shaders = || [WHOLE, fragment];
            frame.with_program("shrink", defines, shaders, |program| {
                use_picture(program);
                square.draw(program, OPAQUE, viewport);
            })
        };
        bloom.blurred.as_color_target(None).write(shrink)?;
        bloom.blur(frame, square, &bloom.blurred, &bloom.between, [1, 0])?;
        bloom.blur(frame, square, &bloom.between, &bloom.blurred, [0, 1])?;
        Ok(bloom)
    }

    fn blur(
        &self,
        frame: &Frame,
        square: &Squares,
        from: &Texture2D,
        to: &Texture2D,
        axis: [i32; 2],
    ) -> Drawn {
        let (width, height) = (to.width(), to.height());
        let target = to.as_color_target(None);
        target.write(|| {
            let shaders = || [WHOLE, include_str!("blur.frag")];
            frame.with_program("blur", &[], shaders, |program| {
                program.use_texture("picture", from);
                program.use_uniform("axis", Vector2::from(axis));
                square.draw(program, OPAQUE, Viewport::new_at_origo(width, height));
            })
        })?;
        Ok(())
    }

    /// Returns the blurred picture.
    pub fn picture(&self) -> &Texture2D {
        &self.blurred
    }
}
