//! Tips on springs and the colliders that people add.

use super::blocks::{ShapeBlock, StateBlock};
use super::step::SpringStep;
use crate::sim::blocks::{LANES, add_scaled, dot, lane3, put3, rotate, sub, unit_or};
use crate::sim::contact::Contacts;

/// Where along a strand it is held out of colliders: nearer to its root a tip cannot move it far.
const SHARES: [f32; 4] = [0.4, 0.6, 0.8, 1.0];
/// A point of the head's solids may be this deep: colliders have no levels.
const SURFACE: f32 = 1.0;

/// Moves the tips of eight strands so far that their curves, root + s reach + s² offset, are
/// outside of all colliders, and takes what of their velocity goes in, with Coulomb friction.
///
/// A curve's point at share s moves by s² of what its tip does, so the tip goes 1/s² times as far.
#[inline(always)]
pub(super) fn push_out(
    state: &mut StateBlock,
    shape: &ShapeBlock,
    step: &SpringStep,
    colliders: &Contacts,
) {
    for lane in 0..LANES {
        let root = add_scaled(
            step.translation,
            rotate(&step.rotation, lane3(&shape.root, lane)),
            1.0,
        );
        let reach = rotate(&step.rotation, lane3(&shape.reach, lane));
        let before = lane3(&state.offset, lane);
        let mut offset = before;
        for s in SHARES {
            let point = add_scaled(add_scaled(root, reach, s), offset, s * s);
            if let (out, Some(_)) = colliders.push_out(point, SURFACE) {
                offset = add_scaled(offset, sub(out, point), 1.0 / (s * s));
            }
        }
        if offset == before {
            continue;
        }
        let pushed = sub(offset, before);
        let normal = unit_or(pushed, [0.0, 1.0, 0.0]);
        let v = lane3(&state.velocity, lane);
        let inward = dot(v, normal).min(0.0);
        let slip = add_scaled(v, normal, -dot(v, normal));
        // What stops the way in stops some of the sliding.
        let stopped = -colliders.friction * inward;
        let slid = dot(slip, slip).sqrt();
        let share = (stopped / slid.max(1e-12)).min(1.0);
        let v = add_scaled(add_scaled(v, normal, -inward), slip, -share);
        put3(&mut state.offset, lane, offset);
        put3(&mut state.velocity, lane, v);
    }
}
