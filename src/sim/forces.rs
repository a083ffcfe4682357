//! Forces on hair besides those of the head: gravity, air, wind, and eddies in it.

use crate::det_math::{decay, sin_cos};
use crate::noise::noise;
use crate::settings;
use crate::settings::{Field, ListItem, SettingError};
use crate::sim::simd::{Lanes, Lanes3, splat3};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Velocity at which eddies drift in still air, as a share of their own speed: along no axis.
const OWN_DRIFT: DVec3 = DVec3::new(0.31, 0.43, -0.29);

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
        let from = Field::new("sim.forces.pushes.from_secs", &[]).within(0.0, 3_600.0, "seconds");
        from.check(&self.from_secs)?;
        let acceleration = Field::new("sim.forces.pushes.acceleration", &[]);
        (acceleration.within(-1_000.0, 1_000.0, "dm/s^2")).check(&self.acceleration)
    }
}

impl Push {
    /// Returns `true` if it acts in a step of `dt` that ends at `time_secs`, or has acted before.
    fn has_begun(&self, time_secs: f64, dt: f64) -> bool {
        f64::from(self.from_secs) < time_secs - 0.5 * dt
    }
}

impl ForceSettings {
    /// Returns `true` if wind, eddies or pushes change after a step of `dt` that ends at
    /// `time_secs`.
    pub(super) fn vary(&self, time_secs: f64, dt: f64) -> [bool; 3] {
        let gusty = self.gust > 0.0 && self.wind != [0.0; 3];
        let is_ahead = |push: &Push| !push.has_begun(time_secs, dt);
        let pushed = self.pushes.iter().any(is_ahead);
        [gusty, self.turbulence > 0.0, pushed]
    }

    /// Returns the forces in a step of `dt` that ends at `time_secs`.
    pub(super) fn at(&self, time_secs: f64, dt: f64) -> Forces {
        let gust = f64::from(self.gust);
        // Two waves of different length: gusts come regularly, and no two are alike.
        let phase = TAU * time_secs / f64::from(self.gust_secs);
        let wave = 0.6 * sin_cos(phase).0 + 0.4 * sin_cos(phase * 2.618).0;
        let strength = (1.0 + gust * wave) as f32;
        let started = self.pushes.iter();
        let started = started.filter(|push| push.has_begun(time_secs, dt));
        let push = started.max_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
        let push = push.map_or(Vec3::ZERO, |push| push.acceleration.into());
        Forces {
            gravity: Vec3::from(self.gravity) + push,
            wind: Vec3::from(self.wind) * strength,
            turbulence: Turbulence::new(self, time_secs),
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
    /// Returns the velocity of the air at a point, dm/s.
    #[inline(always)]
    pub(super) fn air_at(&self, point: Vec3) -> Vec3 {
        if self.turbulence.strength == 0.0 {
            return self.wind;
        }
        self.wind + self.turbulence.at(point)
    }

    /// Returns the velocity of the air at eight points, dm/s.
    #[inline(always)]
    pub(super) fn air_at3(&self, points: &Lanes3) -> Lanes3 {
        let mut air = splat3(self.wind);
        if self.turbulence.strength != 0.0 {
            let points = [0, 1, 2].map(|axis| points[axis].0);
            let eddies = self.turbulence.at_all(points);
            air = [0, 1, 2].map(|axis| air[axis] + Lanes(eddies[axis]));
        }
        air
    }
}

/// The eddies of one step: a smooth random velocity in space that drifts with the wind.
///
/// [Noise](noise) in space. Eddies are carried along unchanged (Taylor's hypothesis of frozen
/// turbulence, 1938), and drift a little in still air.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turbulence {
    /// Largest component of the velocity, dm/s; 0: none.
    pub(super) strength: f32,
    /// 1 / size of the eddies.
    per_scale: f32,
    /// Drift in whole cells, and the rest.
    cells: [i32; 3],
    rest: [f32; 3],
    seed: u32,
}

impl Turbulence {
    fn new(settings: &ForceSettings, time_secs: f64) -> Self {
        let (strength, scale) = (settings.turbulence, settings.turbulence_scale);
        let drift = Vec3::from(settings.wind).as_dvec3() + OWN_DRIFT * f64::from(strength);
        let way = (drift * (time_secs / f64::from(scale))).to_array();
        Self {
            strength,
            per_scale: 1.0 / scale,
            cells: way.map(|x| x.floor() as i64 as i32),
            rest: way.map(|x| (x - x.floor()) as f32),
            seed: settings.turbulence_seed,
        }
    }

