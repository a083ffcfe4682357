//! `mohawk render`: pictures and clips without a window.
//!
//! Here are the flags, and what they mean for the times of the pictures (`frames`). `target` has the
//! names of files. `film` takes the pictures that `player` plays, and `writing` writes them: clips
//! with `apng`, `gif` and `ffmpeg`, many in one picture with `sheet`.

// A build that cannot draw checks the arguments too.
#![cfg_attr(not(feature = "viewer"), allow(dead_code, unused_variables))]

#[cfg(feature = "viewer")]
mod apng;
#[cfg(feature = "viewer")]
mod cache;
mod camera_args;
#[cfg(feature = "viewer")]
mod ffmpeg;
#[cfg(feature = "viewer")]
mod film;
mod frames;
#[cfg(feature = "viewer")]
mod gif;
#[cfg(feature = "viewer")]
mod joined;
#[cfg(feature = "viewer")]
mod player;
mod sheet;
mod target;
#[cfg(feature = "viewer")]
mod writing;

use super::settings::{SceneArg, SettingsArgs, fps, resolution, seconds, within};
use super::{messages::usage_error, output};
use camera_args::CameraArgs;
use frames::{Frames, Timing};
use mohawk::{scene_file::SceneSetup, sim::Scene};
use sheet::Sheet;
use std::path::PathBuf;
use target::{Clip, FRAME_NUMBER, Format, Target};

/// Default frame rate, in frames per second. A GIF can store it exactly.
const DEFAULT_FPS: f64 = 25.0;
/// Frame rate above which browsers slow a GIF down to a tenth.
const GIF_MAX_FPS: f64 = 50.0;
/// Periods of a scene after which hair that started from rest moves in a loop.
const LOOPING_PERIODS: f64 = 2.0;
/// The time of a single picture of a moving scene, in seconds: well into the first swing.
const PICTURE_SECS: f64 = 0.8;

/// Default number of pictures of a sheet.
const SHEET_FRAMES: u32 = 12;

/// Samples per pixel of one picture, and of each of many.
const PICTURE_SAMPLES: u32 = 16;
const CLIP_SAMPLES: u32 = 4;

const SCENE_ABOUT: &str = "Scene to play, by name or as a file (.toml) [default: still for one \
    picture, the preset's or swing for more]";

const EXAMPLES: &str = "\
Examples:
  mohawk render -o hair.png --camera side
  mohawk render my-head.glb -o swing.gif --resolution 640,360
  mohawk render -o swing.mp4 --fps 60
  mohawk render -o hair.png --scene nod --at 1.2 --no-background
  mohawk render -o around.gif --scene still --turntable --frames 100
  mohawk render -o ear.png --yaw 80 --target 0.8,0,0 --distance 3
  mohawk render -o frame_{frame}.png --frames 300 --fps 60 --resume
  mohawk render -o frame_{frame}.png --frames 0..150/300 --fps 60
  mohawk render -o frame_{frame}.png --frames 300 --bake swing.cache
  mohawk render -o frame_{frame}.png --frames 0..150/300 --cache swing.cache
  mohawk render -o swing.mp4 --pictures frame_{frame}.png --fps 60
  mohawk render -o sheet.png --sheet 4 --resolution 320,240
  mohawk render -o fall.gif --scene my-scene.toml --solver rod
  mohawk render my-head.glb -o hair.png --watch";

