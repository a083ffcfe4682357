//! The five solvers, and what they share.
//!
//! [`solver`] is the trait behind which the four that move particles stand, [`step`] describes one
//! fixed step, [`chain`] walks blocks of strands in parallel. [`spring`] moves strand tips only.

pub(crate) mod angular;
pub(crate) mod chain;
pub(crate) mod ftl;
pub(crate) mod hold;
pub(crate) mod outcome;
pub(crate) mod particles;
pub(crate) mod rod;
pub(crate) mod settings;
pub(crate) mod solver;
pub(crate) mod spring;
pub(crate) mod step;
