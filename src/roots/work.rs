//! How much work a scalp may make: needles and sheets on top of each other multiply it
//! without bound. Counted and not timed, it ends alike on every machine.
//!
//! The unit is about a nanosecond of a machine of 2020.

use super::choose::PACKING;
use super::{Amount, MAX_STRANDS, SampleError};
use crate::scalp::Scalp;

/// A dart, or a piece that is split.
pub(crate) const PIECE: u64 = 50;
/// Asking the index, and each root that it finds.
pub(crate) const QUERY: [u64; 2] = [250, 25];
/// Looking at a root that is at hand.
pub(crate) const NEIGHBOUR: u64 = 4;

/// What is left to every scalp: a quarter of a minute.
const FREE: u64 = 15_000_000_000;
/// What each root and each triangle add. Heads take some 7,000 for a root in each
/// of up to eight trials, and fine meshes 700 for a triangle.
const PER_ROOT: u64 = 30_000;
const PER_TRIANGLE: u64 = 6_000;

/// The most work for so many roots on a scalp.
pub(crate) fn most(scalp: &Scalp, amount: Amount) -> u64 {
    let roots = match amount {
        Amount::Strands(strands) => f64::from(strands),
        Amount::Spacing(spacing) => PACKING * scalp.area() / f64::from(spacing).powi(2),
    };
    let roots = roots.min(f64::from(MAX_STRANDS)) as u64;
    FREE + PER_ROOT * roots + PER_TRIANGLE * scalp.triangles().len() as u64
}

/// Work that is done, and the most that may be.
#[derive(Default)]
pub(crate) struct Work {
    done: u64,
    most: u64,
}

impl Work {
    /// None done yet.
    pub(crate) fn new(most: u64) -> Self {
        Work { done: 0, most }
    }

    /// Work is done.
    pub(crate) fn add(&mut self, work: u64) {
        self.done += work;
    }

    /// An error if there was too much of it.
    pub(crate) fn check(&self) -> Result<(), SampleError> {
        match self.done > self.most {
            true => Err(SampleError::Uneven),
            false => Ok(()),
        }
    }

    /// What may still be done.
    pub(crate) fn left(&self) -> u64 {
        self.most.saturating_sub(self.done)
    }
}
