//! `mohawk simulate`: the positions of moving hair, without a window.

mod poses;

use super::convert::{MeshArgs, strands_file};
use super::output::{self, CommandResult};
use super::pipeline::SceneHair;
use super::settings::{HairArgs, HeadArgs, SceneArg, fps};
use crate::numbers::grouped;
use anyhow::{Context, bail};
use indicatif::ProgressBar;
use mohawk::files::{Output, write_whole_with};
use mohawk::sim::{STEP_SECS, Scene, frame_place};
use mohawk::strands::{Form, Format, Motion, Strands, particles_to_file};
use mohawk::{Config, Simulation, scene_file::SceneSetup};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracing::warn;

/// Default frame rate, in frames per second.
const DEFAULT_FPS: f64 = 60.0;

const EXAMPLES: &str = "\
Examples:
  mohawk simulate --solver ftl --scene swing -o positions.npy
  mohawk simulate my-head.glb --strands 500 --solver angular --scene nod --fps 30 --json
  mohawk simulate --scene pendulum --solver particles --set sim.particles.stepping=verlet -o p.npy
  mohawk simulate --scene my-scene.toml --solver rod -o positions.npy
  mohawk simulate --poses poses.npy --solver ftl --set sim.hold=0.5 -o positions.npy
  mohawk simulate --preset bob --scene nod --fps 24 -o bob.usdc    Curves for Blender, Houdini, Unreal

positions.npy holds f32 [frame, strand, particle, 3] in world space, in decimetres. Frame 0 is the
start, particle 0 is the root. poses.npy holds [frame, 4, 4]: for each frame the matrix from head
space to world space, with the translation in the last column. Poses are interpolated between
frames. Strands have the units and the axes of the model and move with the head. The settings of a
scene override a settings file; --solver and --set override both.";

/// Simulate hair without a window and write its positions
///
/// A step is 1/240 s at every frame rate. A frame between two steps is interpolated. The same
/// arguments give the same bits on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// Scene to play, by name or as a file (.toml) [default: the animation of the head, or swing]
    #[arg(long, value_name = "NAME|FILE", long_help = SceneArg::help("Scene to play, by name or as a file (.toml) [default: the animation of the head, or swing]"), value_parser = SceneArg::parse, help_heading = "Motion")]
    scene: Option<SceneArg>,
    /// Head poses instead of a scene: .npy, [frame, 4, 4]
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "scene",
        help_heading = "Motion"
    )]
    poses: Option<PathBuf>,
    /// Number of frames, including the start [default: from the scene file, or one period of the
    /// scene, or the number of poses]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Motion")]
    frames: Option<u32>,
    /// Frames per second, 0.1 to 1000 [default: from the scene file, or 60]
    #[arg(long, value_name = "F", value_parser = fps, help_heading = "Motion")]
    fps: Option<f64>,

    /// Write the positions of all particles: .npy, or strands in motion: .abc, .usda, .usdc, .usdz or
    /// .npz; or the last frame in another format of `mohawk convert`
    #[arg(short, long, value_name = "FILE", value_parser = motion_file, help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    mesh: MeshArgs,

    #[command(flatten)]
    hair: HairArgs,
    #[command(flatten)]
    head: HeadArgs,
}

/// Checks that a file has the extension of an array or of strands.
fn motion_file(text: &str) -> Result<PathBuf, String> {
    match output::extension(Path::new(text)).as_str() {
        "npy" => Ok(text.into()),
        _ => strands_file(text).map_err(|error| error.replace("in ", "in .npy, ")),
    }
}

/// Measures of the motion.
#[derive(Serialize)]
struct Simulated {
    solver: String,
    /// The name of the scene; `poses` for poses from a file.
    scene: String,
    /// The length of a step, in seconds.
    dt: f64,
    fps: f64,
    frames: u32,
    strands: usize,
    particles: usize,
    /// The largest |segment length / rest length − 1| of all frames.
    max_stretch: f64,
    /// The largest stretch of hairs that follow guide hairs; 0 without such hairs.
    max_dependent_stretch: f64,
    /// The largest depth of a particle in the head, in decimetres.
    max_penetration: f64,
    /// The number of strands that became non-finite and were reset.
    resets: u64,
    /// The time for simulating and writing, in seconds.
    seconds: f64,
    #[serde(skip)]
    output: Option<PathBuf>,
}

