//! The energy of strands in a step, which may not rise.

use super::joints::joints;
use super::strand::{FOLDED, Shape, Strands};
use crate::sim::simd::{DLanes, Kernel, Transpose, dispatch, dot3, minus3, scaled3};

impl Strands<'_> {
    /// Returns the energy that strands in this shape have after the step: kinetic, of gravity, of
    /// the pull to the rest shape (all but a constant), and elastic. Times h².
    #[inline(always)]
    pub(crate) fn energy(&self, shape: &Shape) -> DLanes {
        let mut energy = dispatch(Elastic(self, shape));
        for (particle, at) in self.particles.iter().zip(&shape.at).skip(1) {
            let way = minus3(at, &particle.from);
            let forces = minus3(&particle.free, &particle.inertia);
            let half = scaled3(&way, DLanes::splat(0.5));
            energy += particle.mass * dot3(&way, &minus3(&half, &forces));
        }
        energy
    }

    /// Returns the energy that the strands may have after the step, with `from` their shape before.
    #[inline(always)]
    pub(crate) fn allowed(&self, from: &Shape, dt: f64) -> DLanes {
        let mut energy = dispatch(Elastic(self, from));
        for particle in &self.particles[1..] {
            let forces = minus3(&particle.free, &particle.inertia);
            let inertia = dot3(&particle.inertia, &particle.inertia);
            let kinetic = inertia * DLanes::splat(0.5) / self.unheld;
            let rounding = dot3(&forces, &forces) * DLanes::splat(SLACK_OF_FORCES)
                + inertia * DLanes::splat(SLACK_OF_SPEED)
                + DLanes::splat(SLOWEST * SLOWEST * dt * dt);
            energy += particle.mass * (kinetic + rounding);
        }
        energy
    }
}

/// Energy may rise by these shares in a step, of the energy that forces give in a step from rest
/// and of kinetic energy, and by that of this speed, dm/s: rounding alone makes hair that lies
/// still tremble by less.
const SLACK_OF_FORCES: f64 = 5e-4;
const SLACK_OF_SPEED: f64 = 5e-5;
const SLOWEST: f64 = 1e-3;

/// Elastic energy of strands in a shape, times h².
struct Elastic<'a>(&'a Strands<'a>, &'a Shape);

impl Kernel<DLanes> for Elastic<'_> {
    const AVX512: bool = true;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> DLanes {
        let Elastic(strands, shape) = self;
        if strands.curled.is_some() {
            return joints(strands, shape).1;
        }
        let mut energy = DLanes::ZERO;
        for j in 1..strands.particles.len() {
            // ½ B/l̄ (2 tan φ/2)² at the clamp, times cos φ/2 elsewhere, where
            // tan² φ/2 = (1 − cos φ) / (1 + cos φ).
            let cos = dot3(&shape.along[j - 1], &shape.along[j]);
            let fold = (DLanes::ONE + cos).at_least(FOLDED);
            let bent = (DLanes::ONE - cos) / (fold * strands.particles[j].joint);
            energy += if j == 1 {
                bent
            } else {
                bent * (fold * DLanes::splat(0.5)).sqrt()
            };
        }
        energy * strands.stiffness.bending * DLanes::splat(2.0)
    }
}
