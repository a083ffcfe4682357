//! Looping GIFs with one palette for the whole clip. A frame stores only the pixels that change, so
//! that still parts do not flicker and need no bytes.
//!
//! The encoders of `image` and `gif` choose a palette for each frame and store all of its pixels.

use anyhow::Context;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use image::{Rgba, RgbaImage};
use std::borrow::Cow;

/// Colours of the palette: one less than there are indices.
const COLORS: usize = 255;

/// The index of a pixel that does not change.
const UNCHANGED: u8 = 255;

/// Largest number of pictures that the palette is made from.
const SAMPLES: u32 = 6;

/// Approximate number of pixels that the palette is made from.
const SAMPLED_PIXELS: usize = 200_000;

/// Largest change of a channel by dithering, of 255: about half the distance between neighbouring
/// colours of a palette. Less shows bands in the sky, more shows a pattern.
const DITHER: f32 = 6.0;

/// Bits of each channel in the key of the cache of nearest palette colours.
const CACHE_BITS: u32 = 6;

/// The entry of the cache for a key that was not looked up yet.
const NOT_CACHED: u16 = u16::MAX;

/// Returns the frames that the palette is made from: evenly spread, starting with the first.
pub fn sample_frames(frames: u32) -> impl Iterator<Item = u32> {
    let count = frames.min(SAMPLES);
    (0..count).map(move |i| (u64::from(i) * u64::from(frames) / u64::from(count)) as u32)
}

/// An encoder of a GIF.
pub struct Gif {
    encoder: Encoder<Vec<u8>>,
    palette: NeuQuant,
    /// The nearest palette index by the leading bits of a colour.
    nearest: Vec<u16>,
    /// The palette index of each pixel; [`UNCHANGED`] before the first picture.
    shown: Vec<u8>,
    width: u16,
    fps: f64,
    frame: u32,
}

impl Gif {
    /// Starts a clip with the size and the colours of the samples.
    pub fn new(samples: &[RgbaImage], fps: f64) -> anyhow::Result<Gif> {
        let (width, height) = samples.first().map_or((0, 0), RgbaImage::dimensions);
        let width = u16::try_from(width).context("a GIF is at most 65535 pixels wide")?;
        let height = u16::try_from(height).context("a GIF is at most 65535 pixels high")?;

        let pixels: Vec<u8> = samples.iter().flat_map(|s| s.as_raw()).copied().collect();
        // NeuQuant samples one pixel in 1 to 30.
        let one_in = (pixels.len() / 4 / SAMPLED_PIXELS).clamp(1, 30);
        let palette = NeuQuant::new(one_in as i32, COLORS, &pixels);
        let mut colors = palette.color_map_rgb();
        colors.resize(256 * 3, 0);

        let mut encoder = Encoder::new(Vec::new(), width, height, &colors)?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Gif {
            encoder,
            palette,
            nearest: vec![NOT_CACHED; 1 << (3 * CACHE_BITS)],
            shown: vec![UNCHANGED; usize::from(width) * usize::from(height)],
            width,
            fps,
            frame: 0,
        })
    }

    /// Appends a picture, which must have the size of the samples.
    pub fn push(&mut self, picture: &RgbaImage) -> anyhow::Result<()> {
        // The rectangle of changed pixels, as [min, max) of x and y.
        let mut changed = [(u16::MAX, 0), (u16::MAX, 0)];
        let mut indices = vec![UNCHANGED; self.shown.len()];
        for (i, (x, y, color)) in picture.enumerate_pixels().enumerate() {
            let index = self.index_of(color, x, y);
            if self.shown[i] != index {
                self.shown[i] = index;
                indices[i] = index;
                for (range, at) in changed.iter_mut().zip([x as u16, y as u16]) {
                    *range = (range.0.min(at), range.1.max(at + 1));
                }
            }
        }
        if changed[0].0 >= changed[0].1 {
            changed = [(0, 1), (0, 1)]; // Nothing changes: one pixel carries the delay.
        }
        let [(left, right), (top, bottom)] = changed;
        let buffer: Vec<u8> = indices
            .chunks_exact(usize::from(self.width))
            .take(usize::from(bottom))
            .skip(usize::from(top))
            .flat_map(|row| &row[usize::from(left)..usize::from(right)])
            .copied()
            .collect();

        self.encoder.write_frame(&Frame {
            delay: delay_cs(self.frame, self.fps),
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            top,
            left,
            width: right - left,
            height: bottom - top,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
        self.frame += 1;
        Ok(())
    }

    /// Returns the file.
    pub fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.encoder.into_inner()?)
    }

    /// Returns the index of the palette colour nearest to a dithered colour.
    fn index_of(&mut self, color: &Rgba<u8>, x: u32, y: u32) -> u8 {
        let offset = bayer(x, y) * 2.0 * DITHER;
        let [r, g, b] = [0, 1, 2].map(|c| (f32::from(color.0[c]) + offset).round() as u8);
        let leading = |c: u8| usize::from(c >> (8 - CACHE_BITS));
        let key = (leading(r) << (2 * CACHE_BITS)) | (leading(g) << CACHE_BITS) | leading(b);
        if self.nearest[key] == NOT_CACHED {
            // The middle of all colours with this key, so that the result does not depend on which
            // came first.
            let middle = |c: u8| (c >> (8 - CACHE_BITS) << (8 - CACHE_BITS)) | (0x80 >> CACHE_BITS);
            self.nearest[key] =
                self.palette
                    .index_of(&[middle(r), middle(g), middle(b), 255]) as u16;
        }
        self.nearest[key] as u8
    }
}

