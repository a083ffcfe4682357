//! The energy that contact with a head at rest adds to strands. It is taken from them again.

use super::linear::{direction, to_double, to_single};
use super::strand::{Shape, Strands};
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{DLanes, Lanes, Lanes3, above3, dot3, flushed3, minus3, scaled3, sum3};
use crate::sim::solvers::Step;
use crate::sim::solvers::chain::Block;

/// Strands that are in an obstacle by less than this are outside, decimetres.
const GRAZED: f32 = 1e-3;

/// Takes the energy that strands have above what is allowed from their velocities, where `touched`
/// is not 0. `shape` is overwritten.
///
/// Pulled strands that have more than that go back: what a tie pulls into the head, contact moves
/// along it, and would lift it against the pull step by step.
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
    let skin_moves = block.carried.is_some() || step.contacts.bend.is_some();
    if !block.pulled.is_empty() && !skin_moves {
        // False for what is not finite.
        let back = Lanes::from_fn(|lane| f32::from(u8::from(share.0[lane] <= 0.0)));
        if back != Lanes::ZERO {
            go_back(block, step, strands, back);
        }
    }
}

/// Brings strands back to where they were before the step, where `back` is 1. Those that have an
/// obstacle over them which came there stay.
#[inline(always)]
fn go_back(block: &mut Block<'_>, step: &Step, strands: &Strands<'_>, mut back: Lanes) {
    let root = block.state[0].position;
    let place = |j: usize| sum3(&root, &to_single(&strands.particles[j].from));
    let mut clearance = block.root_clearance(step);
    for (j, length) in block.segment.iter().enumerate().skip(1) {
        clearance.climb(length);
        let distance = step.contacts.distance(&place(j), &clearance);
        back = distance.above(-GRAZED, back, Lanes::ZERO);
    }
    for (j, particle) in block.state.iter_mut().enumerate().skip(1) {
        let ParticleBlock { position, velocity } = *particle;
        *particle = ParticleBlock {
            position: above3(back, 0.5, &place(j), &position),
            velocity: above3(back, 0.5, &Lanes3::default(), &velocity),
        };
    }
}
