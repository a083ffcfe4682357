//! Pictures without a window: a surfaceless EGL context, no X needed.

use super::{Paper, RenderError, Shot, Stage, gl};
use crate::doll::{Doll, Face};
use image::RgbaImage;
use three_d::*;

/// Each pixel of a picture is the mean of this many by this many drawn pixels:
/// thin strands need more than the four samples of usual anti-aliasing.
const SUPERSAMPLING: u32 = 2;

/// A GL context that belongs to no window.
pub struct Offscreen {
    context: Context,
    _current: gl::Current,
}

impl Offscreen {
    /// Opens a context on the first EGL device that offers OpenGL 3.3.
    ///
    /// # Errors
    /// [`RenderError::NoContext`] saying what is missing.
    pub fn new() -> Result<Self, RenderError> {
        let (context, current) = gl::open_surfaceless().map_err(RenderError::NoContext)?;
        Ok(Self {
            context,
            _current: current,
        })
    }

    /// The three-d context, for [`Stage::new`].
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A stage with the shadow detail that a picture deserves.
    pub fn stage(&self, look: &crate::Look) -> Stage {
        Stage::new(&self.context, look, super::Quality::FULL)
    }

    /// Draws one picture of `width` by `height` pixels, straight alpha.
    ///
    /// # Errors
    /// As [`picture`].
    pub fn render(
        &self,
        stage: &mut Stage,
        shot: &Shot,
        width: u32,
        height: u32,
    ) -> Result<RgbaImage, RenderError> {
        picture(&self.context, stage, shot, width, height, 1.0)
    }

    /// A stage as a window has it: with less detail where the CPU draws.
    pub fn window_stage(&self, look: &crate::Look) -> Stage {
        let quality = super::Quality::of_window(&self.context);
        Stage::new(&self.context, look, quality)
    }

    /// Draws what a window of that size would, one sample a pixel, and gives premultiplied pixels,
    /// bottom row first: for measuring.
    ///
    /// # Errors
    /// As [`picture`].
    pub fn draw_like_window(
        &self,
        stage: &mut Stage,
        shot: &Shot,
        width: u32,
        height: u32,
    ) -> Result<Vec<[u8; 4]>, RenderError> {
        check_size(&self.context, width, height, 1)?;
        draw(&self.context, [width, height], |target| {
            stage.draw(target, target.viewport(), shot, 1.0)
        })
    }

    /// Draws a doll's page as a window of that size would, as
    /// [`draw_like_window`](Self::draw_like_window).
    ///
    /// # Errors
    /// As [`picture`].
    pub fn draw_page_like_window(
        &self,
        paper: &mut Paper,
        doll: &Doll,
        size: [u32; 2],
    ) -> Result<Vec<[u8; 4]>, RenderError> {
        check_size(&self.context, size[0], size[1], 1)?;
        draw(&self.context, size, |target| {
            paper.set_doll(doll);
            let figure = (doll.settings.figure, doll.settings.palette);
            paper.show(target, target.viewport(), figure, Face::default())
        })
    }
}

/// An error for a picture that is empty or larger than the driver allows.
fn check_size(context: &Context, width: u32, height: u32, samples: u32) -> Result<(), RenderError> {
    let limit = gl::max_texture_size(context) / samples;
    if width == 0 || height == 0 || width > limit || height > limit {
        return Err(RenderError::Size {
            width,
            height,
            limit,
        });
    }
    Ok(())
}

/// The pixels of a drawing of that size.
fn draw(
    context: &Context,
    [width, height]: [u32; 2],
    draw: impl FnOnce(&RenderTarget<'_>) -> Result<(), RenderError>,
) -> Result<Vec<[u8; 4]>, RenderError> {
    let clamp = Wrapping::ClampToEdge;
    let nearest = Interpolation::Nearest;
    let color = Texture2D::new_empty::<[u8; 4]>(
        context, width, height, nearest, nearest, None, clamp, clamp,
    );
    let depth = DepthTexture2D::new::<f32>(context, width, height, clamp, clamp);
    let target = RenderTarget::new(color.as_color_target(None), depth.as_depth_target());
    draw(&target)?;
    Ok(target.read_color())
}

/// A drawing made larger, then averaged, straight alpha.
fn supersampled(
    context: &Context,
    [width, height]: [u32; 2],
    paint: impl FnOnce(&RenderTarget<'_>) -> Result<(), RenderError>,
) -> Result<RgbaImage, RenderError> {
    check_size(context, width, height, SUPERSAMPLING)?;
    let size = [width, height].map(|side| side * SUPERSAMPLING);
    let drawn = draw(context, size, paint)?;
    Ok(RgbaImage::from_fn(width, height, |x, y| {
        image::Rgba(average(&drawn, size[0], x, y))
    }))
}

/// Draws one picture of `width` by `height` pixels, supersampled, straight alpha. `pixel_scale`:
/// pixels of the picture per pixel that widths are given in (display scale).
///
/// # Errors
/// When the picture is larger than the driver allows, or it refuses a shader.
pub fn picture(
    context: &Context,
    stage: &mut Stage,
    shot: &Shot,
    width: u32,
    height: u32,
    pixel_scale: f32,
) -> Result<RgbaImage, RenderError> {
    let pixel_scale = pixel_scale * SUPERSAMPLING as f32;
    supersampled(context, [width, height], |target| {
        stage.draw(target, target.viewport(), shot, pixel_scale)
    })
}

/// Draws a picture of a doll's page of `width` by `height` pixels, supersampled.
///
/// # Errors
/// As [`picture`].
pub fn page_picture(
    context: &Context,
    paper: &mut Paper,
    doll: &Doll,
    [width, height]: [u32; 2],
) -> Result<RgbaImage, RenderError> {
    supersampled(context, [width, height], |target| {
        paper.set_doll(doll);
        let figure = (doll.settings.figure, doll.settings.palette);
        paper.draw(target, target.viewport(), figure, Face::default())
    })
}

/// The mean of the drawn pixels under pixel (x, y). Drawn colours are premultiplied
/// (nothing lies behind a transparent picture); the result is straight.
fn average(drawn: &[[u8; 4]], drawn_width: u32, x: u32, y: u32) -> [u8; 4] {
    let mut sum = [0u32; 4];
    for dy in 0..SUPERSAMPLING {
        for dx in 0..SUPERSAMPLING {
            let row = (y * SUPERSAMPLING + dy) as usize * drawn_width as usize;
            let pixel = drawn[row + (x * SUPERSAMPLING + dx) as usize];
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += u32::from(channel);
            }
        }
    }
    let samples = SUPERSAMPLING * SUPERSAMPLING;
    let [r, g, b, a] = sum;
    if a == 0 {
        return [0; 4];
    }
    let straight = |c: u32| ((c * 255 + a / 2) / a).min(255) as u8;
    [
        straight(r),
        straight(g),
        straight(b),
        ((a + samples / 2) / samples) as u8,
    ]
}
