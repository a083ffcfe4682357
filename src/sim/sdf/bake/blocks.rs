//! The nodes during baking: layers of blocks, and packets of eight nodes in them.

use super::work::{Count, Work};
use crate::sim::sdf::grid::Grid;
use crate::sim::sdf::settings::SdfError;
use crate::sim::simd::LANES;

/// The number of nodes along the side of a packet.
pub(crate) const PACKET: usize = 2;
/// The number of nodes along the side of a block, which is handled as a whole where possible.
pub(crate) const BLOCK: usize = 4;

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
        let work = &mut self.work;
        work.each(
            &mut self.values,
            BLOCK * row * rows,
            |piece, values, count| {
                let first = piece * BLOCK;
                let layer = Layer {
                    grid,
                    first,
                    values,
                };
                run(layer, count);
            },
        )
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
