//! Strands that have come to rest, and strands that broke.

use super::blocks::{RestBlock, StateBlock};
use super::coefficients::Coefficients;
use crate::sim::simd::lanes::LANES;
use crate::sim::simd::vector::{Lanes3, get3, set3};
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
pub(crate) fn is_settled(
    state: &StateBlock,
    rest: &RestBlock,
    coefficients: impl Fn(usize) -> Coefficients,
) -> bool {
    let mut settled = true;
    for lane in 0..LANES {
        let of = coefficients(lane);
        let u = get3(&state.offset, lane) - of.lean;
        let v = get3(&state.velocity, lane);
        let limit = SETTLED_SHARE * rest.lift.0[lane].max(LEAST_LIFT);
        settled &= v.dot(v) + of.stiffness * u.dot(u) <= of.stiffness * (limit * limit);
    }
    settled
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and returns their number.
#[inline(always)]
pub(crate) fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let mut count = 0;
    for lane in 0..LANES {
        let (u, v) = (get3(&state.offset, lane), get3(&state.velocity, lane));
        if !(u.dot(u) + v.dot(v)).is_finite() {
            set3(&mut state.offset, lane, Vec3::ZERO);
            set3(&mut state.velocity, lane, Vec3::ZERO);
            set3(previous, lane, Vec3::ZERO);
            count += 1;
        }
    }
    count
}