impl SimulateArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.head.messages.start();
        if let Some(path) = &self.output {
            let scene = self.scene.as_ref().and_then(SceneArg::file);
            let inputs = scene.into_iter().chain(&self.poses);
            let inputs = inputs.cloned().chain(self.head.inputs());
            output::check("simulate", path, inputs)?;
        }
        self.mesh.check("simulate", self.output.as_deref())?;
        let mut config = self.head.config()?;
        let setup: SceneSetup = match (&self.poses, &self.scene) {
            (Some(path), _) => poses::load(path, self.fps.unwrap_or(DEFAULT_FPS))?.into(),
            (None, Some(scene)) => scene.load()?,
            (None, None) => Scene::Swing.into(),
        };
        let is_default = self.poses.is_none() && self.scene.is_none();
        self.head.check_animation("simulate", is_default)?;
        setup.prepare(&mut config)?;
        self.hair.override_in(&mut config)?;
        let cast = SceneHair::of(&setup, is_default, self.head.source(&config))?;
        if cast.groom.is_empty() {
            let advice = cast.head.as_ref().and_then(|head| head.paint_advice());
            let none = "no strand is left; raise groom.density or the number of strands, or paint \
                        more density";
            let advice = advice.unwrap_or_else(|| none.to_owned());
            let own = cast.setup.head.as_ref();
            let name = own.map_or_else(|| self.head.name(), |path| path.display().to_string());
            bail!("{name}: {advice}");
        }
        if let (Some(path), Some(head)) = (&self.output, &cast.head) {
            output::check("simulate", path, &head.files)?;
        }
        let (mut simulation, setup) = (cast.simulation(&config), &cast.setup);
        let fps = self.fps.or(setup.fps).unwrap_or(DEFAULT_FPS);
        let period = || (setup.period_secs() * fps).round() as u32 + 1;
        let frames = self.frames.or(setup.frames).unwrap_or_else(period);
        let started = Instant::now();
        let mut result = Simulated {
            solver: simulation.solver_name().to_owned(),
            scene: setup.to_string(),
            dt: STEP_SECS,
            fps,
            frames,
            strands: simulation.strand_count(),
            particles: simulation.settings().strand_particles as usize,
            max_stretch: 0.0,
            max_dependent_stretch: 0.0,
            max_penetration: 0.0,
            resets: 0,
            seconds: 0.0,
            output: self.output.clone(),
        };
        let mut play = Play {
            simulation: &mut simulation,
            setup,
            result: &mut result,
            particles: Vec::new(),
            bar: self.head.messages.progress("frames", frames.into()),
        };
        match &self.output {
            Some(path) if output::extension(path) == "npy" => {
                let written = write_whole_with(path, |file| play.write_npy(file));
                written.with_context(|| format!("{} could not be written", path.display()))?;
            }
            Some(path) => play.write_strands(path, &cast, &config, self.mesh.form())?,
            None => (0..frames).for_each(|frame| play.show(frame)),
        }
        play.bar.finish_and_clear();
        result.resets = simulation.reset_strands();
        result.seconds = started.elapsed().as_secs_f64();
        result.print(self.head.json)
    }
}

/// Frames that are played, one after the other.
struct Play<'a> {
    simulation: &'a mut Simulation,
    setup: &'a SceneSetup,
    result: &'a mut Simulated,
    /// The particles of the frame that was shown last.
    particles: Vec<[f32; 4]>,
    bar: ProgressBar,
}

impl Play<'_> {
    /// Moves the hair to a frame, and measures it.
    fn show(&mut self, frame: u32) {
        let (simulation, setup) = (&mut *self.simulation, self.setup);
        let (steps, alpha) = frame_place(frame, self.result.fps);
        while simulation.steps() < steps {
            simulation.advance(STEP_SECS, &mut |t| setup.pose(t));
        }
        simulation.write_particles(alpha, &mut self.particles);
        let result = &mut *self.result;
        let [simulated, dependent] = simulation.stretch_of(&self.particles);
        result.max_stretch = result.max_stretch.max(simulated);
        result.max_dependent_stretch = result.max_dependent_stretch.max(dependent);
        let depth = simulation.penetration_of(alpha, &self.particles);
        result.max_penetration = result.max_penetration.max(depth);
        self.bar.inc(1);
    }

    /// Writes all frames as a NumPy array.
    fn write_npy(&mut self, file: &mut dyn Output) -> io::Result<()> {
        let frames = self.result.frames;
        let size = [self.result.strands as u64, self.result.particles as u64];
        let shape = [frames.into(), size[0], size[1], 3];
        let mut writer = output::npy(file, &shape)?;
        for frame in 0..frames {
            self.show(frame);
            let numbers = self.particles.iter().flat_map(|&[x, y, z, _]| [x, y, z]);
            writer.extend(numbers)?;
        }
        writer.finish()
    }

    /// Writes all frames as strands, or the last, where the format holds one.
    fn write_strands(
        &mut self,
        path: &Path,
        cast: &SceneHair,
        config: &Config,
        form: Form,
    ) -> anyhow::Result<()> {
        let (frames, particles) = (self.result.frames, self.result.particles as u32);
        let units = cast.head.as_ref().map(|head| &head.units);
        let mut strands = Strands::for_file(&cast.groom, config, units, Some(particles));
        let has_motion = Format::of_path(path).is_some_and(Format::has_motion);
        if !has_motion || frames == 1 {
            (0..frames).for_each(|frame| self.show(frame));
            particles_to_file(&mut strands.points, &self.particles, units);
            strands.save(path, form, None)?;
            if frames > 1 {
                let path = path.display();
                warn!("{path}: the format holds one frame: the last of {frames} is in it");
            }
            return Ok(());
        }
        let fps = self.result.fps;
        let motion = Motion {
            fps,
            frames: frames as usize,
            frame: &mut |frame, points| {
                self.show(frame as u32);
                particles_to_file(points, &self.particles, units);
                Ok(())
            },
        };
        strands.save(path, form, Some(motion))?;
        Ok(())
    }
}

impl CommandResult for Simulated {
    fn text(&self) -> String {
        let (frames, fps, particles) = (self.frames, self.fps, self.particles);
        let text = format!(
            "solver: {}\nscene: {}\nframes: {frames} at {fps} a second\n\
             strands: {} of {particles} particles\nlargest stretch: {:.2e}\n\
             deepest particle: {:.4} dm\nstrands reset: {}\ntime: {:.3} s\n",
            self.solver,
            self.scene,
            grouped(self.strands),
            self.max_stretch,
            self.max_penetration,
            self.resets,
            self.seconds
        );
        output::table(&text, &self.output)
    }
}
