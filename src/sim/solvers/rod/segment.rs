//! The segments of strands as they are.

use super::matrix::{direction, to_double};
use crate::sim::simd::{DLanes, DLanes3, minus3, splat3, unit3};
use crate::sim::solvers::chain::{Block, DOWN};
use crate::sim::solvers::step::Step;

/// Segments shorter than this bend as if they were this long, decimetres.
pub(crate) const LEAST_LENGTH: f64 = 1e-4;
/// Keeps frames and twist finite where a strand is folded onto itself.
pub(crate) const FOLDED: f64 = 1e-6;

/// A segment of eight strands.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// Unit direction.
    pub(crate) along: DLanes3,
    pub(crate) length: DLanes,
    /// Half the rest length of the segments at the joint before it, over which bending and twist
    /// of that joint are spread.
    pub(crate) joint: DLanes,
}

/// Returns the segments of eight strands. The first entry is the clamp: the rest curve leaves the
/// root along its first segment, which the head turns.
#[inline(always)]
pub(crate) fn segments(block: &Block<'_>, step: &Step) -> Vec<Segment> {
    let m = block.state.len();
    let along = minus3(&block.rest[1], &block.rest[0]);
    let clamp = unit3(&step.motion.transform_vectors(&along), &splat3(DOWN));
    let mut segments = Vec::with_capacity(m);
    segments.push(Segment {
        along: to_double(&clamp),
        length: DLanes::ONE,
        joint: DLanes::ONE,
    });
    let mut before = DLanes::ZERO;
    for j in 1..m {
        let edge = minus3(
            &to_double(&block.state[j].position),
            &to_double(&block.state[j - 1].position),
        );
        let (along, length) = direction(&edge, &segments[j - 1].along);
        let rest = DLanes::from_single(&block.segment[j]).at_least(LEAST_LENGTH);
        segments.push(Segment {
            along,
            length,
            joint: (before + rest) * DLanes::splat(0.5),
        });
        before = rest;
    }
    segments
}
