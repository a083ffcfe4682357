//! What solvers that go along strands share: blocks in parallel, steps in the cache, broken strands.

use super::super::contact::Rise;
use super::super::simd::blocks::{LANES, Lanes, Lanes3, ParticleBlock, lane3, put3};
use super::super::simd::dispatch::{Kernel, prefetch, widest};
use super::super::simd::lanes::{dot3, minus3};
use super::super::{Hair, Outcome, Step};
use rayon::prelude::*;

/// Particles from which a step is split among threads; with fewer, waking the threads costs more
/// than they save.
const PARALLEL_PARTICLES: usize = 20_000;
/// Particles a thread takes at a time, about: 0.5 MB with all that belongs to them.
const CHUNK_PARTICLES: usize = 8_192;
/// A particle counts as still below this share of its strand's length per second: single
/// precision alone moves it by a tenth of that.
const STILL_SHARE: f32 = 2e-3;
/// Strands shorter than this come to rest as if they were this long, decimetres.
const LEAST_LENGTH: f32 = 0.01;
/// No particle gets this far from the world's origin (dm) or this fast (dm/s) unless its strand
/// is broken.
const BROKEN: f32 = 1e9;

/// Eight strands.
pub(crate) struct Block<'a> {
    /// Number of the block among all.
    pub(crate) index: usize,
    /// One entry for each particle, root first, in these three.
    pub(crate) rest: &'a [Lanes3],
    pub(crate) segment: &'a [Lanes],
    pub(crate) state: &'a mut [ParticleBlock],
    /// Where the particles were before the last step.
    pub(crate) previous: &'a mut [Lanes3],
    /// Beyond [`BROKEN`]² or no number where a strand is broken, as sums of squares are of all its
    /// coordinates. For solvers that go [`IN_ONE_PASS`](Chain::IN_ONE_PASS).
    pub(crate) spread: Lanes,
    /// Length of the whole strand.
    pub(crate) length: &'a Lanes,
    /// Of the skin at the root, head space.
    pub(crate) normal: &'a Lanes3,
}

impl Block<'_> {
    /// How deep the strands may be, with their roots moved to where they are when the step ends.
    #[inline(always)]
    pub(crate) fn rise(&self, step: &Step) -> Rise {
        let normal = step.turned3(self.normal);
        let (roots, first) = (&self.state[0].position, &self.segment[1]);
        Rise::of(roots, &normal, first, &step.contacts)
    }

    #[inline(always)]
    pub(crate) fn keep_positions(&mut self) {
        for (previous, particle) in self.previous.iter_mut().zip(&*self.state) {
            *previous = particle.position;
        }
    }

    /// As [`prefetch`](Self::prefetch), for the roots: of where hair rests, solvers may need nothing
    /// else, and what lies so far apart processors do not foresee.
    #[inline(always)]
    pub(crate) fn prefetch_roots(&self, ahead: usize) {
        let there = ahead * self.state.len();
        prefetch(self.rest.as_ptr().wrapping_add(there));
        self.prefetch(0, ahead);
    }

    /// Asks the memory for particle `j` of the block that is so many blocks ahead, before it is
    /// needed: what processors foresee by themselves ends with each page.
    #[inline(always)]
    pub(crate) fn prefetch(&self, j: usize, ahead: usize) {
        let there = ahead * self.state.len() + j;
        prefetch(self.state.as_ptr().wrapping_add(there));
        prefetch(self.previous.as_ptr().wrapping_add(there));
        prefetch(self.segment.as_ptr().wrapping_add(there));
    }
}

