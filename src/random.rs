//! Random numbers with the same bits on every machine.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A generator of uniform numbers (PCG-64-MCG).
pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Returns a number in [0, 1) with 53 random bits.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns a number from 0 to `limit` − 1.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.uniform() * limit as f64) as usize
    }

    /// Shuffles a list (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }

    /// Returns a point of the unit triangle.
    pub(crate) fn triangle(&mut self) -> (f64, f64) {
        let (s, t) = (self.uniform(), self.uniform());
        // The other half of the unit square is folded onto the triangle.
        if s + t > 1.0 {
            (1.0 - s, 1.0 - t)
        } else {
            (s, t)
        }
    }
}

/// Returns the number of the item that holds the place `at` in the running sums of the items'
/// weights, which are not empty.
pub(crate) fn pick(sums: &[f64], at: f64) -> usize {
    sums.partition_point(|&sum| sum <= at)
        .min(sums.len().saturating_sub(1))
}
