//! Tips on springs and the colliders that people add.

use super::blocks::{ShapeBlock, StateBlock};
use super::step::SpringStep;
use crate::sim::contact::{Contacts, Rise};
use crate::sim::simd::blocks::Lanes;
use crate::sim::simd::dispatch::{Kernel, widest};
use crate::sim::simd::lanes::{above3, all3, dot3, minus3, plus3, rotate3, sum3, unit3};

/// Where along a strand it is held out of colliders: nearer to its root a tip cannot move it far.
const SHARES: [f32; 4] = [0.4, 0.6, 0.8, 1.0];
/// Moves the tips of eight strands so far that their curves, root + s reach + s² offset, are
/// outside of all colliders, and takes what of their velocity goes in, with Coulomb friction.
///
/// A curve's point at share s moves by s² of what its tip does, so the tip goes 1/s² times as far.
#[inline(always)]
pub(crate) fn push_out(
    state: &mut StateBlock,
    shape: &ShapeBlock,
    step: &SpringStep,
    colliders: &Contacts,
) {
    widest(PushOut {
        state,
        shape,
        step,
        colliders,
    });
}

/// The kernel of [`push_out`]: apart from the step, which most strands take without colliders.
struct PushOut<'a> {
    state: &'a mut StateBlock,
    shape: &'a ShapeBlock,
    step: &'a SpringStep,
    colliders: &'a Contacts,
}

impl Kernel for PushOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            state,
            shape,
            step,
            colliders,
        } = self;
        let root = rotate3(&step.rotation, &shape.root);
        let root = sum3(&root, &all3(step.translation));
        let reach = rotate3(&step.rotation, &shape.reach);
        let rise = Rise::none();
        let mut offset = state.offset;
        let mut touched = Lanes::all(0.0);
        for s in SHARES {
            let point = plus3(&root, &reach, Lanes::all(s));
            let point = plus3(&point, &offset, Lanes::all(s * s));
            let mut out = point;
            let planes = colliders.push_out(&mut out, &rise);
            let moved = plus3(&offset, &minus3(&out, &point), Lanes::all(1.0 / (s * s)));
            offset = planes.where_touched(&moved, &offset);
            touched = touched.greater(planes.touched);
        }
        let pushed = minus3(&offset, &state.offset);
        let normal = unit3(&pushed, &all3([0.0, 1.0, 0.0]));
        let v = &state.velocity;
        let along = dot3(v, &normal);
        let inward = along.at_most(0.0);
        let slip = plus3(v, &normal, -along);
        // What stops the way in stops some of the sliding.
        let stopped = Lanes::all(-colliders.friction) * inward;
        let slid = dot3(&slip, &slip).sqrt();
        let share = (stopped / slid.at_least(1e-12)).at_most(1.0);
        let kept = plus3(&plus3(v, &normal, -inward), &slip, -share);
        state.velocity = above3(touched, 0.5, &kept, v);
        state.offset = offset;
    }
}
