//! The five solvers, and what they share.
//!
//! [`spring`] moves strand tips only. [`ftl`], [`angular`], [`particles`] and [`rod`] move
//! particles: they implement the trait of [`solver`], and [`chain`] takes blocks of strands through
//! their steps in parallel. [`hold`] is the pull to the rest shape.

mod angular;
mod chain;
mod ftl;
mod hold;
mod particles;
mod rod;
mod solver;
mod spring;

pub use angular::Angular;
pub use ftl::Ftl;
pub(crate) use hold::hold_stiffness;
pub use particles::Particles;
pub use rod::Rod;
pub(crate) use solver::STEPS_PER_SEC;
pub use solver::{Outcome, STEP_SECS, Solver, Step};
pub use spring::{Propagator, Spring};
pub(crate) use spring::{SpringLaw, SpringStep};

use crate::sim::settings::SolverKind;

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
