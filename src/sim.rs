//! Moving strands: head pose, the fixed-step clock, solvers and named scenes.
//!
//! ```text
//!  frame time ──► clock ──► n fixed steps of 1/240 s ──► engine: the spring, or a solver
//!                              ▲ pose at each step's end       │  over particles
//!                           scene or mouse                     ▼
//!                                          drawn pose and drawn strands, interpolated
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `pose.rs` | where the head has been turned and moved |
//! | `clock.rs` | whole fixed steps from uneven frame times |
//! | `step.rs` | one step: how the head goes, what pulls meanwhile, `hold` |
//! | `forces.rs`, `turbulence.rs` | gravity, air and wind; eddies |
//! | `contact.rs` | what hair cannot enter, and friction: a folder of its own |
//! | `ellipsoid.rs`, `collider.rs` | an ellipsoid that stands for a head; spheres and capsules |
//! | `field.rs` | how far any point is from the skin, baked from a head: a folder of its own |
//! | `solver.rs` | the one face of solvers over particles, and the names of all |
//! | `hair.rs`, `blocks.rs` | strands as particles; structure of arrays in blocks of eight |
//! | `lanes.rs` | arithmetic of eight strands at once |
//! | `transpose.rs` | moves between lanes, as processors do them |
//! | `chain.rs` | what solvers share: blocks in parallel, broken strands |
//! | `spring.rs` | spring to anchor, which moves tips only: a folder of its own |
//! | `ftl.rs`, `angular.rs`, `particles.rs`, `rod.rs` | the solvers over particles |
//! | `crowd.rs` | hair against hair, on a grid: a folder of its own |
//! | `kept.rs` | which strands are which when others grow or go |
//! | `guides.rs` | basis hairs, which are simulated, and those that follow them |
//! | `engine.rs`, `fade.rs` | what moves the strands just now, and going over without a jump |
//! | `widest.rs` | kernels compiled for the widest instructions of the machine |
//! | `simulation.rs` | the above together, as viewer and command line use it; `measure`: energies, stretch, depth; `readings`: what can be seen of it; `fork`: another one from there |
//! | `scene.rs` | named head motions |
//! | `track.rs` | head poses at even times |
//! | `settings.rs`, `methods.rs` | what people may change |
//!
//! The equations and why they are what they are: `docs/spring.md`, `docs/solvers.md`.

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

pub use self::contact::collider::Collider;
pub use self::contact::ellipsoid::Ellipsoid;
pub use self::hair_interaction::DensityGrid;
pub use self::scene::track::PoseTrack;
pub use self::sdf::{Field, FieldError, FieldSettings};
pub use self::solvers::angular::Angular;
pub use self::solvers::ftl::Ftl;
pub use self::solvers::outcome::Outcome;
pub use self::solvers::particles::Particles;
pub use self::solvers::rod::Rod;
pub use self::solvers::settings::{
    AngularSettings, FtlSettings, GuideBlend, GuideChoice, GuideSettings, ParticleSettings,
    RodSettings, SpringSettings, Stepping,
};
pub use self::solvers::solver::{Solver, SolverKind};
pub use self::solvers::spring::{Propagator, Spring};
pub use self::solvers::step::Step;
pub use contact::{HeadCollider, HeadShape};
pub use forces::{ForceSettings, Push};
pub use hair::Hair;
pub use pose::{NECK, Pose};
pub use scene::Scene;
pub use settings::SimSettings;
pub use simulation::{Air, Basis, Measures, Simulation, SpringEnds};

pub use self::hair_interaction::{Crowd, Crowding};
pub use self::simd::dispatch::{Kernel, dispatch, instructions};

/// Length of every simulation step, seconds, whatever the frame rate.
///
/// Contact is first order in the step, so motion would change with it; 240 divides evenly
/// among 24, 30, 60 and 120 drawn frames per second.
pub const STEP_SECS: f64 = 1.0 / STEPS_PER_SEC;

/// Steps per simulated second.
const STEPS_PER_SEC: f64 = 240.0;
