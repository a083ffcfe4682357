//! A picture in linear light: samples that are drawn one by one, their mean, and the final pass
//! that turns it into the colours of a screen.

use super::frame::{Drawn, Frame, Squares, blank_texture, over};
use crate::look::SkyLook;
use three_d::*;

/// The vertex shader of a square that fills the viewport.
const WHOLE: &str = include_str!("whole.vert");

/// The light that falls on each pixel: premultiplied, linear, not limited to 1.
pub struct Exposure {
    /// The latest sample.
    sample: Texture2D,
    /// Its depth.
    depth: DepthTexture2D,
    /// The sum of all samples if there is more than one.
    sum: Texture2D,
    /// The number of samples.
    samples: u32,
}

impl Exposure {
    /// Returns a picture of `size` pixels without samples.
    pub fn new(context: &Context, size: [u32; 2]) -> Self {
        let [width, height] = size;
        let clamp = Wrapping::ClampToEdge;
        Self {
            sample: blank_texture::<[f16; 4]>(context, size, Interpolation::Linear),
            depth: DepthTexture2D::new::<f32>(context, width, height, clamp, clamp),
            sum: blank_texture::<[f16; 4]>(context, size, Interpolation::Linear),
            samples: 0,
        }
    }

    /// Returns the size in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.sample.width(), self.sample.height()]
    }

    /// Returns the number of samples taken.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Removes all samples.
    pub fn clear(&mut self) {
        self.samples = 0;
    }

    /// Returns the place within the pixel of the next sample, from -0.5 to 0.5. The first is in the
    /// middle; the multiples of the plastic number's powers are evenly spread for any count
    /// (Roberts 2018, "The Unreasonable Effectiveness of Quasirandom Sequences").
    pub fn next_offset(&self) -> [f32; 2] {
        let place = |step: f64| (0.5 + f64::from(self.samples) * step).fract() as f32 - 0.5;
        [place(0.754_877_666_246_693), place(0.569_840_290_998_053)]
    }

    /// Takes a sample of what `draw` draws on nothing.
    pub fn take(&mut self, frame: &Frame, square: &Squares, draw: impl FnOnce() -> Drawn) -> Drawn {
        if self.samples > 0 {
            self.add(frame, square)?;
        }
        RenderTarget::new(
            self.sample.as_color_target(None),
            self.depth.as_depth_target(),
        )
        .clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0))
        .write(draw)?;
        self.samples += 1;
        Ok(())
    }

    /// Adds the latest sample to the sum of those before.
    fn add(&mut self, frame: &Frame, square: &Squares) -> Drawn {
        let sum = self.sum.as_color_target(None);
        if self.samples == 1 {
            sum.clear(ClearState::color(0.0, 0.0, 0.0, 0.0));
        }
        let states = RenderStates {
            blend: Blend::ADD,
            ..over(DepthTest::Always)
        };
        sum.write(|| {
            let shaders = || [WHOLE, include_str!("add.frag")];
            frame.with_program("sum of samples", &[], shaders, |program| {
                program.use_texture("sampleLight", &self.sample);
                square.draw(program, states, frame.camera.viewport());
            })
        })?;
        Ok(())
    }

    /// Draws the mean of the samples and its depth on a square, which fills the viewport of the
    /// frame: over a sky, or premultiplied without one.
    pub fn develop(&self, frame: &Frame, square: &Squares, sky: Option<&SkyLook>) -> Drawn {
        let many = (self.samples > 1).then_some("MANY");
        let defines: Vec<_> = many.into_iter().chain(sky.map(|_| "SKY")).collect();
        let states = RenderStates {
            write_mask: WriteMask::COLOR_AND_DEPTH,
            blend: Blend::Disabled,
            ..over(DepthTest::Always)
        };
        let fragment = concat!(include_str!("color.glsl"), include_str!("develop.frag"));
        let shaders = || [WHOLE, fragment];
        frame.with_program("final pass", &defines, shaders, |program| {
            program.use_texture("sampleLight", &self.sample);
            program.use_depth_texture("sampleDepth", &self.depth);
            if many.is_some() {
                program.use_texture("sumLight", &self.sum);
                program.use_uniform("share", 1.0 / self.samples as f32);
            }
            if let Some(sky) = sky {
                let world_from_clip = frame.clip_from_world().invert();
                let world_from_clip = world_from_clip.unwrap_or_else(Mat4::identity);
                program.use_uniform("worldFromClip", world_from_clip);
                program.use_uniform("topColor", Vec3::from(sky.top_color));
                program.use_uniform("bottomColor", Vec3::from(sky.bottom_color));
                program.use_uniform("contrast", sky.contrast);
                program.use_uniform("wireColor", Vec3::from(sky.wire_color));
                program.use_uniform("wireOpacity", sky.wire_opacity);
            }
            square.draw(program, states, frame.camera.viewport());
        })
    }
}
