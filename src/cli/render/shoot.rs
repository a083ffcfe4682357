//! Takes the pictures and writes them: once, or again whenever a file changes.

use super::args::{RenderArgs, Timing};
use super::film::Film;
use super::gif;
use super::target::{Format, Target};
use crate::cli::{messages, output, pipeline::Cast, scene::SceneArg};
use crate::file_watcher::Watcher;
use anyhow::Context;
use mohawk::render::{Offscreen, RenderError};
use mohawk::scene_file::SceneSetup;
use mohawk::{Config, Head};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Instant, SystemTime};

/// The pictures that were rendered.
#[derive(Serialize)]
struct Rendered {
    /// The file, or the pattern of numbered files.
    output: PathBuf,
    /// The number of pictures in the file, or of numbered files.
    frames: u32,
    width: u32,
    height: u32,
    strands: usize,
    /// The time for loading and rendering, in seconds.
    seconds: f64,
}

/// Renders once, or with `--watch` until the program is ended.
pub fn run(
    args: &RenderArgs,
    target: &Target,
    setup: SceneSetup,
    config: Config,
) -> anyhow::Result<()> {
    let mut shoot = Shoot {
        args,
        target,
        offscreen: None,
    };
    if args.settings.watch {
        return shoot.watch(setup, config);
    }
    let rendered = shoot.once(&setup, &config, &mut |_| ())?;
    if args.settings.messages.json {
        output::print_json(&rendered)?;
    }
    Ok(())
}

struct Shoot<'a> {
    args: &'a RenderArgs,
    target: &'a Target,
    /// Opened when first needed.
    offscreen: Option<Offscreen>,
}

impl Shoot<'_> {
    /// Renders once. `loaded` is called with the head, if there is one, before pictures are taken.
    fn once(
        &mut self,
        setup: &SceneSetup,
        config: &Config,
        loaded: &mut dyn FnMut(Option<&Head>),
    ) -> anyhow::Result<Rendered> {
        let started = Instant::now();
        let settings = &self.args.settings;
        let path = settings.head.path.as_deref();
        let cast = Cast::of(setup, config, path, settings.messages)?;
        loaded(cast.grown.as_ref().map(|grown| &*grown.head));
        let offscreen = match self.offscreen.take() {
            Some(offscreen) => offscreen,
            None => Offscreen::new()?,
        };
        let offscreen = self.offscreen.insert(offscreen);
        let timing = self.args.timing(self.target, setup);
        let mut film = Film::new(offscreen, &cast, setup, config, self.args)?;
        let bar = settings
            .messages
            .progress("frames", u64::from(timing.frames));
        let written = write(&mut film, self.target, &timing, &|| bar.inc(1));
        bar.finish_and_clear();
        written?;
        Ok(Rendered {
            output: self.target.path.clone(),
            frames: timing.frames,
            width: self.args.resolution.0,
            height: self.args.resolution.1,
            strands: cast.groom.len(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Reads the scene and the settings from their files. Without `--scene` it returns `default`.
    fn read(&self, default: &SceneSetup) -> anyhow::Result<(SceneSetup, Config)> {
        let scene = self.args.scene.as_ref().map(SceneArg::load).transpose()?;
        let config = self.args.settings.read_for(scene.as_ref())?;
        Ok((scene.unwrap_or_else(|| default.clone()), config))
    }

    /// Renders now and after every change of a file, and shows errors.
    fn watch(mut self, setup: SceneSetup, config: Config) -> anyhow::Result<()> {
        let args = self.args;
        let settings = &args.settings;
        settings.head.check_readable()?;
        let head = setup.head.as_ref().or(settings.head.path.as_ref());
        let head = head.cloned();
        let (sender, changes) = channel();
        let watcher = Watcher::new(move |_| {
            // The receiver is gone if rendering has ended.
            let _ = sender.send(());
        });
        let scene = args.scene.as_ref().and_then(SceneArg::file);
        let named = head.iter().chain(&settings.head.config).chain(scene);
        let named: Vec<PathBuf> = named.cloned().collect();
        let mut files = Vec::new();
        watcher.set_files(named.clone(), SystemTime::now());

        let (mut again, mut said_waiting) = ("", false);
        let default = setup.clone();
        let mut first = Some((setup, config));
        loop {
            let since = SystemTime::now();
            let mut loaded = false;
            let read = first.take().map_or_else(|| self.read(&default), Ok);
            let rendered = read.and_then(|(setup, config)| {
                self.once(&setup, &config, &mut |head| {
                    files = head.map_or_else(Vec::new, |head| head.files.clone());
                    loaded = true;
                })
            });
            match rendered {
                Ok(rendered) => {
                    let (path, secs) = (rendered.output.display(), rendered.seconds);
                    let text = format!("rendered {path}{again} in {secs:.2} s");
                    settings.messages.say(&text);
                    again = " again";
                    if settings.messages.json {
                        output::print_json_line(&rendered)?;
                    }
                }
                // No change of a file makes up for a missing graphics driver.
                Err(error) if error.is::<RenderError>() => return Err(error),
                Err(error) => messages::error(&error),
            }
            let mut watched = [named.clone(), files.clone()].concat();
            if let (false, Some(path)) = (loaded, &head) {
                // A file beside the head may be missing: watch the whole folder.
                let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
                watched.push(parent.unwrap_or(Path::new(".")).to_owned());
            }
            watcher.set_files(watched, since);
            if !std::mem::replace(&mut said_waiting, true) {
                settings.messages.say("waiting for changes; Ctrl+C ends");
            }
            changes.recv().context("files are no longer watched")?;
            changes.try_iter().for_each(drop); // Render once for all changes so far.
        }
    }
}

/// Takes the pictures and writes them. `taken` is called after each.
fn write(
    film: &mut Film<'_>,
    target: &Target,
    timing: &Timing,
    taken: &dyn Fn(),
) -> anyhow::Result<()> {
    match target.format {
        Format::Png | Format::NumberedPngs => {
            for frame in 0..timing.frames {
                let picture = film.picture(timing.time_secs(frame))?;
                output::write(&target.path_of(frame), &output::png(&picture)?)?;
                taken();
            }
            Ok(())
        }
        Format::Gif => {
            let mut samples = Vec::new();
            for frame in gif::sample_frames(timing.frames) {
                samples.push(film.picture(timing.time_secs(frame))?);
            }
            film.rewind();
            let mut clip = gif::Gif::new(&samples, timing.fps)?;
            drop(samples);
            for frame in 0..timing.frames {
                clip.push(&film.picture(timing.time_secs(frame))?)?;
                taken();
            }
            output::write(&target.path, &clip.finish()?)
        }
    }
}
