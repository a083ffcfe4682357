//! Settings of the solvers that move particles.

use super::super::settings::clamp;
use crate::settings::{SettingError, check_range};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Follow-The-Leader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FtlSettings {
    /// Rate at which velocities decay, 1/s, 0 to 100, on top of what the method itself damps.
    pub damping: f32,
    /// Share s of a particle's correction that is taken from the velocity of the one before,
    /// 0 to 1: how evenly the mass seems to be spread, not a damping.
    pub correction: f32,
    /// Share by which strands differ in mass, 0 to 0.9: the air moves light ones more. Gravity
    /// moves all alike.
    pub mass_variation: f32,
    /// Rate at which hair takes on the velocity of the hair around it, 1/s, 0 (off) to 100.
    pub hair_friction: f32,
    /// Acceleration from where hair is dense to where it is not, dm/s², 0 (off) to 1,000.
    pub hair_repulsion: f32,
    /// How far hair feels other hair: side of a grid cell, decimetres, 0.02 to 1.
    pub hair_cell: f32,
}

impl Default for FtlSettings {
    fn default() -> Self {
        Self {
            damping: 1.0,
            correction: 0.9,
            mass_variation: 0.0,
            hair_friction: 0.0,
            hair_repulsion: 0.0,
            hair_cell: 0.1,
        }
    }
}

impl FtlSettings {
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=100.0;
    /// Allowed [`correction`](Self::correction).
    pub const CORRECTION_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`mass_variation`](Self::mass_variation).
    pub const MASS_VARIATION_RANGE: RangeInclusive<f32> = 0.0..=0.9;
    /// Allowed [`hair_friction`](Self::hair_friction), 1/s.
    pub const HAIR_FRICTION_RANGE: RangeInclusive<f32> = 0.0..=100.0;
    /// Allowed [`hair_repulsion`](Self::hair_repulsion), dm/s².
    pub const HAIR_REPULSION_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed [`hair_cell`](Self::hair_cell), decimetres.
    pub const HAIR_CELL_RANGE: RangeInclusive<f32> = 0.02..=1.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let (damping, correction) = (Self::DAMPING_RANGE, Self::CORRECTION_RANGE);
        check_range("sim.ftl.damping", self.damping, damping, "1/s")?;
        check_range("sim.ftl.correction", self.correction, correction, "")?;
        let mass = Self::MASS_VARIATION_RANGE;
        check_range("sim.ftl.mass_variation", self.mass_variation, mass, "")?;
        let friction = Self::HAIR_FRICTION_RANGE;
        check_range("sim.ftl.hair_friction", self.hair_friction, friction, "1/s")?;
        let repulsion = Self::HAIR_REPULSION_RANGE;
        check_range(
            "sim.ftl.hair_repulsion",
            self.hair_repulsion,
            repulsion,
            "dm/s^2",
        )?;
        check_range(
            "sim.ftl.hair_cell",
            self.hair_cell,
            Self::HAIR_CELL_RANGE,
            "decimetres",
        )
    }

    pub(crate) fn clamped(&self) -> Self {
        let default = Self::default();
        Self {
            damping: clamp(self.damping, Self::DAMPING_RANGE, default.damping),
            correction: clamp(self.correction, Self::CORRECTION_RANGE, default.correction),
            mass_variation: clamp(self.mass_variation, Self::MASS_VARIATION_RANGE, 0.0),
            hair_friction: clamp(self.hair_friction, Self::HAIR_FRICTION_RANGE, 0.0),
            hair_repulsion: clamp(self.hair_repulsion, Self::HAIR_REPULSION_RANGE, 0.0),
            hair_cell: clamp(self.hair_cell, Self::HAIR_CELL_RANGE, default.hair_cell),
        }
    }
}

