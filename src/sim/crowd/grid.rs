//! Where the nodes are.

use crate::sim::blocks::{LANES, Lanes, Lanes3, axes, lane3, put3, scaled, sub};

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
#[derive(Default)]
pub(super) struct Places {
    /// The lowest node of each one's cell.
    pub(super) node: [u32; LANES],
    /// Where in the cell, 0 to 1.
    pub(super) within: Lanes3,
    /// Weights of the cell's rows of nodes, in the order of [`Grid::rows`].
    pub(super) rows: [Lanes; 4],
}

/// Between 0 and `most`.
#[inline(always)]
fn clamp(x: f32, most: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < most { x } else { most }
}

impl Grid {
    pub(super) fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// Of points within the grid; of others, the nearest cell. One loop over the lanes, as in
    /// `ftl.rs`.
    #[inline(always)]
    pub(super) fn places(&self, points: &Lanes3) -> Places {
        let cells = self.size.map(|size| (size - 2) as f32);
        let [row, rows] = [self.size[0] as u32, self.size[1] as u32];
        let mut places = Places::default();
        for lane in 0..LANES {
            let from = scaled(sub(lane3(points, lane), self.low), self.per_cell);
            // A point on a node may count to either of its cells.
            let whole = axes!(i => clamp(from[i] - 0.5, cells[i]) + WHOLE);
            let [x, y, z] = axes!(i => clamp(from[i] - (whole[i] - WHOLE), 1.0));
            let [i, j, k] = axes!(i => whole[i].to_bits() & 0x007f_ffff);
            places.node[lane] = (k * rows + j) * row + i;
            let (v, w) = (1.0 - y, 1.0 - z);
            put3(&mut places.within, lane, [x, y, z]);
            places.rows[0].0[lane] = v * w;
            places.rows[1].0[lane] = y * w;
            places.rows[2].0[lane] = v * z;
            places.rows[3].0[lane] = y * z;
        }
        places
    }

    /// From the lowest node of a cell to the first nodes of its rows along x: y first, then z.
    #[inline(always)]
    pub(super) fn rows(&self) -> [usize; 4] {
        let (row, layer) = (self.size[0], self.size[0] * self.size[1]);
        [0, row, layer, layer + row]
    }
}
