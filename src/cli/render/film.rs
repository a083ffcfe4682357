//! Plays a scene, takes its pictures and writes them: once, or again whenever a file changes.

use super::cache::{self, Baked, Cache, Moment};
use super::frames::Timing;
use super::joined;
use super::player::{self, Player};
use super::target::{Format, Target};
use super::writing::Job;
use super::{RenderArgs, ffmpeg};
use crate::cli::messages::error as show_error;
use crate::cli::{output, pipeline::SceneHair, settings::SceneArg};
use crate::file_watcher::Watcher;
use crate::roots_overlay::{self, Spread};
use anyhow::{Context, Result, bail};
use glam::Vec3;
use mohawk::render::{
    Framing, Highlight, Offscreen, OrbitCamera, Quality, RenderError, Shot, Solid, Stage,
    ball_around,
};
use mohawk::{Config, roots::certify, scene_file::SceneSetup};
use serde::Serialize;
use std::f32::consts::TAU;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};

/// The pictures that were rendered.
#[derive(Serialize)]
struct Rendered {
    /// The file, or the pattern of numbered files.
    output: PathBuf,
    /// The number of pictures that were taken.
    frames: usize,
    /// The number of numbered pictures that `--resume` found there.
    skipped: usize,
    /// The size of a file's picture.
    width: u32,
    height: u32,
    strands: usize,
    /// The time for loading and rendering, in seconds.
    seconds: f64,
}

/// Renders once, or with `--watch` until the program is ended.
/// With `is_default`, an animation of the head plays in place of the scene.
pub fn run(
    args: &RenderArgs,
    target: &Target,
    (setup, is_default): (SceneSetup, bool),
    config: Config,
) -> Result<()> {
    if let Some(path) = &args.bake {
        return bake(args, target, path, (setup, is_default), &config);
    }
    if let Format::Clip(clip) = target.format
        && clip.needs_ffmpeg()
    {
        ffmpeg::find()?; // Before anything is loaded.
    }
    if let Some(pictures) = &args.pictures {
        let joined = joined::write(args, pictures, target)?;
        return output::print_if(args.settings.head.json, &joined);
    }
    let mut studio = Studio {
        args,
        target,
        is_default,
        offscreen: None,
    };
    if args.settings.watch {
        return studio.watch(setup, config);
    }
    let rendered = studio.render(&setup, &config, &mut None)?;
    output::print_if(args.settings.head.json, &rendered)
}

/// A cache that was baked.
#[derive(Serialize)]
struct BakedFile {
    output: PathBuf,
    frames: u32,
    strands: usize,
    bytes: u64,
    /// The time for loading and playing, in seconds.
    seconds: f64,
}

/// Plays the scene into a cache. Nothing is drawn.
fn bake(
    args: &RenderArgs,
    target: &Target,
    path: &Path,
    (setup, is_default): (SceneSetup, bool),
    config: &Config,
) -> Result<()> {
    let started = Instant::now();
    let head = &args.settings.head;
    let cast = SceneHair::of(&setup, is_default, head.source(config))?;
    if let Some(head) = &cast.head {
        output::check("render", path, &head.files)?;
    }
    let timing = args.timing(target, &cast.setup)?;
    let baked = Baked::of(&cast, &timing, config)?;
    let mut player = Player::new(&cast.setup, &timing, cast.simulation(config));
    let bar = head.messages.progress("baked", baked.pictures.into());
    let bytes = cache::bake(path, &baked, &mut player, &bar);
    bar.finish_and_clear();
    let result = BakedFile {
        output: path.to_owned(),
        frames: baked.pictures,
        strands: cast.groom.len(),
        bytes: bytes?,
        seconds: started.elapsed().as_secs_f64(),
    };
    output::print_if(head.json, &result)
}

