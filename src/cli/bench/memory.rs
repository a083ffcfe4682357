//! The machine's limit: going through the bytes that a step goes through, and nothing else.

use super::best_ns;
use mohawk::sim::{Kernel, dispatch};
use rayon::prelude::*;

/// Strands of a block.
const LANES: usize = 8;
/// Lanes of a block: offset and velocity, read and written.
const STATE: usize = 6;
/// The offset before the step, written (and read before that, as caches work).
const PREVIOUS: usize = 3;

/// What a step moves for each element that is clear of the skin and has `rest` numbers that are
/// only read, bytes.
pub const fn bytes(rest: usize) -> usize {
    4 * (2 * STATE + rest + 2 * PREVIOUS)
}

/// Nanoseconds to move that of each of so many elements, on the present threads.
pub fn ns_per_element<const REST: usize>(elements: usize) -> f64 {
    let mut traffic = Traffic::<REST>::new(elements);
    best_ns(elements, || traffic.step())
}

/// Nanoseconds to write four numbers for each of so many elements, and read nothing.
pub fn ns_per_written(elements: usize) -> f64 {
    let mut out = vec![[0.0_f32; 4]; elements];
    let mut turn = 0.0;
    best_ns(elements, || {
        turn += 1.0;
        let chunks = out.par_chunks_mut(WRITTEN);
        chunks.for_each(|chunk| chunk.fill([turn; 4]));
    })
}

/// Elements a thread writes at a time.
const WRITTEN: usize = 1024;

/// Blocks a thread takes at a time.
const CHUNK: usize = 128;

/// A number for each strand, where solvers have it: a load never straddles cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Lanes([f32; LANES]);

/// As many bytes as a solver has, in as many arrays.
struct Traffic<const REST: usize> {
    state: Vec<[Lanes; STATE]>,
    rest: Vec<[Lanes; REST]>,
    previous: Vec<[Lanes; PREVIOUS]>,
}

impl<const REST: usize> Traffic<REST> {
    fn new(elements: usize) -> Self {
        let blocks = elements.div_ceil(LANES);
        Self {
            state: vec![[Lanes([1.0; LANES]); STATE]; blocks],
            rest: vec![[Lanes([1.0; LANES]); REST]; blocks],
            previous: vec![[Lanes([1.0; LANES]); PREVIOUS]; blocks],
        }
    }

    /// Goes through all of it once.
    fn step(&mut self) {
        let state = self.state.par_chunks_mut(CHUNK);
        let rest = self.rest.par_chunks(CHUNK);
        let previous = self.previous.par_chunks_mut(CHUNK);
        (state, rest, previous)
            .into_par_iter()
            .for_each(|(state, rest, previous)| {
                dispatch(Pass {
                    state,
                    rest,
                    previous,
                });
            });
    }
}

struct Pass<'a, const REST: usize> {
    state: &'a mut [[Lanes; STATE]],
    rest: &'a [[Lanes; REST]],
    previous: &'a mut [[Lanes; PREVIOUS]],
}

impl<const REST: usize> Kernel for Pass<'_, REST> {
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