/// Returns the delay of a frame in hundredths of a second. Each frame starts at its time rounded to
/// a hundredth, so that the mean rate is exact.
fn delay_cs(frame: u32, fps: f64) -> u16 {
    let start_cs = |frame: f64| (frame * 100.0 / fps).round();
    (start_cs(f64::from(frame) + 1.0) - start_cs(f64::from(frame))) as u16
}

/// Returns a threshold of ordered dithering: 8 x 8 values from -0.5 to 0.5 with mean 0.
fn bayer(x: u32, y: u32) -> f32 {
    let mut value = 0;
    for bit in 0..3 {
        let (x, y) = (x >> bit & 1, y >> bit & 1);
        value = value << 2 | (x ^ y) << 1 | y;
    }
    (value as f32 + 0.5) / 64.0 - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_keep_the_mean_rate() {
        for fps in [1.0, 12.0, 25.0, 30.0, 48.0, 50.0] {
            let delays: Vec<u32> = (0..3000).map(|i| delay_cs(i, fps).into()).collect();
            let seconds = f64::from(delays.iter().sum::<u32>()) / 100.0;
            assert!((seconds - 3000.0 / fps).abs() < 0.01, "{fps}: {seconds}");
            // Browsers slow down below 2.
            assert!(delays.iter().all(|&cs| cs >= 2), "{delays:?}");
        }
    }

    #[test]
    fn thresholds_differ_and_have_mean_zero() {
        let mut all: Vec<f32> = (0..64).map(|i| bayer(i % 8, i / 8)).collect();
        assert!(all.iter().sum::<f32>().abs() < 1e-4);
        all.sort_by(f32::total_cmp);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn decoded_frames_are_the_pictures() {
        let picture = |at: u32| {
            RgbaImage::from_fn(64, 48, |x, y| {
                let dot = (x as i32 - at as i32).abs() < 6 && (y as i32 - 20).abs() < 6;
                Rgba(if dot {
                    [255, 40, 90, 255]
                } else {
                    [40, 60, 80 + 2 * y as u8, 255]
                })
            })
        };
        let pictures = [picture(10), picture(30), picture(30), picture(50)];
        let mut clip = Gif::new(&pictures, 30.0).unwrap();
        for picture in &pictures {
            clip.push(picture).unwrap();
        }
        let bytes = clip.finish().unwrap();

        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut canvas = RgbaImage::new(64, 48);
        let mut delays = Vec::new();
        for expected in &pictures {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            delays.push(frame.delay);
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                if pixel[3] > 0 {
                    let (i, width) = (i as u32, u32::from(frame.width));
                    let x = i % width + u32::from(frame.left);
                    let y = i / width + u32::from(frame.top);
                    canvas.put_pixel(x, y, Rgba([pixel[0], pixel[1], pixel[2], 255]));
                }
            }
            let worst = canvas.as_raw().iter().zip(expected.as_raw());
            let worst = worst.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(worst < 40, "off by {worst}");
        }
        assert_eq!(delays, [3, 4, 3, 3]);
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn palette_frames_are_spread_over_the_clip() {
        assert!(sample_frames(1).eq([0]));
        assert!(sample_frames(60).eq([0, 10, 20, 30, 40, 50]));
    }
}
