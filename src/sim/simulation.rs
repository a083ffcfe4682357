//! Simulation: strands, clock and head pose, as viewer and command line use them.
//!
//! [`engine`] moves the strands, [`caught`] those that new obstacles have caught, [`clock`] counts
//! fixed steps, [`fade`] blends between solvers, [`rest`] puts strands to rest, [`rest_detector`]
//! finds out when particles are, [`mod@continued`] finds strands of the groom before, [`drawn`]
//! writes the strands, [`measures`] and [`readings`] report the state, [`mod@skin`] moves the skin
//! under the strands, [`wetting`] wets and dries hair.

mod caught;
mod clock;
mod continued;
mod drawn;
mod engine;
mod fade;
mod measures;
mod readings;
mod rest;
mod rest_detector;
mod skin;
#[cfg(test)]
mod tests;
mod wetting;

pub use clock::frame_place;
pub use measures::Measures;
pub use readings::{Basis, SpringEnds};

use super::bundles::{Bundles, Ribbons};
use super::contact::Contacts;
use super::guides::Guides;
use super::skin::{SKIN_STEPS, SkinMotion};
use super::wet::Water;
use super::{Hair, HeadShape, Pose, STEP_SECS, STEPS_PER_SEC, SimSettings, Solver, SolverKind};
use crate::groom::Groom;
use clock::{Clock, Tick};
use continued::continued;
use engine::{Engine, World};
use glam::Vec3;
use rest_detector::RestDetector;
use std::sync::{Arc, OnceLock};

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
    /// The settings with each value in its range, of hair as wet as it is.
    used: SimSettings,
    water: Water,
    /// All strands at rest.
    groom: Arc<Groom>,
    /// `None` if all strands are simulated.
    guides: Option<Guides>,
    /// The motion of the skin under the strands; `None`: it stays as it was loaded.
    skin: Option<SkinMotion>,
    head: HeadShape,
    contacts: Contacts,
    /// `true` if obstacles have appeared since the last step.
    has_new_obstacles: bool,
    bundles: Bundles,
    /// Made when they are first needed.
    ribbons: OnceLock<Ribbons>,
    engine: Engine,
    clock: Clock,
    /// The head's poses before and after the last step.
    poses: [Pose; 2],
    strands_settled: bool,
    rest: RestDetector,
    reset_strands: u64,
}

impl Simulation {
    /// Returns strands at rest under `pose`, at time 0. Settings are moved into their ranges; use
    /// [`SimSettings::validate`] to report them. A pose that is not finite is replaced by
    /// [`Pose::IDENTITY`]. A groom that is lent is copied, one in an [`Arc`] is shared.
    pub fn new(groom: impl Into<Arc<Groom>>, settings: SimSettings, pose: Pose) -> Self {
        let groom = groom.into();
        let pose = pose.usable().unwrap_or_default();
        let clamped = settings.clamped();
        let used = clamped.soaked(clamped.wet.wetness);
        let guides = Guides::new(&groom, &used.guides);
        let engine = Engine::new(simulated(&groom, &guides), &used, pose);
        Self {
            strands_settled: engine.stays_at_rest(&used, &pose, 0.0),
            engine,
            guides,
            contacts: Contacts::new(&used, &HeadShape::default()),
            has_new_obstacles: true,
            bundles: Bundles::default(),
            ribbons: OnceLock::new(),
            water: Water::new(&clamped.wet, 0),
            used,
            settings,
            groom,
            skin: None,
            head: HeadShape::default(),
            clock: Clock::default(),
            poses: [pose; 2],
            rest: RestDetector::default(),
            reset_strands: 0,
        }
    }

    /// Returns another simulation of the same strands with `solver`, at the same time and under the
    /// same head, with otherwise equal settings.
    pub fn fork(&self, solver: SolverKind) -> Self {
        let mut settings = self.settings.clone();
        settings.solver = solver;
        let used = settings.clamped().soaked(self.used.wet.wetness);
        Self {
            engine: self.fork_engine(&used),
            has_new_obstacles: self.has_new_obstacles || self.used.solver != solver,
            settings,
            used,
            groom: self.groom.clone(),
            skin: self.skin.clone(),
            guides: self.guides.clone(),
            head: self.head.clone(),
            contacts: self.contacts.clone(),
            bundles: Bundles::default(),
            ribbons: OnceLock::new(),
            clock: self.clock.clone(),
            strands_settled: false,
            rest: RestDetector::default(),
            ..*self
        }
    }

