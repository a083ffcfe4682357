//! Moving strands: head pose, the fixed-step clock, solvers and named scenes.

use crate::groom::Groom;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

pub use scene::Scene;
mod scene;

/// Length of every simulation step, seconds, whatever the frame rate.
pub const STEP_SECS: f64 = 1.0 / 240.0;

/// `world_from_head`: where the head has been turned and moved. Rigid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Unit rotation.
    pub rotation: DQuat,
    /// Decimetres.
    pub translation: DVec3,
}

/// Settings of every solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SimSettings {
    /// Spring to anchor.
    pub spring: SpringSettings,
}

/// Spring-to-anchor dynamics of the strand tip: p'' = k (a - p) - c p'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpringSettings {
    /// Spring constant k, 1/s^2, 0.01 to 10,000.
    pub stiffness: f32,
    /// Damping c, 1/s, 0 to 1,000.
    pub damping: f32,
}

impl Default for SpringSettings {
    fn default() -> Self {
        Self {
            stiffness: 4.0,
            damping: 1.5,
        }
    }
}

/// Strands in motion.
pub struct Simulation {}

impl Simulation {
    /// Strands at rest under `pose`.
    pub fn new(_groom: &Groom, _settings: SimSettings, _pose: Pose) -> Self {
        unimplemented!()
    }
    /// Advances by `elapsed_secs` of frame time in whole fixed steps; `pose_at` gives the head
    /// pose at a simulated time. Pauses longer than 0.25 s drop the excess time.
    pub fn advance(&mut self, _elapsed_secs: f64, _pose_at: &mut dyn FnMut(f64) -> Pose) {
        unimplemented!()
    }
    /// Head pose to draw: interpolated between the last two steps like the tips.
    pub fn drawn_pose(&self) -> Pose {
        unimplemented!()
    }
    /// World-space drawn tips: on the sphere of the strand's length around its drawn root and
    /// never below its root's plane. `out[i] = [x, y, z, _]`.
    pub fn write_drawn_tips(&self, _out: &mut Vec<[f32; 4]>) {
        unimplemented!()
    }
    /// Replaces the settings, keeping the motion.
    pub fn set_settings(&mut self, _settings: SimSettings) {
        unimplemented!()
    }
    /// Simulated seconds so far.
    pub fn time_secs(&self) -> f64 {
        unimplemented!()
    }
    /// All strands at rest (settled: nothing left to simulate if the head stays still).
    pub fn is_settled(&self) -> bool {
        unimplemented!()
    }
    /// Strands reset because their state was not finite.
    pub fn reset_strands(&self) -> u64 {
        unimplemented!()
    }
}
