//! Forces on hair besides those of the head: gravity, air, wind.

pub(crate) mod turbulence;

use self::turbulence::Turbulence;
use crate::det_math::{decay, sin_cos};
use crate::settings;
use crate::settings::{ListItem, SettingError};
use crate::sim::simd::{LANES, Lanes, Lanes3, get3, minus3, scaled3, set3, splat3, sum3};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

settings! {
    /// The forces that act on hair besides the head.
    pub struct ForceSettings in "sim.forces" {
        /// Acceleration x, y, z, world space.
        gravity: [f32; 3] = [0.0, -98.1, 0.0], -1_000.0..=1_000.0 "dm/s^2" => "Gravity";
        /// Rate at which hair takes on the velocity of the air. A single hair in calm air has about
        /// 9, hair among hair less.
        drag: f32 = 3.0, 0.0..=1_000.0 "1/s" => "Drag" 0.0..=40.0 log;
        /// Velocity of the air x, y, z, world space; the face looks along z.
        wind: [f32; 3] = [0.0; 3], -1_000.0..=1_000.0 "dm/s" => "Wind";
        /// Share by which the wind swells and calms; 0 is steady.
        gust: f32 = 0.0, 0.0..=1.0 => "Gusts";
        /// Time between gusts.
        gust_secs: f32 = 2.0, 0.1..=60.0 "seconds" => "Every" 0.2..=20.0 log;
        /// Largest velocity of eddies in the air; spring ignores them.
        turbulence: f32 = 0.0, 0.0..=1_000.0 "dm/s" => "Turbulence" 0.0..=200.0 log;
        /// Size of the eddies. Hair within one moves together.
        turbulence_scale: f32 = 1.0, 0.05..=100.0 "decimetres" => "Eddy size" 0.1..=10.0 log;
        /// Seed of the eddies.
        turbulence_seed: u32 = 1;
        /// Accelerations { from_secs, acceleration = [x, y, z] } besides gravity, at most 1000. The
        /// latest one acts.
        pushes: Vec<Push>;
    }
}

/// An acceleration that acts on all hair from a time on, until the next push does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Simulated time from which it acts, seconds, 0 to 3,600.
    pub from_secs: f32,
    /// Acceleration, world space, dm/s², each component -1,000 to 1,000.
    pub acceleration: [f32; 3],
}

impl ListItem for Push {
    const KEY: &'static str = "sim.forces.pushes";
    const MAX: usize = 1_000;

    fn validate(&self) -> Result<(), SettingError> {
        if !(0.0..=3_600.0).contains(&self.from_secs) {
            let key = "sim.forces.pushes.from_secs";
            return Err(SettingError::new(
                key,
                self.from_secs,
                "0 to 3600 (seconds)",
            ));
        }
        let acceleration = ForceSettings::gravity.check(&self.acceleration);
        acceleration.map_err(|error| SettingError {
            key: "sim.forces.pushes.acceleration".to_owned(),
            ..error
        })
    }
}

impl ForceSettings {
    /// Whether anything keeps hair moving under a still head.
    pub(super) fn is_restless(&self) -> bool {
        let gusty = self.gust > 0.0 && self.wind != [0.0; 3];
        gusty || self.turbulence > 0.0 || !self.pushes.is_empty()
    }

    /// Returns the forces in a step of `dt` that ends at `time_secs`.
    pub(super) fn at(&self, time_secs: f64, dt: f64) -> Forces {
        let gust = f64::from(self.gust);
        // Two waves of different length: gusts come regularly, and no two are alike.
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

/// The forces of one step.
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