    /// Sets the shape of the head. [`SimSettings::head_collider`] chooses the part hair collides
    /// with.
    pub fn set_head(&mut self, head: impl Into<HeadShape>) {
        self.head = head.into();
        self.update_contacts();
    }

    fn update_contacts(&mut self) {
        let contacts = Contacts::new(&self.used, &self.head);
        let before = std::mem::replace(&mut self.contacts, contacts);
        if self.contacts.has_field_of(&before) {
            self.bend_skin();
        } else {
            self.put_bent(self.clock.steps);
        }
        self.has_new_obstacles |= !self.contacts.has_obstacles_of(&before);
        self.wake();
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
        let mut left = count;
        while left > 0 {
            // Wetness changes between steps. Tips of springs are not caught by obstacles.
            let catches = self.has_new_obstacles && matches!(self.engine, Engine::Particles { .. });
            let most = if catches { 1 } else { left };
            let count = self.dry().min(self.carry()).min(most.into()) as u32;
            self.run_steps(count, pose_at);
            left -= count;
        }
    }

    fn run_steps(&mut self, count: u32, pose_at: &mut dyn FnMut(f64) -> Pose) {
        let mut next_step = || {
            let time_secs = self.clock.step();
            let pose = pose_at(time_secs).usable().unwrap_or(self.poses[1]);
            self.poses = [self.poses[1], pose];
            Tick {
                poses: self.poses,
                time_secs,
                bend: (self.skin.as_ref()).and_then(|skin| skin.bend_at(self.clock.steps)),
                skin_left: SKIN_STEPS - 1 - (self.clock.steps - 1) % SKIN_STEPS,
            }
        };
        let steps: Vec<Tick> = (0..count).map(|_| next_step()).collect();
        let world = World {
            settings: &self.used,
            contacts: &self.contacts,
            has_new_obstacles: std::mem::take(&mut self.has_new_obstacles),
            groom: simulated(&self.groom, &self.guides),
        };
        let outcome = (self.engine).advance(&world, &mut self.bundles, &mut self.rest, &steps);
        let changes = (self.engine).forces_vary(&self.used, self.clock.time_secs());
        if changes {
            // Hair that rests until a force begins does not rest then.
            self.rest = RestDetector::default();
        }
        self.strands_settled = outcome.settled && !changes && !self.is_drying();
        self.reset_strands += outcome.reset_strands;
        self.bend_skin();
    }

    /// Marks the strands as moving, because their motion is about to change.
    fn wake(&mut self) {
        self.strands_settled = false;
        self.rest = RestDetector::default();
    }

    /// Returns the number of steps that [`advance`](Self::advance) would run for a frame, so that a
    /// pose sampled per frame can be interpolated over them.
    pub fn steps_in(&self, elapsed_secs: f64) -> u32 {
        self.clock.steps_in(elapsed_secs)
    }

    /// Returns the poses for [`advance`](Self::advance) in a frame at whose end the head is at `to`:
    /// it turns and moves evenly from where it is.
    pub fn poses_to(&self, elapsed_secs: f64, to: Pose) -> impl FnMut(f64) -> Pose + use<> {
        let (from, since) = (self.poses[1], self.time_secs());
        let is_there = from.rotation.dot(to.rotation).abs() > 1.0 - 1e-12
            && from.translation.distance_squared(to.translation) < 1e-12;
        // Time beyond the last whole step belongs to the next frame, or the head would move by jerks.
        let (whole, all) = (self.steps_in(elapsed_secs), self.clock.with(elapsed_secs));
        let is_whole = is_there || (all - f64::from(whole)).abs() < 1e-6;
        let frame_secs = if is_whole { whole.into() } else { all }.max(1.0) * STEP_SECS;
        move |time| from.interpolate(&to, ((time - since) / frame_secs + 1e-9).min(1.0))
    }

    /// Returns the head pose to draw, interpolated between the last two steps like the strands.
    pub fn drawn_pose(&self) -> Pose {
        self.pose_at(self.clock.alpha())
    }

    /// Returns the head pose at `alpha` of the last step.
    fn pose_at(&self, alpha: f64) -> Pose {
        self.poses[0].interpolate(&self.poses[1], alpha)
    }

    /// Returns the number of particles of a strand, including its root.
    pub fn strand_particles(&self) -> usize {
        self.used.strand_particles as usize
    }

    /// Returns the simulated strands.
    fn simulated(&self) -> &Groom {
        simulated(&self.groom, &self.guides)
    }

