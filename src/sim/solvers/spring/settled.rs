//! Strands that have come to rest, and strands that broke.

use super::blocks::{RestBlock, StateBlock};
use super::coefficients::LaneCoefficients;
use crate::sim::simd::{LANES, Lanes, Lanes3, dot3, minus3, set3};
use glam::Vec3;

/// A strand counts as settled when it has no energy left to get farther from its anchor than
/// this share of its height above the skin (practically of its length): 1e-4 of a strand drawn
/// 1,000 pixels long is a tenth of a pixel. Energy and not offset and speed apart, since under
/// a still head it only falls: what has settled stays settled.
const SETTLED_SHARE: f32 = 1e-4;
/// Strands lower than this settle as if they were this high, decimetres: one of no length (the
/// lanes that fill up the last block among them) would have to stop to the last bit.
const LEAST_LIFT: f32 = 0.01;

/// Whether all eight strands stay at their anchors if the head does; false for strands that are
/// not finite. The energy of a tip of mass 1 is (v² + k u²) / 2, that of the limit k limit² / 2.
#[inline(always)]
pub(crate) fn is_settled(state: &StateBlock, rest: &RestBlock, of: &LaneCoefficients) -> bool {
    let (u, v) = (minus3(&state.offset, &of.lean), &state.velocity);
    let limit = Lanes::splat(SETTLED_SHARE) * rest.lift.at_least(LEAST_LIFT);
    let energy = dot3(v, v) + of.stiffness * dot3(&u, &u);
    energy.all_at_most(of.stiffness * (limit * limit))
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and returns their number.
#[inline(always)]
pub(crate) fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let (u, v) = (&state.offset, &state.velocity);
    let squares = dot3(u, u) + dot3(v, v);
    // Nearly always. Without this branch compilers store every lane with a mask, which makes the
    // whole step 1.4 times slower.
    if squares.all_below(Lanes::splat(f32::INFINITY)) {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if !squares.0[lane].is_finite() {
            set3(&mut state.offset, lane, Vec3::ZERO);
            set3(&mut state.velocity, lane, Vec3::ZERO);
            set3(previous, lane, Vec3::ZERO);
            count += 1;
        }
    }
    count
}
