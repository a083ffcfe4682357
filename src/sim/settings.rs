//! Settings of every solver.

use crate::settings::{SettingError, check_range};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

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

impl SimSettings {
    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.spring.validate()
    }
}

impl SpringSettings {
    /// Allowed [`stiffness`](Self::stiffness), 1/s². Above zero, since the propagator divides
    /// by it.
    pub const STIFFNESS_RANGE: RangeInclusive<f32> = 0.01..=10_000.0;
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        check_range(
            "sim.spring.stiffness",
            self.stiffness,
            Self::STIFFNESS_RANGE,
            "1/s^2",
        )?;
        check_range(
            "sim.spring.damping",
            self.damping,
            Self::DAMPING_RANGE,
            "1/s",
        )
    }

    /// Undamped natural frequency √k / 2π, in hertz.
    pub fn frequency_hz(&self) -> f32 {
        self.stiffness.sqrt() / std::f32::consts::TAU
    }

    /// Damping ratio c / (2 √k): below 1 the tip overshoots, from 1 on it does not.
    pub fn damping_ratio(&self) -> f32 {
        self.damping / (2.0 * self.stiffness.sqrt())
    }

    /// These settings with each value moved into its range; the default where it is not a
    /// number. What the solver runs on, so that no input can make it blow up.
    pub(super) fn clamped(&self) -> Self {
        let default = Self::default();
        Self {
            stiffness: clamp(self.stiffness, Self::STIFFNESS_RANGE, default.stiffness),
            damping: clamp(self.damping, Self::DAMPING_RANGE, default.damping),
        }
    }
}

fn clamp(value: f32, range: RangeInclusive<f32>, default: f32) -> f32 {
    if value.is_nan() {
        default
    } else {
        value.clamp(*range.start(), *range.end())
    }
}
