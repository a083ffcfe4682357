//! Simulation: strands, clock and head pose, as viewer and command line use them.
//! `engine` moves the strands, `clock` counts fixed steps, `fade` blends between solvers, `fork`
//! copies a running simulation, `measure` and `readings` report its state.

pub(crate) mod clock;
pub(crate) mod engine;
pub(crate) mod fade;
mod fork;
mod measure;
mod readings;

pub use measure::Measures;
pub use readings::{Air, Basis, SpringEnds};

use self::clock::Clock;
use self::engine::Engine;
use super::contact::Contacts;
use super::guides::Guides;
use super::hair::StrandRemap;
use super::{Hair, HeadShape, Pose, STEPS_PER_SEC, SimSettings, Solver};
use crate::groom::Groom;
use glam::Vec3;

/// Strands in motion.
///
/// [`advance`](Self::advance) turns frame time into whole steps of [`STEP_SECS`](super::STEP_SECS).
/// Head and hair are drawn interpolated between the last two steps, at most one step behind. The
/// motion depends only on the head poses at the steps, not on the frame rate or the number of
/// threads.
///
/// ```
/// use mohawk::{Groom, Simulation, sim::{Pose, Scene, SimSettings}};
///
/// let groom = Groom::default(); // grown from roots
/// let mut simulation = Simulation::new(&groom, SimSettings::default(), Pose::IDENTITY);
/// let mut tips = Vec::new();
/// for _frame in 0..60 {
///     simulation.advance(1.0 / 60.0, &mut |t_secs| Scene::Swing.pose(t_secs));
///     simulation.write_drawn_tips(&mut tips); // under simulation.drawn_pose()
/// }
/// ```
#[derive(Debug)]
pub struct Simulation {
    /// The settings as they were given.
    settings: SimSettings,
    /// The settings with each value in its range.
    used: SimSettings,
    /// All strands at rest.
    groom: Groom,
    /// The guide hairs; `None` if all strands are simulated.
    guides: Option<Guides>,
    head: HeadShape,
    contacts: Contacts,
    engine: Engine,
    clock: Clock,
    /// The pose before the last step.
    previous_pose: Pose,
    /// The pose after the last step.
    pose: Pose,
    strands_settled: bool,
    reset_strands: u64,
}

impl Simulation {
    /// Returns strands at rest under `pose`, at time 0. Settings are moved into their ranges; use
    /// [`SimSettings::validate`] to report them. A pose that is not finite is replaced by
    /// [`Pose::IDENTITY`].
    pub fn new(groom: &Groom, settings: SimSettings, pose: Pose) -> Self {
        let pose = pose.usable().unwrap_or_default();
        let clamped = settings.clamped();
        let guides = Guides::new(groom, &clamped.guides);
        let simulated = guides.as_ref().map_or(groom, |guides| &guides.basis);
        Self {
            engine: Engine::new(simulated, &clamped, pose),
            guides,
            contacts: Contacts::new(&clamped, &HeadShape::default()),
            used: clamped,
            settings,
            groom: groom.clone(),
            head: HeadShape::default(),
            clock: Clock::default(),
            previous_pose: pose,
            pose,
            strands_settled: true,
            reset_strands: 0,
        }
    }

    /// Sets the shape of the head. [`SimSettings::head_collider`] chooses the part hair collides
    /// with.
    pub fn set_head(&mut self, head: impl Into<HeadShape>) {
        self.head = head.into();
        self.meet();
    }

    /// Updates the obstacles.
    fn meet(&mut self) {
        self.contacts = Contacts::new(&self.used, &self.head);
        self.stir();
    }

    /// Advances by `elapsed_secs` of frame time in whole fixed steps. The remainder waits for the
    /// next frame. Time beyond 0.25 s is dropped; negative and non-finite times count as 0.
    ///
    /// `pose_at` returns the head pose at a simulated time. It is called once per step, in order,
    /// for the end of the step, from [`time_secs`](Self::time_secs)` + STEP_SECS` on. A pose that
    /// is not finite is ignored.
    pub fn advance(&mut self, elapsed_secs: f64, pose_at: &mut dyn FnMut(f64) -> Pose) {
        let count = self.clock.take(elapsed_secs);
        self.run(count, pose_at);
    }

    /// Advances to the same bits as [`advance`](Self::advance), and calls `watch` after each step.
    /// This is slower.
    pub fn advance_watched(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        watch: &mut dyn FnMut(&Self),
    ) {
        for _ in 0..self.clock.take(elapsed_secs) {
            self.run(1, pose_at);
            watch(self);
        }
    }

