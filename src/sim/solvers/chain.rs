//! The base of solvers that work along strands: blocks in parallel, steps in the cache, and resets
//! of broken strands.

use super::hold::{Hold, Holds};
use super::{Outcome, Step};
use crate::sim::contact::RootClearance;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, Transpose, dispatch, dot3, get3, minus3, over3, prefetch,
    scaled3, set3,
};
use glam::Vec3;
use rayon::prelude::*;

/// Particles from which a step is split among threads. With fewer, waking the threads costs more
/// than they save.
const PARALLEL_PARTICLES: usize = 20_000;
/// Particles that a thread takes at a time, about: 0.5 MB with all that belongs to them.
const CHUNK_PARTICLES: usize = 8_192;
/// A particle counts as still below this share of its strand's length per second. Single precision
/// alone moves it by a tenth of that.
const STILL_SHARE: f32 = 2e-3;
/// Strands shorter than this come to rest as if they were this long, decimetres.
const LEAST_LENGTH: f32 = 0.01;
/// A strand is broken if a particle is farther than this from the world's origin, dm, or faster,
/// dm/s.
const BROKEN: f32 = 1e9;
/// Direction of a segment that has shrunk to nothing.
pub(crate) const DOWN: Vec3 = Vec3::NEG_Y;

/// Eight strands.
pub(crate) struct Block<'a> {
    /// Number of the block among all.
    pub(crate) index: usize,
    /// One entry for each particle, root first; `segment` is that which ends there.
    pub(crate) rest: &'a [Lanes3],
    pub(crate) segment: &'a [Lanes],
    pub(crate) state: &'a mut [ParticleBlock],
    /// Positions before the last step.
    pub(crate) previous: &'a mut [Lanes3],
    /// A number for each strand, which is above [`BROKEN`]² or NaN if the strand is broken. Solvers
    /// that are [`QUICK`](Chain::QUICK) fill it with sums of squares of coordinates.
    pub(crate) spread: Lanes,
    /// The pull to the rest shape.
    pub(crate) hold: &'a Hold,
    /// Length of the whole strand.
    pub(crate) length: &'a Lanes,
    /// Normal of the skin at the root, head space.
    pub(crate) normal: &'a Lanes3,
    /// How far moving skin carries the root in each step, head space.
    pub(crate) carried: Option<&'a Lanes3>,
    /// [`Hair::pulled`], or empty.
    pub(crate) pulled: &'a [Lanes3],
}

impl Block<'_> {
    /// Returns the clearance of the strands, with their roots moved to the end of the step.
    #[inline(always)]
    pub(crate) fn root_clearance(&self, step: &Step) -> RootClearance {
        let normal = step.motion.transform_vectors(self.normal);
        let (roots, first) = (&self.state[0].position, &self.segment[1]);
        let skin = RootClearance::SKIN;
        step.contacts.clearance(skin, roots, &normal, first)
    }

    /// Returns the positions of the roots at the end of the step, and their displacements in it. The
    /// head moves them, and the skin on it.
    #[inline(always)]
    pub(crate) fn roots(&self, step: &Step) -> (Lanes3, Lanes3) {
        let (motion, rest) = (&step.motion, &self.rest[0]);
        let [left, back] = self.skin_ways(step);
        let end = minus3(&motion.transform_points(rest), &left);
        (end, minus3(&motion.displacements(rest), &back))
    }

    /// Returns how far skin still carries the strands after the step, and the way back of that in it,
    /// world space. Both are taken from what the head does to the strands: where skin stands still they
    /// are 0, and all bits stay.
    #[inline(always)]
    pub(crate) fn skin_ways(&self, step: &Step) -> [Lanes3; 2] {
        let Some(carried) = self.carried else {
            return [Lanes3::default(); 2];
        };
        let moved = step.motion.transform_vectors(carried);
        [step.skin_left, -1.0].map(|share| scaled3(&moved, Lanes::splat(share)))
    }

    /// Moves the roots and returns their positions at the end of the step.
    #[inline(always)]
    pub(crate) fn move_roots(&mut self, step: &Step) -> Lanes3 {
        let (position, way) = self.roots(step);
        self.state[0] = ParticleBlock {
            position,
            velocity: over3(&way, Lanes::splat(step.dt_secs)),
        };
        position
    }

    /// Keeps the positions as those before the step.
    #[inline(always)]
    pub(crate) fn keep_positions(&mut self) {
        for (previous, particle) in self.previous.iter_mut().zip(&*self.state) {
            *previous = particle.position;
        }
    }

    /// Prefetches the roots and their rest positions, like [`prefetch`](Self::prefetch). At rest
    /// solvers may need no others, and processors do not predict accesses so far apart.
    #[inline(always)]
    pub(crate) fn prefetch_roots(&self, ahead: usize) {
        let there = ahead * self.state.len();
        prefetch(self.rest.as_ptr().wrapping_add(there));
        self.prefetch(0, ahead);
    }

    /// Prefetches particle `j` of the block that is `ahead` blocks further on: what processors
    /// foresee by themselves ends with each page.
    #[inline(always)]
    pub(crate) fn prefetch(&self, j: usize, ahead: usize) {
        let there = ahead * self.state.len() + j;
        prefetch(self.state.as_ptr().wrapping_add(there));
        prefetch(self.previous.as_ptr().wrapping_add(there));
        prefetch(self.segment.as_ptr().wrapping_add(there));
    }
}

