//! The five solvers, and what they share: [`Solver`] runs [`Step`]s and returns an [`Outcome`].
//!
//! [`spring`] moves strand tips only. [`ftl`], [`angular`], [`particles`] and [`rod`] move
//! particles: they implement [`Solver`], [`chain`] runs the steps of blocks of strands in parallel,
//! and [`hold`] pulls them to their rest shape.

mod angular;
mod chain;
mod ftl;
mod hold;
mod particles;
mod rod;
mod spring;

pub use angular::Angular;
pub use ftl::Ftl;
pub(crate) use hold::{HoldSettings, spring_give};
pub use particles::Particles;
pub(crate) use particles::stiffness as segment_stiffness;
pub use rod::Rod;
pub use spring::{Propagator, Spring};
pub(crate) use spring::{SpringLaw, SpringStep};

use crate::sim::contact::Contacts;
use crate::sim::forces::Forces;
use crate::sim::hair::Hair;
use crate::sim::hair_interaction::InteractionForces;
use crate::sim::pose::{HeadMotion, Pose};
use crate::sim::settings::{SimSettings, SolverKind};
use crate::sim::simd::flush;
use glam::Vec3;

/// Length of every simulation step, seconds, whatever the frame rate.
///
/// Contact is first order in the step, so motion would change with it; 240 divides evenly
/// among 24, 30, 60 and 120 drawn frames per second.
pub const STEP_SECS: f64 = 1.0 / STEPS_PER_SEC;

/// Steps per simulated second.
pub(crate) const STEPS_PER_SEC: f64 = 240.0;

/// How a solver takes on the pulls of ties and of water, which change the velocities of particles
/// before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesPulls {
    /// Pulls change the velocities of the particles that they act on.
    Velocities,
    /// Ties turn the segments up to them, for solvers in which no force passes from one segment to the
    /// next.
    Turns,
    /// Pulls change velocities as in [`Velocities`](Self::Velocities), and the rods of this crate
    /// read the changes from [`Hair`]: their bound on energy counts the work that a pull does.
    Forces,
}

/// A solver: moves the particles of all strands through steps of the head's motion.
///
/// It starts from the particles of [`Hair`] and leaves its result there, so solvers can be
/// exchanged while hair swings. `examples/solver.rs` shows a custom one.
pub trait Solver: Send + Sync {
    /// Name on the command line and in files.
    fn name(&self) -> &str;

    /// Applies settings. Called first, and whenever they change.
    fn configure(&mut self, _settings: &SimSettings) {}

    /// Takes over strands as they are. Called when this solver becomes the active one, and after
    /// anything but [`advance`](Self::advance) has moved the particles.
    fn take_over(&mut self, _hair: &Hair) {}

    /// Moves all particles through the steps, in order. Before the last step it must keep the
    /// positions by [`Hair::keep_previous`].
    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome;

    /// Returns how this solver takes on the pulls of ties and of water.
    fn takes_pulls(&self) -> TakesPulls {
        TakesPulls::Velocities
    }

    /// Returns how far forces move a strand of this length (decimetres), as a share of how far they
    /// would move free particles.
    fn mobility(&self, _length: f32) -> f32 {
        1.0
    }

    /// Takes on the forces of hair against hair before a step. They change the velocities of
    /// particles unless a solver has a way of its own.
    fn feel(&mut self, hair: &mut Hair, forces: &InteractionForces) {
        forces.apply(hair);
    }
}

/// One step of [`STEP_SECS`]: the head moves from one pose to another while forces act.
#[derive(Clone, Debug)]
pub struct Step {
    /// The head's pose when the step begins.
    pub from: Pose,
    /// The head's pose when the step ends.
    pub to: Pose,
    /// Length, seconds.
    pub dt_secs: f32,
    pub(crate) motion: HeadMotion,
    /// The number of steps after this one in which skin goes on as it moves now.
    pub(crate) skin_left: f32,
    /// Angular velocity of the head, world space, 1/s: exact but for the third order of the angle.
    pub(crate) spin: Vec3,
    pub(crate) forces: Forces,
    pub(crate) contacts: Contacts,
}

impl Step {
    /// Returns a step that ends at `time_secs` with the head at `to`.
    pub(crate) fn new(
        from: Pose,
        to: Pose,
        time_secs: f64,
        settings: &SimSettings,
        contacts: &Contacts,
    ) -> Self {
        let turn = to.rotation * from.rotation.conjugate();
        let twice = 2.0_f64.copysign(turn.w) / STEP_SECS;
        Self {
            dt_secs: STEP_SECS as f32,
            motion: HeadMotion::new(&from, &to),
            skin_left: 0.0,
            spin: (turn.xyz() * twice).as_vec3().map(flush),
            forces: settings.forces.at(time_secs, STEP_SECS),
            contacts: contacts.under(&to),
            from,
            to,
        }
    }

    /// Returns `true` if hair meets no obstacles and no turbulence.
    pub(crate) fn is_free(&self) -> bool {
        self.contacts.is_empty() && self.is_calm()
    }

    /// Returns `true` if there is no turbulence.
    pub(crate) fn is_calm(&self) -> bool {
        self.forces.turbulence.strength == 0.0
    }

    /// Returns the acceleration of everything, world space, dm/s².
    pub fn gravity(&self) -> Vec3 {
        self.forces.gravity
    }

    /// Returns the velocity of the air at a point, world space, dm/s.
    pub fn wind_at(&self, point: Vec3) -> Vec3 {
        self.forces.air_at(point)
    }

    /// Returns the rate at which hair takes on the velocity of the air, 1/s.
    pub fn drag(&self) -> f32 {
        self.forces.drag
    }
}

/// The outcome of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `true` if every strand has come to rest and stays there while the head does. The head may
    /// still be moving.
    pub settled: bool,
    /// Number of strands that were not finite and have been put back to rest.
    pub reset_strands: u64,
}

impl Outcome {
    /// Returns the outcome of no strands.
    pub fn nothing() -> Self {
        Self {
            settled: true,
            reset_strands: 0,
        }
    }

    /// Runs steps one by one, each with its number. Returns the outcome of all.
    pub(crate) fn in_turn<S>(steps: &[S], mut run: impl FnMut(usize, &[S]) -> Self) -> Self {
        let mut all = Self::nothing();
        for (i, step) in steps.chunks(1).enumerate() {
            let stepped = run(i, step);
            all.settled = stepped.settled;
            all.reset_strands += stepped.reset_strands;
        }
        all
    }

    /// Combines the outcomes of two sets of strands.
    pub fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled & other.settled,
            reset_strands: self.reset_strands + other.reset_strands,
        }
    }
}

/// Returns a solver of a kind, not yet configured. `None` for [`SolverKind::Spring`], which works
/// without particles: [`Spring`].
pub(crate) fn build(kind: SolverKind) -> Option<Box<dyn Solver>> {
    Some(match kind {
        SolverKind::Spring => return None,
        SolverKind::Ftl => Box::<Ftl>::default(),
        SolverKind::Angular => Box::<Angular>::default(),
        SolverKind::Particles => Box::<Particles>::default(),
        SolverKind::Rod => Box::<Rod>::default(),
    })
}
