//! How the head moves and how fast time runs: the head's pose by hand or by scene, slow motion.

pub(crate) mod head_motion;
pub(crate) mod speed;
