//! `mohawk render`: pictures and clips without a window.

// A build that cannot draw checks the arguments all the same.
#![cfg_attr(not(feature = "viewer"), allow(dead_code))]

#[cfg(feature = "viewer")]
mod film;
mod gif;
pub(super) mod output;
#[cfg(feature = "viewer")]
mod shoot;

use super::{
    data,
    scene::SceneArg,
    settings::{SettingsArgs, fps, seconds},
    usage_error,
};
use clap::ValueEnum;
use mohawk::scene_file::Staging;
use mohawk::sim::Scene;
use mohawk::style::Saved;
use output::{Kind, Output};

/// Frames a second if nobody says: what a GIF can hold exactly.
const DEFAULT_FPS: f64 = 25.0;
/// Above this, browsers slow a GIF down to a tenth.
const GIF_MAX_FPS: f64 = 50.0;
/// Periods of a scene after which hair that started from rest is as it was a period before.
const LOOPING_PERIODS: f64 = 2.0;
/// When a single picture of a moving scene is taken: well into the first swing.
const FLATTERING_SECS: f64 = 0.8;

const EXAMPLES: &str = "\
Examples:
  mohawk render -o hair.png --camera side
  mohawk render my-head.glb -o swing.gif --resolution 640,360
  mohawk render -o hair.png --scene nod --at 1.2 --no-background
  mohawk render -o frame_{frame}.png --frames 300 --fps 60
  mohawk render -o fall.gif --scene my-scene.toml --solver rod
  mohawk render my-head.glb -o hair.png --watch";

/// Render a picture, a GIF or numbered pictures, without a window
///
/// Needs no display and no GPU. The same arguments give the same motion on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct RenderArgs {
    /// What to write: out.png, out.gif, or frame_{frame}.png for numbered pictures
    #[arg(short, long, value_name = "FILE", value_parser = Output::parse, required_unless_present = "print_config", help_heading = "Picture")]
    output: Option<Output>,
    /// Size in pixels
    #[arg(long, value_name = "W,H", value_parser = resolution, default_value = "1280,720", help_heading = "Picture")]
    resolution: (u32, u32),
    /// Where to look from
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = Camera::ThreeQuarter, help_heading = "Picture")]
    camera: Camera,
    /// Leave the background transparent (PNG only)
    #[arg(long, help_heading = "Picture")]
    no_background: bool,

    /// Show the roots instead of the hair: discs as wide as their spacing, and the largest gap
    ///
    /// Colours tell how far the nearest root is: dark at the spacing, yellow from 1.5 spacings on,
    /// red where roots are closer than the spacing.
    #[arg(long, help_heading = "Picture")]
    roots: bool,

    /// How the head moves, a scene without a head, or a scene file (.toml) [default: still for one
    /// picture, swing for more]
    ///
    /// still, swing, nod, turn, shake, walk, run, drop, gust, pendulum, cantilever; docs/solvers.md
    /// says what a file may contain.
    #[arg(long, value_name = "NAME|FILE", value_parser = SceneArg::parse, help_heading = "Motion")]
    scene: Option<SceneArg>,
    /// How many pictures [default: 1 for a PNG, one round of the scene for a clip]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Motion")]
    frames: Option<u32>,
    /// Pictures for each second of motion, at most 50 in a GIF
    #[arg(long, value_name = "F", value_parser = fps, default_value_t = DEFAULT_FPS, help_heading = "Motion")]
    fps: f64,
    /// Time of the first picture
    ///
    /// By default 0; for one picture of what moves 0.8, well into the swing; for a GIF of a head
    /// that moves two periods, after which hair that started from rest moves in a loop.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Motion")]
    at: Option<f64>,

    #[command(flatten)]
    settings: SettingsArgs,
}

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Camera {
    Front,
    Side,
    Top,
    Back,
    ThreeQuarter,
}

/// Everything about the pictures to make, defaults filled in.
struct Plan {
    frames: u32,
    fps: f64,
    start_secs: f64,
    resolution: (u32, u32),
    camera: Camera,
    background: bool,
    roots: bool,
}

