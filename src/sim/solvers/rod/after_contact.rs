//! The energy that contact with a head at rest adds to strands. It is taken from them again.

use super::linear::{direction, to_double};
use super::strand::{Shape, Strands};
use crate::sim::sdf::Bend;
use crate::sim::simd::{DLanes, Lanes, above3, dot3, flushed3, minus3, scaled3};
use crate::sim::solvers::Step;
use crate::sim::solvers::chain::Block;

/// Strands that are in an obstacle by less than this are outside, decimetres.
const GRAZED: f32 = 1e-3;

/// Takes the energy that strands have above what is allowed from their velocities, where `touched`
/// is not 0. `shape` is overwritten.
///
/// Pulled strands whose velocities hold less than that go back. A tie pulls them into the head, and
/// contact, which moves them along the head, would lift them against the pull step by step.
#[inline(always)]
pub(super) fn take_excess(
    block: &mut Block<'_>,
    step: &Step,
    strands: &Strands<'_>,
    shape: &mut Shape,
    allowed: DLanes,
    touched: &Lanes,
) {
    let mut kinetic = DLanes::ZERO;
    for (j, particle) in strands.particles.iter().enumerate().skip(1) {
        let (from, to) = (&block.state[j - 1].position, &block.state[j].position);
        let edge = minus3(&to_double(to), &to_double(from));
        let along = direction(&edge, &shape.along[j]);
        shape.turn(j, &along, particle.length);
        let way = minus3(&shape.at[j], &particle.from);
        kinetic += particle.mass * dot3(&way, &way) * DLanes::splat(0.5);
    }
    let excess = (strands.energy(shape) - allowed).at_least(0.0);
    let excess = DLanes::from_single(touched).above(0.0, excess, DLanes::ZERO);
    if excess == DLanes::ZERO {
        return;
    }
    let left = (DLanes::ONE - excess / kinetic.at_least(1e-30)).at_least(0.0);
    let share = left.sqrt();
    let share = Lanes::from_fn(|lane| share.0[lane] as f32);
    for particle in &mut block.state[1..] {
        particle.velocity = flushed3(&scaled3(&particle.velocity, share));
    }
    let bend = step.contacts.bend.as_ref();
    let skin_moves = block.carried.is_some() || bend.is_some_and(Bend::moves);
    if !block.pulled.is_empty() && !skin_moves {
        let pulled = block.pulled.iter().map(|pulled| dot3(pulled, pulled));
        let pulled = pulled.fold(Lanes::ZERO, Lanes::max);
        let back = share.above(0.0, Lanes::ZERO, pulled.above(0.0, Lanes::ONE, Lanes::ZERO));
        if back != Lanes::ZERO {
            go_back(block, step, back);
        }
    }
}

/// Brings strands back to where they were before the step, where `back` is 1. Strands whose old
/// place is inside an obstacle by now stay.
#[inline(always)]
fn go_back(block: &mut Block<'_>, step: &Step, mut back: Lanes) {
    let mut clearance = block.root_clearance(step);
    for (place, length) in block.previous.iter().zip(block.segment).skip(1) {
        clearance.climb(length);
        let distance = step.contacts.distance(place, &clearance);
        back = distance.above(-GRAZED, back, Lanes::ZERO);
    }
    for (particle, place) in block.state.iter_mut().zip(&*block.previous).skip(1) {
        particle.position = above3(back, 0.5, place, &particle.position);
    }
}
