//! Plays a scene, takes its pictures and writes them: once, or again whenever a file changes.

use super::gif::{self, Gif};
use super::RenderArgs;
use super::target::{Format, Target, Timing};
use crate::cli::{messages, output, pipeline::Cast, settings::SceneArg};
use crate::file_watcher::Watcher;
use crate::roots_overlay::{self, Spread};
use anyhow::{Context, bail};
use glam::Vec3;
use image::RgbaImage;
use indicatif::ProgressBar;
use mohawk::render::{
    Highlight, Layers, Offscreen, OrbitCamera, RenderError, Shot, Solid, Stage, ball_around,
};
use mohawk::roots::{SampleError, certify};
use mohawk::scene_file::SceneSetup;
use mohawk::{Config, Roots, Scalp, Simulation};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Instant, SystemTime};

/// Longest time that the simulation advances at once, in seconds. It drops much longer times as
/// pauses.
const MAX_ADVANCE_SECS: f64 = 0.1;

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
    let mut studio = Studio {
        args,
        target,
        offscreen: None,
    };
    if args.settings.watch {
        return studio.watch(setup, config);
    }
    let rendered = studio.render(&setup, &config, &mut None)?;
    match args.settings.head.messages.json {
        true => output::print_json(&rendered),
        false => Ok(()),
    }
}

struct Studio<'a> {
    args: &'a RenderArgs,
    target: &'a Target,
    /// Opened when first needed.
    offscreen: Option<Offscreen>,
}