/// The steps of a solver that treats every strand by itself.
///
/// A step is compiled once for each variant, so that unused parts cost nothing: strands that are
/// `HELD` in their rest shape or not, and `FREE` of what the caller of [`advance`] names or not.
/// Steps must be `#[inline(always)]`, treat all lanes alike and fuse nothing: then
/// all instruction sets give the same bits.
pub(crate) trait Chain: Sync {
    /// Moves eight strands through a step.
    fn step<const HELD: bool, const FREE: bool>(&self, block: &mut Block<'_>, step: &Step);

    /// `true` if memory, and not arithmetic, limits the solver's speed. Its steps then fill
    /// [`Block::previous`] and [`Block::spread`] on their way; otherwise that is done before and
    /// after them. [`step_two`](Self::step_two) is faster for it than one block after the other,
    /// because it waits for the square root of one particle before it can begin with the next.
    const QUICK: bool = false;

    /// [`Kernel::AVX512`] of the steps that are not `FREE`, and of those that are.
    const AVX512: [bool; 2] = [false; 2];

    /// Moves sixteen strands through a step, to the same bits. For solvers that are
    /// [`QUICK`](Self::QUICK).
    #[inline(always)]
    fn step_two<const HELD: bool, const FREE: bool>(
        &self,
        blocks: [&mut Block<'_>; 2],
        step: &Step,
    ) {
        for block in blocks {
            self.step::<HELD, FREE>(block, step);
        }
    }
}

/// Moves all strands through the steps, by the fastest variant of the solver that covers them.
/// `is_free` tells for which steps the `FREE` one does.
pub(crate) fn advance<C: Chain>(
    chain: &C,
    holds: &Holds,
    is_free: fn(&Step) -> bool,
    hair: &mut Hair,
    steps: &[Step],
) -> Outcome {
    match (holds.pull, steps.iter().all(is_free)) {
        (false, true) => advance_as::<C, false, true>(chain, holds, hair, steps),
        (true, true) => advance_as::<C, true, true>(chain, holds, hair, steps),
        (false, false) => advance_as::<C, false, false>(chain, holds, hair, steps),
        (true, false) => advance_as::<C, true, false>(chain, holds, hair, steps),
    }
}

/// Moves all strands through the steps by one variant of the solver. Each thread takes its strands
/// through all steps while they are in its cache.
pub(crate) fn advance_as<C: Chain, const HELD: bool, const FREE: bool>(
    chain: &C,
    holds: &Holds,
    hair: &mut Hair,
    steps: &[Step],
) -> Outcome {
    let particles = hair.particles();
    let strands = hair.len();
    let blocks_per_chunk = (CHUNK_PARTICLES / LANES / particles).max(1);
    let chunk = blocks_per_chunk * particles;
    let run = |first: usize, state: &mut [ParticleBlock], previous: &mut [Lanes3]| {
        let (at, blocks) = (first * particles, state.len() / particles);
        let run = Run::<HELD, FREE> {
            steps,
            holds,
            particles,
            strands,
            first,
            rest: &hair.rest[at..at + state.len()],
            segment: &hair.segment[at..at + state.len()],
            length: &hair.length[first..first + blocks],
            normal: &hair.normals[first..first + blocks],
            carried: hair.carried.get(first..first + blocks),
            pulled: hair.pulled.get(at..at + state.len()).unwrap_or_default(),
            state,
            previous,
        };
        dispatch((chain, run))
    };
    if strands * particles < PARALLEL_PARTICLES {
        return run(0, &mut hair.state, &mut hair.previous);
    }
    let state = hair.state.par_chunks_mut(chunk);
    (state.zip(hair.previous.par_chunks_mut(chunk)).enumerate())
        .map(|(i, (state, previous))| run(i * blocks_per_chunk, state, previous))
        .reduce(Outcome::nothing, Outcome::and)
}

/// The strands of a chunk and the steps they take.
struct Run<'a, const HELD: bool, const FREE: bool> {
    steps: &'a [Step],
    holds: &'a Holds,
    particles: usize,
    strands: usize,
    first: usize,
    rest: &'a [Lanes3],
    segment: &'a [Lanes],
    length: &'a [Lanes],
    normal: &'a [Lanes3],
    carried: Option<&'a [Lanes3]>,
    pulled: &'a [Lanes3],
    state: &'a mut [ParticleBlock],
    previous: &'a mut [Lanes3],
}

/// A pair, so that it is compiled beside the solver: see [`Kernel`].
impl<C: Chain, const HELD: bool, const FREE: bool> Kernel<Outcome> for (&C, Run<'_, HELD, FREE>) {
    const AVX512: bool = C::AVX512[FREE as usize];

    #[inline(always)]
    fn run(self, _: impl Transpose) -> Outcome {
        let (chain, run) = self;
        let mut outcome = Outcome::nothing();
        let Some(last) = run.steps.last() else {
            return outcome;
        };
        let m = run.particles;
        let states = run.state.chunks_exact_mut(m);
        let all = states.zip(run.previous.chunks_exact_mut(m));
        let mut blocks = all.enumerate().map(|(i, (state, previous))| Block {
            index: run.first + i,
            rest: &run.rest[i * m..(i + 1) * m],
            segment: &run.segment[i * m..(i + 1) * m],
            length: &run.length[i],
            normal: &run.normal[i],
            carried: run.carried.map(|carried| &carried[i]),
            pulled: run.pulled.get(i * m..(i + 1) * m).unwrap_or_default(),
            hold: run.holds.of_block(run.first + i),
            state,
            previous,
            spread: Lanes::ZERO,
        });
        while let Some(mut a) = blocks.next() {
            let other = if C::QUICK { blocks.next() } else { None };
            if let Some(mut b) = other {
                for step in run.steps {
                    chain.step_two::<HELD, FREE>([&mut a, &mut b], step);
                }
                outcome.add::<C>(&mut b, last, run.strands);
            } else {
                for (i, step) in run.steps.iter().enumerate() {
                    if !C::QUICK && i + 1 == run.steps.len() {
                        a.keep_positions();
                    }
                    chain.step::<HELD, FREE>(&mut a, step);
                }
            }
            outcome.add::<C>(&mut a, last, run.strands);
        }
        outcome
    }
}

impl Outcome {
    /// Adds the outcome of eight strands, and puts broken ones to rest.
    #[inline(always)]
    fn add<C: Chain>(&mut self, block: &mut Block<'_>, last: &Step, strands: usize) {
        if !C::QUICK {
            block.spread = Lanes::ZERO;
            for ParticleBlock { position, velocity } in block.state.iter() {
                block.spread += dot3(position, position) + dot3(velocity, velocity);
            }
        }
        self.settled = self.settled && is_still(block, last.dt_secs);
        let lanes = (strands - block.index * LANES).min(LANES);
        self.reset_strands += reset_broken(block, last, lanes);
    }
}

/// Returns `true` if no particle of the eight strands has moved in the last step. Positions tell,
/// since what Follow-The-Leader calls a velocity includes the pull of the next particle. False for
/// strands that are not finite.
#[inline(always)]
fn is_still(block: &Block<'_>, dt: f32) -> bool {
    let limit = block.length.at_least(LEAST_LENGTH) * Lanes::splat(STILL_SHARE * dt);
    let limit = limit * limit;
    (block.state.iter().zip(&*block.previous)).all(|(particle, previous)| {
        let way = minus3(&particle.position, previous);
        dot3(&way, &way).all_at_most(limit)
    })
}

/// Puts strands that are no longer finite to rest under the head's present pose, and returns how
/// many of the first `lanes` are.
#[inline(always)]
fn reset_broken(block: &mut Block<'_>, step: &Step, lanes: usize) -> u64 {
    if block.spread.all_at_most(Lanes::splat(BROKEN * BROKEN)) {
        return 0;
    }
    let mut count = 0;
    for lane in 0..LANES {
        if block.spread.0[lane] <= BROKEN * BROKEN {
            continue;
        }
        for (j, particle) in block.state.iter_mut().enumerate() {
            let rest = step.motion.transform_point(get3(&block.rest[j], lane));
            set3(&mut particle.position, lane, rest);
            set3(&mut particle.velocity, lane, Vec3::ZERO);
            set3(&mut block.previous[j], lane, rest);
        }
        count += u64::from(lane < lanes);
    }
    count
}
