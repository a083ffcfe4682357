//! Hair in motion.

use super::{EmbedError, Hair, OpenHead, Progress, Skin, set, tell};
use crate::config::Config;
use crate::head::Model;
use crate::scene_file::SceneSetup;
use crate::sim::{HeadShape, Pose, STEP_SECS, Simulation, frame_place};
use crate::strands::Strands;
use crate::style::Saved;
use std::sync::Arc;

/// The longest time of one call, seconds. It takes minutes.
pub const MAX_SECS: f64 = 60.0;
/// The longest time in one go, seconds. The simulation drops what is longer, as after a sleep of the
/// computer.
const LONGEST_GO: f64 = 0.25;
/// The longest time between two calls of a callback, seconds: that of six steps.
const PART_SECS: f64 = 0.025;

/// Checks the number of frames a second.
///
/// # Errors
///
/// [`EmbedError::Fps`].
pub fn check_fps(fps: f64) -> Result<(), EmbedError> {
    match (0.1..=1000.0).contains(&fps) {
        true => Ok(()),
        false => Err(EmbedError::Fps(fps)),
    }
}

/// Hair in motion.
#[derive(Debug)]
pub struct Motion {
    simulation: Simulation,
    config: Config,
    skin: Option<Arc<Skin>>,
    /// The shape of a scene without a head.
    skull: HeadShape,
    /// The motion of the head where no pose is given.
    scene: Option<SceneSetup>,
    /// The pose that was asked for last.
    goal: Pose,
}

impl Hair {
    /// Begins a simulation, with some settings of `sim` changed.
    ///
    /// # Errors
    ///
    /// Those of [`set`](super::set).
    pub fn simulate(&self, settings: &[(String, String)]) -> Result<Motion, EmbedError> {
        Motion::new(self, None, settings)
    }
}

impl Motion {
    /// Begins a simulation of hair at rest, with some settings of `sim` changed. In a scene, those of
    /// the scene come first, and hair is combed as the scene says.
    ///
    /// # Errors
    ///
    /// [`EmbedError::OwnStrands`], [`EmbedError::Scene`], and those of [`set`](super::set).
    pub fn new(
        hair: &Hair,
        scene: Option<SceneSetup>,
        settings: &[(String, String)],
    ) -> Result<Self, EmbedError> {
        let has_own = |scene: &&SceneSetup| scene.strands.is_some() || scene.head.is_some();
        match scene.as_ref().filter(has_own) {
            Some(scene) => Err(EmbedError::OwnStrands(scene.to_string())),
            None => Self::begin(hair, scene, settings),
        }
    }

    fn begin(
        hair: &Hair,
        scene: Option<SceneSetup>,
        settings: &[(String, String)],
    ) -> Result<Self, EmbedError> {
        let mut config = hair.config.clone();
        let mut groom = hair.groom.clone();
        if let Some(scene) = &scene {
            scene.prepare(&mut config)?;
            scene.comb(&mut groom);
        }
        set(&mut config, settings, &["sim"])?;
        let goal = scene
            .as_ref()
            .map_or(Pose::IDENTITY, |scene| scene.pose(0.0));
        let simulation = Simulation::new(groom, config.sim.clone(), goal);
        let skull = scene.as_ref().and_then(|scene| scene.skull).into();
        let mut motion = Self {
            simulation,
            config,
            skin: hair.skin.clone(),
            skull,
            scene,
            goal,
        };
        motion.meet_head();
        Ok(motion)
    }

    /// Begins a scene with the strands that it has, or with hair that grows on the head that it names
    /// or on the shipped one.
    ///
    /// # Errors
    ///
    /// Those of [`OpenHead::read`], of [`OpenHead::grow`] and of [`new`](Self::new).
    pub fn of_scene(
        scene: SceneSetup,
        settings: &[(String, String)],
        progress: Progress,
    ) -> Result<Self, EmbedError> {
        if let Some(strands) = &scene.strands {
            let hair = Hair::in_air(strands.clone());
            return Self::begin(&hair, Some(scene), settings);
        }
        let mut config = Config::default();
        scene.prepare(&mut config)?;
        set(&mut config, settings, &["head", "roots", "groom", "sim"])?;
        let model = scene.head.clone().map_or_else(Model::default, Model::File);
        let head = OpenHead::with(model, config.clone())?;
        let hair = head.grow_with(Saved::default(), config, progress)?;
        let of_motion = settings.iter().filter(|(key, _)| key.starts_with("sim."));
        let of_motion: Vec<(String, String)> = of_motion.cloned().collect();
        Self::begin(&hair, Some(scene), &of_motion)
    }

    fn meet_head(&mut self) {
        let shape = match &self.skin {
            Some(skin) => skin.shape(&self.config),
            None => self.skull.clone(),
        };
        self.simulation.set_head(shape);
    }

