//! Writes pictures in the format of their file.

use super::apng::Apng;
use super::ffmpeg::{Codec, Video};
use super::gif::{self, Gif};
use super::sheet::Sheet;
use super::target::{Clip, Format, Target};
use crate::cli::output;
use anyhow::{Context, Result};
use image::{ImageFormat, RgbaImage};
use indicatif::ProgressBar;
use mohawk::files::Part;
use std::path::Path;
use std::{collections::HashMap, fs};

/// Pictures to write.
pub struct Job<'a> {
    pub target: &'a Target,
    pub sheet: Option<Sheet>,
    pub frames: &'a [u32],
    pub fps: f64,
    /// The size of each picture.
    pub size: (u32, u32),
    /// `true` if pictures have a background.
    pub is_opaque: bool,
}

/// The most bytes of the pictures of a GIF that are kept while it is made.
const MOST_KEPT: u64 = 1 << 29;

impl Job<'_> {
    /// Takes all pictures and writes them. `picture` returns that of a frame.
    pub fn write(
        &self,
        bar: &ProgressBar,
        mut picture: impl FnMut(u32) -> Result<RgbaImage>,
    ) -> Result<()> {
        let (path, frames) = (self.target.path.as_path(), self.frames.iter().copied());
        let clip = match (self.target.format, self.sheet) {
            (Format::Picture(still), Some(sheet)) => {
                let mut whole = sheet.blank(self.is_opaque);
                for (number, frame) in (0..).zip(frames) {
                    sheet.put(&mut whole, number, &picture(frame)?);
                    bar.inc(1);
                }
                return write_still(still, path, &whole);
            }
            (Format::Picture(still) | Format::Numbered(still), _) => {
                for frame in frames {
                    write_still(still, &self.target.path_of(frame), &picture(frame)?)?;
                    bar.inc(1);
                }
                return Ok(());
            }
            (Format::Clip(clip), _) => clip,
        };
        let failed = || format!("{} could not be written", path.display());
        // The palette of a GIF is that of pictures from the whole clip. They are kept, since to
        // simulate and draw them twice takes longer.
        let bytes = 4 * u64::from(self.size.0) * u64::from(self.size.1);
        let mut drawn = HashMap::new();
        if clip == Clip::Gif && bytes * self.frames.len() as u64 <= MOST_KEPT {
            for frame in frames.clone() {
                drawn.insert(frame, picture(frame)?);
                bar.inc(1);
            }
        }
        let is_drawn = !drawn.is_empty();
        let mut picture = |frame: u32| match drawn.get(&frame) {
            Some(picture) => Ok(picture.clone()),
            None => picture(frame),
        };
        let bar = if is_drawn {
            &ProgressBar::hidden()
        } else {
            bar
        };
        let part = Part::of(path);
        // Dropped before the part is, so that ffmpeg has ended when that is removed.
        let encoder = self.encoder(clip, part.path(), bar, &mut picture);
        let mut encoder = encoder.with_context(failed)?;
        for frame in frames {
            encoder.push(&picture(frame)?).with_context(failed)?;
            bar.inc(1);
        }
        encoder.finish(part.path()).with_context(failed)?;
        part.finish().with_context(failed)
    }

    fn encoder(
        &self,
        clip: Clip,
        path: &Path,
        bar: &ProgressBar,
        picture: &mut dyn FnMut(u32) -> Result<RgbaImage>,
    ) -> Result<Encoder> {
        let (fps, count) = (self.fps, self.frames.len() as u32);
        let (size, alpha) = (self.size, !self.is_opaque);
        match clip {
            Clip::Gif => {
                // The colours are those of some pictures, which are asked for once more.
                let frames: Vec<u32> = gif::sample_frames(count).collect();
                bar.inc_length(frames.len() as u64);
                let sample = |number: u32| {
                    let sample = picture(self.frames[number as usize]);
                    bar.inc(1);
                    sample
                };
                let samples: Result<Vec<_>> = frames.into_iter().map(sample).collect();
                Gif::new(&samples?, fps).map(Encoder::Gif)
            }
            Clip::Apng => Apng::new(path, size, count, fps).map(Encoder::Apng),
            Clip::Mp4 => Video::new(path, size, fps, Codec::Mp4).map(Encoder::Video),
            Clip::WebM => Video::new(path, size, fps, Codec::WebM { alpha }).map(Encoder::Video),
        }
    }
}

fn write_still(format: ImageFormat, path: &Path, picture: &RgbaImage) -> Result<()> {
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
            Encoder::Gif(clip) => Ok(fs::write(path, clip.finish()?)?),
            Encoder::Video(mut clip) => clip.finish(),
        }
    }
}
