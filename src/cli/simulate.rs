//! `mohawk simulate`: hair in motion as numbers, without a window.

mod poses;

use super::{
    data,
    pipeline::Cast,
    scene::SceneArg,
    settings::{HairArgs, HeadArgs, fps},
    talk::Talk,
    usage_error,
};
use crate::numbers::grouped;
use anyhow::Context;
use mohawk::Simulation;
use mohawk::files::write_whole_with;
use mohawk::scene_file::Staging;
use mohawk::sim::STEP_SECS;
use npyz::WriterBuilder;
use serde::Serialize;
use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::Instant,
};

/// Frames a second if nobody says.
const DEFAULT_FPS: f64 = 60.0;
/// A frame that ends this close after a step (in steps) shows that step.
const TOLERANCE_STEPS: f64 = 1e-6;

const EXAMPLES: &str = "\
Examples:
  mohawk simulate --solver ftl --scene swing -o positions.npy
  mohawk simulate my-head.glb --strands 500 --solver angular --scene nod --fps 30 --frames 120 --json
  mohawk simulate --scene pendulum --solver particles --set sim.particles.stepping=verlet -o p.npy
  mohawk simulate --scene my-scene.toml --solver rod -o positions.npy
  mohawk simulate --poses poses.npy --solver ftl --set sim.hold=0.5 -o positions.npy

positions.npy holds f32 [frame, strand, particle, 3] in world space, decimetres; frame 0 is the
start, particle 0 the root. poses.npy holds [frame, 4, 4], matrices that take head space to world
space (translation in the last column), one for each frame; between frames they are interpolated.
A scene's own settings go on top of a settings file, --solver and --set on top of both.";

/// Move hair without a window, and write where it is
///
/// Every step is 1/240 s whatever the frame rate; a frame between two steps is interpolated. The
/// same arguments give the same bits on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// How the head moves, a scene without a head, or a scene file (.toml)
    ///
    /// still, swing, nod, turn, shake, walk, run, drop, gust, pendulum, cantilever; docs/solvers.md
    /// says what a file may contain.
    #[arg(long, value_name = "NAME|FILE", value_parser = SceneArg::parse, default_value = "swing", help_heading = "Motion")]
    scene: SceneArg,
    /// Head poses instead of a scene: .npy, [frame, 4, 4]
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "scene",
        help_heading = "Motion"
    )]
    poses: Option<PathBuf>,
    /// Frames to write, the start among them [default: what the scene file says, one period of the
    /// scene, or as many as poses]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Motion")]
    frames: Option<u32>,
    /// Frames for each second of motion, 0.1 to 1000 [default: what the scene file says, or 60]
    #[arg(long, value_name = "F", value_parser = fps, help_heading = "Motion")]
    fps: Option<f64>,

    /// Write the positions of all particles: .npy
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    hair: HairArgs,
    #[command(flatten)]
    head: HeadArgs,
    #[command(flatten)]
    talk: Talk,
}

/// What came of it.
#[derive(Serialize)]
struct Simulated {
    solver: String,
    /// `poses` where they came from a file.
    scene: String,
    /// Length of a step, seconds.
    dt: f64,
    fps: f64,
    frames: u32,
    strands: usize,
    particles: usize,
    /// Largest |segment length / rest length − 1| of all frames.
    max_stretch: f64,
    /// The same of dependent hairs alone; 0 without any.
    max_dependent_stretch: f64,
    /// Largest depth of a particle in the head, decimetres.
    max_penetration: f64,
    /// Strands that were not finite and have been put to rest.
    resets: u64,
    /// Time that simulating and writing took.
    seconds: f64,
}