    fn run(&mut self, count: u32, pose_at: &mut dyn FnMut(f64) -> Pose) {
        if count == 0 {
            return;
        }
        let mut plan = self.engine.plan(&self.used, &self.contacts);
        for _ in 0..count {
            let time_secs = self.clock.step();
            let pose = pose_at(time_secs).usable().unwrap_or(self.pose);
            (self.previous_pose, self.pose) = (self.pose, pose);
            plan.add(self.previous_pose, self.pose, time_secs);
        }
        let outcome = plan.run();
        self.strands_settled = outcome.settled && !self.used.forces.is_restless();
        self.reset_strands += outcome.reset_strands;
    }

    /// Marks the strands as moving.
    fn stir(&mut self) {
        self.strands_settled = false;
        self.engine.stir();
    }

    /// Returns the number of steps that [`advance`](Self::advance) would run for a frame, so that a
    /// pose sampled per frame can be interpolated over them.
    pub fn steps_in(&self, elapsed_secs: f64) -> u32 {
        self.clock.steps_in(elapsed_secs)
    }

    /// Returns the head pose to draw, interpolated between the last two steps like the strands.
    pub fn drawn_pose(&self) -> Pose {
        self.previous_pose
            .interpolate(&self.pose, self.clock.alpha())
    }

    /// Returns the number of points of a drawn strand: 1 if the tip determines the curve of
    /// [`strand_curve_point`](crate::groom::strand_curve_point), else the particles, root first.
    pub fn drawn_particles(&self) -> usize {
        match self.guides {
            Some(_) => self.particles(),
            None => self.engine.drawn_particles(),
        }
    }

