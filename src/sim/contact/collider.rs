//! Spheres and capsules that people add.

use crate::settings::{SettingError, check_range};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A sphere, or a capsule: all points within `radius` of the line between two ends. World space;
/// it does not move with the head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Centre of the sphere, or one end, decimetres, each -1,000 to 1,000.
    pub from: [f32; 3],
    /// The other end; absent for a sphere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<[f32; 3]>,
    /// Decimetres, 0.001 to 100.
    pub radius: f32,
}

impl Collider {
    /// Most colliders of a simulation.
    pub const MOST: usize = 64;
    /// Allowed coordinates, decimetres.
    pub const PLACE_RANGE: RangeInclusive<f32> = -1_000.0..=1_000.0;
    /// Allowed [`radius`](Self::radius), decimetres.
    pub const RADIUS_RANGE: RangeInclusive<f32> = 0.001..=100.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let ends = self.from.into_iter().chain(self.to.into_iter().flatten());
        for x in ends {
            check_range("sim.colliders", x, Self::PLACE_RANGE, "decimetres")?;
        }
        let radius = Self::RADIUS_RANGE;
        check_range("sim.colliders.radius", self.radius, radius, "decimetres")
    }
}
