//! Strands, clock and head pose together, as viewer and command line use them.

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
use super::hair::strand_remap::StrandRemap;
use super::{Hair, HeadShape, Pose, STEPS_PER_SEC, SimSettings, Solver};
use crate::groom::Groom;
use glam::Vec3;

/// Strands in motion.
///
/// [`advance`](Self::advance) turns frame time into whole steps of [`STEP_SECS`](super::STEP_SECS); head and hair
/// are drawn interpolated between the last two steps, so the picture is always between one
/// step behind and the present, and never judders. The motion depends on the head's poses at
/// the steps only, not on the frame rate and not on the number of threads.
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
    /// As they were given.
    settings: SimSettings,
    /// The same, each in its range: what is used.
    used: SimSettings,
    /// All strands.
    groom: Groom,
    /// Who follows whom; `None`: all strands are simulated.
    guides: Option<Guides>,
    head: HeadShape,
    contacts: Contacts,
    engine: Engine,
    clock: Clock,
    /// Before the last step.
    previous_pose: Pose,
    /// After the last step.
    pose: Pose,
    strands_settled: bool,
    reset_strands: u64,
}

impl Simulation {
    /// Strands at rest under `pose`, at time 0. Settings out of their range are moved into it
    /// (see [`SimSettings::validate`] to tell people instead); a pose that is not finite is
    /// taken as [`Pose::IDENTITY`].
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

    /// Says what shape the head has: [`SimSettings::head_collider`] says which of it hair collides
    /// with.
    pub fn set_head(&mut self, head: impl Into<HeadShape>) {
        self.head = head.into();
        self.meet();
    }

    /// Takes on what hair collides with.
    fn meet(&mut self) {
        self.contacts = Contacts::new(&self.used, &self.head);
        self.stir();
    }

    /// Advances by `elapsed_secs` of frame time in whole fixed steps; what is left over waits
    /// for the next frame. Of more than 0.25 s the excess is dropped (whoever wants longer
    /// frames hands them in in parts); negative and non-finite times count as none.
    ///
    /// `pose_at` gives the head pose at a simulated time: it is asked once per step, in order,
    /// for the step's end, starting at [`time_secs`](Self::time_secs)` + STEP_SECS`. A pose
    /// that is not finite is ignored, and the head stays where it was.
    pub fn advance(&mut self, elapsed_secs: f64, pose_at: &mut dyn FnMut(f64) -> Pose) {
        let count = self.clock.take(elapsed_secs);
        self.run(count, pose_at);
    }

    /// As [`advance`](Self::advance), and to the same bits; `watch` sees the state after each step.
    /// Costs more than all steps at once.
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

    /// Strands may move from now on.
    fn stir(&mut self) {
        self.strands_settled = false;
        self.engine.stir();
    }

    /// The number of steps that [`advance`](Self::advance) would run for such a frame: whoever
    /// samples a pose once a frame can share its way out over them.
    pub fn steps_in(&self, elapsed_secs: f64) -> u32 {
        self.clock.steps_in(elapsed_secs)
    }

    /// Head pose to draw: interpolated between the last two steps like the strands.
    pub fn drawn_pose(&self) -> Pose {
        self.previous_pose
            .interpolate(&self.pose, self.clock.alpha())
    }

    /// Points of each drawn strand: 1 while tips say everything and the strand is the curve of
    /// [`strand_curve_point`](crate::groom::strand_curve_point), else particles, root first.
    pub fn drawn_particles(&self) -> usize {
        match self.guides {
            Some(_) => self.particles(),
            None => self.engine.drawn_particles(),
        }
    }

