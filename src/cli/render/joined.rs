//! Pictures that were drawn before, put into a clip or a sheet.

use super::RenderArgs;
use super::target::{Format, Target};
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
    let there = || {
        (0..)
            .take_while(|&frame| pictures.path_of(frame).is_file())
            .count() as u32
    };
    let total = asked.total.unwrap_or_else(there);
    let frames: Vec<u32> = asked.part.unwrap_or(0..total).collect();
    let Some(&first) = frames.first() else {
        bail!(
            "{} is not there, so that nothing can be joined",
            pictures.path_of(0).display()
        );
    };
    let read = |frame: u32| -> Result<RgbaImage> {
        let path = pictures.path_of(frame);
        let problem = || format!("{} cannot be joined; draw it again", path.display());
        let bytes = read_plain(&path, MAX_BYTES).with_context(problem)?;
        Ok(image::load_from_memory(&bytes)
            .with_context(problem)?
            .into_rgba8())
    };
    let size = read(first)?.dimensions();
    let sheet = args.sheet_of(frames.len() as u32, size)?;
    let bar = (args.settings.head.messages).progress("joined", frames.len() as u64);
    let job = Job {
        target,
        sheet,
        frames: &frames,
        fps: args.fps.unwrap_or(super::DEFAULT_FPS),
        size,
        is_opaque: !args.no_background,
    };
    let written = job.write(&bar, |frame| {
        let picture = read(frame)?;
        match picture.dimensions() == size {
            true => Ok(picture),
            false => {
                let ([width, height], path) = ([size.0, size.1], pictures.path_of(frame));
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
