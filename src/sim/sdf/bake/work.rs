//! Parallel work in pieces, with progress, cancellation and a bound on its amount.

use crate::sim::sdf::settings::SdfError;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The largest number of boxes and triangles that all queries may visit; a head takes a twentieth.
/// Visits are counted instead of timed, so that the result is the same everywhere.
const MAX_VISITS: u64 = 2_000_000_000;
/// The largest number of visits of one piece, so that running pieces end soon.
const MAX_PIECE_VISITS: u64 = 50_000_000;
/// The number of pieces between two progress reports. It is fixed, so that the sums agree.
const PIECES: usize = 16;

/// The remaining budget, and the caller.
pub(crate) struct Work<'a> {
    tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>,
    from: f32,
    to: f32,
    left: u64,
}

/// The visits of one piece.
pub(crate) struct Count {
    pub(crate) done: u64,
    /// Above so many, the whole work ends.
    pub(crate) most: u64,
}

impl Count {
    /// Returns `true` if the piece should end because its result will not be used.
    pub(crate) fn is_spent(&self) -> bool {
        self.done > self.most
    }
}

impl<'a> Work<'a> {
    pub(crate) fn new(tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>) -> Self {
        Self {
            tell,
            from: 0.0,
            to: 1.0,
            left: MAX_VISITS,
        }
    }

    /// Maps the progress of the following work, 0 to 1, to `from` to `to` of the whole.
    pub(crate) fn section(&mut self, from: f32, to: f32) {
        (self.from, self.to) = (from, to);
    }

    pub(crate) fn tell(&mut self, share: f32) -> Result<(), SdfError> {
        match (self.tell)(self.from + (self.to - self.from) * share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SdfError::Cancelled),
        }
    }

    /// Processes all items, `size` at a time. `run` gets the index of the piece and counts its
    /// visits.
    pub(crate) fn each<T: Send>(
        &mut self,
        items: &mut [T],
        size: usize,
        run: impl Fn(usize, &mut [T], &mut Count) + Sync,
    ) -> Result<(), SdfError> {
        let (all, mut done) = (items.len(), 0);
        for (group, items) in items.chunks_mut(size * PIECES).enumerate() {
            let most = self.left.min(MAX_PIECE_VISITS);
            let pieces = items.par_chunks_mut(size).enumerate();
            let counts = pieces.map(|(piece, items)| {
                let mut count = Count { done: 0, most };
                run(group * PIECES + piece, items, &mut count);
                (count.done, count.is_spent())
            });
            let none = || (0, false);
            let (visits, is_spent) = counts.reduce(none, |a, b| (a.0 + b.0, a.1 | b.1));
            if is_spent || visits > self.left {
                return Err(SdfError::TooTangled);
            }
            self.left -= visits;
            done += items.len();
            self.tell(done as f32 / all as f32)?;
        }
        Ok(())
    }
}
