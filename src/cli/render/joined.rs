//! Pictures that were drawn before, put into a clip or a sheet.

use super::RenderArgs;
use super::target::{Clip, Format, Target};
use super::writing::Job;
use crate::cli::messages::usage_error;
use anyhow::{Context, Result, anyhow, bail};
use image::RgbaImage;
use mohawk::files::read_plain;
use serde::Serialize;
use std::path::PathBuf;

/// The largest file of a picture.
const MAX_BYTES: u64 = 1 << 30;

/// The clip that was written.
#[derive(Serialize)]
pub struct Joined {
    output: PathBuf,
    frames: usize,
    width: u32,
    height: u32,
}

/// Writes numbered pictures as the file of `target`.
pub fn write(args: &RenderArgs, pictures: &Target, target: &Target) -> Result<Joined> {
    let name = pictures.path.display();
    if !matches!(pictures.format, Format::Numbered(_)) {
        let problem = format!("--pictures {name}: name numbered ones, as in frame_{{frame}}.png");
        return Err(usage_error("render", problem));
    }
    let asked = args.frames.clone().unwrap_or_default();
    let frames: Vec<u32> = match (asked.part, asked.total) {
        (Some(part), _) => part.collect(),
        (None, Some(total)) => (0..total).collect(),
        (None, None) => (0..count(pictures)?).collect(),
    };
    let Some(&first) = frames.first() else {
        bail!(
            "{} is not there, so that nothing can be joined",
            pictures.path_of(0).display()
        );
    };
    if matches!(target.format, Format::Picture(_)) && args.sheet.is_none() && frames.len() > 1 {
        let (path, count) = (target.path.display(), frames.len());
        let problem = format!("{path} holds one picture, and there are {count}: give --sheet");
        return Err(usage_error("render", problem));
    }
    let inputs: Vec<PathBuf> = frames
        .iter()
        .map(|&frame| pictures.path_of(frame))
        .collect();
    target.check_spares(&(first..first + frames.len() as u32), &inputs)?;
    let read = |frame: u32| -> Result<RgbaImage> {
        let path = pictures.path_of(frame);
        let problem = || format!("{} cannot be joined; draw it again", path.display());
        let bytes = read_plain(&path, MAX_BYTES).with_context(problem)?;
        Ok(image::load_from_memory(&bytes)
            .with_context(problem)?
            .into_rgba8())
    };
    let first_picture = read(first)?;
    let size = first_picture.dimensions();
    let is_clear = first_picture.pixels().any(|pixel| pixel.0[3] < 255);
    if is_clear && matches!(target.format, Format::Clip(Clip::Gif | Clip::Mp4)) {
        let (path, to) = (pictures.path_of(first), target.path.display());
        let path = path.display();
        bail!("{path} is transparent, and {to} cannot be: write .apng or .webm");
    }
    if target.format == Format::Clip(Clip::Mp4) && (size.0 % 2, size.1 % 2) != (0, 0) {
        let (path, (width, height)) = (pictures.path_of(first), size);
        let path = path.display();
        bail!("the sides of an MP4 are even numbers of pixels: {path} has {width} x {height}");
    }
    let sheet = args.sheet_of(frames.len() as u32, size)?;
    let bar = (args.settings.head.messages).progress("joined", frames.len() as u64);
    let job = Job {
        target,
        sheet,
        frames: &frames,
        fps: args.fps.unwrap_or(super::DEFAULT_FPS),
        size,
        is_opaque: !args.no_background && !is_clear,
    };
    let written = job.write(&bar, |frame| {
        let picture = read(frame)?;
        match picture.dimensions() == size {
            true => Ok(picture),
            false => {
                let ((width, height), path) = (size, pictures.path_of(frame));
                let path = path.display();
                Err(anyhow!(
                    "{path} has another size than {width} x {height}; draw it again"
                ))
            }
        }
    });
    bar.finish_and_clear();
    written?;
    let (width, height) = sheet.map_or(size, |sheet| sheet.pixels());
    Ok(Joined {
        output: target.path.clone(),
        frames: frames.len(),
        width,
        height,
    })
}

/// Returns the number of pictures that are there, none of which may be missing between them.
fn count(pictures: &Target) -> Result<u32> {
    let there = pictures
        .there()
        .with_context(|| format!("the pictures {} cannot be found", pictures.path.display()))?;
    let mut numbers = (0..).zip(&there);
    if let Some((missing, &next)) = numbers.find(|(number, there)| number != *there) {
        let [missing, next] = [missing, next].map(|number| pictures.path_of(number));
        bail!(
            "{} is there, but {} is not: draw it, or choose --frames",
            next.display(),
            missing.display()
        );
    }
    Ok(there.len() as u32)
}