impl SimulateArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        if let Some(path) = &self.output {
            let inputs = [
                self.scene.file(),
                self.poses.as_ref(),
                self.head.path.as_ref(),
            ];
            if let Some(input) = data::overwritten(path, inputs.into_iter().flatten()) {
                let text = format!(
                    "--output would overwrite {}, which is read",
                    input.display()
                );
                return Err(usage_error("simulate", text));
            }
            data::check_folder(path)?;
        }
        let (mut simulation, staging) = self.prepare()?;
        let fps = self.fps.or(staging.fps).unwrap_or(DEFAULT_FPS);
        let period = || (staging.period_secs() * fps).round() as u32 + 1;
        let frames = self.frames.or(staging.frames).unwrap_or_else(period);
        let started = Instant::now();
        let mut result = Simulated {
            solver: simulation.solver_name().to_owned(),
            scene: staging.to_string(),
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
        };
        match &self.output {
            Some(path) => write_whole_with(path, |file| {
                self.play(&mut simulation, &staging, &mut result, Some(file))
            })
            .with_context(|| format!("{} could not be written", path.display()))?,
            None => self.play(&mut simulation, &staging, &mut result, None)?,
        }
        result.resets = simulation.reset_strands();
        result.seconds = started.elapsed().as_secs_f64();
        if self.talk.json {
            return data::print_json(&result);
        }
        data::print(&result.table(self.output.as_deref()))
    }

    /// Strands at rest, and what they are to play.
    fn prepare(&self) -> anyhow::Result<(Simulation, Staging)> {
        let mut config = self.head.config()?;
        let staging = match &self.poses {
            Some(path) => poses::load(path, self.fps.unwrap_or(DEFAULT_FPS))?.into(),
            None => self.scene.load()?,
        };
        staging.prepare(&mut config)?;
        self.hair.override_in(&mut config)?;
        let cast = Cast::of(&staging, &config, self.head.path.as_deref(), self.talk)?;
        Ok((cast.simulation(&staging, &config), staging))
    }

    /// Plays all frames; each goes to `file` as it is done.
    fn play(
        &self,
        simulation: &mut Simulation,
        staging: &Staging,
        result: &mut Simulated,
        file: Option<&mut dyn Write>,
    ) -> io::Result<()> {
        let shape = [
            u64::from(result.frames),
            result.strands as u64,
            result.particles as u64,
            3,
        ];
        let mut writer = match file {
            Some(file) => Some(
                npyz::WriteOptions::<f32>::new()
                    .default_dtype()
                    .shape(&shape)
                    .writer(BufWriter::new(file))
                    .begin_nd()?,
            ),
            None => None,
        };
        let bar = self.talk.progress("frames", u64::from(result.frames));
        let mut particles = Vec::new();
        for frame in 0..result.frames {
            let place = f64::from(frame) / result.fps / STEP_SECS;
            let steps = (place - TOLERANCE_STEPS).ceil().max(0.0) as u64;
            while simulation.steps() < steps {
                simulation.advance(STEP_SECS, &mut |t| staging.pose(t));
            }
            let alpha = (1.0 - (steps as f64 - place)).clamp(0.0, 1.0);
            let alpha = if alpha > 1.0 - TOLERANCE_STEPS {
                1.0
            } else {
                alpha
            };
            simulation.write_particles(alpha, &mut particles);
            if let Some(writer) = &mut writer {
                let numbers = particles.iter().flat_map(|&[x, y, z, _]| [x, y, z]);
                writer.extend(numbers)?;
            }
            result.max_stretch = result.max_stretch.max(simulation.max_stretch());
            let stretch = simulation.max_dependent_stretch();
            result.max_dependent_stretch = result.max_dependent_stretch.max(stretch);
            result.max_penetration = result.max_penetration.max(simulation.max_penetration());
            bar.inc(1);
        }
        bar.finish_and_clear();
        writer.map_or(Ok(()), |writer| writer.finish())
    }
}

impl Simulated {
    fn table(&self, output: Option<&Path>) -> String {
        let mut rows = vec![
            ("solver", self.solver.clone()),
            ("scene", self.scene.clone()),
            (
                "frames",
                format!("{} at {} a second", self.frames, self.fps),
            ),
            (
                "strands",
                format!("{} of {} particles", grouped(self.strands), self.particles),
            ),
            ("largest stretch", format!("{:.2e}", self.max_stretch)),
            (
                "deepest particle",
                format!("{:.4} dm", self.max_penetration),
            ),
            ("strands reset", self.resets.to_string()),
            ("took", format!("{:.3} s", self.seconds)),
        ];
        if let Some(path) = output {
            rows.push(("written", path.display().to_string()));
        }
        rows.iter()
            .map(|(name, value)| format!("  {name:<18}{value}\n"))
            .collect()
    }
}
