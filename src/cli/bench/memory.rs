//! The memory limit of the machine: moving the bytes that a step moves, without arithmetic.

use super::harness::best_ns;
use mohawk::sim::{Kernel, dispatch};
use rayon::prelude::*;

/// Elements per block.
const LANES: usize = 8;
/// Numbers per element that are read and written: offset and velocity.
const STATE: usize = 6;
/// Numbers per element that are written, and read first by the cache: the offset before the step.
const PREVIOUS: usize = 3;

/// Returns the bytes that a step moves per element without contact, with `rest` numbers that are
/// only read.
pub const fn bytes(rest: usize) -> usize {
    4 * (2 * STATE + rest + 2 * PREVIOUS)
}

/// Returns the nanoseconds per element to move these bytes with the current threads.
pub fn ns_per_element<const REST: usize>(elements: usize) -> f64 {
    let mut traffic = Traffic::<REST>::new(elements);
    best_ns(elements, || traffic.step())
}

/// Returns the nanoseconds per element to write four numbers and read nothing.
pub fn ns_per_written(elements: usize) -> f64 {
    let mut out = vec![[0.0_f32; 4]; elements];
    let mut turn = 0.0;
    best_ns(elements, || {
        turn += 1.0;
        let chunks = out.par_chunks_mut(WRITTEN);
        chunks.for_each(|chunk| chunk.fill([turn; 4]));
    })
}

/// Elements per writing task.
const WRITTEN: usize = 1024;

/// Blocks per task.
const CHUNK: usize = 128;

/// A number for each element of a block, aligned so that no load crosses a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Lanes([f32; LANES]);

/// Arrays with the sizes of those of a solver.
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

    /// Reads and writes all arrays once.
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
            // An addition for each number, so that none can be optimised away.
            for i in 0..STATE {
                for lane in 0..LANES {
                    moved[i].0[lane] += rest[i % REST].0[lane];
                }
            }
            *state = moved;
        }
    }
}
