//! Spring to anchor: one step of a block of strands, contact with the skin.

use super::super::step::{SNAP, snap};
use super::Propagator;
use super::blocks::{RestBlock, ShapeBlock, StateBlock};
use super::collide;
use super::settled::{is_settled, reset_broken};
use super::soft::SoftBlock;
use crate::sim::contact::Contacts;
use crate::sim::simd::blocks::{
    LANES, Lanes, Lanes3, dot, lane3, negative_part, rotate, rows, scaled, vec,
};
use crate::sim::simd::dispatch::{Kernel, widest};
use crate::sim::{Outcome, Pose};
use glam::DVec3;

/// A tip nearer to its anchor than this share of the anchor's height above the skin cannot be
/// below the skin, however the direction between them and the normal are rounded.
const CLEAR_SHARE_SQUARED: f32 = 0.99 * 0.99;

/// One step for all strands: the propagator with the anchors' motion, rounded once.
///
/// An anchor in head space A moves by s = (M1 − M0) A in the step. The difference of the
/// matrices is taken in double precision: taken between f32 anchors it would be all rounding
/// noise at 240 steps a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringStep {
    /// Rows of R1 − R0.
    turn: [[f32; 3]; 3],
    /// T1 − T0, decimetres.
    shift: [f32; 3],
    /// Rows of R1, and T1.
    pub(crate) rotation: [[f32; 3]; 3],
    pub(crate) translation: [f32; 3],
    uu: f32,
    uv: f32,
    us: f32,
    vu: f32,
    vv: f32,
    vs: f32,
    /// k, 1/s²
    pub(crate) stiffness: f32,
    /// Offset f / k at which a constant force f balances the spring, decimetres, and what it adds
    /// to offset and velocity in a step: the tip swings about it instead of about the anchor.
    pub(crate) lean: [f32; 3],
    lean_offset: [f32; 3],
    lean_velocity: [f32; 3],
}

impl SpringStep {
    /// `force`: a constant acceleration in the step, world space, dm/s².
    pub(crate) fn new(propagator: &Propagator, from: &Pose, to: &Pose, force: DVec3) -> Self {
        // Rotations that differ by less than this come from an easing that has ended; as f32
        // they could be denormal.
        let snap = |x: f32| if x.abs() < SNAP { 0.0 } else { x };
        let (r0, r1) = (from.to_dmat3(), to.to_dmat3());
        let lean = force / propagator.stiffness;
        Self {
            lean: vec(lean),
            lean_offset: vec(lean * (1.0 - propagator.uu)),
            lean_velocity: vec(-lean * propagator.vu),
            turn: rows(&(r1 - r0)).map(|row| row.map(snap)),
            shift: vec(to.translation - from.translation).map(snap),
            rotation: rows(&r1),
            translation: vec(to.translation),
            uu: propagator.uu as f32,
            uv: propagator.uv as f32,
            us: propagator.us as f32,
            vu: propagator.vu as f32,
            vv: propagator.vv as f32,
            vs: propagator.vs as f32,
            stiffness: propagator.stiffness as f32,
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
    /// For each block how its strands step, where they do not all as the spring; else nothing.
    pub(crate) soft: &'a [SoftBlock],
}

/// Runs all steps on each block in turn, then looks at what came of it.
pub(crate) fn advance_blocks(
    blocks: Blocks,
    steps: &[SpringStep],
    colliders: &Contacts,
) -> Outcome {
    if blocks.soft.is_empty() {
        return widest(Advance::<false> {
            blocks,
            steps,
            colliders,
        });
    }
    widest(Advance::<true> {
        blocks,
        steps,
        colliders,
    })
}

/// The kernel of [`advance_blocks`], for strands that differ in stiffness (`SOFT`) or do not.
struct Advance<'a, const SOFT: bool> {
    blocks: Blocks<'a>,
    steps: &'a [SpringStep],
    colliders: &'a Contacts,
}

impl<const SOFT: bool> Kernel for Advance<'_, SOFT> {
    type Output = Outcome;