/// Projective angular dynamics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AngularSettings {
    /// Rate at which angular velocities decay, 1/s, 0 to 100.
    pub damping: f32,
    /// What forces have to turn, k² ρ d of the source, decimetres, 0 to 10,000; 0: each strand's
    /// length, so that it falls as a rod of that length would.
    pub inertia: f32,
    /// Friction coefficient c of the first segment, 0 (does not move) to 1.
    pub friction_root: f32,
    /// The same of the last segment; in between it changes evenly.
    pub friction_tip: f32,
    /// Factor on both for the strands on top of the head, 0 to 1; it fades out half way down.
    pub friction_crown: f32,
    /// Largest angle between the first two segments, degrees, 0 to 180.
    pub stiffness_root_deg: f32,
    /// The same of the last two; in between it changes evenly.
    pub stiffness_tip_deg: f32,
    /// Forces fade out near the skin.
    pub field: bool,
}

impl Default for AngularSettings {
    fn default() -> Self {
        Self {
            damping: 2.0,
            inertia: 0.0,
            friction_root: 1.0,
            friction_tip: 1.0,
            friction_crown: 1.0,
            stiffness_root_deg: 25.0,
            stiffness_tip_deg: 25.0,
            field: true,
        }
    }
}

impl AngularSettings {
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=100.0;
    /// Allowed [`inertia`](Self::inertia), decimetres.
    pub const INERTIA_RANGE: RangeInclusive<f32> = 0.0..=10_000.0;
    /// Allowed friction coefficients.
    pub const FRICTION_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed stiffness limits, degrees.
    pub const STIFFNESS_DEG_RANGE: RangeInclusive<f32> = 0.0..=180.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let damping = Self::DAMPING_RANGE;
        check_range("sim.angular.damping", self.damping, damping, "1/s")?;
        let inertia = Self::INERTIA_RANGE;
        check_range("sim.angular.inertia", self.inertia, inertia, "decimetres")?;
        for (key, value) in [
            ("sim.angular.friction_root", self.friction_root),
            ("sim.angular.friction_tip", self.friction_tip),
            ("sim.angular.friction_crown", self.friction_crown),
        ] {
            check_range(key, value, Self::FRICTION_RANGE, "")?;
        }
        for (key, value) in [
            ("sim.angular.stiffness_root_deg", self.stiffness_root_deg),
            ("sim.angular.stiffness_tip_deg", self.stiffness_tip_deg),
        ] {
            check_range(key, value, Self::STIFFNESS_DEG_RANGE, "degrees")?;
        }
        Ok(())
    }

    pub(crate) fn clamped(&self) -> Self {
        let default = Self::default();
        let friction = |value| clamp(value, Self::FRICTION_RANGE, 1.0);
        let degrees = |value| clamp(value, Self::STIFFNESS_DEG_RANGE, default.stiffness_tip_deg);
        Self {
            damping: clamp(self.damping, Self::DAMPING_RANGE, default.damping),
            inertia: clamp(self.inertia, Self::INERTIA_RANGE, default.inertia),
            friction_root: friction(self.friction_root),
            friction_tip: friction(self.friction_tip),
            friction_crown: friction(self.friction_crown),
            stiffness_root_deg: degrees(self.stiffness_root_deg),
            stiffness_tip_deg: degrees(self.stiffness_tip_deg),
            field: self.field,
        }
    }
}

/// Particle springs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ParticleSettings {
    /// Spring constant between neighbouring particles of mass 1, 1/s², 1,000 to 10,000,000.
    pub stiffness: f32,
    /// Damping between them, 1/s, 0 to 1,000.
    pub damping: f32,
    /// How motion is integrated.
    pub stepping: Stepping,
}

/// How particle springs are integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stepping {
    /// Semi-implicit Euler: kick, then drift.
    #[default]
    Euler,
    /// Position Verlet: half a drift, kick, half a drift.
    Verlet,
}

impl Default for ParticleSettings {
    fn default() -> Self {
        Self {
            stiffness: 1_000_000.0,
            damping: 300.0,
            stepping: Stepping::default(),
        }
    }
}

