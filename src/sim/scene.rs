//! Named head motions as functions of simulated time, shared by viewer, render, tests and benches.

use super::Pose;
use serde::{Deserialize, Serialize};

/// A deterministic head motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// The head does not move.
    Still,
    /// Tilts from side to side (about z).
    #[default]
    Swing,
    /// Nods (about x).
    Nod,
    /// Turns left and right (about y).
    Turn,
    /// Is shaken sideways and up (translation).
    Shake,
}

impl Scene {
    /// Head pose at `t_secs` of simulated time; the rest pose at 0.
    pub fn pose(self, _t_secs: f64) -> Pose {
        unimplemented!()
    }
}
