//! Scenes: named head motions and what belongs to them.
//!
//! [`motion`] has the motions, [`props`] the strands and settings that scenes bring, [`track`]
//! motions from sampled poses.

mod motion;
mod props;
pub(crate) mod track;

pub use motion::Scene;