impl ParticleSettings {
    /// Allowed [`stiffness`](Self::stiffness), 1/s².
    pub const STIFFNESS_RANGE: RangeInclusive<f32> = 1_000.0..=10_000_000.0;
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let (stiffness, damping) = (Self::STIFFNESS_RANGE, Self::DAMPING_RANGE);
        check_range(
            "sim.particles.stiffness",
            self.stiffness,
            stiffness,
            "1/s^2",
        )?;
        check_range("sim.particles.damping", self.damping, damping, "1/s")
    }

    pub(crate) fn clamped(&self) -> Self {
        let default = Self::default();
        Self {
            stiffness: clamp(self.stiffness, Self::STIFFNESS_RANGE, default.stiffness),
            damping: clamp(self.damping, Self::DAMPING_RANGE, default.damping),
            stepping: self.stepping,
        }
    }
}

/// Elastic rods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RodSettings {
    /// Bending stiffness B over the mass per length, dm⁴/s², 0 to 1,000. A human hair of 70
    /// micrometres has about 9.
    pub bending: f32,
    /// Twisting stiffness C over the mass per length, dm⁴/s², 0 to 1,000: of a round hair two thirds
    /// of the bending stiffness. Matters to hair that curls.
    pub twisting: f32,
    /// Rate at which velocities decay, 1/s, 0 to 100.
    pub damping: f32,
}

impl Default for RodSettings {
    fn default() -> Self {
        Self {
            bending: 9.0,
            twisting: 6.0,
            damping: 1.0,
        }
    }
}

impl RodSettings {
    /// Allowed [`bending`](Self::bending), dm⁴/s².
    pub const BENDING_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed [`twisting`](Self::twisting), dm⁴/s².
    pub const TWISTING_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=100.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let (bending, damping) = (Self::BENDING_RANGE, Self::DAMPING_RANGE);
        check_range("sim.rod.bending", self.bending, bending, "dm^4/s^2")?;
        let twisting = Self::TWISTING_RANGE;
        check_range("sim.rod.twisting", self.twisting, twisting, "dm^4/s^2")?;
        check_range("sim.rod.damping", self.damping, damping, "1/s")
    }

    pub(crate) fn clamped(&self) -> Self {
        let default = Self::default();
        Self {
            bending: clamp(self.bending, Self::BENDING_RANGE, default.bending),
            twisting: clamp(self.twisting, Self::TWISTING_RANGE, default.twisting),
            damping: clamp(self.damping, Self::DAMPING_RANGE, default.damping),
        }
    }
}

/// Which strands are simulated; the others follow them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GuideSettings {
    /// Share of the strands that are simulated, 0.001 to 1 (all).
    pub share: f32,
    /// Which ones.
    pub choice: GuideChoice,
    /// How many of them a dependent follows.
    pub blend: GuideBlend,
    /// How far dependents are drawn to the hair that they follow, 0 (clean) to 1 (all in one).
    pub clump: f32,
}

/// How basis hairs are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuideChoice {
    /// Spread evenly: the first in progressive order of the roots.
    #[default]
    Even,
    /// At random, as published.
    Random,
}

/// What a dependent hair follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuideBlend {
    /// The nearest basis hair, as published.
    Nearest,
    /// The three nearest, by inverse squares of their distances.
    #[default]
    Three,
}

impl Default for GuideSettings {
    fn default() -> Self {
        Self {
            share: 1.0,
            choice: GuideChoice::default(),
            blend: GuideBlend::default(),
            clump: 0.0,
        }
    }
}

impl GuideSettings {
    /// Allowed [`share`](Self::share).
    pub const SHARE_RANGE: RangeInclusive<f32> = 0.001..=1.0;
    /// Allowed [`clump`](Self::clump).
    pub const CLUMP_RANGE: RangeInclusive<f32> = 0.0..=1.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        check_range("sim.guides.share", self.share, Self::SHARE_RANGE, "")?;
        check_range("sim.guides.clump", self.clump, Self::CLUMP_RANGE, "")
    }

    pub(crate) fn clamped(&self) -> Self {
        Self {
            share: clamp(self.share, Self::SHARE_RANGE, 1.0),
            clump: clamp(self.clump, Self::CLUMP_RANGE, 0.0),
            ..self.clone()
        }
    }
}
