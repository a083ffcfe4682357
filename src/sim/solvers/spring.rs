//! Spring to anchor: each tip on a damped spring to where it stands at rest.
//!
//! [`tips`] has the strands in blocks of eight ([`blocks`]). [`propagator`] solves the spring
//! exactly, [`step`] moves a block by it ([`collide`] and [`settled`] belong to it,
//! [`coefficients`] and [`soft`] to strands that differ in stiffness). [`drawn`] and [`curve`] make
//! of tips what is drawn.

mod blocks;
mod coefficients;
mod collide;
mod curve;
mod drawn;
mod propagator;
mod settled;
mod soft;
mod step;
mod tips;

pub use propagator::Propagator;
pub(crate) use soft::SpringLaw;
pub(crate) use step::SpringStep;
pub use tips::Spring;
