//! Pictures and screens that stay in memory, drawn in a context that is open already.

use super::{RenderError, frame::blank_texture, gl, paper::Paper, shot::Shot, stage::Stage};
use crate::doll::{Doll, Face};
use image::RgbaImage;
use three_d::*;

/// Drawn pixels along each side of a pixel of a picture of a doll.
const PAPER_SAMPLES: u32 = 2;

/// Drawn pixels along each side of a pixel of a small picture of a head.
const SMALL_SAMPLES: u32 = 4;

/// A picture that stays in the memory of the renderer, as a window's does.
pub struct Screen {
    color: Texture2D,
    depth: DepthTexture2D,
    context: Context,
}

impl Screen {
    /// Returns a screen with `samples` pixels along each side of one.
    pub(super) fn new(
        context: &Context,
        [width, height]: [u32; 2],
        samples: u32,
    ) -> Result<Self, RenderError> {
        let limit = gl::max_texture_size(context) / samples;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::Size {
                width,
                height,
                limit,
            });
        }
        let [width, height] = [width, height].map(|side| side * samples);
        let clamp = Wrapping::ClampToEdge;
        Ok(Self {
            color: blank_texture::<[u8; 4]>(context, [width, height], Interpolation::Nearest),
            depth: DepthTexture2D::new::<f32>(context, width, height, clamp, clamp),
            context: context.clone(),
        })
    }

    /// Draws a picture and waits until it is drawn.
    ///
    /// # Errors
    /// Those of `paint`.
    pub fn draw<T>(
        &mut self,
        paint: impl FnOnce(&RenderTarget<'_>) -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        let color = self.color.as_color_target(None);
        let drawn = paint(&RenderTarget::new(color, self.depth.as_depth_target()))?;
        gl::finish(&self.context);
        Ok(drawn)
    }
}

/// Draws a picture with `samples` along each side of a pixel, straight alpha.
pub(super) fn averaged(
    context: &Context,
    [width, height]: [u32; 2],
    samples: u32,
    paint: impl FnOnce(&RenderTarget<'_>) -> Result<(), RenderError>,
) -> Result<RgbaImage, RenderError> {
    let drawn = Screen::new(context, [width, height], samples)?.draw(|target| {
        paint(target)?;
        Ok(target.read_color())
    })?;
    Ok(RgbaImage::from_fn(width, height, |x, y| {
        image::Rgba(average(&drawn, width * samples, samples, x, y))
    }))
}

/// Draws the picture that [`Stage::draw`] has refined in a viewport of `width` by `height` pixels, at
/// once, straight alpha. `pixel_scale` is the number of pixels of the picture per pixel in which widths
/// are given (display scale).
///
/// # Errors
/// [`RenderError`] if the picture is empty or larger than the driver allows, or the driver refuses
/// a shader.
pub fn refined_picture(
    context: &Context,
    stage: &mut Stage,
    shot: &Shot,
    width: u32,
    height: u32,
    pixel_scale: f32,
) -> Result<RgbaImage, RenderError> {
    averaged(context, [width, height], 1, |target| {
        stage.draw_refined(target, shot, pixel_scale)
    })
}

/// Draws a small square picture in about the time of a picture in a window: what [`Stage::draw_still`]
/// draws in several passes, this draws once and larger.
///
/// # Errors
/// Those of [`refined_picture`].
pub fn small_picture(
    context: &Context,
    stage: &mut Stage,
    shot: &Shot,
    side: u32,
    pixel_scale: f32,
) -> Result<RgbaImage, RenderError> {
    averaged(context, [side; 2], SMALL_SAMPLES, |target| {
        stage.draw_once(target, shot, SMALL_SAMPLES as f32 * pixel_scale)
    })
}

/// Draws a picture of the page of a doll, `width` by `height` pixels, supersampled.
///
/// # Errors
/// Those of [`refined_picture`].
pub fn page_picture(gl: &Context, doll: &Doll, size: [u32; 2]) -> Result<RgbaImage, RenderError> {
    averaged(gl, size, PAPER_SAMPLES, |target| {
        let mut paper = Paper::new(gl);
        paper.set_doll(doll);
        paper.draw_once(target, Face::default())
    })
}

/// Returns the mean of the drawn pixels of pixel (x, y), with straight alpha. The drawn colours are
/// premultiplied.
fn average(drawn: &[[u8; 4]], drawn_width: u32, samples: u32, x: u32, y: u32) -> [u8; 4] {
    let mut sum = [0u32; 4];
    for row in (y * samples..).take(samples as usize) {
        let first = (row * drawn_width + x * samples) as usize;
        for pixel in &drawn[first..][..samples as usize] {
            sum = std::array::from_fn(|i| sum[i] + u32::from(pixel[i]));
        }
    }
    let count = samples * samples;
    let [r, g, b, a] = sum;
    if a == 0 {
        return [0; 4];
    }
    let [r, g, b] = [r, g, b].map(|c| ((c * 255 + a / 2) / a).min(255) as u8);
    [r, g, b, ((a + count / 2) / count) as u8]
}