struct Studio<'a> {
    args: &'a RenderArgs,
    target: &'a Target,
    /// `true` if an animation of the head plays in place of the scene.
    is_default: bool,
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
    ) -> Result<Rendered> {
        let started = Instant::now();
        let (args, target) = (self.args, self.target);
        let settings = &args.settings;
        let cast = SceneHair::of(setup, self.is_default, settings.head.source(config))?;
        let setup = &cast.setup;
        let timing = args.timing(target, setup)?;
        let sheet = args.sheet_of(timing.taken.len() as u32, args.resolution)?;
        let files = cast.head.as_ref().map(|head| head.files.clone());
        let files = files.unwrap_or_default();
        let inputs = [&settings.head.inputs()[..], &files].concat();
        target.check_spares(&timing.taken, &inputs)?;
        *loaded = Some(files);
        let offscreen = match self.offscreen.take() {
            Some(offscreen) => offscreen,
            None => Offscreen::new()?,
        };
        let offscreen = self.offscreen.insert(offscreen);
        let mut stage = stage(offscreen, &cast, config, args, target)?;
        let camera = camera(&cast, config, args, &timing);
        let mut cache = match &args.cache {
            Some(path) => Some(Cache::open(path, &Baked::of(&cast, &timing, config)?)?),
            None => None,
        };
        let mut player = match cache {
            Some(_) => None,
            None => Some(Player::new(setup, &timing, cast.simulation(config))),
        };
        let skin = cache.as_ref().and_then(|_| cast.skin_motion());
        let mut own = Moment::default();
        let picture = |frame: u32| {
            let mut moment = |stage: &mut Stage, share: f64| {
                let mut camera = camera;
                if args.view.turntable {
                    let turned = f64::from(frame) + share * timing.shutter;
                    camera.yaw += TAU * (turned / f64::from(timing.total)) as f32;
                }
                if let Some(player) = &mut player {
                    let sim = player.during(frame, share);
                    cast.show_skin(sim.skin_secs(), sim.groom(), stage);
                    own.take(sim);
                }
                let shown = match &mut cache {
                    Some(cache) => cache.during(frame, share),
                    None => &own,
                };
                if let Some(skin) = &skin {
                    let groom = skin.carried_to(shown.carried_secs);
                    cast.show_skin(shown.skin_secs, &groom, stage);
                }
                camera.target += setup.followed_at(shown.time_secs);
                stage.set_points(&shown.points, shown.per);
                stage.set_rings(&shown.rings);
                stage.set_wetness(shown.wetness);
                Shot {
                    camera,
                    world_from_head: shown.world_from_head,
                    background: !args.no_background,
                }
            };
            let (width, height) = args.resolution;
            let taken = if timing.shutter > 0.0 {
                offscreen.render_moving(&mut stage, args.resolution, moment)
            } else {
                let shot = moment(&mut stage, 0.0);
                offscreen.render(&mut stage, &shot, width, height)
            };
            if let Some(cache) = &mut cache {
                cache.check()?;
            }
            Ok(taken?)
        };
        let frames: Vec<u32> = match args.resume {
            true => target.missing(timing.taken.clone()),
            false => timing.taken.clone().collect(),
        };
        let bar = (settings.head.messages).progress("frames", frames.len() as u64);
        // The first picture may take long.
        bar.enable_steady_tick(Duration::from_millis(200));
        let job = Job {
            target,
            sheet,
            frames: &frames,
            fps: timing.fps,
            size: args.resolution,
            is_opaque: !args.no_background,
        };
        let written = job.write(&bar, picture);
        bar.finish_and_clear();
        written?;
        let (width, height) = sheet.map_or(args.resolution, |sheet| sheet.pixels());
        Ok(Rendered {
            output: target.path.clone(),
            frames: frames.len(),
            skipped: timing.taken.len() - frames.len(),
            width,
            height,
            strands: cast.groom.len(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Renders now and after every change of a file, and shows errors.
    fn watch(mut self, setup: SceneSetup, config: Config) -> Result<()> {
        let args = self.args;
        let settings = &args.settings;
        let messages = settings.head.messages;
        settings.head.check_readable()?;
        let head = setup.head.clone().or(settings.head.path.clone());
        let (sender, changes) = channel();
        // The receiver is gone if rendering has ended.
        let watcher = Watcher::new(move |_| _ = sender.send(()));
        let named = settings.watched(args.scene.as_ref());
        let named: Vec<PathBuf> = named.into_iter().chain(setup.head.clone()).collect();
        let mut files = Vec::new();
        watcher.set_files(named.clone(), SystemTime::now());

        let (mut again, mut said_waiting) = ("", false);
        let default = setup.clone();
        // Reads the scene and the settings from their files.
        let read = || {
            let scene = args.scene.as_ref().map(SceneArg::load).transpose()?;
            let scene = scene.unwrap_or_else(|| default.clone());
            let config = settings.read(Some(&scene))?;
            anyhow::Ok((scene, config))
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
                    messages.say(&text);
                    again = " again";
                    if settings.head.json {
                        output::print_json_line(&rendered)?;
                    }
                }
                // No change of a file makes up for a missing graphics driver.
                Err(error) if error.is::<RenderError>() => return Err(error),
                Err(error) => show_error(&error),
            }
            let mut watched = named.clone();
            match (loaded, &head) {
                (Some(loaded), _) => files = loaded,
                // A file beside the head may be missing: watch the whole folder.
                (None, Some(path)) => watched.push(output::folder_of(path).to_owned()),
                (None, None) => {}
            }
            watched.extend(files.iter().cloned());
            watcher.set_files(watched, since);
            if !std::mem::replace(&mut said_waiting, true) {
                messages.say("waiting for changes; Ctrl+C ends");
            }
            changes.recv().context("files are no longer watched")?;
            changes.try_iter().for_each(drop); // Render once for all changes so far.
        }
    }
}

/// Returns the camera of the first picture.
fn camera(cast: &SceneHair, config: &Config, args: &RenderArgs, timing: &Timing) -> OrbitCamera {
    let setup = &cast.setup;
    let (view, (width, height)) = (&args.view, args.resolution);
    let (mut camera, aspect) = (view.direction(&config.view), width as f32 / height as f32);
    if let Some(reach) = setup.reach() {
        camera.target = ball_around(&reach).map_or(camera.target, |(middle, _)| middle);
        let mut framing = Framing::new(camera, aspect, view.turntable);
        reach
            .iter()
            .for_each(|&(at, radius)| framing.add(at, radius));
        camera = framing.camera();
    } else if !view.is_placed(&config.view) {
        let mut framing = Framing::keeping(camera, aspect, view.turntable);
        player::scout(&mut framing, cast, config, timing, !args.roots);
        camera = framing.camera();
    }
    view.placed(camera)
}

/// Returns what is seen of a scene.
fn stage(
    offscreen: &Offscreen,
    cast: &SceneHair,
    config: &Config,
    args: &RenderArgs,
    target: &Target,
) -> Result<Stage> {
    let setup = &cast.setup;
    let quality = Quality {
        samples: args.samples(target),
        ..Quality::FULL
    };
    let mut stage = Stage::new(offscreen.context(), &config.look, quality);
    if let Some(head) = &cast.head {
        stage.set_head(head);
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
        match (&cast.head, &cast.planted) {
            // The roots as discs instead of the hair.
            (_, Some(planted)) => {
                let (scalp, roots) = (planted.scalp(), &planted.roots());
                let gap = certify(scalp, roots)?.gap;
                stage.set_discs(&Spread::of(scalp, roots)?.discs);
                stage.set_ring(gap.map(|gap| roots_overlay::ring(scalp, &gap)));
                stage.layers.hair = false;
                stage.layers.discs = true;
            }
            (Some(_), None) => {}
            (None, None) => bail!("--roots: the strands of {setup} do not grow on a head"),
        }
    }
    if let Some(reach) = setup.reach() {
        stage.set_extent(ball_around(&reach));
    }
    Ok(stage)
}
