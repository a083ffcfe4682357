//! What pulls at hair besides the head: gravity, air, wind.

pub(crate) mod turbulence;

use self::turbulence::Turbulence;
use super::simd::lanes::{LANES, Lanes};
use super::simd::vector::{Lanes3, get3, minus3, scaled3, set3, splat3, sum3};
use crate::det_math::{decay, sin_cos};
use crate::settings::{SettingError, check_range};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// Gravity, drag and wind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForceSettings {
    /// Acceleration, world space, dm/s², each -1,000 to 1,000.
    pub gravity: [f32; 3],
    /// Rate at which hair takes on the velocity of the air around it, 1/s, 0 to 1,000. A single
    /// hair in calm air has about 9, hair among hair less.
    pub drag: f32,
    /// Velocity of the air, world space, dm/s, each -1,000 to 1,000.
    pub wind: [f32; 3],
    /// Share by which the wind swells and calms, 0 (steady) to 1.
    pub gust: f32,
    /// Time from one gust to the next, seconds, 0.1 to 60.
    pub gust_secs: f32,
    /// Largest velocity of eddies in the air, dm/s, 0 (none) to 1,000 (not for `spring`).
    pub turbulence: f32,
    /// Size of the eddies, decimetres, 0.05 to 100.
    pub turbulence_scale: f32,
    /// Same seed, same eddies.
    pub turbulence_seed: u32,
    /// Accelerations besides gravity that come and go, at most 1,000; the latest one acts.
    pub pushes: Vec<Push>,
}

/// An acceleration that acts on all hair from a time on, until the next push does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Simulated time from which it acts, seconds, 0 to 3,600.
    pub from_secs: f32,
    /// World space, dm/s², each -1,000 to 1,000.
    pub acceleration: [f32; 3],
}

impl Push {
    /// Most pushes of a simulation.
    pub const MOST: usize = 1_000;
    /// Allowed [`from_secs`](Self::from_secs).
    pub const FROM_SECS_RANGE: RangeInclusive<f32> = 0.0..=3_600.0;

    fn validate(&self) -> Result<(), SettingError> {
        let from = Self::FROM_SECS_RANGE;
        check_range(
            "sim.forces.pushes.from_secs",
            self.from_secs,
            from,
            "seconds",
        )?;
        for x in self.acceleration {
            let range = ForceSettings::GRAVITY_RANGE;
            check_range("sim.forces.pushes.acceleration", x, range, "dm/s^2")?;
        }
        Ok(())
    }
}

impl Default for ForceSettings {
    fn default() -> Self {
        Self {
            gravity: [0.0, -98.1, 0.0],
            drag: 3.0,
            wind: [0.0; 3],
            gust: 0.0,
            gust_secs: 2.0,
            turbulence: 0.0,
            turbulence_scale: 1.0,
            turbulence_seed: 1,
            pushes: Vec::new(),
        }
    }
}

