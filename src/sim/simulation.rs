//! Strands, clock and head pose together, as viewer and command line use them.

use super::clock::Clock;
use super::step::SpringStep;
use super::{Pose, Propagator, STEP_SECS, SimSettings, Spring};
use crate::groom::Groom;
use glam::Vec3;

/// Strands in motion.
///
/// [`advance`](Self::advance) turns frame time into whole steps of [`STEP_SECS`]; head and hair
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
#[derive(Clone, Debug)]
pub struct Simulation {
    settings: SimSettings,
    propagator: Propagator,
    spring: Spring,
    clock: Clock,
    /// Before the last step.
    previous_pose: Pose,
    /// After the last step.
    pose: Pose,
    /// The steps of one frame; kept for its memory.
    plan: Vec<SpringStep>,
    strands_settled: bool,
    reset_strands: u64,
}

impl Simulation {
    /// Strands at rest under `pose`, at time 0. Settings out of their range are moved into it
    /// (see [`SimSettings::validate`] to tell people instead); a pose that is not finite is
    /// taken as [`Pose::IDENTITY`].
    pub fn new(groom: &Groom, settings: SimSettings, pose: Pose) -> Self {
        let pose = pose.usable().unwrap_or_default();
        Self {
            propagator: propagator(&settings),
            settings,
            spring: Spring::new(groom),
            clock: Clock::default(),
            previous_pose: pose,
            pose,
            plan: Vec::new(),
            strands_settled: true,
            reset_strands: 0,
        }
    }

    /// Advances by `elapsed_secs` of frame time in whole fixed steps; what is left over waits
    /// for the next frame. Of more than 0.25 s the excess is dropped (whoever wants longer
    /// frames hands them in in parts); negative and non-finite times count as none.
    ///
    /// `pose_at` gives the head pose at a simulated time: it is asked once per step, in order,
    /// for the step's end, starting at [`time_secs`](Self::time_secs)` + STEP_SECS`. A pose
    /// that is not finite is ignored, and the head stays where it was.
    pub fn advance(&mut self, elapsed_secs: f64, pose_at: &mut dyn FnMut(f64) -> Pose) {
        self.plan.clear();
        for _ in 0..self.clock.take(elapsed_secs) {
            let time_secs = self.clock.step();
            let pose = pose_at(time_secs).usable().unwrap_or(self.pose);
            (self.previous_pose, self.pose) = (self.pose, pose);
            self.plan.push(SpringStep::new(
                &self.propagator,
                &self.previous_pose,
                &self.pose,
            ));
        }
        if !self.plan.is_empty() {
            let report = self.spring.advance(&self.plan);
            self.strands_settled = report.settled;
            self.reset_strands += report.reset_strands;
        }
    }

    /// The number of steps that [`advance`](Self::advance) would run for such a frame: whoever
    /// samples a pose once a frame can share its way out over them.
    pub fn steps_in(&self, elapsed_secs: f64) -> u32 {
        self.clock.steps_in(elapsed_secs)
    }

    /// Head pose to draw: interpolated between the last two steps like the tips.
    pub fn drawn_pose(&self) -> Pose {
        self.previous_pose
            .interpolate(&self.pose, self.clock.alpha())
    }

    /// World-space drawn tips: on the sphere of the strand's length around its drawn root and
    /// never below its root's plane. `out[i] = [x, y, z, 0]`, decimetres; `out` is resized to
    /// the number of strands.
    pub fn write_drawn_tips(&self, out: &mut Vec<[f32; 4]>) {
        let alpha = self.clock.alpha();
        self.spring
            .write_drawn_tips(&self.previous_pose, &self.pose, alpha, out);
    }

    /// World-space simulated tips after the last step, at any distance from their roots.
    /// `out[i] = [x, y, z, 0]`, decimetres.
    pub fn write_simulated_tips(&self, out: &mut Vec<[f32; 4]>) {
        self.spring.write_tips(&self.pose, out);
    }

    /// Replaces the settings, keeping the motion. Values out of their range are moved into it.
    pub fn set_settings(&mut self, settings: SimSettings) {
        self.propagator = propagator(&settings);
        self.settings = settings;
        // What was too little energy on a stiff spring carries far on a soft one.
        self.strands_settled = false;
    }

    /// The settings as they were given.
    pub fn settings(&self) -> &SimSettings {
        &self.settings
    }

    /// Takes on other rest strands. With as many strands as before the motion is kept, and each
    /// tip's distance from its root is scaled with its strand's length; otherwise all strands
    /// are put to rest under the present pose.
    pub fn set_groom(&mut self, groom: &Groom) {
        let kept = self
            .spring
            .reshape(groom, [&self.previous_pose, &self.pose]);
        self.strands_settled = !kept;
    }

    /// Begins anew: time 0, all strands at rest under `pose` (as in [`Simulation::new`]), no
    /// resets counted.
    pub fn reset(&mut self, pose: Pose) {
        let pose = pose.usable().unwrap_or_default();
        self.spring.reset();
        self.clock = Clock::default();
        (self.previous_pose, self.pose) = (pose, pose);
        self.strands_settled = true;
        self.reset_strands = 0;
    }

    /// Adds to the velocity of a strand's tip, world space, dm/s: a flick with the finger.
    /// A strand that does not exist is left alone; a push that is not finite makes the next
    /// step put the strand to rest and count it.
    pub fn push(&mut self, strand: usize, velocity: Vec3) {
        self.spring.push(strand, velocity);
        self.strands_settled = false;
    }

    /// Simulated seconds so far.
    pub fn time_secs(&self) -> f64 {
        self.clock.time_secs()
    }

    /// Steps of [`STEP_SECS`] so far.
    pub fn steps(&self) -> u64 {
        self.clock.steps()
    }

    /// Head pose after the last step.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Number of strands.
    pub fn strand_count(&self) -> usize {
        self.spring.len()
    }

    /// All strands at rest (settled: nothing left to simulate if the head stays still): the head
    /// did not move in the last step, and every tip is within 1e-4 of its strand's length of
    /// its anchor without the energy to leave it. Whoever sees this may stop advancing until the
    /// head moves again; new settings or strands make it false until the next step.
    pub fn is_settled(&self) -> bool {
        self.strands_settled && self.previous_pose == self.pose
    }

    /// Strands reset because their state was not finite.
    pub fn reset_strands(&self) -> u64 {
        self.reset_strands
    }
}

/// The propagator of a fixed step.
fn propagator(settings: &SimSettings) -> Propagator {
    let spring = settings.spring.clamped();
    Propagator::new(
        f64::from(spring.stiffness),
        f64::from(spring.damping),
        STEP_SECS,
    )
}