impl Plan {
    fn time_secs(&self, frame: u32) -> f64 {
        self.start_secs + f64::from(frame) / self.fps
    }
}

impl RenderArgs {
    pub fn run(mut self) -> anyhow::Result<()> {
        self.settings.talk.start();
        let asked = self.scene.as_ref().map(SceneArg::load).transpose()?;
        let Some(config) = self.settings.config(asked.as_ref())? else {
            return Ok(());
        };
        let Some(output) = self.output.take() else {
            return Ok(()); // clap asks for one unless nothing is to be rendered.
        };
        self.check(&output)?;
        let path = self.settings.head.path.as_deref();
        if self.roots && path.is_some_and(Saved::is_named) {
            let message = "--roots shows the roots of heads, not of styles".to_owned();
            return Err(usage_error("render", message));
        }
        self.settings.check_watch("render", self.scene.as_ref())?;
        data::check_folder(&output.path)?;
        let staging = asked.unwrap_or_else(|| self.unasked(&output).into());
        run(&self, &output, staging, config)
    }

    /// More than one picture?
    fn many(&self, output: &Output) -> bool {
        match output.kind {
            Kind::Png => self.frames.is_some_and(|frames| frames > 1),
            Kind::NumberedPngs | Kind::Gif => self.frames != Some(1),
        }
    }

    /// The scene if nobody says.
    fn unasked(&self, output: &Output) -> Scene {
        if self.many(output) {
            Scene::Swing
        } else {
            Scene::Still
        }
    }

    /// Refuses what a kind of file cannot hold.
    fn check(&self, output: &Output) -> anyhow::Result<()> {
        if self.many(output) && output.kind == Kind::Png {
            return Err(usage_error(
                "render",
                format!(
                    "{} holds one picture: for --frames {} write numbered ones, for example -o {}",
                    output.path.display(),
                    self.frames.unwrap_or(1),
                    output.numbered().display(),
                ),
            ));
        }
        if output.kind == Kind::Gif && self.no_background {
            return Err(usage_error(
                "render",
                format!(
                    "a GIF cannot be half transparent: with --no-background write PNGs, for example -o {}",
                    output.numbered().display(),
                ),
            ));
        }
        if output.kind == Kind::Gif && self.fps > GIF_MAX_FPS {
            return Err(usage_error(
                "render",
                format!(
                    "a GIF shows at most {GIF_MAX_FPS} pictures a second, not {}",
                    self.fps
                ),
            ));
        }
        Ok(())
    }

    /// What to take of a scene.
    fn plan(&self, output: &Output, staging: &Staging) -> Plan {
        let many = self.many(output);
        let round = || ((staging.loop_secs() * self.fps).round() as u32).max(1);
        let frames = self
            .frames
            .unwrap_or_else(|| if many { round() } else { 1 });
        let start_secs = self.at.unwrap_or(match output.kind {
            _ if staging.scene() == Some(Scene::Still) => 0.0,
            // Hair that falls does so once: its clip begins when it does.
            _ if many && staging.starts_from_rest() => 0.0,
            Kind::Gif if !staging.starts_from_rest() => LOOPING_PERIODS * staging.period_secs(),
            _ if many => 0.0,
            _ => FLATTERING_SECS,
        });
        Plan {
            frames,
            fps: self.fps,
            start_secs,
            resolution: self.resolution,
            camera: self.camera,
            background: !self.no_background,
            roots: self.roots,
        }
    }
}

#[cfg(feature = "viewer")]
use shoot::run;

#[cfg(not(feature = "viewer"))]
fn run(_: &RenderArgs, _: &Output, _: Staging, _: mohawk::Config) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}

pub(super) fn resolution(text: &str) -> Result<(u32, u32), String> {
    const MAX: u32 = 16_384; // The largest picture common GL drivers draw.
    let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=MAX).contains(n));
    text.split_once([',', 'x'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| format!("expected W,H with both from 1 to {MAX}, for example 1280,720"))
}
