//! The limit of the machine: moving the bytes that a step moves, with no other work.

use super::harness::best_ns;
use rayon::prelude::*;

/// Numbers of an element that are read and written: offset and velocity.
const STATE: usize = 6;
/// Numbers that are written (and read before that, as caches work): the offset before the step.
const PREVIOUS: usize = 3;
/// Elements that a thread takes at a time.
const CHUNK: usize = 1024;

/// Returns the bytes that a step moves for each element that is clear of the skin and has `rest`
/// numbers that are only read.
pub const fn bytes(rest: usize) -> usize {
    4 * (2 * STATE + rest + 2 * PREVIOUS)
}

/// Returns the nanoseconds that these bytes take for each of so many elements, on the present
/// threads.
pub fn ns_per_element(elements: usize, rest: usize) -> f64 {
    let numbers = |each: usize| vec![1.0_f32; elements * each];
    let (mut state, mut previous, rest_numbers) =
        (numbers(STATE), numbers(PREVIOUS), numbers(rest));
    best_ns(elements, || {
        let state = state.par_chunks_mut(CHUNK * STATE);
        let previous = previous.par_chunks_mut(CHUNK * PREVIOUS);
        let rest = rest_numbers.par_chunks(CHUNK * rest);
        let all = (state, previous, rest).into_par_iter();
        all.for_each(|(state, previous, rest)| {
            previous.copy_from_slice(&state[..previous.len()]);
            // One addition each, so that nothing can be left out.
            for part in state.chunks_mut(rest.len()) {
                for (number, add) in part.iter_mut().zip(rest) {
                    *number += add;
                }
            }
        });
    })
}

/// Returns the nanoseconds to write four numbers for each of so many elements, and read nothing.
pub fn ns_per_written(elements: usize) -> f64 {
    let mut out = vec![[0.0_f32; 4]; elements];
    let mut turn = 0.0;
    best_ns(elements, || {
        turn += 1.0;
        let chunks = out.par_chunks_mut(CHUNK);
        chunks.for_each(|chunk| chunk.fill([turn; 4]));
    })
}
