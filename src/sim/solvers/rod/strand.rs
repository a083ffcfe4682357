//! Eight strands in a step, as seen from their roots: where they were, where they would go freely,
//! and the energy that they have on the way.

use super::joints::{Joints, joints};
use super::linear::{ZERO_VECTOR, to_double};
use crate::sim::simd::{
    DLanes, DLanes3, Kernel, Lanes3, Transpose, dispatch, dot3, minus3, scaled3, sum3,
};

/// Joints folded further count as folded by this much: 1 + the cosine.
pub(crate) const FOLDED: f64 = 1e-4;

/// A particle and the segment that ends there. Displacements are those of the step, and relative to
/// that of the root.
#[derive(Clone, Copy)]
pub(crate) struct Particle {
    /// Rest length of the segment.
    pub(crate) length: DLanes,
    /// Half the rest length of the segments at the joint before it, over which bending and twist of
    /// that joint are spread.
    pub(crate) joint: DLanes,
    pub(crate) mass: DLanes,
    /// Where the particle was, from where the root was.
    pub(crate) from: DLanes3,
    /// Displacement without segments.
    pub(crate) free: DLanes3,
    /// The part of it that inertia alone has.
    pub(crate) inertia: DLanes3,
}

impl Particle {
    pub(crate) const NONE: Self = Self {
        length: DLanes::ONE,
        joint: DLanes::ONE,
        mass: DLanes::ZERO,
        from: ZERO_VECTOR,
        free: ZERO_VECTOR,
        inertia: ZERO_VECTOR,
    };
}

/// A shape of eight strands whose segments have their rest lengths.
#[derive(Clone)]
pub(crate) struct Shape {
    /// Unit directions of the segments that end at the particles; the first is that of the clamp.
    pub(crate) along: Vec<DLanes3>,
    /// Places of the particles, from the root.
    pub(crate) at: Vec<DLanes3>,
}

/// Stiffnesses against bending and twist, B and C over the mass per length, times h².
#[derive(Clone, Copy)]
pub(crate) struct Stiffness {
    pub(crate) bending: DLanes,
    pub(crate) twisting: DLanes,
}

/// What moves eight strands in a step.
pub(crate) struct Strands<'a> {
    pub(crate) particles: Vec<Particle>,
    pub(crate) stiffness: Stiffness,
    /// Share of their displacement that the pull to the rest shape leaves to particles.
    pub(crate) unheld: DLanes,
    /// Joints of curled strands, the number of the block among them, and the axis of the clamp's
    /// frame.
    pub(crate) curled: Option<(&'a Joints, usize, Lanes3)>,
}

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

impl Shape {
    /// Returns the shape in which all segments are at the root, to be filled in from there.
    #[inline(always)]
    pub(crate) fn new(clamp: &Lanes3, particles: usize) -> Self {
        let mut along = vec![ZERO_VECTOR; particles];
        along[0] = to_double(clamp);
        Self {
            along,
            at: vec![ZERO_VECTOR; particles],
        }
    }

    /// Sets the direction of segment j, after those before it.
    #[inline(always)]
    pub(crate) fn turn(&mut self, j: usize, along: &DLanes3, length: DLanes) {
        self.along[j] = *along;
        self.at[j] = sum3(&self.at[j - 1], &scaled3(along, length));
    }
}
