//! Strands that have come to rest, strands that broke.

use super::blocks::{RestBlock, StateBlock};
use super::soft::SoftBlock;
use super::step::SpringStep;
use crate::sim::simd::blocks::{LANES, Lanes3, dot, lane3, scaled, set3, sub};
use glam::Vec3;

/// A strand counts as settled when it has no energy left to get farther from its anchor than
/// this share of its height above the skin (practically of its length): 1e-4 of a strand drawn
/// 1,000 pixels long is a tenth of a pixel. Energy and not offset and speed apart, since under
/// a still head it only falls: what has settled stays settled.
const SETTLED_SHARE: f32 = 1e-4;
/// Strands lower than this settle as if they were this high, decimetres: one of no length (the
/// lanes that fill up the last block among them) would have to stop to the last bit.
const LEAST_LIFT: f32 = 0.01;

/// Squared distance from where the strand comes to rest, and squared speed, of each strand.
#[inline(always)]
fn squares(state: &StateBlock, lean: impl Fn(usize) -> [f32; 3]) -> ([f32; LANES], [f32; LANES]) {
    let (mut u2, mut v2) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let u = sub(lane3(&state.offset, lane), lean(lane));
        let v = lane3(&state.velocity, lane);
        u2[lane] = dot(u, u);
        v2[lane] = dot(v, v);
    }
    (u2, v2)
}

/// All eight strands stay at their anchors if the head does; never true of a strand that is not
/// finite. The energy of a tip of mass 1 is (v² + k u²) / 2, that of the limit k limit² / 2.
#[inline(always)]
pub(crate) fn is_settled<const SOFT: bool>(
    state: &StateBlock,
    rest: &RestBlock,
    step: &SpringStep,
    soft: &SoftBlock,
) -> bool {
    let (u2, v2) = squares(state, |lane| match SOFT {
        true => scaled(step.lean, soft.give.0[lane]),
        false => step.lean,
    });
    let mut settled = true;
    for lane in 0..LANES {
        let stiffness = match SOFT {
            true => soft.stiffness.0[lane],
            false => step.stiffness,
        };
        let limit = SETTLED_SHARE * rest.lift.0[lane].max(LEAST_LIFT);
        settled &= v2[lane] + stiffness * u2[lane] <= stiffness * (limit * limit);
    }
    settled
}

/// Puts the strands that are no longer finite (or so far out that their square is not) to rest
/// under the head's present pose, and counts them.
#[inline(always)]
pub(crate) fn reset_broken(state: &mut StateBlock, previous: &mut Lanes3) -> u64 {
    let (u2, v2) = squares(state, |_| [0.0; 3]);
    let mut all_finite = true;
    for lane in 0..LANES {
        all_finite &= (u2[lane] + v2[lane]) < f32::INFINITY;
    }
    if all_finite {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if !(u2[lane] + v2[lane]).is_finite() {
            set3(&mut state.offset, lane, Vec3::ZERO);
            set3(&mut state.velocity, lane, Vec3::ZERO);
            set3(previous, lane, Vec3::ZERO);
            count += 1;
        }
    }
    count
}
