//! The grid of nodes, and the extent of hair that it is made for.

use crate::sim::simd::{LANES, Lanes, Lanes3, ROUNDING, axes, clamp, get3, set3};
use glam::Vec3;

/// The largest number of nodes. Widely spread hair gets larger cells.
const MAX_NODES: usize = 1 << 20;
/// The largest distance of a node from the world's origin, in cells, so that single precision can
/// number them. Distant hair gets larger cells.
const MAX_INDEX: f32 = 524_288.0;
/// Spare nodes on each side, which hair may reach by the next step.
const MARGIN: i32 = 1;

/// The box around particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// Lowest and highest corner, world space, decimetres.
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
    /// The largest component of a velocity, dm/s.
    pub(crate) fastest: f32,
}

/// Nodes at multiples of the cell size, x fastest, then y; world space, decimetres. Forces do not
/// depend on the extent of the grid as long as it contains the hair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    pub(crate) cell: f32,
    /// The index of the first node along each axis, counted from the world's origin.
    first: [i32; 3],
    /// The number of nodes along each axis, at least 4.
    pub(crate) size: [usize; 3],
}

/// The places of eight points on a grid.
#[derive(Default)]
pub(crate) struct Places {
    /// The lowest node of each point's cell.
    pub(crate) node: [u32; LANES],
    /// The position in the cell, 0 to 1.
    pub(crate) within: Lanes3,
    /// The weights of the cell's rows of nodes, in the order of [`Grid::rows`].
    pub(crate) rows: [Lanes; 4],
}

impl Grid {
    /// Returns a grid around hair, with cells of at least the given size.
    pub(crate) fn around(hair: &Extent, cell: f32) -> Self {
        let close = Self::close(hair, cell);
        let wide = Self {
            first: close.first.map(|first| first - MARGIN),
            size: close.size.map(|size| size + 2 * MARGIN as usize),
            ..close
        };
        if wide.nodes() <= MAX_NODES {
            wide
        } else {
            close
        }
    }

    /// Returns `true` if the grid contains the hair and has the cell size that it would get.
    pub(crate) fn holds(&self, hair: &Extent, cell: f32) -> bool {
        let close = Self::close(hair, cell);
        let end = |grid: &Self, i: usize| grid.first[i] + grid.size[i] as i32;
        let within = |i| self.first[i] <= close.first[i] && end(&close, i) <= end(self, i);
        self.cell == close.cell && (0..3).all(within)
    }

    /// Returns the smallest grid, with one spare node on each side because points on a node may
    /// count to either cell.
    fn close(hair: &Extent, mut cell: f32) -> Self {
        loop {
            let per_cell = 1.0 / cell;
            let ends = [hair.low, hair.high].map(|end| end.map(|x| (x * per_cell).floor()));
            let near = |x: &f32| x.abs() <= MAX_INDEX;
            if ends.as_flattened().iter().all(near) {
                let [low, high] = ends.map(|end| end.map(|x| x as i32));
                let grid = Self {
                    cell,
                    first: low.map(|first| first - 1),
                    size: axes!(i => (high[i] - low[i]) as usize + 4),
                };
                if grid.nodes() <= MAX_NODES {
                    return grid;
                }
            }
            cell *= 1.25;
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// Returns the position of the first node.
    pub(crate) fn low(&self) -> [f32; 3] {
        self.first.map(|first| first as f32 * self.cell)
    }

    /// Returns the places of points; points outside the grid get the nearest cell.
    #[inline(always)]
    pub(crate) fn places(&self, points: &Lanes3) -> Places {
        let per_cell = 1.0 / self.cell;
        let least = axes!(i => self.first[i] as f32);
        let most = axes!(i => (self.first[i] + self.size[i] as i32 - 2) as f32);
        let [row, rows] = [self.size[0] as u32, self.size[1] as u32];
        let node = |[i, j, k]: [u32; 3]| {
            let line = k.wrapping_mul(rows).wrapping_add(j);
            line.wrapping_mul(row).wrapping_add(i)
        };
        let first = node(axes!(i => (least[i] + ROUNDING).to_bits()));
        let mut places = Places::default();
        for lane in 0..LANES {
            let from = (get3(points, lane) * per_cell).to_array();
            // Subtracting 0.5 and rounding gives the floor, but for points on a node.
            let whole = axes!(i => clamp(from[i] - 0.5, least[i], most[i]) + ROUNDING);
            let [x, y, z] = axes!(i => clamp(from[i] - (whole[i] - ROUNDING), 0.0, 1.0));
            places.node[lane] = node(axes!(i => whole[i].to_bits())).wrapping_sub(first);
            let (v, w) = (1.0 - y, 1.0 - z);
            set3(&mut places.within, lane, Vec3::new(x, y, z));
            places.rows[0].0[lane] = v * w;
            places.rows[1].0[lane] = y * w;
            places.rows[2].0[lane] = v * z;
            places.rows[3].0[lane] = y * z;
        }
        places
    }

    /// Returns the offsets from the lowest node of a cell to its rows along x (y first, then z),
    /// and to the end of the last row. The assertions spare bounds checks for every particle.
    #[inline(always)]
    pub(crate) fn rows(&self) -> ([usize; 4], usize) {
        let (row, layer) = (self.size[0], self.size[0] * self.size[1]);
        let rows = [0, row, layer, layer + row];
        let end = rows[3] + 2;
        for first in rows {
            assert!(first <= first + 2 && first + 2 <= end);
        }
        (rows, end)
    }
}
