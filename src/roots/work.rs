//! Progress, cancellation, and the limit of work on a scalp.
//!
//! Needles and stacked sheets multiply work without bound. Work is counted instead of timed, so
//! that it ends the same on every machine. Its unit is about a nanosecond on a machine of 2020.

use super::{Amount, MAX_STRANDS, SampleError, settings::PACKING};
use crate::scalp::Scalp;
use std::ops::ControlFlow;

/// The result of work on a scalp.
pub type Result<T, E = SampleError> = std::result::Result<T, E>;

/// The work of a dart, or of splitting a piece.
pub const PIECE: u64 = 50;
/// The work of a query, and of each root that it finds.
pub const QUERY: [u64; 2] = [250, 25];
/// The work of testing a known root.
pub const NEIGHBOUR: u64 = 4;

/// The work granted to every scalp: 15 seconds.
const FREE: u64 = 15_000_000_000;
/// The work granted per root and per triangle. Heads take about 7,000 per root in each of up to
/// eight trials, and fine meshes 700 per triangle.
const PER_ROOT: u64 = 30_000;
const PER_TRIANGLE: u64 = 6_000;

/// Returns the limit of work for a number of roots on a scalp.
pub fn most(scalp: &Scalp, amount: Amount) -> u64 {
    let roots = match amount {
        Amount::Strands(strands) => f64::from(strands),
        Amount::Spacing(spacing) => PACKING * scalp.area() / f64::from(spacing).powi(2),
    };
    let roots = roots.min(f64::from(MAX_STRANDS)) as u64;
    FREE + PER_ROOT * roots + PER_TRIANGLE * scalp.triangles().len() as u64
}

/// The progress of some work, which may be cancelled, and the limit of that work.
pub struct Progress<'a> {
    tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>,
    /// The shares of the whole at which the current part begins and ends.
    from: f64,
    to: f64,
    steps: u32,
    told: f32,
    work_left: u64,
}

impl<'a> Progress<'a> {
    /// Returns the whole progress, 0 to 1, with a limit of work.
    pub fn new(tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>, work_left: u64) -> Self {
        Progress {
            tell,
            from: 0.0,
            to: 1.0,
            steps: 0,
            told: 0.0,
            work_left,
        }
    }

    /// Maps the progress of `work`, 0 to 1, to `from` to `to` of the current part.
    pub fn part<T>(&mut self, from: f64, to: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.from, self.to);
        let whole = |share: f64| outer.0 + (outer.1 - outer.0) * share;
        (self.from, self.to) = (whole(from), whole(to));
        let done = work(self);
        (self.from, self.to) = outer;
        done
    }

    /// Reports a small step of work; `share` (0 to 1) of the part is done.
    ///
    /// Only every 256th step is reported. A step takes microseconds, so cancellation is prompt and
    /// the cost negligible.
    pub fn step(&mut self, share: f64) -> Result<()> {
        self.steps = self.steps.wrapping_add(1);
        match self.steps % 256 {
            1 => self.tell(share),
            _ => Ok(()),
        }
    }

    /// Reports like `step`, but always, and never less than before.
    pub fn tell(&mut self, share: f64) -> Result<()> {
        let whole = self.from + (self.to - self.from) * share.clamp(0.0, 1.0);
        self.told = self.told.max(whole as f32);
        match (self.tell)(self.told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SampleError::Cancelled),
        }
    }

    /// Takes `work` from the limit and sets it to 0. Returns an error if there was too much.
    pub fn spend(&mut self, work: &mut u64) -> Result<()> {
        let left = self.work_left.checked_sub(std::mem::take(work));
        self.work_left = left.ok_or(SampleError::Uneven)?;
        Ok(())
    }
}