impl ForceSettings {
    /// Allowed components of [`gravity`](Self::gravity), dm/s².
    pub const GRAVITY_RANGE: RangeInclusive<f32> = -1_000.0..=1_000.0;
    /// Allowed [`drag`](Self::drag), 1/s.
    pub const DRAG_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed components of [`wind`](Self::wind), dm/s.
    pub const WIND_RANGE: RangeInclusive<f32> = -1_000.0..=1_000.0;
    /// Allowed [`gust`](Self::gust).
    pub const GUST_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`gust_secs`](Self::gust_secs).
    pub const GUST_SECS_RANGE: RangeInclusive<f32> = 0.1..=60.0;

    /// Allowed [`turbulence`](Self::turbulence), dm/s.
    pub const TURBULENCE_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed [`turbulence_scale`](Self::turbulence_scale), decimetres.
    pub const TURBULENCE_SCALE_RANGE: RangeInclusive<f32> = 0.05..=100.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        for x in self.gravity {
            check_range("sim.forces.gravity", x, Self::GRAVITY_RANGE, "dm/s^2")?;
        }
        check_range("sim.forces.drag", self.drag, Self::DRAG_RANGE, "1/s")?;
        for x in self.wind {
            check_range("sim.forces.wind", x, Self::WIND_RANGE, "dm/s")?;
        }
        check_range("sim.forces.gust", self.gust, Self::GUST_RANGE, "")?;
        let secs = Self::GUST_SECS_RANGE;
        check_range("sim.forces.gust_secs", self.gust_secs, secs, "seconds")?;
        let turbulence = Self::TURBULENCE_RANGE;
        check_range("sim.forces.turbulence", self.turbulence, turbulence, "dm/s")?;
        let (key, scale) = ("sim.forces.turbulence_scale", Self::TURBULENCE_SCALE_RANGE);
        check_range(key, self.turbulence_scale, scale, "decimetres")?;
        if self.pushes.len() > Push::MOST {
            let expected = format!("at most {}", Push::MOST);
            let count = self.pushes.len();
            return Err(SettingError::new(
                "number of sim.forces.pushes",
                count,
                expected,
            ));
        }
        self.pushes.iter().try_for_each(Push::validate)
    }

    pub(super) fn clamped(&self) -> Self {
        use super::settings::clamp;
        let default = Self::default();
        let each = |values: [f32; 3], range: RangeInclusive<f32>| {
            values.map(|x| clamp(x, range.clone(), 0.0))
        };
        Self {
            gravity: each(self.gravity, Self::GRAVITY_RANGE),
            drag: clamp(self.drag, Self::DRAG_RANGE, default.drag),
            wind: each(self.wind, Self::WIND_RANGE),
            gust: clamp(self.gust, Self::GUST_RANGE, default.gust),
            gust_secs: clamp(self.gust_secs, Self::GUST_SECS_RANGE, default.gust_secs),
            turbulence: clamp(self.turbulence, Self::TURBULENCE_RANGE, 0.0),
            turbulence_scale: clamp(
                self.turbulence_scale,
                Self::TURBULENCE_SCALE_RANGE,
                default.turbulence_scale,
            ),
            turbulence_seed: self.turbulence_seed,
            pushes: (self.pushes.iter().take(Push::MOST))
                .filter(|push| push.validate().is_ok())
                .copied()
                .collect(),
        }
    }

    /// Is there anything that keeps hair moving under a still head?
    pub(super) fn is_restless(&self) -> bool {
        let gusty = self.gust > 0.0 && self.wind != [0.0; 3];
        gusty || self.turbulence > 0.0 || !self.pushes.is_empty()
    }

    /// What acts in a step of `dt` that ends at `time_secs`.
    pub(super) fn at(&self, time_secs: f64, dt: f64) -> Forces {
        let gust = f64::from(self.gust);
        // Two waves of unlike length: gusts come regularly, and no two are alike.
        let phase = TAU * time_secs / f64::from(self.gust_secs);
        let wave = 0.6 * sin_cos(phase).0 + 0.4 * sin_cos(phase * 2.618).0;
        let strength = (1.0 + gust * wave) as f32;
        let started = |push: &&Push| f64::from(push.from_secs) < time_secs - 0.5 * dt;
        let started = self.pushes.iter().filter(started);
        let push = started.max_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
        let push = push.map_or(Vec3::ZERO, |push| push.acceleration.into());
        Forces {
            gravity: Vec3::from(self.gravity) + push,
            wind: Vec3::from(self.wind) * strength,
            turbulence: Turbulence::new(
                self.turbulence,
                self.turbulence_scale,
                self.turbulence_seed,
                self.wind.into(),
                time_secs,
            ),
            drag: self.drag,
            drag_decay: decay(self.drag, dt),
        }
    }
}

/// What acts in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forces {
    /// World space, dm/s².
    pub(super) gravity: Vec3,
    /// Velocity of the air without eddies, world space, dm/s.
    pub(super) wind: Vec3,
    pub(super) turbulence: Turbulence,
    /// Rate at which hair takes on the velocity of the air, 1/s.
    pub(super) drag: f32,
    /// Share of the velocity against the air that a step leaves.
    pub(super) drag_decay: f32,
}

impl Forces {
    /// Velocity of the air at a point, dm/s.
    #[inline(always)]
    pub(super) fn air_at(&self, point: Vec3) -> Vec3 {
        if self.turbulence.strength == 0.0 {
            return self.wind;
        }
        self.wind + self.turbulence.at(point)
    }

    /// As [`air_at`](Self::air_at), in every lane.
    #[inline(always)]
    pub(super) fn air_at3(&self, points: &Lanes3) -> Lanes3 {
        let mut air = splat3(self.wind);
        if self.turbulence.strength != 0.0 {
            for lane in 0..LANES {
                set3(&mut air, lane, self.air_at(get3(points, lane)));
            }
        }
        air
    }

    /// Returns the velocities of particles after a step of drag, v' = b (air − v), and gravity,
    /// v' = g. Drag acts on the old velocity, so that hair at rest feels its full weight.
    #[inline(always)]
    pub(super) fn act3(&self, points: &Lanes3, v: &Lanes3, dt: f32) -> Lanes3 {
        let air = self.air_at3(points);
        let fall = self.gravity * dt;
        let slowed = scaled3(&minus3(v, &air), Lanes::splat(self.drag_decay));
        sum3(&sum3(&air, &slowed), &splat3(fall))
    }
}
