//! The state of the engine beside what is drawn.

use super::Engine;
use crate::sim::{DensityGrid, Pose, Spring};

impl Engine {
    /// Returns the spring if it moves the strands.
    pub(crate) fn spring(&self) -> Option<&Spring> {
        match self {
            Engine::Tips { spring, .. } => Some(spring),
            Engine::Particles { .. } => None,
        }
    }

    /// Returns the density, as [`Solver::density`](crate::sim::Solver::density).
    pub(crate) fn density(&self) -> Option<DensityGrid> {
        match self {
            Engine::Tips { .. } => None,
            Engine::Particles { solver, .. } => solver.density(),
        }
    }

    /// Writes the particles of one strand after the last step, or `before` it.
    pub(crate) fn write_strand(
        &self,
        poses: [&Pose; 2],
        before: bool,
        strand: usize,
        out: &mut [[f32; 4]],
    ) {
        match self {
            Engine::Tips { spring, fade, .. } => {
                let (alpha, pose) = if before {
                    (0.0, poses[0])
                } else {
                    (1.0, poses[1])
                };
                let mut curve = Vec::new();
                spring.write_curves(poses, alpha, out.len(), strand..strand + 1, &mut curve);
                if let Some(fade) = fade
                    && fade.particles() == out.len()
                {
                    fade.add_from(strand, &mut curve, pose);
                }
                out.copy_from_slice(&curve);
            }
            Engine::Particles { hair, .. } => {
                for (j, point) in out.iter_mut().enumerate().take(hair.particles()) {
                    let at = if before {
                        hair.previous(strand, j)
                    } else {
                        hair.position(strand, j)
                    };
                    *point = at.extend(0.0).to_array();
                }
            }
        }
    }
}
