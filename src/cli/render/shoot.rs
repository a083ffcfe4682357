//! The pictures taken and written: once, or again whenever a file changes.

use super::film::Film;
use super::output::{self, Kind, Output};
use super::{Plan, RenderArgs, gif};
use crate::cli::{data, narrated, pipeline::Cast, scene::SceneArg, talk};
use crate::viewer::watch::Watcher;
use anyhow::Context;
use mohawk::render::{Offscreen, RenderError};
use mohawk::scene_file::Staging;
use mohawk::{Config, Head};
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
pub fn run(
    args: &RenderArgs,
    output: &Output,
    staging: Staging,
    config: Config,
) -> anyhow::Result<()> {
    let mut shoot = Shoot {
        args,
        output,
        offscreen: None,
    };
    if args.settings.watch {
        return shoot.again_and_again(staging, config);
    }
    let rendered = shoot.once(&staging, &config, &mut |_| ())?;
    if args.settings.talk.json {
        data::print_json(&rendered)?;
    }
    Ok(())
}

struct Shoot<'a> {
    args: &'a RenderArgs,
    output: &'a Output,
    /// Opened when it is first needed, and kept.
    offscreen: Option<Offscreen>,
}

impl Shoot<'_> {
    /// Renders; `loaded` sees the head, if there is one, before its pictures are taken.
    fn once(
        &mut self,
        staging: &Staging,
        config: &Config,
        loaded: &mut dyn FnMut(Option<&Head>),
    ) -> anyhow::Result<Rendered> {
        let started = Instant::now();
        let settings = &self.args.settings;
        let path = settings.head.path.as_deref();
        let cast = Cast::of(staging, config, path, settings.talk)?;
        loaded(cast.grown.as_ref().map(|grown| &grown.head));
        let offscreen = match self.offscreen.take() {
            Some(offscreen) => offscreen,
            None => Offscreen::new()?,
        };
        let offscreen = self.offscreen.insert(offscreen);
        let plan = self.args.plan(self.output, staging);
        let mut film = Film::new(offscreen, &cast, staging, config, &plan)?;
        let bar = settings.talk.progress("frames", u64::from(plan.frames));
        let written = write(&mut film, self.output, &plan, &|| bar.inc(1));
        bar.finish_and_clear();
        written?;
        Ok(Rendered {
            output: self.output.path.clone(),
            frames: plan.frames,
            width: plan.resolution.0,
            height: plan.resolution.1,
            strands: cast.groom.len(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// The scene and the settings as they are in their files now; `unasked`: what is played where no
    /// scene was named.
    fn read(&self, unasked: &Staging) -> anyhow::Result<(Staging, Config)> {
        let asked = self.args.scene.as_ref().map(SceneArg::load).transpose()?;
        let config = self.args.settings.read_for(asked.as_ref())?;
        Ok((asked.unwrap_or_else(|| unasked.clone()), config))
    }

    /// Renders now and after every change, and tells what goes wrong on the way.
    fn again_and_again(mut self, staging: Staging, config: Config) -> anyhow::Result<()> {
        let args = self.args;
        let settings = &args.settings;
        settings.head.check_there()?;
        let head = staging.head.as_ref().or(settings.head.path.as_ref());
        let head = head.cloned();
        let (tell, told) = channel();
        let watcher = Watcher::new(move |_| {
            // The rendering may have ended; then nobody needs the news.
            let _ = tell.send(());
        });
        let scene = args.scene.as_ref().and_then(SceneArg::file);
        let named = head.iter().chain(&settings.head.config).chain(scene);
        let named: Vec<PathBuf> = named.cloned().collect();
        let mut files = Vec::new();
        watcher.set_files(named.clone(), SystemTime::now());

        let (mut again, mut told_to_wait) = ("", false);
        let unasked = staging.clone();
        let mut first = Some((staging, config));
        loop {
            let since = SystemTime::now();
            let mut loaded = false;
            let read = first.take().map_or_else(|| self.read(&unasked), Ok);
            let rendered = read.and_then(|(staging, config)| {
                self.once(&staging, &config, &mut |head| {
                    files = head.map_or_else(Vec::new, |head| head.files.clone());
                    loaded = true;
                })
            });
            match rendered {
                Ok(rendered) => {
                    let (path, secs) = (rendered.output.display(), rendered.seconds);
                    let text = format!("rendered {path}{again} in {secs:.2} s");
                    settings.talk.say(&text);
                    again = " again";
                    if settings.talk.json {
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
                settings.talk.say("waiting for changes; Ctrl+C ends");
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
