//! Parallel work in pieces, with progress, cancellation and a bound on its amount, and the nodes
//! that it is for: layers of blocks, and packets of eight nodes in them.

use crate::sim::sdf::grid::Grid;
use crate::sim::sdf::settings::SdfError;
use crate::sim::simd::LANES;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The largest number of boxes and triangles that all queries may visit; a head takes a twentieth.
/// Visits are counted instead of timed, so that the result is the same everywhere.
const MAX_VISITS: u64 = 2_000_000_000;
/// The largest number of visits of one piece, so that running pieces end soon.
const MAX_PIECE_VISITS: u64 = 50_000_000;
/// The number of pieces between two progress reports. It is fixed, so that the sums agree.
const PIECES: usize = 16;
/// The number of nodes along the side of a packet.
pub(crate) const PACKET: usize = 2;
/// The number of nodes along the side of a block, which is handled as a whole where possible.
pub(crate) const BLOCK: usize = 4;

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
    /// The largest number of visits. Above it, all work ends.
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

/// Nodes of a grid that are [`BLOCK`] nodes high, or fewer at the end of the grid.
pub(crate) struct Layer<'a> {
    pub(crate) grid: &'a Grid,
    /// The index of the lowest nodes along z.
    pub(crate) first: usize,
    /// The distances at the nodes.
    pub(crate) values: &'a mut [f32],
}

/// The distances during baking.
pub(crate) struct Nodes<'a> {
    pub(crate) grid: Grid,
    /// The distances at the nodes of the grid.
    pub(crate) values: Vec<f32>,
    pub(crate) work: Work<'a>,
}

impl Nodes<'_> {
    /// Runs `run` for all layers in parallel.
    pub(crate) fn each_layer(
        &mut self,
        run: impl Fn(Layer, &mut Count) + Sync,
    ) -> Result<(), SdfError> {
        let (grid, [row, rows, _]) = (&self.grid, self.grid.size);
        let (work, size) = (&mut self.work, BLOCK * row * rows);
        work.each(&mut self.values, size, |piece, values, count| {
            let first = piece * BLOCK;
            let layer = Layer {
                grid,
                first,
                values,
            };
            run(layer, count);
        })
    }
}

impl Layer<'_> {
    /// Returns the indices behind the last node.
    #[inline(always)]
    pub(crate) fn end(&self) -> [usize; 3] {
        let [row, rows, _] = self.grid.size;
        [row, rows, self.first + self.values.len() / (row * rows)]
    }

    /// Returns the offset of a node.
    #[inline(always)]
    pub(crate) fn at(&self, [i, j, k]: [usize; 3]) -> usize {
        let [row, rows, _] = self.grid.size;
        ((k - self.first) * rows + j) * row + i
    }

    /// Returns the offsets of the nodes of a packet, as far as they exist.
    #[inline(always)]
    pub(crate) fn packet(&self, from: [usize; 3]) -> [Option<usize>; LANES] {
        let end = self.end();
        std::array::from_fn(|lane| {
            let node = [0, 1, 2].map(|axis: usize| from[axis] + (lane >> axis & 1));
            let exists = (0..3).all(|axis| node[axis] < end[axis]);
            exists.then(|| self.at(node))
        })
    }
}
