//! Settings of the simulation, its solvers and guide hairs.

use super::contact::{Collider, HeadCollider};
use super::forces::ForceSettings;
use super::tie::Tie;
use crate::{choices, settings};
use glam::Vec3;
use std::f32::consts::TAU;

settings! {
    /// Settings of the motion of strands.
    pub struct SimSettings in "sim" {
        /// The solver: spring, ftl, angular, particles or rod.
        solver: SolverKind = SolverKind::Spring => "Solver";
        /// Particles of a strand, including its root; spring moves tips only.
        strand_particles: u32 = 12, 2..=64 => "Particles";
        /// How firmly hair keeps its rest shape: 0 is the published method, 1 is rigid.
        hold: f32 = 0.0, 0.0..=1.0 => "Hold";
        /// Hair that is stiff enough stands under gravity as it is groomed. Off: gravity bends it
        /// from there.
        sag_free: bool = true => "Sag-free";
        /// The shape of the head that hair collides with: none, plane, ellipsoid or field (the skin
        /// itself). For spring it is always the plane at each root, or none.
        head_collider: HeadCollider = HeadCollider::Field => "Collide";
        /// Friction coefficient of contact.
        friction: f32 = 0.3, 0.0..=2.0 => "Friction";
        /// Spheres { from = [x, y, z], radius } and capsules { from, to, radius } in world space,
        /// at most 64.
        colliders: Vec<Collider>;
        /// Ribbons and elastics { place = [x, y, z], reach, radius } in head space that hold the
        /// strands groomed to pass within reach of the place, at most 64.
        ties: Vec<Tie>;
        /// Gravity, air and wind.
        forces: ForceSettings;
        /// Guide hairs.
        guides: GuideSettings;
        /// Hair against hair.
        hair: HairSettings;
        /// Wet hair.
        wet: WetSettings;
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
    /// Returns `true` if hair collides with the skin itself, so that a [`Sdf`](super::Sdf) is
    /// needed.
    pub fn needs_field(&self) -> bool {
        self.head_collider == HeadCollider::Field && self.solver != SolverKind::Spring
    }

    /// Returns the gravity of the head at rest under which hair stands as it is groomed, dm/s².
    pub(crate) fn groomed_gravity(&self) -> Vec3 {
        match self.sag_free {
            true => Vec3::from(self.forces.gravity) * self.wet.stiffness_left(),
            false => Vec3::ZERO,
        }
    }

    /// Returns `true` if nothing brings hair back to its rest shape, however stiff the strands are.
    pub fn is_limp(&self) -> bool {
        let by_hold_alone = matches!(self.solver, SolverKind::Ftl | SolverKind::Particles);
        by_hold_alone && self.hold <= 0.0
    }
}

choices! {
    /// A solver: a method of moving hair.
    pub enum SolverKind: "solver" = Spring {
        /// A damped spring pulls each tip to its rest position.
        Spring = "spring",
        /// Follow-The-Leader: inextensible and fast, every particle after the one before.
        Ftl = "ftl",
        /// Projective angular dynamics: rigid sticks that turn, with a stiffness limit.
        Angular = "angular",
        /// Damped springs between particles: stretchy.
        Particles = "particles",
        /// Elastic rods: inextensible hair that bends as its stiffness says.
        Rod = "rod",
    }
}

impl SolverKind {
    /// Returns the next solver, the first after the last.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

settings! {
    /// Solver spring: a damped spring pulls each tip to its anchor, p'' = k (a - p) - c p'.
    pub struct SpringSettings in "sim.spring" {
        /// Spring constant k: how hard a tip is pulled to its anchor.
        stiffness: f32 = 100.0, 0.01..=10_000.0 "1/s^2" => "Spring k" 0.1..=400.0 log;
        /// Damping c: how fast motion dies out, and how strongly the wind pulls.
        damping: f32 = 5.0, 0.0..=1_000.0 "1/s" => "Damping c" 0.0..=40.0 log;
        /// Share of gravity that acts on tips; 0 is the original method.
        weight: f32 = 0.0, 0.0..=1.0 => "Weight";
    }
}

impl SpringSettings {
    /// The spring of the program that this one started from: limp hair of 35 dm.
    pub const REFERENCE: Self = Self {
        stiffness: 4.0,
        damping: 1.5,
        weight: 0.0,
    };

    /// Returns the undamped natural frequency √k / 2π, in hertz.
    pub fn frequency_hz(&self) -> f32 {
        self.stiffness.sqrt() / TAU
    }

    /// Returns the damping ratio c / (2 √k). Below 1 the tip overshoots.
    pub fn damping_ratio(&self) -> f32 {
        self.damping / (2.0 * self.stiffness.sqrt())
    }

    /// Returns the spring with a frequency in hertz and a damping ratio, and the same weight.
    pub fn tuned(&self, frequency_hz: f32, damping_ratio: f32) -> Self {
        let angular = frequency_hz * TAU;
        let spring = Self {
            stiffness: angular * angular,
            damping: 2.0 * damping_ratio * angular,
            ..self.clone()
        };
        spring.clamped()
    }
}

settings! {
    /// Solver ftl, Follow-The-Leader: every particle follows the one before it.
    pub struct FtlSettings in "sim.ftl" {
        /// Decay rate of velocities, in addition to the damping of the method itself.
        damping: f32 = 1.0, 0.0..=100.0 "1/s" => "Damping" 0.0..=40.0 log;
        /// Share s of a particle's correction that is taken from the velocity of the particle
        /// before it. It sets how evenly the mass seems to be spread and is no damping.
        correction: f32 = 0.9, 0.0..=1.0 => "Correction";
        /// Share by which the masses of strands differ. The air moves light strands more; gravity
        /// moves all alike.
        mass_variation: f32 = 0.0, 0.0..=0.9;
    }
}

settings! {
    /// Solver angular, projective angular dynamics: rigid sticks that turn.
    pub struct AngularSettings in "sim.angular" {
        /// Decay rate of angular velocities.
        damping: f32 = 2.0, 0.0..=100.0 "1/s" => "Damping" 0.0..=40.0 log;
        /// Inertia k² ρ d of the source; 0 stands for the length of each strand, so that it falls
        /// as a rod of that length would.
        inertia: f32 = 0.0, 0.0..=10_000.0 "decimetres" => "Inertia" 0.0..=200.0 log;
        /// Friction coefficient c at the root: the share of the force that acts there. Each segment
        /// has that of its middle.
        friction_root: f32 = 1.0, 0.0..=1.0 => "Friction, root";
        /// Friction coefficient c at the tip. It changes linearly in between.
        friction_tip: f32 = 1.0, 0.0..=1.0 => "Friction, tip";
        /// Factor on both coefficients on top of the head, where hair then moves later. It fades
        /// out half way down.
        friction_crown: f32 = 1.0, 0.0..=1.0 => "Friction, crown";
        /// Largest angle between two segments at the root. Each segment has that of its middle, and
        /// strands of more than 12 particles share the same bend among more joints.
        stiffness_root_deg: f32 = 25.0, 0.0..=180.0 "degrees" => "Angle at root" 0.0..=90.0;
        /// Largest angle between two segments at the tip. It changes linearly in between.
        stiffness_tip_deg: f32 = 25.0, 0.0..=180.0 "degrees" => "Angle at tip" 0.0..=90.0;
        /// Whether forces fade out near the skin.
        field: bool = true => "Force field";
    }
}

settings! {
    /// Solver particles: damped springs between the particles of a strand.
    pub struct ParticleSettings in "sim.particles" {
        /// Spring constant between neighbouring particles of mass 1; softer hair stretches more. It
        /// grows with the square of their number above 12, so that finer strands stretch alike.
        stiffness: f32 = 1_000_000.0, 1_000.0..=10_000_000.0 "1/s^2" => "Spring k" log;
        /// Damping between neighbouring particles.
        damping: f32 = 300.0, 0.0..=1_000.0 "1/s" => "Damping" log;
        /// Integration method: euler or verlet.
        stepping: Stepping = Stepping::Euler => "Steps";
    }
}

choices! {
    /// The integration method of particle springs.
    pub enum Stepping: "stepping" = Euler {
        /// Semi-implicit Euler: kick, then drift.
        Euler = "euler",
        /// Position Verlet: half a drift, kick, half a drift.
        Verlet = "verlet",
    }
}

settings! {
    /// Solver rod: elastic rods.
    pub struct RodSettings in "sim.rod" {
        /// Bending stiffness B over the mass per length; a human hair of 70 micrometres has about
        /// 9.
        bending: f32 = 9.0, 0.0..=1_000.0 "dm^4/s^2" => "Bending" log;
        /// Twisting stiffness C over the mass per length; two thirds of the bending stiffness for
        /// round hair. It matters for curls.
        twisting: f32 = 6.0, 0.0..=1_000.0 "dm^4/s^2" => "Twisting" log;
        /// Decay rate of velocities against the head.
        damping: f32 = 1.0, 0.0..=100.0 "1/s" => "Damping" 0.0..=40.0 log;
    }
}

settings! {
    /// Hair against hair.
    pub struct HairSettings in "sim.hair" {
        /// Rate at which hair takes on the velocity of the hair around it; 0 is off.
        friction: f32 = 0.0, 0.0..=100.0 "1/s" => "Hair friction" 0.0..=50.0 log;
        /// Largest acceleration from dense hair to sparse hair, which gives volume; 0 is off.
        repulsion: f32 = 0.0, 0.0..=1_000.0 "dm/s^2" => "Hair repulsion" 0.0..=500.0 log;
        /// Density from which on hair repels hair, in multiples of that on the skin it grows on; 0
        /// is everywhere.
        density: f32 = 0.5, 0.0..=100.0 => "Target density" 0.0..=2.0;
        /// Range of the interaction: the side of a grid cell.
        cell: f32 = 0.1, 0.02..=1.0 "decimetres";
    }
}

impl HairSettings {
    /// Returns `true` if strands feel each other.
    pub fn acts(&self) -> bool {
        self.friction > 0.0 || self.repulsion > 0.0
    }
}

settings! {
    /// Wet hair: it gathers in locks, and is heavier and limper.
    pub struct WetSettings in "sim.wet" {
        /// How wet hair is at the start: 0 is dry, 1 soaked.
        wetness: f32 = 0.0, 0.0..=1.0 => "Wetness";
        /// Time in which hair loses half of its water; 0 is never.
        drying_secs: f32 = 0.0, 0.0..=3_600.0 "seconds" => "Half dry in" 0.0..=60.0;
        /// Distance between locks of soaked hair. Damp hair gathers in smaller ones.
        lock_size: f32 = 0.15, 0.02..=1.0 "decimetres" => "Lock size" 0.02..=0.5 log;
    }
}

settings! {
    /// Guide hairs are simulated; the other strands follow them.
    pub struct GuideSettings in "sim.guides" {
        /// Share of strands that are simulated; 1 is all.
        share: f32 = 1.0, 0.001..=1.0 => "Simulated" 0.01..=1.0 log;
        /// Choice of guide hairs: even or random.
        choice: GuideChoice = GuideChoice::Even => "Chosen";
        /// Guide hairs that a strand follows: nearest or three.
        blend: GuideBlend = GuideBlend::Three => "Follow";
        /// How far a strand is drawn to the hair that it follows; 1 is all the way.
        clump: f32 = 0.0, 0.0..=1.0 => "Clumpiness";
    }
}

choices! {
    /// The choice of guide hairs.
    pub enum GuideChoice: "choice" = Even {
        /// Evenly over the roots: the first strands where these are spread, else some along a curve.
        Even = "even",
        /// At random, as published.
        Random = "random",
    }
}

choices! {
    /// The guide hairs that a strand follows.
    pub enum GuideBlend: "blend" = Three {
        /// The nearest guide hair, as published.
        Nearest = "nearest",
        /// The three nearest, weighted by inverse squares of their distances.
        Three = "three",
    }
}
