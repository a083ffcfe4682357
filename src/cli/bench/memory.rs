//! The machine's limit: reading and writing what a step must, and nothing else.

use rayon::prelude::*;

/// Four bytes in so many arrays are read, written and kept by a step for each strand: state 24
/// bytes read and written, rest 28 read, previous offset 12 written (and, as caches work, read
/// before that).
const STATE: usize = 6;
const REST: usize = 7;
const PREVIOUS: usize = 3;

/// What a step moves for each strand, bytes.
pub const BYTES: usize = 4 * (2 * STATE + REST + 2 * PREVIOUS);

/// Strands whose bytes are moved together, as the spring does it.
const BLOCK: usize = 8;
/// Blocks a thread takes at a time.
const CHUNK: usize = 128;

/// As many bytes as the spring has, in arrays of the same shape.
pub struct Traffic {
    state: Vec<[f32; STATE * BLOCK]>,
    rest: Vec<[f32; REST * BLOCK]>,
    previous: Vec<[f32; PREVIOUS * BLOCK]>,
}

impl Traffic {
    pub fn new(strands: usize) -> Self {
        let blocks = strands.div_ceil(BLOCK);
        Self {
            state: vec![[1.0; STATE * BLOCK]; blocks],
            rest: vec![[1.0; REST * BLOCK]; blocks],
            previous: vec![[1.0; PREVIOUS * BLOCK]; blocks],
        }
    }

    /// Moves it all once: one addition for each number, so that nothing can be left out.
    pub fn step(&mut self) {
        let chunks = self.state.par_chunks_mut(CHUNK);
        let chunks = chunks.zip(self.previous.par_chunks_mut(CHUNK));
        chunks
            .zip(self.rest.par_chunks(CHUNK))
            .for_each(|((state, previous), rest)| {
                for ((state, previous), rest) in state.iter_mut().zip(previous).zip(rest) {
                    previous.copy_from_slice(&state[..PREVIOUS * BLOCK]);
                    for (state, rest) in state.iter_mut().zip(rest) {
                        *state += rest;
                    }
                    let seventh = &rest[STATE * BLOCK..];
                    for (state, rest) in state.iter_mut().zip(seventh) {
                        *state -= rest;
                    }
                }
            });
    }
}
