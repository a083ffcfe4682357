//! The machine's limit: going through the bytes that a step goes through, and nothing else.

use crate::sim::{Kernel, widest};
use rayon::prelude::*;

/// Strands of a block.
const STRANDS: usize = 8;
/// Floats of a block: offset and velocity, read and written.
const STATE: usize = 6 * STRANDS;
/// Anchor and lift, read.
const REST: usize = 4 * STRANDS;
/// The offset before the step, written (and read before that, as caches work).
const PREVIOUS: usize = 3 * STRANDS;

/// What a step moves for each strand that is clear of the skin, bytes.
pub const BYTES: usize = 4 * (2 * STATE + REST + 2 * PREVIOUS) / STRANDS;

/// Blocks a thread takes at a time, as the spring's.
const CHUNK: usize = 128;

/// As many bytes as the spring has, in as many arrays.
pub struct Traffic {
    state: Vec<[f32; STATE]>,
    rest: Vec<[f32; REST]>,
    previous: Vec<[f32; PREVIOUS]>,
}

impl Traffic {
    pub fn new(strands: usize) -> Self {
        let blocks = strands.div_ceil(STRANDS);
        Self {
            state: vec![[1.0; STATE]; blocks],
            rest: vec![[1.0; REST]; blocks],
            previous: vec![[1.0; PREVIOUS]; blocks],
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
    state: &'a mut [[f32; STATE]],
    rest: &'a [[f32; REST]],
    previous: &'a mut [[f32; PREVIOUS]],
}

impl Kernel for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let blocks = self.state.iter_mut().zip(self.rest).zip(self.previous);
        for ((state, rest), previous) in blocks {
            previous.copy_from_slice(&state[..PREVIOUS]);
            // One addition each, so that nothing can be left out.
            let (first, second) = state.split_at_mut(REST);
            for (state, rest) in first.iter_mut().zip(rest) {
                *state += rest;
            }
            for (state, rest) in second.iter_mut().zip(rest) {
                *state += rest;
            }
        }
    }
}
