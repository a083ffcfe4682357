//! The machine's limit: going through the bytes that a step goes through, and nothing else.

use crate::sim::{Kernel, widest};
use rayon::prelude::*;

/// Strands of a block.
const LANES: usize = 8;
/// Lanes of a block: offset and velocity, read and written.
const STATE: usize = 6;
/// Anchor and lift, read.
const REST: usize = 4;
/// The offset before the step, written (and read before that, as caches work).
const PREVIOUS: usize = 3;

/// What a step moves for each strand that is clear of the skin, bytes.
pub const BYTES: usize = 4 * (2 * STATE + REST + 2 * PREVIOUS);

/// Blocks a thread takes at a time, as the spring's.
const CHUNK: usize = 128;

/// A number for each strand, where the spring has it: a load never straddles cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Lanes([f32; LANES]);

/// As many bytes as the spring has, in as many arrays.
pub struct Traffic {
    state: Vec<[Lanes; STATE]>,
    rest: Vec<[Lanes; REST]>,
    previous: Vec<[Lanes; PREVIOUS]>,
}

impl Traffic {
    pub fn new(strands: usize) -> Self {
        let blocks = strands.div_ceil(LANES);
        Self {
            state: vec![[Lanes([1.0; LANES]); STATE]; blocks],
            rest: vec![[Lanes([1.0; LANES]); REST]; blocks],
            previous: vec![[Lanes([1.0; LANES]); PREVIOUS]; blocks],
        }
    }

    /// Goes through all of it once.
    pub fn step(&mut self) {
        let state = self.state.par_chunks_mut(CHUNK);
        let rest = self.rest.par_chunks(CHUNK);
        let previous = self.previous.par_chunks_mut(CHUNK);
        (state, rest, previous)
            .into_par_iter()
            .for_each(|(state, rest, previous)| {
                widest(Pass {
                    state,
                    rest,
                    previous,
                });
            });
    }
}

struct Pass<'a> {
    state: &'a mut [[Lanes; STATE]],
    rest: &'a [[Lanes; REST]],
    previous: &'a mut [[Lanes; PREVIOUS]],
}

impl Kernel for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let blocks = self.state.iter_mut().zip(self.rest).zip(self.previous);
        for ((state, rest), previous) in blocks {
            let (mut moved, rest) = (*state, *rest);
            previous.copy_from_slice(&moved[..PREVIOUS]);
            // One addition each, so that nothing can be left out.
            for i in 0..STATE {
                for lane in 0..LANES {
                    moved[i].0[lane] += rest[i % REST].0[lane];
                }
            }
            *state = moved;
        }
    }
}
