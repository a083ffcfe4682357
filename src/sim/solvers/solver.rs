//! The interface of all solvers that move particles.

use super::outcome::Outcome;
use super::step::Step;
use crate::sim::hair::Hair;
use crate::sim::hair_interaction::DensityGrid;
use crate::sim::pose::Pose;
use crate::sim::settings::SimSettings;

/// A solver: moves the particles of all strands through steps of the head's motion.
///
/// It starts from the particles of [`Hair`] and leaves its result there, so solvers can be
/// exchanged while hair swings. `examples/solver.rs` shows a custom one.
pub trait Solver: Send + Sync {
    /// Name on the command line and in files.
    fn name(&self) -> &str;

    /// Applies settings. Called first, and whenever they change.
    fn configure(&mut self, _settings: &SimSettings) {}

    /// Takes over strands as they are, under the head's poses before and after the last step.
    /// Called when this solver becomes the active one, and after anything but
    /// [`advance`](Self::advance) has moved the particles.
    fn take_over(&mut self, _hair: &Hair, _poses: [&Pose; 2]) {}

    /// Moves all particles through the steps, in order. Before the last step it must keep the
    /// positions by [`Hair::keep_previous`].
    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome;

    /// The density of hair, if strands feel each other on a grid just now.
    fn density(&self) -> Option<DensityGrid> {
        None
    }
}
