//! The five solvers, and what they share.
//!
//! [`spring`] moves strand tips only. [`ftl`], [`angular`], [`particles`] and [`rod`] move
//! particles: they implement the trait of [`solver`], and [`chain`] takes blocks of strands through
//! their steps in parallel. [`step`] describes one fixed step, [`hold`] the pull to the rest shape.

pub(crate) mod angular;
pub(crate) mod chain;
pub(crate) mod ftl;
pub(crate) mod hold;
pub(crate) mod kind;
pub(crate) mod outcome;
pub(crate) mod particles;
pub(crate) mod rod;
pub(crate) mod settings;
pub(crate) mod solver;
pub(crate) mod spring;
pub(crate) mod step;

use kind::SolverKind;
use solver::Solver;

/// Returns a solver of a kind, not yet configured. `None` for [`SolverKind::Spring`], which works
/// without particles: [`spring::Spring`].
pub(crate) fn build(kind: SolverKind) -> Option<Box<dyn Solver>> {
    Some(match kind {
        SolverKind::Spring => return None,
        SolverKind::Ftl => Box::<ftl::Ftl>::default(),
        SolverKind::Angular => Box::<angular::Angular>::default(),
        SolverKind::Particles => Box::<particles::Particles>::default(),
        SolverKind::Rod => Box::<rod::Rod>::default(),
    })
}
