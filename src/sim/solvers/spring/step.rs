//! Spring to anchor: one step of a block of strands, contact with the skin.

use super::blocks::{RestBlock, ShapeBlock, StateBlock};
use super::coefficients::Coefficients;
use super::collide;
use super::propagator::Propagator;
use super::settled::{is_settled, reset_broken};
use super::soft::SoftBlock;
use crate::sim::contact::Contacts;
use crate::sim::head_motion::HeadMotion;
use crate::sim::pose::Pose;
use crate::sim::simd::{Kernel, Lanes, Lanes3, Transpose, axes, dispatch, dot3, flushed3};
use crate::sim::solvers::outcome::Outcome;
use glam::DVec3;

/// A tip nearer to its anchor than this share of the anchor's height above the skin cannot be
/// below the skin, however the direction between them and the normal are rounded.
const CLEAR_SHARE_SQUARED: f32 = 0.99 * 0.99;

/// One step of all strands: the motion of the anchors and the propagator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringStep {
    pub(crate) motion: HeadMotion,
    pub(crate) coefficients: Coefficients,
}

impl SpringStep {
    /// `force`: a constant acceleration in the step, world space, dm/s².
    pub(crate) fn new(propagator: &Propagator, from: &Pose, to: &Pose, force: DVec3) -> Self {
        Self {
            motion: HeadMotion::new(from, to),
            coefficients: Coefficients::new(propagator, force),
        }
    }
}

/// The arrays that a step goes through.
pub(crate) struct Blocks<'a> {
    pub(crate) state: &'a mut [StateBlock],
    pub(crate) previous: &'a mut [Lanes3],
    pub(crate) rest: &'a [RestBlock],
    pub(crate) normals: &'a [Lanes3],
    pub(crate) shape: &'a [ShapeBlock],
    /// The steps of each block where strands differ in stiffness; else empty.
    pub(crate) soft: &'a [SoftBlock],
}

/// Runs all steps on each block in turn, then looks at the outcome.
pub(crate) fn advance_blocks(
    blocks: Blocks,
    steps: &[SpringStep],
    colliders: &Contacts,
) -> Outcome {
    if blocks.soft.is_empty() {
        dispatch(Advance::<false>(blocks, steps, colliders))
    } else {
        dispatch(Advance::<true>(blocks, steps, colliders))
    }
}

/// The kernel of [`advance_blocks`], for strands that differ in stiffness (`SOFT`) or do not.
pub(crate) struct Advance<'a, const SOFT: bool>(
    pub(crate) Blocks<'a>,
    pub(crate) &'a [SpringStep],
    pub(crate) &'a Contacts,
);

impl<const SOFT: bool> Kernel for Advance<'_, SOFT> {
    type Output = Outcome;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Outcome {
        let Self(blocks, steps, colliders) = self;
        let mut outcome = Outcome::nothing();
        let Some((last, earlier)) = steps.split_last() else {
            return outcome;
        };
        let (all_soft, alike) = (blocks.soft, SoftBlock::default());
        let collides = !colliders.is_empty();
        let fixed = blocks.rest.iter().zip(blocks.normals).zip(blocks.shape);
        let blocks = blocks.state.iter_mut().zip(blocks.previous).zip(fixed);
        for (index, ((state, previous), ((rest, normal), shape))) in blocks.enumerate() {
            let soft = if SOFT { &all_soft[index] } else { &alike };
            let take = |state: &mut StateBlock, step: &SpringStep| {
                step_block::<SOFT>(state, rest, normal, step, soft);
                if collides {
                    collide::push_out(state, shape, &step.motion, colliders);
                }
            };
            for step in earlier {
                take(state, step);
            }
            *previous = state.offset;
            take(state, last);
            if !is_settled(state, rest, &last.coefficients.lanes::<SOFT>(soft)) {
                outcome.settled = false;
                outcome.reset_strands += reset_broken(state, previous);
            }
        }
        outcome
    }
}

/// One step of eight strands: integrates, pushes out of the skin, flushes denormal numbers.
///
/// Every lane does the same, choices are selects, and nothing is fused, so all instruction sets
/// give the same bits.
#[inline(always)]
fn step_block<const SOFT: bool>(
    state: &mut StateBlock,
    rest: &RestBlock,
    normal: &Lanes3,
    step: &SpringStep,
    soft: &SoftBlock,
) {
    let (u, v) = (&state.offset, &state.velocity);
    // The displacement of the anchor, then the propagator.
    let s = step.motion.displacements(&rest.anchor);
    let of = step.coefficients.lanes::<SOFT>(soft);
    let mut moved = StateBlock {
        offset: axes!(i => u[i] * of.uu + v[i] * of.uv + s[i] * of.us + of.lean_offset[i]),
        velocity: axes!(i => u[i] * of.vu + v[i] * of.vv + s[i] * of.vs + of.lean_velocity[i]),
    };
    let lift = rest.lift.at_least(0.0);
    let clear = Lanes::splat(CLEAR_SHARE_SQUARED) * (lift * lift);
    // Most blocks are clear of the skin most of the time, and need not even load their normals.
    if !dot3(&moved.offset, &moved.offset).all_below(clear) {
        push_out(&mut moved, &rest.lift, normal, &step.motion);
    }
    state.offset = flushed3(&moved.offset);
    state.velocity = flushed3(&moved.velocity);
}

/// Contact with the root's plane: the anchor stands `lift` above it, the tip d. Changes nothing
/// of a strand whose d is not below 0.
#[inline(always)]
fn push_out(moved: &mut StateBlock, lift: &Lanes, normal: &Lanes3, motion: &HeadMotion) {
    let n = motion.transform_vectors(normal);
    let d = *lift + dot3(&moved.offset, &n);
    let inward = dot3(&moved.velocity, &n).at_most(0.0);
    let lost = d.less_than(Lanes::ZERO, inward, Lanes::ZERO);
    let depth = d.at_most(0.0);
    moved.offset = axes!(i => moved.offset[i] - n[i] * depth);
    moved.velocity = axes!(i => moved.velocity[i] - n[i] * lost);
}

#[cfg(test)]
mod tests;
