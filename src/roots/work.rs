//! The limit of work on a scalp. Needles and stacked sheets multiply work without bound. It is
//! counted instead of timed, so that it ends the same on every machine.
//!
//! The unit is about a nanosecond on a machine of 2020.

use super::packing::PACKING;
use super::{Amount, MAX_STRANDS, SampleError};
use crate::scalp::Scalp;

/// The work of a dart, or of splitting a piece.
pub(crate) const PIECE: u64 = 50;
/// The work of a query, and of each root that it finds.
pub(crate) const QUERY: [u64; 2] = [250, 25];
/// The work of testing a known root.
pub(crate) const NEIGHBOUR: u64 = 4;

/// The work granted to every scalp: 15 seconds.
const FREE: u64 = 15_000_000_000;
/// The work granted per root and per triangle. Heads take about 7,000 per root in each of up to
/// eight trials, and fine meshes 700 per triangle.
const PER_ROOT: u64 = 30_000;
const PER_TRIANGLE: u64 = 6_000;

/// Returns the limit of work for a number of roots on a scalp.
pub(crate) fn most(scalp: &Scalp, amount: Amount) -> u64 {
    let roots = match amount {
        Amount::Strands(strands) => f64::from(strands),
        Amount::Spacing(spacing) => PACKING * scalp.area() / f64::from(spacing).powi(2),
    };
    let roots = roots.min(f64::from(MAX_STRANDS)) as u64;
    FREE + PER_ROOT * roots + PER_TRIANGLE * scalp.triangles().len() as u64
}

/// The work done, and its limit.
#[derive(Default)]
pub(crate) struct Work {
    done: u64,
    most: u64,
}

impl Work {
    /// Returns a counter at 0.
    pub(crate) fn new(most: u64) -> Self {
        Work { done: 0, most }
    }

    /// Adds work.
    pub(crate) fn add(&mut self, work: u64) {
        self.done += work;
    }

    /// Returns an error if there was too much work.
    pub(crate) fn check(&self) -> Result<(), SampleError> {
        match self.done > self.most {
            true => Err(SampleError::Uneven),
            false => Ok(()),
        }
    }

    /// Returns the remaining work.
    pub(crate) fn left(&self) -> u64 {
        self.most.saturating_sub(self.done)
    }
}
