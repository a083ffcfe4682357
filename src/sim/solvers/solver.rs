//! The one face of all ways of moving hair.

use super::super::{
    Angular, DensityGrid, Ftl, Hair, Outcome, Particles, Pose, Rod, SimSettings, Step,
};
use crate::choices;

/// A way of moving hair: carries the particles of all strands through steps of the head's motion.
///
/// What it starts from is in the particles of [`Hair`], and there it leaves its result; so solvers
/// can be exchanged while hair swings. `examples/solver.rs` is one of one's own.
pub trait Solver: Send + Sync {
    /// Name as on the command line and in files.
    fn name(&self) -> &str;

    /// Takes on settings; called before anything else, and whenever they change.
    fn configure(&mut self, _settings: &SimSettings) {}

    /// Takes over strands as they are, under the head's poses before and after the last step.
    /// Called when this solver becomes the one that is used, and after anything but
    /// [`advance`](Self::advance) has moved the particles.
    fn take_over(&mut self, _hair: &Hair, _poses: [&Pose; 2]) {}

    /// Moves all particles through the steps, in order. Positions before the last of them are to
    /// be left in [`Hair::keep_previous`].
    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome;

    /// How dense hair is where, if strands feel each other on a grid just now.
    fn density(&self) -> Option<DensityGrid> {
        None
    }
}

choices! {
    /// A solver: a method of moving hair.
    pub enum SolverKind: "solver" = Spring {
        /// A damped spring pulls each tip to its rest position.
        Spring = "spring",
        /// Follow-The-Leader: inextensible and fast, every particle after the one before.
        Ftl = "ftl",
        /// Projective angular dynamics: rigid sticks that turn, with a stiffness limit.
        Angular = "angular",
        /// Damped springs between particles: stretchy.
        Particles = "particles",
        /// Elastic rods: inextensible hair that bends as its stiffness says.
        Rod = "rod",
    }
}

impl SolverKind {
    /// The one after this, the first after the last.
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|&solver| solver == self);
        Self::ALL[(place.unwrap_or(0) + 1) % Self::ALL.len()]
    }

    /// A solver of this kind that knows nothing yet. `None` for [`SolverKind::Spring`], which
    /// works without particles: [`Spring`](super::super::Spring).
    pub(crate) fn build(self) -> Option<Box<dyn Solver>> {
        Some(match self {
            SolverKind::Spring => return None,
            SolverKind::Ftl => Box::new(Ftl::default()),
            SolverKind::Angular => Box::new(Angular::default()),
            SolverKind::Particles => Box::new(Particles::default()),
            SolverKind::Rod => Box::new(Rod::default()),
        })
    }
}