    /// World-space drawn points, [`drawn_particles`](Self::drawn_particles) for each strand:
    /// `[x, y, z, 0]`, decimetres. Roots are under [`drawn_pose`](Self::drawn_pose), segments at
    /// their length (as far as the solver keeps it).
    pub fn write_drawn(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_particles(self.clock.alpha(), out);
        }
        let poses = [&self.previous_pose, &self.pose];
        self.engine.write_drawn(poses, self.clock.alpha(), out);
    }

    /// The particles of all strands where they are drawn, curves of tips too:
    /// [`SimSettings::strand_particles`] for each strand, root first, world space; `[x, y, z, 0]`,
    /// decimetres.
    pub fn write_shape(&self, out: &mut Vec<[f32; 4]>) {
        self.write_particles(self.clock.alpha(), out);
    }

    /// World-space drawn tips. With `spring`: on the sphere of the strand's length around its drawn
    /// root and never below its root's plane. `out[i] = [x, y, z, 0]`, decimetres; `out` is resized
    /// to the number of strands.
    pub fn write_drawn_tips(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_tips(self.clock.alpha(), out);
        }
        let poses = [&self.previous_pose, &self.pose];
        self.engine.write_tips(poses, self.clock.alpha(), out);
    }

    /// World-space simulated tips after the last step; with `spring` at any distance from their
    /// roots. `out[i] = [x, y, z, 0]`, decimetres.
    pub fn write_simulated_tips(&self, out: &mut Vec<[f32; 4]>) {
        if self.guides.is_some() {
            return self.write_tips(1.0, out);
        }
        self.engine.write_simulated_tips(&self.pose, out);
    }

    /// The particles of all strands, strand after strand, root first, world space, at share
    /// `alpha` (0 to 1) of the last step. `[x, y, z, 0]`, decimetres;
    /// [`SimSettings::strand_particles`] for each strand.
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

    /// The last particle of each strand.
    fn write_tips(&self, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let mut all = Vec::new();
        self.write_particles(alpha, &mut all);
        let count = self.particles();
        out.clear();
        out.extend(all.chunks_exact(count).map(|strand| strand[count - 1]));
    }

    /// Particles of each strand.
    fn particles(&self) -> usize {
        self.used.strand_particles as usize
    }

    /// The strands that are simulated.
    fn simulated(&self) -> &Groom {
        (self.guides.as_ref()).map_or(&self.groom, |guides| &guides.basis)
    }

    /// Replaces the settings, keeping the motion, whatever the solver: strands go on from where
    /// they are. Values out of their range are moved into it.
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
        // What was too little energy on a stiff spring carries far on a soft one.
        self.meet();
    }

    /// Other basis hairs than before, which go on from where they are.
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

    /// Moves hair by a solver of one's own from now on, until the settings name another one of
    /// the program's.
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

    /// The name of the solver that moves the hair.
    pub fn solver_name(&self) -> &str {
        self.engine.name()
    }

    /// Takes on other rest strands. Those whose roots stay keep their motion, and each tip's distance
    /// from its root is scaled with its strand's length; new ones are at rest under the present pose.
    /// As many strands on other roots keep the motion by number.
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

    /// Begins anew: time 0, all strands at rest under `pose` (as in [`Simulation::new`]), no
    /// resets counted.
    pub fn reset(&mut self, pose: Pose) {
        let pose = pose.usable().unwrap_or_default();
        self.engine.rest_under(pose);
        self.clock = Clock::default();
        (self.previous_pose, self.pose) = (pose, pose);
        // Only a spring without weight rests where it stands.
        self.strands_settled = self.engine.rests_where_it_stands(&self.used);
        self.reset_strands = 0;
    }

    /// Puts all strands to rest under the present pose; time stays.
    pub fn rest(&mut self) {
        self.engine.rest_under(self.pose);
        self.previous_pose = self.pose;
        self.strands_settled = self.engine.rests_where_it_stands(&self.used);
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s: a flick with the finger.
    /// A dependent hair passes it on to the one that it follows. A strand that does not exist is left alone; a push that is not finite makes the next
    /// step put the strand to rest and count it.
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

    /// Simulated seconds so far.
    pub fn time_secs(&self) -> f64 {
        self.clock.time_secs()
    }

    /// Steps of [`STEP_SECS`](super::STEP_SECS) so far.
    pub fn steps(&self) -> u64 {
        self.clock.steps()
    }

    /// Head pose after the last step.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Number of strands.
    pub fn strand_count(&self) -> usize {
        self.groom.len()
    }

    /// All strands at rest (settled: nothing left to simulate if the head stays still): the head
    /// did not move in the last step, and no strand has the energy to leave the place where it is
    /// (`spring`: to get farther from its anchor than 1e-4 of its length). Whoever sees this may
    /// stop advancing until the head moves again; new settings or strands make it false until the
    /// next step.
    pub fn is_settled(&self) -> bool {
        self.strands_settled && self.previous_pose == self.pose
    }

    /// Strands reset because their state was not finite.
    pub fn reset_strands(&self) -> u64 {
        self.reset_strands
    }
}
