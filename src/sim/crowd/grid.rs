//! Where the nodes are.

use crate::sim::blocks::{LANES, Lanes, Lanes3, axes};
use crate::sim::lanes::{all3, minus3};

/// 2²³: added to this, a number is rounded to a whole one, which then stands in the low bits.
const WHOLE: f32 = 8_388_608.0;

/// Nodes at even distances, x fastest, then y; world space, decimetres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grid {
    pub(super) low: [f32; 3],
    /// 1 / cell.
    pub(super) per_cell: f32,
    /// Nodes along each axis, at least 4.
    pub(super) size: [usize; 3],
}

/// Where eight points are on a grid.
pub(super) struct Places {
    /// The lowest node of each one's cell.
    pub(super) node: [u32; LANES],
    /// Where in the cell, 0 to 1.
    pub(super) within: Lanes3,
}

impl Grid {
    pub(super) fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// Of points within the grid; of others, the nearest cell.
    #[inline(always)]
    pub(super) fn places(&self, points: &Lanes3) -> Places {
        let from = minus3(points, &all3(self.low));
        let cells = self.size.map(|size| (size - 2) as f32);
        let places: Lanes3 = axes!(i => from[i] * Lanes::all(self.per_cell));
        // A point on a node may count to either of its cells.
        let whole: Lanes3 = axes!(i => {
            let below = places[i] - Lanes::all(0.5);
            below.at_least(0.0).at_most(cells[i]) + Lanes::all(WHOLE)
        });
        let within = axes!(i => {
            (places[i] - (whole[i] - Lanes::all(WHOLE))).at_least(0.0).at_most(1.0)
        });
        let [row, rows] = [self.size[0] as u32, self.size[1] as u32];
        let mut node = [0; LANES];
        for (lane, node) in node.iter_mut().enumerate() {
            let cell = axes!(i => whole[i].0[lane].to_bits() & 0x007f_ffff);
            *node = (cell[2] * rows + cell[1]) * row + cell[0];
        }
        Places { node, within }
    }

    /// From the lowest node of a cell to the first nodes of its rows along x: y first, then z.
    #[inline(always)]
    pub(super) fn rows(&self) -> [usize; 4] {
        let (row, layer) = (self.size[0], self.size[0] * self.size[1]);
        [0, row, layer, layer + row]
    }
}