impl Studio<'_> {
    /// Renders once. `loaded` gets the files of the head before pictures are taken.
    fn render(
        &mut self,
        setup: &SceneSetup,
        config: &Config,
        loaded: &mut Option<Vec<PathBuf>>,
    ) -> anyhow::Result<Rendered> {
        let started = Instant::now();
        let (args, target) = (self.args, self.target);
        let settings = &args.settings;
        let cast = Cast::of(setup, settings.head.source(config))?;
        let head = cast.grown.as_ref().map(|grown| &grown.head);
        *loaded = Some(head.map_or_else(Vec::new, |head| head.files.clone()));
        let offscreen = match self.offscreen.take() {
            Some(offscreen) => offscreen,
            None => Offscreen::new()?,
        };
        let offscreen = self.offscreen.insert(offscreen);
        let timing = args.timing(target, setup);
        let mut film = Film::new(offscreen, &cast, setup, config, args)?;
        let bar = settings.head.messages.progress("frames", timing.frames.into());
        let written = film.write(target, &timing, &bar);
        bar.finish_and_clear();
        written?;
        Ok(Rendered {
            output: target.path.clone(),
            frames: timing.frames,
            width: args.resolution.0,
            height: args.resolution.1,
            strands: cast.groom.len(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Renders now and after every change of a file, and shows errors.
    fn watch(mut self, setup: SceneSetup, config: Config) -> anyhow::Result<()> {
        let args = self.args;
        let settings = &args.settings;
        settings.head.check_readable()?;
        let head = setup.head.clone().or(settings.head.path.clone());
        let (sender, changes) = channel();
        // The receiver is gone if rendering has ended.
        let watcher = Watcher::new(move |_| _ = sender.send(()));
        let scene = args.scene.as_ref().and_then(SceneArg::file);
        let named = head.iter().chain(&settings.head.config).chain(scene);
        let named: Vec<PathBuf> = named.cloned().collect();
        let mut files = Vec::new();
        watcher.set_files(named.clone(), SystemTime::now());

        let (mut again, mut said_waiting) = ("", false);
        let default = setup.clone();
        // Reads the scene and the settings from their files.
        let read = || {
            let scene = args.scene.as_ref().map(SceneArg::load).transpose()?;
            let config = settings.read_for(scene.as_ref())?;
            anyhow::Ok((scene.unwrap_or_else(|| default.clone()), config))
        };
        let mut first = Some((setup, config));
        loop {
            let since = SystemTime::now();
            let mut loaded = None;
            let scene = first.take().map_or_else(read, Ok);
            let rendered =
                scene.and_then(|(setup, config)| self.render(&setup, &config, &mut loaded));
            match rendered {
                Ok(rendered) => {
                    let (path, secs) = (rendered.output.display(), rendered.seconds);
                    let text = format!("rendered {path}{again} in {secs:.2} s");
                    settings.head.messages.say(&text);
                    again = " again";
                    if settings.head.messages.json {
                        output::print_json_line(&rendered)?;
                    }
                }
                // No change of a file makes up for a missing graphics driver.
                Err(error) if error.is::<RenderError>() => return Err(error),
                Err(error) => messages::error(&error),
            }
            let mut watched = named.clone();
            match (loaded, &head) {
                (Some(loaded), _) => files = loaded,
                // A file beside the head may be missing: watch the whole folder.
                (None, Some(path)) => {
                    let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
                    watched.push(parent.unwrap_or(Path::new(".")).to_owned());
                }
                (None, None) => {}
            }
            watched.extend(files.iter().cloned());
            watcher.set_files(watched, since);
            if !std::mem::replace(&mut said_waiting, true) {
                settings.head.messages.say("waiting for changes; Ctrl+C ends");
            }
            changes.recv().context("files are no longer watched")?;
            changes.try_iter().for_each(drop); // Render once for all changes so far.
        }
    }
}

/// The head, the hair and their motion, played frame by frame into an off-screen picture.
struct Film<'a> {
    offscreen: &'a Offscreen,
    stage: Stage,
    sim: Simulation,
    /// The time of the simulation.
    played_secs: f64,
    setup: &'a SceneSetup,
    camera: OrbitCamera,
    args: &'a RenderArgs,
    points: Vec<[f32; 4]>,
}

impl<'a> Film<'a> {
    /// Returns the film of a scene, at its start.
    fn new(
        offscreen: &'a Offscreen,
        cast: &Cast,
        setup: &'a SceneSetup,
        config: &Config,
        args: &'a RenderArgs,
    ) -> anyhow::Result<Self> {
        let mut stage = offscreen.stage(&config.look);
        let grown = cast.grown.as_ref();
        if let Some(grown) = grown {
            stage.set_head(&grown.head);
        } else {
            let skull = setup.skull.map(|skull| (skull.center, skull.radii));
            stage.solids.set_ellipsoid(skull);
        }
        stage.set_groom(&cast.groom);
        let solids = config.sim.colliders.iter().map(|collider| Solid {
            from: collider.from.into(),
            to: collider.to.map(Vec3::from),
            radius: collider.radius,
            highlight: Highlight::Plain,
        });
        stage.solids.set(&solids.collect::<Vec<_>>());
        if args.roots {
            match grown.map(|grown| &grown.planted) {
                Some(Some((scalp, roots))) => show_roots(&mut stage, scalp, roots)?,
                Some(None) => {}
                None => bail!("--roots: the strands of {setup} do not grow on a head"),
            }
        }
        let (width, height) = args.resolution;
        let view = args.camera;
        let camera = match setup.reach() {
            Some(reach) => {
                stage.set_extent(ball_around(&reach));
                OrbitCamera::framing(view, &reach, width as f32 / height as f32)
            }
            None => OrbitCamera::named(view),
        };
        Ok(Film {
            sim: cast.simulation(setup, config),
            offscreen,
            stage,
            played_secs: 0.0,
            setup,
            camera,
            args,
            points: Vec::new(),
        })
    }

    /// Takes the pictures and writes them.
    fn write(&mut self, target: &Target, timing: &Timing, bar: &ProgressBar) -> anyhow::Result<()> {
        let time_secs = |frame| timing.start_secs + f64::from(frame) / timing.fps;
        if target.format != Format::Gif {
            for frame in 0..timing.frames {
                let picture = self.picture(time_secs(frame))?;
                output::write(&target.path_of(frame), &output::png(&picture)?)?;
                bar.inc(1);
            }
            return Ok(());
        }
        let samples = gif::sample_frames(timing.frames).map(|frame| self.picture(time_secs(frame)));
        let mut clip = Gif::new(&samples.collect::<Result<Vec<_>, _>>()?, timing.fps)?;
        self.sim.reset(self.setup.pose(0.0));
        self.played_secs = 0.0;
        for frame in 0..timing.frames {
            clip.push(&self.picture(time_secs(frame))?)?;
            bar.inc(1);
        }
        output::write(&target.path, &clip.finish()?)
    }

    /// Returns the picture at a time of the scene, which must not be before that of the last one.
    fn picture(&mut self, time_secs: f64) -> anyhow::Result<RgbaImage> {
        while self.played_secs < time_secs {
            let next_secs = time_secs.min(self.played_secs + MAX_ADVANCE_SECS);
            let elapsed_secs = next_secs - self.played_secs;
            self.sim.advance(elapsed_secs, &mut |t| self.setup.pose(t));
            self.played_secs = next_secs;
        }
        self.sim.write_drawn(&mut self.points);
        let per_strand = self.sim.drawn_particles();
        self.stage.set_points(&self.points, per_strand);
        let shot = Shot {
            camera: self.camera,
            world_from_head: self.sim.drawn_pose().to_mat4(),
            background: !self.args.no_background,
        };
        let (width, height) = self.args.resolution;
        let picture = (self.offscreen).render(&mut self.stage, &shot, width, height)?;
        Ok(picture)
    }
}

/// Shows the roots as discs instead of the hair.
fn show_roots(stage: &mut Stage, scalp: &Scalp, roots: &Roots) -> Result<(), SampleError> {
    let spread = Spread::of(scalp, roots)?;
    let gap = certify(scalp, roots)?.gap;
    stage.set_discs(&spread.discs);
    stage.set_ring(gap.map(|gap| roots_overlay::ring(scalp, &gap)));
    stage.layers = Layers {
        head: true,
        hair: false,
        discs: true,
    };
    Ok(())
}
