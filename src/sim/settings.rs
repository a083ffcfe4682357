//! Settings of every solver.

use super::{
    AngularSettings, Collider, ForceSettings, FtlSettings, GuideSettings, Hair, HeadCollider,
    ParticleSettings, RodSettings, SolverKind,
};
use crate::settings::{SettingError, check_range};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Settings of the simulation and of every solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SimSettings {
    /// The way of moving hair that is used.
    pub solver: SolverKind,
    /// Particles of a strand, its root included, 2 to 64. `spring` moves tips only.
    pub strand_particles: u32,
    /// How much hair keeps its rest shape, 0 (the published method) to 1 (rigid).
    pub hold: f32,
    /// What of the head hair collides with. (`spring`: always the plane at each root, or nothing.)
    pub head_collider: HeadCollider,
    /// Friction coefficient of contact, 0 to 2.
    pub friction: f32,
    /// Spheres and capsules that hair cannot enter, at most 64.
    pub colliders: Vec<Collider>,
    /// Gravity, drag and wind.
    pub forces: ForceSettings,
    /// Which strands are simulated, and how the others follow them.
    pub guides: GuideSettings,
    /// Spring to anchor.
    pub spring: SpringSettings,
    /// Follow-The-Leader.
    pub ftl: FtlSettings,
    /// Projective angular dynamics.
    pub angular: AngularSettings,
    /// Particle springs.
    pub particles: ParticleSettings,
    /// Elastic rods.
    pub rod: RodSettings,
}

impl Default for SimSettings {
    fn default() -> Self {
        Self {
            solver: SolverKind::default(),
            strand_particles: 12,
            hold: 0.0,
            head_collider: HeadCollider::default(),
            friction: 0.3,
            colliders: Vec::new(),
            forces: ForceSettings::default(),
            guides: GuideSettings::default(),
            spring: SpringSettings::default(),
            ftl: FtlSettings::default(),
            angular: AngularSettings::default(),
            particles: ParticleSettings::default(),
            rod: RodSettings::default(),
        }
    }
}

/// Spring-to-anchor dynamics of the strand tip: p'' = k (a - p) - c p'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpringSettings {
    /// Spring constant k, 1/s^2, 0.01 to 10,000.
    pub stiffness: f32,
    /// Damping c, 1/s, 0 to 1,000: the drag of the air, so what the wind pulls with.
    pub damping: f32,
    /// Share of gravity that the tip feels, 0 (as the original) to 1.
    pub weight: f32,
}

impl Default for SpringSettings {
    fn default() -> Self {
        Self {
            stiffness: 4.0,
            damping: 1.5,
            weight: 0.0,
        }
    }
}

impl SimSettings {
    /// Allowed [`hold`](Self::hold).
    pub const HOLD_RANGE: RangeInclusive<f32> = 0.0..=1.0;
    /// Allowed [`friction`](Self::friction).
    pub const FRICTION_RANGE: RangeInclusive<f32> = 0.0..=2.0;

    /// The first setting that is out of its range, if any.
    pub fn validate(&self) -> Result<(), SettingError> {
        let range = Hair::PARTICLES_RANGE;
        if !range.contains(&self.strand_particles) {
            return Err(SettingError::new(
                "sim.strand_particles",
                self.strand_particles,
                format!("{} to {}", range.start(), range.end()),
            ));
        }
        check_range("sim.hold", self.hold, Self::HOLD_RANGE, "")?;
        check_range("sim.friction", self.friction, Self::FRICTION_RANGE, "")?;
        if self.colliders.len() > Collider::MOST {
            let expected = format!("at most {}", Collider::MOST);
            let count = self.colliders.len();
            return Err(SettingError::new(
                "number of sim.colliders",
                count,
                expected,
            ));
        }
        self.colliders.iter().try_for_each(Collider::validate)?;
        self.forces.validate()?;
        self.guides.validate()?;
        self.spring.validate()?;
        self.ftl.validate()?;
        self.angular.validate()?;
        self.particles.validate()?;
        self.rod.validate()
    }

    /// Does hair collide with the skin itself, so that a [`Field`](super::Field) of the head is of
    /// use?
    pub fn needs_field(&self) -> bool {
        self.head_collider == HeadCollider::Field && self.solver != SolverKind::Spring
    }

    /// Does the solver bring no hair back to its rest shape, however stiff it is?
    pub fn is_limp(&self) -> bool {
        let by_hold_alone = matches!(self.solver, SolverKind::Ftl | SolverKind::Particles);
        by_hold_alone && self.hold <= 0.0
    }

    /// These settings with each value moved into its range; the default where it is not a
    /// number. What solvers run on, so that no input can make them blow up.
    pub(super) fn clamped(&self) -> Self {
        let range = Hair::PARTICLES_RANGE;
        Self {
            solver: self.solver,
            strand_particles: self.strand_particles.clamp(*range.start(), *range.end()),
            hold: clamp(self.hold, Self::HOLD_RANGE, 0.0),
            head_collider: self.head_collider,
            friction: clamp(self.friction, Self::FRICTION_RANGE, 0.3),
            colliders: (self.colliders.iter().take(Collider::MOST))
                .filter(|collider| collider.validate().is_ok())
                .copied()
                .collect(),
            forces: self.forces.clamped(),
            guides: self.guides.clamped(),
            spring: self.spring.clamped(),
            ftl: self.ftl.clamped(),
            angular: self.angular.clamped(),
            particles: self.particles.clamped(),
            rod: self.rod.clamped(),
        }
    }
}

impl SpringSettings {
    /// Allowed [`stiffness`](Self::stiffness), 1/s². Above zero, since the propagator divides
    /// by it.
    pub const STIFFNESS_RANGE: RangeInclusive<f32> = 0.01..=10_000.0;
    /// Allowed [`damping`](Self::damping), 1/s.
    pub const DAMPING_RANGE: RangeInclusive<f32> = 0.0..=1_000.0;
    /// Allowed [`weight`](Self::weight).
    pub const WEIGHT_RANGE: RangeInclusive<f32> = 0.0..=1.0;

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
        )?;
        check_range("sim.spring.weight", self.weight, Self::WEIGHT_RANGE, "")
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
            weight: clamp(self.weight, Self::WEIGHT_RANGE, default.weight),
        }
    }
}

pub(super) fn clamp(value: f32, range: RangeInclusive<f32>, default: f32) -> f32 {
    if value.is_nan() {
        default
    } else {
        value.clamp(*range.start(), *range.end())
    }
}