/// Render a picture, a clip or numbered pictures, without a window
///
/// Needs no display and no GPU. The same arguments give the same motion on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct RenderArgs {
    /// File to write: .png or .webp (frame_{frame}.png for numbered pictures), or a clip: .apng,
    /// .gif, .mp4 or .webm
    ///
    /// An APNG has all colours. MP4 and WebM need the program ffmpeg.
    #[arg(short, long, value_name = "FILE", value_parser = Target::parse, required_unless_present = "print_config", help_heading = "Picture")]
    output: Option<Target>,
    /// Size in pixels, as W,H or WxH, up to 16384 a side
    #[arg(long, value_name = "W,H", value_parser = resolution, default_value = "1280,720", help_heading = "Picture")]
    resolution: (u32, u32),
    /// Samples per pixel, 1 to 256 [default: 16 for one picture, 4 for more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Picture")]
    samples: Option<u32>,
    /// Blur what moves: the share of the time between two pictures in which each is taken, 0 to 1
    ///
    /// Film cameras have 0.5. Each sample shows its own moment, so a clip then has 16 samples.
    #[arg(long, value_name = "SHARE", value_parser = within(0.0..=1.0), allow_negative_numbers = true, default_value_t = 0.0, hide_default_value = true, help_heading = "Picture")]
    motion_blur: f64,
    /// Make the background transparent (not in GIF and MP4)
    #[arg(long, help_heading = "Picture")]
    no_background: bool,
    /// Put all pictures into one, with this many in a row; each has the size of --resolution
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Picture")]
    sheet: Option<u32>,
    /// Leave numbered pictures as they are whose files exist
    ///
    /// Files are written whole or not at all, so that a run that was broken off goes on when it is
    /// started again with the same arguments.
    #[arg(long, conflicts_with = "watch", help_heading = "Picture")]
    resume: bool,

    /// Show the roots instead of the hair: discs as wide as their spacing, and the largest gap
    ///
    /// The colour shows the distance to the nearest root: dark at the spacing, yellow from 1.5
    /// spacings, red where roots are closer than the spacing.
    #[arg(long, help_heading = "Picture")]
    roots: bool,

    /// Scene to play, by name or as a file (.toml)
    #[arg(long, value_name = "NAME|FILE", long_help = SceneArg::help(SCENE_ABOUT), value_parser = SceneArg::parse, help_heading = "Motion")]
    scene: Option<SceneArg>,
    /// Number of pictures, or A..B/N for pictures A to B-1 of N [default: 1 for a picture, 12 for a
    /// sheet, else one loop of the scene]
    ///
    /// The first picture is 0. Pictures of a part have the same numbers and bits as those of the
    /// whole clip, so that machines with the same graphics driver can share it. Without N the clip
    /// has the default number of pictures.
    #[arg(long, value_name = "N|A..B/N", value_parser = Frames::parse, help_heading = "Motion")]
    frames: Option<Frames>,
    /// Pictures per second, at most 50 in a GIF [default: 25; a sheet spreads its pictures over one
    /// loop of the scene]
    #[arg(long, value_name = "F", value_parser = fps, help_heading = "Motion")]
    fps: Option<f64>,
    /// Time of the first picture
    ///
    /// The default is 0. For one picture of a moving scene it is 0.8, well into the swing. For a
    /// clip of a moving head in one file it is two periods, after which hair that started from rest
    /// moves in a loop.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "Motion")]
    at: Option<f64>,

    /// Play the motion of the pictures into a cache, and draw nothing
    ///
    /// The other arguments are those of the run that draws: only hair and motion must be the same then.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cache", "watch", "resume", "roots"], help_heading = "Motion")]
    bake: Option<PathBuf>,
    /// Draw hair from a cache instead of playing it
    ///
    /// Pictures have the same bits as without it. Several runs can share a clip by --frames A..B, on
    /// one machine or many.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "roots"], help_heading = "Motion")]
    cache: Option<PathBuf>,

    /// Put numbered pictures that were drawn before into FILE, a clip or a sheet, and draw nothing
    #[arg(long, value_name = "frame_{frame}.png", value_parser = Target::parse, conflicts_with_all = ["bake", "cache", "watch", "resume", "roots"], help_heading = "Motion")]
    pictures: Option<Target>,

    #[command(flatten)]
    view: CameraArgs,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl RenderArgs {
    pub fn run(mut self) -> anyhow::Result<()> {
        self.settings.head.messages.start();
        let scene = self.scene.as_ref().map(SceneArg::load).transpose()?;
        let Some(config) = self.settings.config(scene.as_ref())? else {
            return Ok(());
        };
        let Some(target) = self.output.take() else {
            return Ok(()); // clap requires it unless nothing is to be rendered.
        };
        if let Some(problem) = self.problem(&target) {
            return Err(usage_error("render", problem));
        }
        self.settings.check_watch("render", self.scene.as_ref())?;
        match &self.bake {
            Some(cache) => {
                let head = &self.settings.head;
                let scene = self.scene.iter().filter_map(SceneArg::file);
                let inputs = head.inputs().into_iter().chain(scene.cloned());
                output::check("render", cache, inputs)?;
            }
            None => output::check_folder(&target.path)?,
        }
        self.settings
            .head
            .check_animation("render", scene.is_none())?;
        let is_clip = self.is_clip(&target);
        let scene = match (scene, is_clip) {
            (None, true) if !self.settings.head.wants_animation() => self.own_scene()?,
            (scene, _) => scene,
        };
        let config = match (&self.scene, &scene) {
            (None, Some(own)) => self.settings.read(Some(own))?,
            _ => config,
        };
        // A picture shows a head as its file does, unless a moment of its animation is asked for.
        let is_moment = self.at.is_some() || self.settings.head.wants_animation();
        let is_default = scene.is_none() && (is_clip || is_moment);
        let scene = scene.unwrap_or_else(|| match is_clip {
            true => Scene::Swing.into(),
            false => Scene::Still.into(),
        });
        #[cfg(feature = "viewer")]
        return film::run(&self, &target, (scene, is_default), config);
        #[cfg(not(feature = "viewer"))]
        Err(super::messages::no_drawing())
    }

    /// Returns the scene that the preset or the style is shown with, if it has one.
    fn own_scene(&self) -> anyhow::Result<Option<SceneSetup>> {
        let head = &self.settings.head;
        let card = match (&head.path, &head.preset) {
            (Some(path), _) if head.is_style() => head.card(path)?,
            (None, Some(preset)) => preset.card()?,
            _ => return Ok(None),
        };
        Ok(card.scene())
    }

    /// Returns `true` if the pictures are those of a clip.
    fn is_clip(&self, target: &Target) -> bool {
        let is_one = self.frames.as_ref().map(|frames| !frames.are_many());
        match target.format {
            Format::Picture(_) if self.sheet.is_none() => is_one == Some(false),
            _ => is_one != Some(true),
        }
    }

    /// Returns the number of samples per pixel.
    fn samples(&self, target: &Target) -> u32 {
        self.samples.unwrap_or(match self.is_clip(target) {
            true if self.motion_blur == 0.0 => CLIP_SAMPLES,
            _ => PICTURE_SAMPLES,
        })
    }

    /// Returns what is wrong with the arguments together.
    fn problem(&self, target: &Target) -> Option<String> {
        let stem = target.path.file_stem().unwrap_or_default();
        let numbered = format!("{}_{FRAME_NUMBER}.png", stem.to_string_lossy());
        let numbered = target.path.with_file_name(numbered);
        let numbered = numbered.display();
        let is_picture = matches!(target.format, Format::Picture(_));
        let count = self.frames.as_ref().map_or(1, Frames::count);
        let is_gif = target.format == Format::Clip(Clip::Gif);
        let is_mp4 = target.format == Format::Clip(Clip::Mp4);
        let (width, height) = self.resolution;
        let kind = if is_gif { "a GIF" } else { "an MP4" };
        let (even_width, even_height) = (width + width % 2, height + height % 2);
        Some(if is_picture && self.sheet.is_none() && count > 1 {
            let path = target.path.display();
            format!(
                "{path} holds one picture: for {count} write numbered ones, for example \
                 -o {numbered}, or give --sheet"
            )
        } else if self.sheet.is_some() && !is_picture {
            "--sheet puts all pictures into one: write a .png or .webp".to_owned()
        } else if self.resume && !matches!(target.format, Format::Numbered(_)) {
            format!("--resume needs numbered pictures, for example -o {numbered}")
        } else if (is_gif || is_mp4) && self.no_background {
            format!(
                "{kind} cannot store partial transparency: with --no-background write .apng, \
                 .webm or PNGs, for example -o {numbered}"
            )
        } else if is_mp4 && self.pictures.is_none() && (width, height) != (even_width, even_height)
        {
            format!(
                "the sides of an MP4 are even numbers of pixels: give --resolution \
                 {even_width},{even_height} instead of {width},{height}"
            )
        } else if is_gif && let Some(fps) = self.fps.filter(|fps| *fps > GIF_MAX_FPS) {
            format!("a GIF shows at most {GIF_MAX_FPS} pictures a second, not {fps}")
        } else if self.view.turntable && !self.is_clip(target) {
            "--turntable needs more than one picture: give --frames, or write a clip".to_owned()
        } else if self.roots && self.settings.head.is_style() {
            "--roots shows the roots of heads, not of styles".to_owned()
        } else {
            return None;
        })
    }

    /// Returns the times of the pictures of a scene.
    fn timing(&self, target: &Target, setup: &SceneSetup) -> anyhow::Result<Timing> {
        let is_clip = self.is_clip(target);
        let asked = self.frames.clone().unwrap_or_default();
        let loop_secs = setup.loop_secs();
        let total = asked.total.unwrap_or_else(|| match self.sheet {
            _ if !is_clip => 1,
            Some(_) => SHEET_FRAMES,
            None => ((loop_secs * self.fps.unwrap_or(DEFAULT_FPS)).round() as u32).max(1),
        });
        let fps = self.fps.unwrap_or(match self.sheet {
            Some(_) => f64::from(total) / loop_secs,
            None => DEFAULT_FPS,
        });
        let taken = asked.part.unwrap_or(0..total);
        if taken.end > total {
            let (start, end) = (taken.start, taken.end);
            let problem = format!(
                "--frames {start}..{end}: there are {total} pictures unless you give their number, \
                 for example --frames {start}..{end}/{end}"
            );
            return Err(usage_error("render", problem));
        }
        let start_secs = self.at.unwrap_or(match target.format {
            _ if setup.scene() == Some(Scene::Still) => 0.0,
            // Hair falls once: its clip begins with the fall.
            _ if is_clip && setup.starts_from_rest() => 0.0,
            Format::Clip(_) if !setup.starts_from_rest() => LOOPING_PERIODS * setup.period_secs(),
            _ if is_clip => 0.0,
            _ => PICTURE_SECS,
        });
        Ok(Timing {
            total,
            taken,
            start_secs,
            fps,
            shutter: self.motion_blur,
            samples: self.samples(target),
        })
    }

    /// Returns the places of so many pictures of a size in a sheet, if one is asked for.
    fn sheet_of(&self, count: u32, tile: (u32, u32)) -> anyhow::Result<Option<Sheet>> {
        let sheet = self.sheet.map(|columns| Sheet {
            columns,
            count,
            tile,
        });
        if let Some((width, height)) = sheet.map(|sheet| sheet.size())
            && width.max(height) > Sheet::MAX_SIDE
        {
            let most = Sheet::MAX_SIDE;
            let problem = format!(
                "the sheet would have {width} x {height} pixels, and each side may have {most}: \
                 give a smaller --resolution, fewer --frames or another --sheet"
            );
            return Err(usage_error("render", problem));
        }
        Ok(sheet)
    }
}
