//! The grid of nodes around skin that moves.

use crate::sim::sdf::grid::place;
use crate::sim::simd::clamp;
use glam::Vec3;

/// The side of a cell, decimetres, if that does not take more than [`MOST_NODES`].
const CELL: f64 = 0.2;
/// The most nodes.
const MOST_NODES: f64 = 60_000.0;
/// The factor by which cells grow until there are not more.
const COARSER: f64 = 1.05;
/// The least distance from skin to the sides of the grid, decimetres.
pub(super) const MARGIN: f32 = 0.4;
/// The sides of a grid are a multiple of this many cells, so that it seldom changes.
const BLOCK: f64 = 4.0;

/// Evenly spaced nodes, x fastest, then y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    pub(super) low: Vec3,
    /// The side of a cell, decimetres.
    pub(crate) cell: f32,
    pub(super) per_cell: f32,
    /// The number of nodes along each axis, at least 2.
    pub(super) size: [usize; 3],
}

/// A place in a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The lowest node of its cell.
    pub(super) first: usize,
    /// The position in the cell, 0 to 1.
    pub(super) share: Vec3,
    /// The offset from the nearest point of the grid; zero inside.
    pub(super) off: Vec3,
}

impl Place {
    #[inline(always)]
    pub(super) fn is_outside(&self) -> bool {
        self.off != Vec3::ZERO
    }
}

impl Lattice {
    /// Returns the grid around a finite box.
    pub(crate) fn around((low, high): (Vec3, Vec3)) -> Self {
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let margin = f64::from(MARGIN);
        let mut cell = CELL;
        loop {
            let block = cell * BLOCK;
            let from = ((low - margin) / block).floor();
            let blocks = ((high + margin) / block).ceil() - from;
            let size = blocks
                .to_array()
                .map(|blocks| blocks.max(1.0) * BLOCK + 1.0);
            if size.iter().product::<f64>() <= MOST_NODES {
                return Self {
                    low: (from * block).as_vec3(),
                    cell: cell as f32,
                    per_cell: 1.0 / cell as f32,
                    size: size.map(|nodes| nodes as usize),
                };
            }
            cell *= COARSER;
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// Returns the position of a node.
    pub(super) fn node(&self, at: usize) -> Vec3 {
        self.low + Vec3::from(place(self.size, at).map(|i| i as f32)) * self.cell
    }

    /// Returns `true` if a node is the lowest one of a cell.
    pub(super) fn is_cell(&self, node: usize) -> bool {
        let at = place(self.size, node);
        (0..3).all(|axis| at[axis] + 1 < self.size[axis])
    }

    #[inline(always)]
    pub(super) fn locate(&self, point: Vec3) -> Place {
        let at = (point - self.low) * self.per_cell;
        let along = |at: f32, nodes: usize| {
            let near = clamp(at, 0.0, (nodes - 1) as f32);
            let cell = (near as usize).min(nodes - 2);
            (cell, near - cell as f32, at - near)
        };
        let [nx, ny, nz] = self.size;
        let [x, y, z] = [along(at.x, nx), along(at.y, ny), along(at.z, nz)];
        Place {
            first: (z.0 * self.size[1] + y.0) * self.size[0] + x.0,
            share: Vec3::new(x.1, y.1, z.1),
            off: Vec3::new(x.2, y.2, z.2) * self.cell,
        }
    }

    /// Returns the nodes around a point with their weights, which are 0 where it is outside.
    pub(super) fn around_point(&self, point: Vec3) -> [(usize, f32); 8] {
        let place = self.locate(point);
        let nodes = corners_of(&self.size, place.first);
        let inside = if place.is_outside() { 0.0 } else { 1.0 };
        std::array::from_fn(|corner| {
            let along = |axis: usize| match corner >> axis & 1 {
                0 => 1.0 - place.share[axis],
                _ => place.share[axis],
            };
            (nodes[corner], along(0) * along(1) * along(2) * inside)
        })
    }
}

/// Returns the nodes of a cell, x fastest, then y.
#[inline(always)]
pub(super) fn corners_of(&[row, rows, _]: &[usize; 3], first: usize) -> [usize; 8] {
    let layer = row * rows;
    let (a, c) = (first, first + row);
    let (e, g) = (a + layer, c + layer);
    [a, a + 1, c, c + 1, e, e + 1, g, g + 1]
}
