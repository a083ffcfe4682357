//! Writes pictures in the format of their file.

use super::RenderArgs;
use super::apng::Apng;
use super::ffmpeg::{Codec, Video};
use super::gif::{self, Gif};
use super::target::{Clip, Format, Still, Target};
use crate::cli::output;
use anyhow::{Context, Result};
use image::{ImageFormat, RgbaImage};
use indicatif::ProgressBar;
use std::path::Path;

/// Takes all pictures and writes them. `picture` returns that of a frame.
pub fn write(
    args: &RenderArgs,
    target: &Target,
    frames: u32,
    bar: &ProgressBar,
    mut picture: impl FnMut(u32) -> Result<RgbaImage>,
) -> Result<()> {
    let path = target.path.as_path();
    let clip = match target.format {
        Format::Picture(still) => return write_still(still, path, &picture(0)?),
        Format::Numbered(still) => {
            for frame in 0..frames {
                write_still(still, &target.path_of(frame), &picture(frame)?)?;
                bar.inc(1);
            }
            return Ok(());
        }
        Format::Clip(clip) => clip,
    };
    let (size, fps, alpha) = (args.resolution, args.fps, args.no_background);
    let failed = || format!("{} could not be written", path.display());
    let encoder = match clip {
        Clip::Gif => {
            let samples = gif::sample_frames(frames).map(&mut picture);
            Gif::new(&samples.collect::<Result<Vec<_>>>()?, fps).map(Encoder::Gif)
        }
        Clip::Apng => Apng::new(path, size, frames, fps).map(Encoder::Apng),
        Clip::Mp4 => Video::new(path, size, fps, Codec::Mp4).map(Encoder::Video),
        Clip::WebM => Video::new(path, size, fps, Codec::WebM { alpha }).map(Encoder::Video),
    };
    let mut encoder = encoder.with_context(failed)?;
    for frame in 0..frames {
        encoder.push(&picture(frame)?).with_context(failed)?;
        bar.inc(1);
    }
    encoder.finish(path).with_context(failed)
}

fn write_still(still: Still, path: &Path, picture: &RgbaImage) -> Result<()> {
    let format = match still {
        Still::Png => ImageFormat::Png,
        Still::WebP => ImageFormat::WebP,
    };
    output::write(path, &output::encoded(picture, format)?)
}

/// An encoder of many pictures in one file.
enum Encoder {
    Apng(Apng),
    Gif(Gif),
    Video(Video),
}

impl Encoder {
    fn push(&mut self, picture: &RgbaImage) -> Result<()> {
        match self {
            Encoder::Apng(clip) => clip.push(picture),
            Encoder::Gif(clip) => clip.push(picture),
            Encoder::Video(clip) => clip.push(picture),
        }
    }

    fn finish(self, path: &Path) -> Result<()> {
        match self {
            Encoder::Apng(clip) => clip.finish(),
            Encoder::Gif(clip) => output::write(path, &clip.finish()?),
            Encoder::Video(clip) => clip.finish(),
        }
    }
}
