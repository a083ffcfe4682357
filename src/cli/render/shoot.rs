//! The pictures taken and written: once, or again whenever a file changes.

use super::film::Film;
use super::output::{self, Kind, Output};
use super::{Plan, gif};
use crate::cli::{data, narrated, pipeline, settings::SettingsArgs, talk};
use crate::render::{Offscreen, RenderError};
use crate::watch::Watcher;
use crate::{Config, Head};
use anyhow::Context;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Instant, SystemTime};

/// What was rendered.
#[derive(Serialize)]
struct Rendered {
    /// The file, or the pattern of numbered ones.
    output: PathBuf,
    /// Pictures in it, or files of that pattern.
    frames: u32,
    width: u32,
    height: u32,
    strands: usize,
    /// Time that it took, loading included.
    seconds: f64,
}

/// Renders once, or until somebody ends the program.
pub fn run(args: SettingsArgs, config: Config, output: &Output, plan: &Plan) -> anyhow::Result<()> {
    let mut shoot = Shoot {
        args,
        output,
        plan,
        offscreen: None,
    };
    if shoot.args.watch {
        return shoot.again_and_again(config);
    }
    let rendered = shoot.once(&config, &mut |_| ())?;
    if shoot.args.talk.json {
        data::print_json(&rendered)?;
    }
    Ok(())
}

struct Shoot<'a> {
    args: SettingsArgs,
    output: &'a Output,
    plan: &'a Plan,
    /// Opened when it is first needed, and kept.
    offscreen: Option<Offscreen>,
}

impl Shoot<'_> {
    /// Renders; `loaded` sees the head before its pictures are taken.
    fn once(&mut self, config: &Config, loaded: &mut dyn FnMut(&Head)) -> anyhow::Result<Rendered> {
        let started = Instant::now();
        let talk = self.args.talk;
        let grown = pipeline::grow(config, self.args.head.path.as_deref(), talk)?;
        loaded(&grown.head);
        let offscreen = match self.offscreen.take() {
            Some(offscreen) => offscreen,
            None => Offscreen::new()?,
        };
        let offscreen = self.offscreen.insert(offscreen);
        let mut film = Film::new(offscreen, &grown, config, self.plan)?;
        let bar = talk.progress("frames", u64::from(self.plan.frames));
        let written = write(&mut film, self.output, self.plan, &|| bar.inc(1));
        bar.finish_and_clear();
        written?;
        Ok(Rendered {
            output: self.output.path.clone(),
            frames: self.plan.frames,
            width: self.plan.resolution.0,
            height: self.plan.resolution.1,
            strands: grown.groom.len(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Renders now and after every change, and tells what goes wrong on the way.
    fn again_and_again(mut self, config: Config) -> anyhow::Result<()> {
        let head = self.args.head.path.clone();
        self.args.head.check_there()?;
        let (tell, told) = channel();
        let watcher = Watcher::new(move |_| {
            // The rendering may have ended; then nobody needs the news.
            let _ = tell.send(());
        });
        let named: Vec<PathBuf> = head.iter().chain(&self.args.head.config).cloned().collect();
        let mut files = Vec::new();
        watcher.set_files(named.clone(), SystemTime::now());

        let (mut again, mut told_to_wait) = ("", false);
        let mut config = Some(config);
        loop {
            let since = SystemTime::now();
            let mut loaded = false;
            let read = config.take().map_or_else(|| self.args.read(), Ok);
            let rendered = read.map_err(anyhow::Error::from).and_then(|config| {
                self.once(&config, &mut |head| {
                    files.clone_from(&head.files);
                    loaded = true;
                })
            });
            match rendered {
                Ok(rendered) => {
                    let (path, secs) = (rendered.output.display(), rendered.seconds);
                    let text = format!("rendered {path}{again} in {secs:.2} s");
                    self.args.talk.say(&text);
                    again = " again";
                    if self.args.talk.json {
                        data::print_json_line(&rendered)?;
                    }
                }
                // No file that changes gives this machine a graphics driver.
                Err(error) if error.is::<RenderError>() => return Err(error),
                Err(error) => talk::error(&narrated(&error)),
            }
            let mut watched = [named.clone(), files.clone()].concat();
            if let (false, Some(path)) = (loaded, &head) {
                // It may lack a buffer beside it; nobody knows which.
                let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
                watched.push(parent.unwrap_or(Path::new(".")).to_owned());
            }
            watcher.set_files(watched, since);
            if !std::mem::replace(&mut told_to_wait, true) {
                self.args.talk.say("waiting for changes; Ctrl+C ends");
            }
            told.recv().context("files are no longer watched")?;
            told.try_iter().for_each(drop); // One rendering for all that happened meanwhile.
        }
    }
}

/// Takes the pictures and writes them; `taken` is called after each.
fn write(
    film: &mut Film<'_>,
    output: &Output,
    plan: &Plan,
    taken: &dyn Fn(),
) -> anyhow::Result<()> {
    match output.kind {
        Kind::Png | Kind::NumberedPngs => {
            for frame in 0..plan.frames {
                let picture = film.picture(plan.time_secs(frame))?;
                data::write(&output.path_of(frame), &output::png(&picture)?)?;
                taken();
            }
            Ok(())
        }
        Kind::Gif => {
            let mut samples = Vec::new();
            for frame in gif::sample_frames(plan.frames) {
                samples.push(film.picture(plan.time_secs(frame))?);
            }
            film.rewind();
            let mut clip = gif::Gif::new(&samples, plan.fps)?;
            drop(samples);
            for frame in 0..plan.frames {
                clip.push(&film.picture(plan.time_secs(frame))?)?;
                taken();
            }
            data::write(&output.path, &clip.finish()?)
        }
    }
}
