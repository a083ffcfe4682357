//! The grid of nodes of a field, and its layout in memory: bricks of cells.
//!
//! Each brick holds all nodes of its cells, so that the corners of a cell and of its neighbours are
//! close together. In plain rows they would be spread over all of the memory.

use super::settings::{SdfError, SdfSettings};
use crate::sim::simd::axes;
use glam::{DVec3, Vec3};

/// The smallest size of the skin in cells.
const MIN_CELLS: f64 = 32.0;
/// The allowed sizes of the skin, decimetres; single precision fails for others.
const SIDES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// The largest allowed distance of the skin from the origin, in multiples of its size.
const MAX_OFFSET: f64 = 4096.0;
/// The factor by which cells grow until the field fits its memory.
const COARSER: f64 = 1.01;
/// Nodes within this many cells of the skin are exact.
const FAR_CELLS: f32 = 12.0;
/// The number of cells of a brick along each axis.
pub(crate) const BRICK: usize = 1 << SHIFT;
const SHIFT: u32 = 2;
/// The number of nodes of a brick along each axis; bricks share their sides.
pub(crate) const SIDE: usize = BRICK + 1;
/// The numbers of a brick: its nodes, x fastest, then y, padded to whole cache lines.
pub(crate) const NUMBERS: usize = (SIDE * SIDE * SIDE).next_multiple_of(16);
/// The bytes of a brick and of its smallest distance.
pub(crate) const BYTES: usize = (NUMBERS + 1) * size_of::<f32>();

/// Evenly spaced nodes, x fastest, then y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// The first node, head space.
    pub(crate) low: [f32; 3],
    /// The spacing of the nodes, decimetres.
    pub(crate) cell: f32,
    /// The smallest distance from the box around the skin to the sides, decimetres.
    pub(crate) margin: f32,
    /// The number of nodes along each axis, at least 2.
    pub(crate) size: [usize; 3],
}

impl Grid {
    /// Returns the grid around a box.
    pub(crate) fn around(
        (low, high): (Vec3, Vec3),
        settings: &SdfSettings,
    ) -> Result<Self, SdfError> {
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let sides = high - low;
        let side = sides.max_element();
        let farthest = low.abs().max(high.abs()).max_element();
        if !(SIDES.contains(&side) && farthest <= MAX_OFFSET * side) {
            return Err(SdfError::BadSize { side, farthest });
        }
        let margin = f64::from(settings.margin).min(0.5 * side);
        let sides = sides + 2.0 * margin;
        let mut cell = f64::from(settings.cell).min(side / MIN_CELLS);
        // A spare cell keeps the margin in spite of rounding.
        let nodes = |cell: f64| sides.to_array().map(|side| (side / cell).ceil() + 2.0);
        let bytes = |cell: f64| {
            let bricks = nodes(cell).map(|nodes| ((nodes - 1.0) / BRICK as f64).ceil());
            bricks.iter().product::<f64>() * BYTES as f64
        };
        while bytes(cell) > f64::from(settings.most_bytes) {
            cell *= COARSER;
        }
        let cell = cell as f32;
        let size = nodes(f64::from(cell)).map(|n| n as usize);
        let reach = DVec3::from(size.map(|n| (n - 1) as f64)) * f64::from(cell);
        let low = (low + high) * 0.5 - reach * 0.5;
        Ok(Self {
            low: low.as_vec3().to_array(),
            cell,
            margin: margin as f32,
            size,
        })
    }

    /// Returns the distance from the skin up to which nodes are exact. Farther out, blocks take off
    /// at most half a cell.
    pub(crate) fn far(&self) -> f32 {
        self.margin.max(FAR_CELLS * self.cell)
    }

    /// Returns the position of a node.
    pub(crate) fn node(&self, at: [usize; 3]) -> DVec3 {
        Vec3::from(self.low).as_dvec3() + DVec3::from(at.map(|i| i as f64)) * f64::from(self.cell)
    }
}

/// Distances at the nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bricks {
    /// The number of bricks along each axis.
    pub(super) size: [u32; 3],
    /// Brick after brick, x fastest, then y.
    pub(crate) numbers: Vec<f32>,
    /// The smallest distance in each brick. Solvers read it first; it fits the caches.
    pub(super) least: Vec<f32>,
}

impl Bricks {
    /// Arranges the `values` of a grid of `nodes`, x fastest, then y.
    pub(crate) fn new(nodes: [usize; 3], values: &[f32]) -> Self {
        let size = nodes.map(|nodes| (nodes - 1).div_ceil(BRICK));
        let [nx, ny, _] = nodes;
        let all = size.iter().product();
        let (mut numbers, mut least) = (Vec::with_capacity(all * NUMBERS), Vec::with_capacity(all));
        for brick in 0..all {
            let from = place(size, brick);
            // The last node is repeated past the end of the grid.
            let node = |axis: usize, i: usize| (from[axis] * BRICK + i).min(nodes[axis] - 1);
            let start = numbers.len();
            for k in 0..SIDE {
                for j in 0..SIDE {
                    let row = (node(2, k) * ny + node(1, j)) * nx;
                    numbers.extend((0..SIDE).map(|i| values[row + node(0, i)]));
                }
            }
            // Interpolated values are never below those at the nodes.
            least.push(numbers[start..].iter().copied().fold(f32::MAX, f32::min));
            numbers.resize(start + NUMBERS, 0.0);
        }
        Self {
            size: size.map(|bricks| bricks as u32),
            numbers,
            least,
        }
    }

    /// Returns the offset of a cell's lowest node.
    #[inline(always)]
    pub(crate) fn first(&self, cell: [u32; 3]) -> u32 {
        let side = SIDE as u32;
        let brick = self.index(axes!(axis => cell[axis] >> SHIFT));
        let [x, y, z] = axes!(axis => cell[axis] & (BRICK as u32 - 1));
        brick * NUMBERS as u32 + (z * side + y) * side + x
    }

    /// Returns the index of a brick.
    #[inline(always)]
    pub(super) fn index(&self, [x, y, z]: [u32; 3]) -> u32 {
        (z * self.size[1] + y) * self.size[0] + x
    }
}

/// Returns the indices along the axes of number `at` of an array of a size, x fastest, then y.
pub(crate) fn place([row, rows, _]: [usize; 3], at: usize) -> [usize; 3] {
    [at % row, at / row % rows, at / (row * rows)]
}