    /// Velocity at a point, world space, dm/s.
    #[inline(always)]
    fn at(&self, point: Vec3) -> Vec3 {
        let [[x], [y], [z]] = self.at_all(point.to_array().map(|lane| [lane]));
        Vec3::new(x, y, z)
    }

    /// Velocities at points, world space, dm/s.
    #[inline(always)]
    fn at_all<const N: usize>(&self, points: [[f32; N]; 3]) -> [[f32; N]; 3] {
        let (mut cell, mut within) = ([[0_i32; N]; 3], [[0.0; N]; 3]);
        for axis in 0..3 {
            for lane in 0..N {
                let place = points[axis][lane] * self.per_scale - self.rest[axis];
                let floor = place.floor();
                cell[axis][lane] = (floor as i32).wrapping_sub(self.cells[axis]);
                within[axis][lane] = place - floor;
            }
        }
        let strength = self.strength;
        noise(cell, within, self.seed).map(|lanes| lanes.map(|lane| lane * strength))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns eddies of a strength and scale at a time, seconds, in a steady wind.
    fn eddies([turbulence, scale]: [f32; 2], wind: [f32; 3], time_secs: f64) -> Turbulence {
        let settings = ForceSettings {
            turbulence,
            turbulence_scale: scale,
            wind,
            ..ForceSettings::default()
        };
        Turbulence::new(&settings, time_secs)
    }

    #[test]
    fn eddies_are_smooth_bounded_and_of_their_scale() {
        let air = eddies([10.0, 0.5], [0.0; 3], 0.0);
        let (mut before, mut sum, mut squares) = (air.at(Vec3::ZERO), 0.0, 0.0);
        for i in 1..20_000 {
            let v = air.at(Vec3::new(1.0, 0.3, -0.2) * (i as f32 * 0.001));
            assert!(v.abs().max_element() <= 10.0);
            // At most 2 · 10 in a cell of 0.5, smoothly: no step.
            assert!((v - before).abs().max_element() < 0.15);
            sum += v.x;
            squares += v.x * v.x;
            before = v;
        }
        let (mean, rms) = (sum / 20_000.0, (squares / 20_000.0).sqrt());
        assert!(mean.abs() < 2.0, "{mean}");
        assert!((2.0..6.0).contains(&rms), "{rms}");
        let [near, far] = [0.05, 5.0].map(|d| {
            let x = |i: usize| Vec3::X * (i as f32 * 0.37);
            let apart = |i: usize| (air.at(x(i)).x - air.at(x(i) + Vec3::X * d).x).abs();
            (0..500).map(apart).sum::<f32>()
        });
        assert!(far > 4.0 * near, "{near} {far}");
    }

    #[test]
    fn eddies_drift_with_the_wind() {
        let [early, late] = [100.0, 100.1].map(|time| eddies([0.1, 0.5], [6.0, 0.0, 0.0], time));
        for i in 0..50 {
            let p = Vec3::new(i as f32 * 0.13, 0.2, 0.1);
            assert!((early.at(p).x - late.at(p + Vec3::X * 0.6).x).abs() < 0.01);
        }
    }

    #[test]
    fn air_at_far_places_is_finite() {
        let air = eddies([1000.0, 0.05], [1000.0; 3], 3600.0);
        for x in [1e9, -1e9, 1e30] {
            let v = air.at(Vec3::new(x, 0.0, x));
            assert!(v.abs().max_element() <= 1000.0, "{v}");
        }
    }
}
