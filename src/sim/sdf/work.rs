//! Work in parallel pieces: counted, told of, and stopped.

use super::FieldError;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Boxes and triangles that all questions together may look at; a head takes a twentieth of it.
/// Counted and not timed, so that it ends alike everywhere.
const MOST: u64 = 2_000_000_000;
/// The same for one piece, so that all pieces under way come to an end soon.
const MOST_OF_PIECE: u64 = 50_000_000;
/// Pieces between two looks at the caller: always as many, so that the sums agree.
const PIECES: usize = 16;

/// What is left to do, and the caller.
pub(crate) struct Work<'a> {
    tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>,
    from: f32,
    to: f32,
    left: u64,
}

/// What one piece has looked at.
pub(crate) struct Count {
    pub(crate) done: u64,
    most: u64,
}

impl Count {
    /// The piece is to end as it is: its results will not be used.
    pub(crate) fn is_spent(&self) -> bool {
        self.done > self.most
    }

    /// Ends the piece, and with it the work.
    pub(crate) fn spend(&mut self) {
        self.done = self.most + 1;
    }
}

impl<'a> Work<'a> {
    pub(crate) fn new(tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>) -> Self {
        Self {
            tell,
            from: 0.0,
            to: 1.0,
            left: MOST,
        }
    }

    /// From here on, shares of 0 to 1 mean `from` to `to` of the whole.
    pub(crate) fn section(&mut self, from: f32, to: f32) {
        (self.from, self.to) = (from, to);
    }

    pub(crate) fn tell(&mut self, share: f32) -> Result<(), FieldError> {
        match (self.tell)(self.from + (self.to - self.from) * share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(FieldError::Cancelled),
        }
    }

    /// Works on all items, `size` at a time; `run` gets the number of the piece, and adds what it
    /// looks at to the count.
    pub(crate) fn each<T: Send>(
        &mut self,
        items: &mut [T],
        size: usize,
        run: impl Fn(usize, &mut [T], &mut Count) + Sync,
    ) -> Result<(), FieldError> {
        let (all, mut done) = (items.len(), 0);
        for (group, items) in items.chunks_mut(size * PIECES).enumerate() {
            let most = self.left.min(MOST_OF_PIECE);
            let pieces = items.par_chunks_mut(size).enumerate();
            let counts = pieces.map(|(piece, items)| {
                let mut count = Count { done: 0, most };
                run(group * PIECES + piece, items, &mut count);
                (count.done, count.is_spent())
            });
            let nothing = || (0, false);
            let (looked, spent) = counts.reduce(nothing, |a, b| (a.0 + b.0, a.1 | b.1));
            if spent || looked > self.left {
                return Err(FieldError::TooTangled);
            }
            self.left -= looked;
            done += items.len();
            self.tell(done as f32 / all as f32)?;
        }
        Ok(())
    }
}
