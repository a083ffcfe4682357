//! Contact of tips on springs with colliders.

use super::blocks::{ShapeBlock, StateBlock};
use crate::sim::contact::{Contacts, RootClearance};
use crate::sim::head_motion::HeadMotion;
use crate::sim::simd::{
    Kernel, Lanes, Transpose, above3, add_scaled3, dispatch, dot3, minus3, splat3, unit3,
};
use glam::Vec3;

/// The places along a strand that are kept out of colliders. Nearer to its root, a tip cannot move
/// it far.
const SHARES: [f32; 4] = [0.4, 0.6, 0.8, 1.0];

/// Moves the tips of eight strands until their curves, root + s reach + s² offset, are outside of
/// all colliders, and removes the inward part of their velocity, with Coulomb friction.
///
/// A curve's point at share s moves by s² times what its tip does, so the tip moves 1/s² times as
/// far.
#[inline(always)]
pub(crate) fn push_out(
    state: &mut StateBlock,
    shape: &ShapeBlock,
    motion: &HeadMotion,
    colliders: &Contacts,
) {
    dispatch(PushOut {
        state,
        shape,
        motion,
        colliders,
    });
}

/// The kernel of [`push_out`]: apart from the step, which most strands take without colliders.
struct PushOut<'a> {
    state: &'a mut StateBlock,
    shape: &'a ShapeBlock,
    motion: &'a HeadMotion,
    colliders: &'a Contacts,
}

impl Kernel for PushOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Transpose) {
        let Self {
            state,
            shape,
            motion,
            colliders,
        } = self;
        let root = motion.transform_points(&shape.root);
        let reach = motion.transform_vectors(&shape.reach);
        let clearance = RootClearance::none();
        let mut offset = state.offset;
        let mut touched = Lanes::ZERO;
        for s in SHARES {
            let point = add_scaled3(&root, &reach, Lanes::splat(s));
            let point = add_scaled3(&point, &offset, Lanes::splat(s * s));
            let mut out = point;
            let planes = colliders.push_out(&mut out, &clearance);
            let moved = add_scaled3(&offset, &minus3(&out, &point), Lanes::splat(1.0 / (s * s)));
            offset = planes.where_touched(&moved, &offset);
            touched = touched.max(planes.touched);
        }
        let pushed = minus3(&offset, &state.offset);
        let normal = unit3(&pushed, &splat3(Vec3::Y));
        let v = &state.velocity;
        let along = dot3(v, &normal);
        let inward = along.at_most(0.0);
        let slip = add_scaled3(v, &normal, -along);
        // What stops the way in stops some of the sliding.
        let stopped = Lanes::splat(-colliders.friction) * inward;
        let speed = dot3(&slip, &slip).sqrt();
        let share = (stopped / speed.at_least(1e-12)).at_most(1.0);
        let left = add_scaled3(&add_scaled3(v, &normal, -inward), &slip, -share);
        state.velocity = above3(touched, 0.5, &left, v);
        state.offset = offset;
    }
}