    /// Writes the drawn points in world space, [`drawn_particles`](Self::drawn_particles) per
    /// strand: `[x, y, z, 0]`, decimetres. Roots are under [`drawn_pose`](Self::drawn_pose).
    /// Segments keep their length as far as the solver does.
    pub fn write_drawn(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_particles(self.clock.alpha(), out);
        }
        let poses = [&self.previous_pose, &self.pose];
        self.engine.write_drawn(poses, self.clock.alpha(), out);
    }

    /// Writes the drawn particles of all strands, also where only tips are simulated:
    /// [`SimSettings::strand_particles`] per strand, root first, world space, `[x, y, z, 0]`,
    /// decimetres.
    pub fn write_shape(&self, out: &mut Vec<[f32; 4]>) {
        self.write_particles(self.clock.alpha(), out);
    }

    /// Writes the drawn tips in world space. With `spring` a tip lies on the sphere of the strand's
    /// length around its root, and never below the plane of the root. `out[i] = [x, y, z, 0]`,
    /// decimetres; `out` is resized to the number of strands.
    pub fn write_drawn_tips(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_tips(self.clock.alpha(), out);
        }
        let poses = [&self.previous_pose, &self.pose];
        self.engine.write_tips(poses, self.clock.alpha(), out);
    }

    /// Writes the simulated tips after the last step in world space; with `spring` at any distance
    /// from the root. `out[i] = [x, y, z, 0]`, decimetres.
    pub fn write_simulated_tips(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_tips(1.0, out);
        }
        self.engine.write_simulated_tips(&self.pose, out);
    }

    /// Writes the particles of all strands, root first, in world space, interpolated at `alpha` (0
    /// to 1) of the last step: `[x, y, z, 0]`, decimetres, [`SimSettings::strand_particles`] per
    /// strand.
    pub fn write_particles(&self, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let poses = [&self.previous_pose, &self.pose];
        let count = self.particles();
        let Some(guides) = &self.guides else {
            return self.engine.write_particles(poses, alpha, count, out);
        };
        let mut basis = Vec::new();
        self.engine.write_particles(poses, alpha, count, &mut basis);
        let pose = self.previous_pose.interpolate(&self.pose, alpha);
        guides.spread(&self.groom, &basis, count, &pose, &self.contacts, out);
    }

    /// Returns the last particle of each strand.
    fn write_tips(&self, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let mut all = Vec::new();
        self.write_particles(alpha, &mut all);
        let count = self.particles();
        out.clear();
        out.extend(all.chunks_exact(count).map(|strand| strand[count - 1]));
    }

    /// Returns the number of particles of a strand.
    fn particles(&self) -> usize {
        self.used.strand_particles as usize
    }

    /// Returns the simulated strands.
    fn simulated(&self) -> &Groom {
        (self.guides.as_ref()).map_or(&self.groom, |guides| &guides.basis)
    }

    /// Replaces the settings and keeps the motion, also with another solver. Values are moved into
    /// their ranges.
    pub fn set_settings(&mut self, settings: SimSettings) {
        let to = settings.clamped();
        if self.used.guides == to.guides {
            let simulated = (self.guides.as_ref()).map_or(&self.groom, |guides| &guides.basis);
            let poses = [&self.previous_pose, &self.pose];
            self.engine.change(simulated, &self.used, &to, poses);
        } else {
            self.choose_guides(&to);
        }
        (self.settings, self.used) = (settings, to);
        // Energy that was negligible with a stiff spring matters with a soft one.
        self.meet();
    }

    /// Replaces the guide hairs, which continue from where they are.
    fn choose_guides(&mut self, settings: &SimSettings) {
        let (mut before, mut now) = (Vec::new(), Vec::new());
        self.write_particles(0.0, &mut before);
        self.write_particles(1.0, &mut now);
        let count = self.particles();
        self.guides = Guides::new(&self.groom, &settings.guides);
        if let Some(guides) = &self.guides {
            before = guides.of_basis(&before, count);
            now = guides.of_basis(&now, count);
        }
        let poses = [&self.previous_pose, &self.pose];
        let mut hair = Hair::new(self.simulated(), settings.strand_particles, &self.pose);
        hair.follow(&before, &now, count, STEPS_PER_SEC as f32);
        let same_solver = self.used.solver == settings.solver;
        let simulated = (self.guides.as_ref()).map_or(&self.groom, |guides| &guides.basis);
        self.engine
            .go_on(hair, simulated, same_solver, settings, poses);
    }

    /// Moves hair by a custom solver until the settings name another built-in one.
    pub fn set_solver(&mut self, solver: Box<dyn Solver>) {
        let poses = [&self.previous_pose, &self.pose];
        let simulated = (self.guides.as_ref()).map_or(&self.groom, |guides| &guides.basis);
        self.engine.use_solver(solver, simulated, &self.used, poses);
        self.stir();
    }

    /// The settings as they were given.
    pub fn settings(&self) -> &SimSettings {
        &self.settings
    }

    /// Returns the name of the current solver.
    pub fn solver_name(&self) -> &str {
        self.engine.name()
    }

    /// Replaces the rest strands. Strands whose roots stay keep their motion, and the distance of
    /// each tip from its root is scaled with the length. New strands start at rest. The same number
    /// of strands on other roots keeps the motion by index.
    pub fn set_groom(&mut self, groom: &Groom) {
        let guides = Guides::new(groom, &self.used.guides);
        let simulated = guides.as_ref().map_or(groom, |guides| &guides.basis);
        let poses = [&self.previous_pose, &self.pose];
        let mut kept = StrandRemap::by_roots(&self.groom, groom);
        if guides.is_some() || self.guides.is_some() {
            let numbers = |slot: usize| match &guides {
                Some(guides) => guides.number_of(slot) as u32,
                None => slot as u32,
            };
            kept = kept.simulated((0..simulated.len()).map(numbers), |strand| {
                match &self.guides {
                    Some(guides) => guides.slot_of(strand as usize).map(|slot| slot as u32),
                    None => Some(strand),
                }
            });
        }
        let kept = self.engine.reshape(simulated, &kept, poses);
        self.groom = groom.clone();
        self.guides = guides;
        self.strands_settled = !kept && self.engine.rests_where_it_stands(&self.used);
    }

    /// Restarts: time 0, all strands at rest under `pose` as in [`Simulation::new`], no resets
    /// counted.
    pub fn reset(&mut self, pose: Pose) {
        let pose = pose.usable().unwrap_or_default();
        self.engine.rest_under(pose);
        self.clock = Clock::default();
        (self.previous_pose, self.pose) = (pose, pose);
        // Only springs without weight rest in the rest shape.
        self.strands_settled = self.engine.rests_where_it_stands(&self.used);
        self.reset_strands = 0;
    }

    /// Puts all strands to rest under the current pose; time continues.
    pub fn rest(&mut self) {
        self.engine.rest_under(self.pose);
        self.previous_pose = self.pose;
        self.strands_settled = self.engine.rests_where_it_stands(&self.used);
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s. A follower passes it on to its
    /// guide. An unknown strand is ignored. A push that is not finite makes the next step reset the
    /// strand and count it.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        let simulated = match &self.guides {
            Some(guides) => guides.slot_of(strand),
            None => Some(strand),
        };
        if let Some(strand) = simulated {
            self.engine.push(strand, velocity);
        }
        self.stir();
    }

    /// Returns the simulated time, seconds.
    pub fn time_secs(&self) -> f64 {
        self.clock.time_secs()
    }

    /// Returns the number of steps of [`STEP_SECS`](super::STEP_SECS).
    pub fn steps(&self) -> u64 {
        self.clock.steps()
    }

    /// Returns the head pose after the last step.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Returns the number of strands.
    pub fn strand_count(&self) -> usize {
        self.groom.len()
    }

    /// Whether all strands are at rest: the head did not move in the last step, and no strand has
    /// the energy to leave its place (with `spring`, to get farther from its anchor than 1e-4 of
    /// its length). The caller may then stop advancing until the head moves. New settings or
    /// strands make it false until the next step.
    pub fn is_settled(&self) -> bool {
        self.strands_settled && self.previous_pose == self.pose
    }

    /// Returns the number of strands that were reset because their state was not finite.
    pub fn reset_strands(&self) -> u64 {
        self.reset_strands
    }
}