    /// Replaces the settings and keeps the motion, also with another solver. Values are moved into
    /// their ranges.
    pub fn set_settings(&mut self, settings: SimSettings) {
        let to = settings.clamped();
        self.water =
            (self.water).changed([&self.settings.clamped().wet, &to.wet], self.clock.steps);
        let to = to.soaked(self.water.wetness(&to.wet, self.clock.steps));
        if self.used.guides == to.guides {
            self.change_engine(&to);
        } else {
            self.choose_guides(&to);
        }
        if self.used.ties != to.ties || self.used.strand_particles != to.strand_particles {
            self.ribbons.take();
        }
        (self.settings, self.used) = (settings, to);
        // Energy that was negligible with a stiff spring matters with a soft one.
        self.update_contacts();
    }

    /// Replaces the guide hairs, which continue from where they are.
    fn choose_guides(&mut self, settings: &SimSettings) {
        let (mut before, mut now) = (Vec::new(), Vec::new());
        self.write_particles(0.0, &mut before);
        self.write_particles(1.0, &mut now);
        let count = self.strand_particles();
        self.guides = Guides::new(&self.groom, &settings.guides);
        self.bundles.forget();
        if let Some(guides) = &self.guides {
            before = guides.of_basis(&before, count);
            now = guides.of_basis(&now, count);
        }
        let mut hair = Hair::new(self.simulated(), settings.strand_particles, &self.poses[1]);
        hair.follow(&before, &now, count, STEPS_PER_SEC as f32);
        self.continue_from(hair, settings);
    }

    /// Moves hair by a custom solver until the settings name another built-in one.
    pub fn set_solver(&mut self, solver: Box<dyn Solver>) {
        let hair = self.particles(&self.used);
        self.engine = Engine::with_solver(solver, hair, &self.used);
        // Strands may be in another order.
        self.bundles.forget();
        self.wake();
    }

    /// Returns the settings as they were given.
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
    /// It is copied or shared as by [`new`](Self::new).
    pub fn set_groom(&mut self, groom: impl Into<Arc<Groom>>) {
        let groom = groom.into();
        // Roots are known by where they are on the head as it was loaded.
        let before = self.groom_on_loaded_head();
        let stays = before.has_roots_of(&groom);
        let continued = continued(before, &groom);
        self.skin = None;
        self.bend_skin();
        let guides = match &self.guides {
            Some(guides) if stays && groom.curves.is_some() => Some(guides.reshaped(&groom)),
            _ => Guides::new(&groom, &self.used.guides),
        };
        let strands = simulated(&groom, &guides);
        let number = |slot| (guides.as_ref()).map_or(slot, |guides| guides.numbers[slot] as usize);
        let source = |slot| self.slot_of(continued[number(slot)]?);
        let sources: Vec<Option<usize>> = (0..strands.len()).map(source).collect();
        let is_new = sources.iter().all(Option::is_none);
        self.wake();
        // New strands may begin in obstacles.
        self.has_new_obstacles = true;
        self.engine
            .reshape(strands, &sources, self.poses.each_ref());
        self.groom = groom;
        self.guides = guides;
        self.bundles.forget();
        self.ribbons.take();
        self.strands_settled = is_new && self.stays_at_rest();
    }

    /// Returns the index among the simulated strands of a strand, or of the guide that it follows
    /// most.
    fn slot_of(&self, strand: usize) -> Option<usize> {
        match &self.guides {
            Some(guides) => guides.slot_of(strand),
            None => Some(strand),
        }
    }

    /// Restarts: time 0, all strands as wet as the settings say and at rest under `pose` as in
    /// [`Simulation::new`], no resets counted.
    pub fn reset(&mut self, pose: Pose) {
        let pose = pose.usable().unwrap_or_default();
        self.clock = Clock::default();
        self.wet_again();
        self.reset_strands = 0;
        self.put_skin(0);
        self.rest_under(pose);
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s. A follower passes it on to its
    /// guide. An unknown strand is ignored. A push that is not finite makes the next step reset the
    /// strand and count it.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        if let Some(slot) = self.slot_of(strand) {
            self.engine.push(slot, velocity);
        }
        self.wake();
    }
}

/// Returns the strands that are simulated: the guides, or all.
fn simulated<'a>(groom: &'a Groom, guides: &'a Option<Guides>) -> &'a Groom {
    guides.as_ref().map_or(groom, |guides| &guides.basis)
}
