//! Eight strands in a step, as seen from their roots: where they were, and where they would go
//! freely.

use super::linear::{ZERO_VECTOR, to_double};
use crate::sim::simd::{DLanes, DLanes3, Lanes3, scaled3, sum3};

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
    /// The way from the root to the particle before the step.
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

/// Eight strands, with all that moves them in a step.
pub(crate) struct Strands<'a> {
    pub(crate) particles: Vec<Particle>,
    pub(crate) stiffness: Stiffness,
    /// Share of their displacement that the pull to the rest shape leaves to particles.
    pub(crate) unheld: DLanes,
    /// `None` where all strands are straight at rest.
    pub(crate) curled: Option<Curled<'a>>,
}

/// The rest shapes of eight curled strands.
pub(crate) struct Curled<'a> {
    /// The r of the joint before each particle at rest, and its scale.
    pub(crate) turns: &'a [Lanes3],
    /// Axis of the clamp's frame, world space.
    pub(crate) axis: Lanes3,
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
