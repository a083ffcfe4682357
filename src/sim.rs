//! Moving strands: head pose, the fixed-step clock, solvers and named scenes.
//!
//! ```text
//!  frame time ──► clock ──► n fixed steps of 1/240 s ──► strands (spring)
//!                              ▲ pose at each step's end       │
//!                           scene or mouse                     ▼
//!                                            drawn pose and drawn tips, interpolated
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `pose.rs` | where the head has been turned and moved |
//! | `clock.rs` | whole fixed steps from uneven frame times |
//! | `propagator.rs` | the exact solution of the damped spring over a step |
//! | `blocks.rs` | the memory layout: structure of arrays in blocks of eight strands |
//! | `spring.rs` | all strands on their springs |
//! | `step.rs` | one step of a block, contact with the skin |
//! | `report.rs` | what came of a step: settled, broken |
//! | `widest.rs` | kernels compiled for the widest instructions of the machine |
//! | `drawn.rs` | drawn tips: interpolated, above the skin, at full length |
//! | `simulation.rs` | the above together, as viewer and command line use it |
//! | `scene.rs` | named head motions |
//! | `settings.rs` | what people may change |
//!
//! The equations and why they are what they are: `docs/spring.md`.

mod blocks;
mod clock;
mod drawn;
mod pose;
mod propagator;
mod report;
mod scene;
mod settings;
mod simulation;
mod spring;
mod step;
mod widest;

pub use pose::{NECK, Pose};
pub use propagator::Propagator;
pub use report::SpringReport;
pub use scene::Scene;
pub use settings::{SimSettings, SpringSettings};
pub use simulation::Simulation;
pub use spring::Spring;

pub use widest::instructions;
pub(crate) use widest::{Kernel, widest};

/// Length of every simulation step, seconds, whatever the frame rate.
///
/// Contact is first order in the step, so motion would change with it; 240 divides evenly
/// among 24, 30, 60 and 120 drawn frames per second.
pub const STEP_SECS: f64 = 1.0 / STEPS_PER_SEC;

/// Steps per simulated second.
const STEPS_PER_SEC: f64 = 240.0;
