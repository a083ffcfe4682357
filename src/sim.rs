//! Moving strands: head pose, the fixed-step clock, solvers and named scenes.
//!
//! ```text
//!  frame time ──► clock ──► n fixed steps of 1/240 s ──► engine: the spring, or a solver
//!                              ▲ pose at each step's end       │  over particles
//!                           scene or mouse                     ▼
//!                                          drawn pose and drawn strands, interpolated
//! ```
//!
//! `simulation` puts the parts together. `hair` holds strands as particles, `solvers` move them
//! under `forces` and in `contact` with the head, whose distance field `sdf` bakes.
//! `hair_interaction` is friction and repulsion between strands, `guides` interpolates most strands
//! from a few. `scene` has head motions, and `simd` the arithmetic on eight strands at once.
//!
//! The equations and the reasons for them: `docs/spring.md`, `docs/solvers.md`.

mod contact;
mod forces;
mod guides;
mod hair;
pub mod hair_interaction;
mod head_motion;
mod pose;
mod scene;
mod sdf;
mod settings;
mod simd;
mod simulation;
mod solvers;
mod time_step;

pub use self::contact::collider::Collider;
pub use self::contact::ellipsoid::Ellipsoid;
pub use self::hair_interaction::DensityGrid;
pub use self::scene::track::PoseTrack;
pub use self::sdf::{Sdf, SdfError, SdfSettings};
pub use self::solvers::angular::Angular;
pub use self::solvers::ftl::Ftl;
pub use self::solvers::kind::SolverKind;
pub use self::solvers::outcome::Outcome;
pub use self::solvers::particles::Particles;
pub use self::solvers::rod::Rod;
pub use self::solvers::settings::{
    AngularSettings, FtlSettings, GuideBlend, GuideChoice, GuideSettings, ParticleSettings,
    RodSettings, SpringSettings, Stepping,
};
pub use self::solvers::solver::Solver;
pub use self::solvers::spring::{Propagator, Spring};
pub use self::solvers::step::Step;
pub use contact::{HeadCollider, HeadShape};
pub use forces::{ForceSettings, Push};
pub use hair::Hair;
pub use pose::{NECK, Pose};
pub use scene::Scene;
pub use settings::SimSettings;
pub use simulation::{Air, Basis, Measures, Simulation, SpringEnds};
pub use time_step::STEP_SECS;
use time_step::STEPS_PER_SEC;

pub use self::hair_interaction::{HairInteraction, InteractionSettings};
pub use self::simd::instructions;
