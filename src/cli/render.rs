//! `mohawk render`: pictures and clips without a window.

// A build that cannot draw checks the arguments all the same.
#![cfg_attr(not(feature = "viewer"), allow(dead_code))]

#[cfg(feature = "viewer")]
mod film;
mod gif;
mod output;
#[cfg(feature = "viewer")]
mod shoot;

use super::{
    data,
    settings::{SettingsArgs, fps, seconds},
    usage_error,
};
use crate::sim::Scene;
use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
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

    /// How the head moves [default: still for one picture, swing for more]
    #[arg(long, value_name = "NAME", value_parser = scene_parser(), help_heading = "Motion")]
    scene: Option<Scene>,
    /// How many pictures [default: 1 for a PNG, one period of the scene for a clip]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Motion")]
    frames: Option<u32>,
    /// Pictures for each second of motion, at most 50 in a GIF
    #[arg(long, value_name = "F", value_parser = fps, default_value_t = DEFAULT_FPS, help_heading = "Motion")]
    fps: f64,
    /// Time of the first picture
    ///
    /// By default 0; for one picture of a moving head 0.8, well into the swing; for a GIF two
    /// periods of the scene, after which hair that started from rest moves in a loop.
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
    scene: Scene,
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
        self.settings.scene = self.scene;
        let Some(config) = self.settings.config()? else {
            return Ok(());
        };
        let Some((output, plan)) = self.plan()? else {
            return Ok(());
        };
        self.settings.check_watch("render")?;
        data::check_folder(&output.path)?;
        run(self.settings, config, &output, &plan)
    }

    fn plan(&self) -> anyhow::Result<Option<(Output, Plan)>> {
        let Some(output) = self.output.clone() else {
            return Ok(None); // clap asks for one unless nothing is to be rendered.
        };
        let many = match output.kind {
            Kind::Png => self.frames.is_some_and(|frames| frames > 1),
            Kind::NumberedPngs | Kind::Gif => self.frames != Some(1),
        };
        if many && output.kind == Kind::Png {
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
        let scene = self
            .scene
            .unwrap_or(if many { Scene::Swing } else { Scene::Still });
        let frames = match self.frames {
            Some(frames) => frames,
            None if many => ((scene.period_secs() * self.fps).round() as u32).max(1),
            None => 1,
        };
        let start_secs = self.at.unwrap_or(match output.kind {
            _ if scene == Scene::Still => 0.0,
            Kind::Gif => LOOPING_PERIODS * scene.period_secs(),
            _ if many => 0.0,
            _ => FLATTERING_SECS,
        });
        let plan = Plan {
            scene,
            frames,
            fps: self.fps,
            start_secs,
            resolution: self.resolution,
            camera: self.camera,
            background: !self.no_background,
            roots: self.roots,
        };
        Ok(Some((output, plan)))
    }
}

#[cfg(feature = "viewer")]
use shoot::run;

#[cfg(not(feature = "viewer"))]
fn run(_: SettingsArgs, _: crate::Config, _: &Output, _: &Plan) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}

fn scene_parser() -> impl TypedValueParser<Value = Scene> {
    PossibleValuesParser::new(Scene::of_heads().map(Scene::name))
        .try_map(|name| name.parse::<Scene>())
}

fn resolution(text: &str) -> Result<(u32, u32), String> {
    const MAX: u32 = 16_384; // The largest picture common GL drivers draw.
    let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=MAX).contains(n));
    text.split_once([',', 'x'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| format!("expected W,H with both from 1 to {MAX}, for example 1280,720"))
}