/// A solver that treats every strand by itself.
pub(crate) trait Chain: Sync {
    /// Carries eight strands through a step. Must be `#[inline(always)]`, treat all lanes alike,
    /// and fuse nothing: then all instruction sets give the same bits.
    fn step(&self, block: &mut Block<'_>, step: &Step);

    /// Is [`step_two`](Self::step_two) faster than one after the other? It is for solvers that wait
    /// for the square root of one particle before they can begin with the next.
    const SIDE_BY_SIDE: bool = false;

    /// Does a step fill [`Block::previous`] and [`Block::spread`] on its way? Otherwise that is
    /// done before and after it. It is for solvers that take no longer than the memory does.
    const IN_ONE_PASS: bool = false;

    /// As [`Kernel::AVX512`].
    const AVX512: bool = false;

    /// Carries sixteen strands through a step, to the same bits.
    #[inline(always)]
    fn step_two(&self, [a, b]: [&mut Block<'_>; 2], step: &Step) {
        self.step(a, step);
        self.step(b, step);
    }
}

/// Carries all strands through the steps: each thread takes its strands through all of them while
/// they are in its cache.
pub(crate) fn advance<C: Chain>(chain: &C, hair: &mut Hair, steps: &[Step]) -> Outcome {
    advance_feeling(chain, hair, steps, |_| {})
}

/// As [`advance`]; what whole strands `feel` before the first step is done while they are in the
/// cache, too.
pub(crate) fn advance_feeling<C: Chain>(
    chain: &C,
    hair: &mut Hair,
    steps: &[Step],
    feel: impl Fn(&mut [ParticleBlock]) + Sync,
) -> Outcome {
    let particles = hair.particles();
    let strands = hair.len();
    let blocks_per_chunk = (CHUNK_PARTICLES / LANES / particles).max(1);
    let chunk = blocks_per_chunk * particles;
    let run = |first: usize, state: &mut [ParticleBlock], previous: &mut [Lanes3]| {
        feel(state);
        let at = first * particles;
        let run = Run {
            steps,
            particles,
            strands,
            first,
            rest: &hair.rest[at..at + state.len()],
            segment: &hair.segment[at..at + state.len()],
            length: &hair.length[first..first + state.len() / particles],
            normal: &hair.normals[first..first + state.len() / particles],
            state,
            previous,
        };
        widest((chain, run))
    };
    if strands * particles < PARALLEL_PARTICLES {
        return run(0, &mut hair.state, &mut hair.previous);
    }
    let state = hair.state.par_chunks_mut(chunk);
    (state.zip(hair.previous.par_chunks_mut(chunk)).enumerate())
        .map(|(i, (state, previous))| run(i * blocks_per_chunk, state, previous))
        .reduce(Outcome::nothing, Outcome::and)
}

/// The strands of a chunk through all steps.
struct Run<'a> {
    steps: &'a [Step],
    particles: usize,
    strands: usize,
    first: usize,
    rest: &'a [Lanes3],
    segment: &'a [Lanes],
    length: &'a [Lanes],
    normal: &'a [Lanes3],
    state: &'a mut [ParticleBlock],
    previous: &'a mut [Lanes3],
}

/// A pair, so that it is compiled beside the solver: see [`Kernel`].
impl<C: Chain> Kernel for (&C, Run<'_>) {
    type Output = Outcome;
    const AVX512: bool = C::AVX512;

    #[inline(always)]
    fn run(self) -> Outcome {
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
            state,
            previous,
            spread: Lanes::default(),
        });
        while let Some(mut a) = blocks.next() {
            let other = if C::SIDE_BY_SIDE { blocks.next() } else { None };
            if let Some(mut b) = other {
                for (i, step) in run.steps.iter().enumerate() {
                    if !C::IN_ONE_PASS && i + 1 == run.steps.len() {
                        a.keep_positions();
                        b.keep_positions();
                    }
                    chain.step_two([&mut a, &mut b], step);
                }
                outcome.add::<C>(&mut b, last, run.strands);
            } else {
                for (i, step) in run.steps.iter().enumerate() {
                    if !C::IN_ONE_PASS && i + 1 == run.steps.len() {
                        a.keep_positions();
                    }
                    chain.step(&mut a, step);
                }
            }
            outcome.add::<C>(&mut a, last, run.strands);
        }
        outcome
    }
}

impl Outcome {
    /// What came of eight strands. Broken ones are put to rest.
    #[inline(always)]
    fn add<C: Chain>(&mut self, block: &mut Block<'_>, last: &Step, strands: usize) {
        if !C::IN_ONE_PASS {
            block.spread = Lanes::default();
            for ParticleBlock { position, velocity } in block.state.iter() {
                block.spread += dot3(position, position) + dot3(velocity, velocity);
            }
        }
        self.settled = self.settled && is_still(block, last.dt);
        let lanes = (strands - block.index * LANES).min(LANES);
        self.reset_strands += reset_broken(block, last, lanes);
    }
}

/// Has no particle of the eight strands moved in the last step? By where they are: what
/// Follow-The-Leader calls a velocity holds the pull of the next particle, too. Never true of a
/// strand that is not finite.
#[inline(always)]
fn is_still(block: &Block<'_>, dt: f32) -> bool {
    let limit = block.length.at_least(LEAST_LENGTH) * Lanes::all(STILL_SHARE * dt);
    let limit = limit * limit;
    block
        .state
        .iter()
        .zip(&*block.previous)
        .all(|(particle, previous)| {
            let way = minus3(&particle.position, previous);
            let still = Lanes::all(1.0).if_at_most(dot3(&way, &way), limit);
            still == Lanes::all(1.0)
        })
}

/// Puts strands that are no longer finite to rest under the head's present pose, and counts those
/// among the first `lanes`.
#[inline(always)]
fn reset_broken(block: &mut Block<'_>, step: &Step, lanes: usize) -> u64 {
    let sound = Lanes::all(1.0).if_at_most(block.spread, Lanes::all(BROKEN * BROKEN));
    if sound == Lanes::all(1.0) {
        return 0;
    }
    let sound = sound.0.map(|sound| sound > 0.0);
    for (lane, _) in sound.iter().enumerate().filter(|(_, sound)| !**sound) {
        for (j, particle) in block.state.iter_mut().enumerate() {
            let rest = step.carry(lane3(&block.rest[j], lane));
            put3(&mut particle.position, lane, rest);
            put3(&mut particle.velocity, lane, [0.0; 3]);
            put3(&mut block.previous[j], lane, rest);
        }
    }
    sound[..lanes].iter().filter(|sound| !**sound).count() as u64
}