    /// Advances by one step of [`STEP_SECS`], at whose end the head is at a pose. Without a pose it
    /// moves as the scene says, or stays.
    pub fn step(&mut self, pose: Option<Pose>) {
        match (&self.scene, pose) {
            (Some(scene), None) => self.simulation.advance(STEP_SECS, &mut |t| scene.pose(t)),
            _ => {
                self.goal = pose.unwrap_or(self.goal);
                self.simulation.advance(STEP_SECS, &mut |_| self.goal);
            }
        }
    }

    /// Advances by a time, at whose end the head is at a pose: it turns and moves evenly. Without a
    /// pose it moves as the scene says, or to the pose that was asked for last. If the time does not
    /// end on a step, the head gets there in the next call.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Seconds`], and [`EmbedError::Cancelled`] between two steps.
    pub fn advance(
        &mut self,
        secs: f64,
        pose: Option<Pose>,
        progress: Progress,
    ) -> Result<(), EmbedError> {
        if !(0.0..=MAX_SECS).contains(&secs) {
            return Err(EmbedError::Seconds(secs));
        }
        let of_scene = self.scene.as_ref().filter(|_| pose.is_none());
        self.goal = pose.unwrap_or(self.goal);
        let from = self.simulation.pose();
        let goes = (secs / LONGEST_GO).ceil();
        let parts = (secs / goes / PART_SECS).ceil();
        for go in 0..goes as u32 {
            let to = from.interpolate(&self.goal, f64::from(go + 1) / goes);
            let mut poses = self.simulation.poses_to(secs / goes, to);
            for part in 0..parts as u32 {
                let done = f64::from(go) * parts + f64::from(part);
                tell(progress, (done / (goes * parts)) as f32)?;
                let secs = secs / goes / parts;
                match of_scene {
                    Some(scene) => self.simulation.advance(secs, &mut |t| scene.pose(t)),
                    None => self.simulation.advance(secs, &mut poses),
                }
            }
        }
        tell(progress, 1.0)
    }

    /// Plays frames of the scene, of which the first is the present, and hands each to `take`: the
    /// particles as [`Simulation::write_particles`] writes them. `mohawk simulate` writes the same.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Fps`], and [`EmbedError::Cancelled`] between two steps.
    pub fn play(
        &mut self,
        frames: u32,
        fps: f64,
        take: &mut dyn FnMut(&[[f32; 4]]),
        progress: Progress,
    ) -> Result<(), EmbedError> {
        check_fps(fps)?;
        let start = self.simulation.steps();
        let mut particles = Vec::new();
        for frame in 0..frames {
            self.show(start, (frame, frames, fps), &mut particles, progress)?;
            take(&particles);
        }
        tell(progress, 1.0)
    }

    /// Moves the hair to a frame of so many, counted from a step, and writes its particles.
    pub(super) fn show(
        &mut self,
        start: u64,
        (frame, frames, fps): (u32, u32, f64),
        particles: &mut Vec<[f32; 4]>,
        progress: Progress,
    ) -> Result<(), EmbedError> {
        let (steps, alpha) = frame_place(frame, fps);
        while self.simulation.steps() < start + steps {
            tell(progress, frame as f32 / frames as f32)?;
            self.step(None);
        }
        self.simulation.write_particles(alpha, particles);
        Ok(())
    }

    /// Puts all strands to rest under a pose, or that of the start, at time 0.
    pub fn reset(&mut self, pose: Option<Pose>) {
        let start = self.scene.as_ref().map(|scene| scene.pose(0.0));
        self.goal = pose.or(start).unwrap_or(Pose::IDENTITY);
        self.simulation.reset(self.goal);
    }

    /// Changes settings of `sim`. The motion goes on.
    ///
    /// # Errors
    ///
    /// Those of [`set`](super::set). The settings then stay unchanged.
    pub fn set(&mut self, settings: &[(String, String)]) -> Result<(), EmbedError> {
        let mut config = self.config.clone();
        set(&mut config, settings, &["sim"])?;
        self.config = config;
        self.simulation.set_settings(self.config.sim.clone());
        self.meet_head();
        Ok(())
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Returns the simulation, for instance to push strands.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Returns the strands as they hang now for a file: on the head as it is in its file, in the units
    /// and axes of that.
    pub fn strands(&self) -> Strands {
        let units = self.skin.as_ref().map(|skin| &skin.head.units);
        Strands::hanging(&self.simulation, &self.config, units)
    }

    /// Returns the settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the head under the hair; `None` for strands in the air.
    pub fn skin(&self) -> Option<&Arc<Skin>> {
        self.skin.as_ref()
    }

    /// Returns the scene that is played.
    pub fn scene(&self) -> Option<&SceneSetup> {
        self.scene.as_ref()
    }
}
