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
//! `hair_interaction` is friction and repulsion between strands, `bundles` are the strands in ties
//! (`tie`) and in wet locks, `wet` says how water changes hair, `guides` interpolates most strands
//! from a few. `scene` has head motions, and `simd` the arithmetic on eight strands at once.
//!
//! The equations and the reasons for them: `docs/spring.md`, `docs/solvers.md`.

mod bundles;
mod contact;
mod forces;
mod guides;
mod hair;
pub mod hair_interaction;
mod pose;
mod scene;
mod sdf;
mod settings;
mod simd;
mod simulation;
mod skin;
mod solvers;
mod tie;
mod wet;

pub use bundles::Ribbon;
pub use contact::{Collider, Ellipsoid, HeadCollider, HeadShape};
pub use forces::{ForceSettings, Push};
pub use hair::Hair;
pub use hair_interaction::{DensityGrid, HairInteraction};
pub use pose::{NECK, Pose, PoseError};
pub use scene::{PoseTrack, Scene};
pub use sdf::{Sdf, SdfError, SdfSettings};
pub use settings::{
    AngularSettings, FtlSettings, GuideBlend, GuideChoice, GuideSettings, HairSettings,
    ParticleSettings, RodSettings, SimSettings, SolverKind, SpringSettings, Stepping, WetSettings,
};
pub use simd::instructions;
pub use simulation::{Basis, Measures, Simulation, SpringEnds, frame_place};
pub use skin::SkinMotion;
use solvers::STEPS_PER_SEC;
pub use solvers::{
    Angular, Ftl, Outcome, Particles, Propagator, Rod, STEP_SECS, Solver, Spring, Step, TakesPulls,
};
pub use tie::Tie;