    #[inline(always)]
    fn run(self) -> Outcome {
        let mut report = Outcome::nothing();
        let Some((last, earlier)) = self.steps.split_last() else {
            return report;
        };
        let blocks = self.blocks;
        let (all_soft, alike) = (blocks.soft, SoftBlock::default());
        let collides = !self.colliders.is_empty();
        let fixed = blocks.rest.iter().zip(blocks.normals).zip(blocks.shape);
        let blocks = blocks.state.iter_mut().zip(blocks.previous).zip(fixed);
        for (index, ((state, previous), ((rest, normal), shape))) in blocks.enumerate() {
            let soft = if SOFT { &all_soft[index] } else { &alike };
            let take = |state: &mut StateBlock, step: &SpringStep| {
                step_block::<SOFT>(state, rest, normal, step, soft);
                if collides {
                    collide::push_out(state, shape, step, self.colliders);
                }
            };
            for step in earlier {
                take(state, step);
            }
            *previous = state.offset;
            take(state, last);
            if !is_settled::<SOFT>(state, rest, last, soft) {
                report.settled = false;
                report.reset_strands += reset_broken(state, previous);
            }
        }
        report
    }
}

/// One step of eight strands: integrate, push out of the skin, snap.
///
/// Every lane does the same, choices are selects, and nothing is fused, so scalar code, SSE2
/// and AVX2 all give the same bits.
#[inline(always)]
fn step_block<const SOFT: bool>(
    state: &mut StateBlock,
    rest: &RestBlock,
    normal: &Lanes3,
    step: &SpringStep,
    soft: &SoftBlock,
) {
    let mut moved = StateBlock::default();
    let mut clear = true;
    for lane in 0..LANES {
        let u = lane3(&state.offset, lane);
        let v = lane3(&state.velocity, lane);

        // The way of the anchor, s = (M1 − M0) A, then the propagator.
        let turned = rotate(&step.turn, lane3(&rest.anchor, lane));
        let mut u1 = [0.0; 3];
        let of = Coefficients::of::<SOFT>(step, soft, lane);
        for axis in 0..3 {
            let s = turned[axis] + step.shift[axis];
            u1[axis] = of.uu * u[axis] + of.uv * v[axis] + of.us * s + of.lean_offset[axis];
            let v1 = of.vu * u[axis] + of.vv * v[axis] + of.vs * s + of.lean_velocity[axis];
            moved.offset[axis].0[lane] = u1[axis];
            moved.velocity[axis].0[lane] = v1;
        }
        let lift = rest.lift.0[lane].max(0.0);
        clear &= dot(u1, u1) < CLEAR_SHARE_SQUARED * (lift * lift);
    }
    // Most blocks are clear of the skin most of the time, and need not even load their normals.
    if !clear {
        push_out(&mut moved, &rest.lift, normal, step);
    }
    for axis in 0..3 {
        for lane in 0..LANES {
            state.offset[axis].0[lane] = snap(moved.offset[axis].0[lane]);
            state.velocity[axis].0[lane] = snap(moved.velocity[axis].0[lane]);
        }
    }
}

/// What a step does to a strand.
struct Coefficients {
    uu: f32,
    uv: f32,
    us: f32,
    vu: f32,
    vv: f32,
    vs: f32,
    lean_offset: [f32; 3],
    lean_velocity: [f32; 3],
}

impl Coefficients {
    #[inline(always)]
    fn of<const SOFT: bool>(step: &SpringStep, soft: &SoftBlock, lane: usize) -> Self {
        if !SOFT {
            return Self {
                uu: step.uu,
                uv: step.uv,
                us: step.us,
                vu: step.vu,
                vv: step.vv,
                vs: step.vs,
                lean_offset: step.lean_offset,
                lean_velocity: step.lean_velocity,
            };
        }
        Self {
            uu: soft.uu.0[lane],
            uv: soft.uv.0[lane],
            us: soft.us.0[lane],
            vu: soft.vu.0[lane],
            vv: soft.vv.0[lane],
            vs: soft.vs.0[lane],
            lean_offset: scaled(step.lean, soft.lean_offset.0[lane]),
            lean_velocity: scaled(step.lean, soft.lean_velocity.0[lane]),
        }
    }
}

/// Contact with the root's plane: the anchor stands `lift` above it, the tip d. Changes nothing
/// of a strand whose d is not below 0.
#[inline(always)]
fn push_out(moved: &mut StateBlock, lift: &Lanes, normal: &Lanes3, step: &SpringStep) {
    for lane in 0..LANES {
        let u = lane3(&moved.offset, lane);
        let v = lane3(&moved.velocity, lane);
        let n = rotate(&step.rotation, lane3(normal, lane));
        let d = lift.0[lane] + dot(u, n);
        let depth = negative_part(d);
        let inward = negative_part(dot(v, n));
        let lost = if d < 0.0 { inward } else { 0.0 };
        for axis in 0..3 {
            moved.offset[axis].0[lane] = u[axis] - depth * n[axis];
            moved.velocity[axis].0[lane] = v[axis] - lost * n[axis];
        }
    }
}

#[cfg(test)]
mod tests;
