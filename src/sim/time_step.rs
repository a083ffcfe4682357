//! The fixed time step of simulations.

/// Length of every simulation step, seconds, whatever the frame rate.
///
/// Contact is first order in the step, so motion would change with it; 240 divides evenly
/// among 24, 30, 60 and 120 drawn frames per second.
pub const STEP_SECS: f64 = 1.0 / STEPS_PER_SEC;

/// Steps per simulated second.
pub(crate) const STEPS_PER_SEC: f64 = 240.0;
