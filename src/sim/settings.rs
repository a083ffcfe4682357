//! Settings of the simulation.

use super::{
    AngularSettings, Collider, ForceSettings, FtlSettings, GuideSettings, HeadCollider,
    ParticleSettings, RodSettings, SolverKind, SpringSettings,
};
use crate::settings;

settings! {
    /// Settings of the motion of strands.
    pub struct SimSettings in "sim" {
        /// The solver: spring, ftl, angular, particles or rod.
        solver: SolverKind = SolverKind::Spring => "Solver";
        /// Particles of a strand, including its root; spring moves tips only.
        strand_particles: u32 = 12, 2..=64 => "Particles";
        /// How firmly hair keeps its rest shape: 0 is the published method, 1 is rigid.
        hold: f32 = 0.0, 0.0..=1.0 => "Hold";
        /// The shape of the head that hair collides with: none, plane, ellipsoid or field (the skin
        /// itself). For spring it is always the plane at each root, or none.
        head_collider: HeadCollider = HeadCollider::Field => "Collide";
        /// Friction coefficient of contact.
        friction: f32 = 0.3, 0.0..=2.0 => "Friction";
        /// Spheres { from = [x, y, z], radius } and capsules { from, to, radius } in world space,
        /// at most 64.
        colliders: Vec<Collider>;
        /// Gravity, air and wind.
        forces: ForceSettings;
        /// Guide hairs.
        guides: GuideSettings;
        /// Spring to anchor.
        spring: SpringSettings;
        /// Follow-The-Leader.
        ftl: FtlSettings;
        /// Projective angular dynamics.
        angular: AngularSettings;
        /// Particle springs.
        particles: ParticleSettings;
        /// Elastic rods.
        rod: RodSettings;
    }
}

impl SimSettings {
    /// Whether hair collides with the skin itself, so that a [`Sdf`](super::Sdf) is needed.
    pub fn needs_field(&self) -> bool {
        self.head_collider == HeadCollider::Field && self.solver != SolverKind::Spring
    }

    /// Whether nothing brings hair back to its rest shape, however stiff the strands are.
    pub fn is_limp(&self) -> bool {
        let by_hold_alone = matches!(self.solver, SolverKind::Ftl | SolverKind::Particles);
        by_hold_alone && self.hold <= 0.0
    }
}
