//! Static friction of hair that lies among hair.

use crate::sim::simd::{LANES, Lanes, dot3, get3, minus3, set3};
use crate::sim::{Hair, Solver, Step};
use rayon::prelude::*;

/// The largest force per mass that does not set a strand in motion, dm/s²: a fiftieth of gravity.
const HELD_BY_FRICTION: f32 = 2.0;
/// Particles of eight strands that a thread takes at a time.
const CHUNK: usize = 1_024;

/// Puts strands back that a step under a still head has hardly moved, so that hair among hair does
/// not creep. `hair` has its positions before the step, and `solver` moved it.
pub(super) fn stick(hair: &mut Hair, step: &Step, solver: &dyn Solver) {
    if step.from != step.to {
        return;
    }
    let way = HELD_BY_FRICTION * step.dt_secs * step.dt_secs;
    let per_second = 1.0 / step.dt_secs;
    let m = hair.particles();
    let strands = (CHUNK / m).max(1);
    let chunk = strands * m;
    let states = hair.state.par_chunks_mut(chunk);
    let all = states.zip(hair.previous.par_chunks(chunk));
    let all = all.zip(hair.length.par_chunks(strands));
    all.for_each(|((states, previous), lengths)| {
        let strands = states.chunks_exact_mut(m).zip(previous.chunks_exact(m));
        for ((state, previous), lengths) in strands.zip(lengths) {
            let ways = lengths.0.map(|length| way * solver.mobility(length));
            let mut farthest = Lanes::ZERO;
            for (particle, was) in state.iter().zip(previous) {
                let way = minus3(&particle.position, was);
                farthest = farthest.max(dot3(&way, &way));
            }
            let stays = |&lane: &usize| farthest.0[lane] <= ways[lane] * ways[lane];
            for lane in (0..LANES).filter(stays) {
                for (particle, was) in state.iter_mut().zip(previous) {
                    let (x, v) = (&mut particle.position, &mut particle.velocity);
                    let before = get3(was, lane);
                    let moved = get3(x, lane) - before;
                    let left = get3(v, lane) - moved * per_second;
                    set3(x, lane, before);
                    set3(v, lane, left);
                }
            }
        }
    });
}
