//! The layout of a field in memory: bricks of cells.
//!
//! Each brick holds all nodes of its cells, so that the corners of a cell and of its neighbours are
//! close together. In plain rows they would be spread over all of the memory.

use crate::sim::simd::axes;

/// The number of cells of a brick along each axis.
pub(crate) const BRICK: usize = 1 << SHIFT;
const SHIFT: u32 = 2;
/// The number of nodes of a brick along each axis; bricks share their sides.
pub(crate) const SIDE: usize = BRICK + 1;
/// The numbers of a brick: its nodes, x fastest, then y, padded to whole cache lines.
pub(crate) const NUMBERS: usize = (SIDE * SIDE * SIDE).next_multiple_of(16);
/// The bytes of a brick and of its smallest distance.
pub(crate) const BYTES: usize = (NUMBERS + 1) * size_of::<f32>();

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
            let from = [
                brick % size[0],
                brick / size[0] % size[1],
                brick / (size[0] * size[1]),
            ];
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
