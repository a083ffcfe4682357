//! How a field lies in memory, and what is far away, told with one look.
//!
//! Row after row, the corners of cells beside the skin would be spread over all of it. In bricks of
//! cells, each with all of its nodes, those of a cell and of its neighbours are side by side.

// Lanes and axes by number, as elsewhere, also where a loop happens to go through one array only.
#![allow(clippy::needless_range_loop)]

use super::Field;
use super::grid::Grid;
use super::lanes::LANES;
use super::sample::{NUMBER, WHOLE};
use crate::sim::simd::lanes::Lanes;
use crate::sim::simd::vector::{Lanes3, axes, get3};
use glam::{Mat3, Vec3};

/// Cells of a brick along each axis.
pub(crate) const BRICK: usize = 1 << SHIFT;
const SHIFT: u32 = 2;
/// Nodes of a brick along each axis: bricks share their sides.
pub(crate) const SIDE: usize = BRICK + 1;
/// Numbers of a brick: its nodes, x fastest, then y, and zeros up to whole cache lines.
pub(crate) const NUMBERS: usize = (SIDE * SIDE * SIDE).next_multiple_of(16);
/// Bytes of a brick, and of the least distance in it.
pub(crate) const BYTES: usize = (NUMBERS + 1) * size_of::<f32>();

/// Distances at the nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bricks {
    /// Bricks along each axis.
    size: [u32; 3],
    /// Brick after brick, x fastest, then y.
    pub(crate) numbers: Vec<f32>,
    /// The least distance in each: what a solver looks at first, and small enough for the
    /// processor's near caches.
    least: Vec<f32>,
}

impl Bricks {
    /// Of the grid's nodes.
    pub(crate) fn of(grid: &Grid, values: &[f32]) -> Self {
        let size = grid.size.map(|nodes| (nodes - 1).div_ceil(BRICK));
        let [nx, ny, _] = grid.size;
        let all = size.iter().product();
        let (mut numbers, mut least) = (Vec::with_capacity(all * NUMBERS), Vec::with_capacity(all));
        for brick in 0..all {
            let from = [
                brick % size[0],
                brick / size[0] % size[1],
                brick / (size[0] * size[1]),
            ];
            // Past the last node, that one again: then nothing there is less.
            let node = |axis: usize, i: usize| (from[axis] * BRICK + i).min(grid.size[axis] - 1);
            let start = numbers.len();
            for k in 0..SIDE {
                for j in 0..SIDE {
                    let row = (node(2, k) * ny + node(1, j)) * nx;
                    numbers.extend((0..SIDE).map(|i| values[row + node(0, i)]));
                }
            }
            // The function between nodes is least at a node.
            least.push(numbers[start..].iter().copied().fold(f32::MAX, f32::min));
            numbers.resize(start + NUMBERS, 0.0);
        }
        Self {
            size: size.map(|bricks| bricks as u32),
            numbers,
            least,
        }
    }

    /// Number of every node among the numbers, x fastest, then y.
    #[cfg(test)]
    fn nodes(&self, grid: &Grid) -> impl Iterator<Item = usize> {
        let [nx, ny, _] = grid.size;
        let cells = grid.size.map(|nodes| nodes - 1);
        (0..grid.len()).map(move |node| {
            let at = [node % nx, node / nx % ny, node / (nx * ny)];
            // The last node belongs to the cell before it.
            let cell = axes!(axis => at[axis].min(cells[axis] - 1));
            let [x, y, z] = axes!(axis => at[axis] - cell[axis]);
            let first = self.first(cell.map(|cell| cell as u32)) as usize;
            first + (z * SIDE + y) * SIDE + x
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.least.len() * BYTES
    }

    /// Place of a cell's lowest node among the numbers.
    #[inline(always)]
    pub(crate) fn first(&self, cell: [u32; 3]) -> u32 {
        let side = SIDE as u32;
        let brick = self.number(axes!(axis => cell[axis] >> SHIFT));
        let [x, y, z] = axes!(axis => cell[axis] & (BRICK as u32 - 1));
        brick * NUMBERS as u32 + (z * side + y) * side + x
    }

    #[inline(always)]
    fn number(&self, [x, y, z]: [u32; 3]) -> u32 {
        (z * self.size[1] + y) * self.size[0] + x
    }
}

/// From where the head is carried to: points of the world in bricks.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    translation: Vec3,
    /// The rotation back, a brick long.
    rotation: Mat3,
    /// The lowest node.
    low: [f32; 3],
    /// Number of the last brick along each axis.
    last: [f32; 3],
}

impl Field {
    /// How to look at this field from the world: `back` is the rotation from there to
    /// the head, which is at `translation`.
    pub(crate) fn look(&self, back: &Mat3, translation: Vec3) -> Look {
        let per_brick = self.per_cell / BRICK as f32;
        Look {
            translation,
            rotation: *back * per_brick,
            low: self.grid.low.map(|x| x * per_brick),
            last: self.bricks.size.map(|bricks| (bricks - 1) as f32),
        }
    }

    /// What eight points are at least away from skin, as [`sample_lanes`](Self::sample_lanes) tells
    /// distances (but for rounding), with one load a point and not four.
    #[inline(always)]
    pub(crate) fn at_least(&self, look: &Look, points: &Lanes3) -> Lanes {
        let mut bricks = [0_u32; LANES];
        for lane in 0..LANES {
            let point = look.rotation * (get3(points, lane) - look.translation);
            let point = point.to_array();
            // Beyond the grid distances are no less than at its nearest point.
            let at = axes!(axis => {
                let along = point[axis] - look.low[axis] - 0.5;
                let along = if along > 0.0 { along } else { 0.0 };
                let last = look.last[axis];
                let along = if along < last { along } else { last };
                (along + WHOLE).to_bits() & NUMBER
            });
            bricks[lane] = self.bricks.number(at);
        }
        let mut least = Lanes::default();
        for (least, brick) in least.0.iter_mut().zip(bricks) {
            *least = self.bricks.least[brick as usize];
        }
        least
    }
}

#[cfg(test)]
impl Field {
    /// Distances at the nodes, x fastest, then y.
    pub(crate) fn values(&self) -> Vec<f32> {
        let nodes = self.bricks.nodes(&self.grid);
        nodes.map(|at| self.bricks.numbers[at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::Look;
    use crate::sim::simd::lanes::Lanes;
    use crate::sim::simd::vector::splat3;
    use crate::sim::{Field, FieldSettings};
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use std::sync::LazyLock;

    static BALL: LazyLock<Field> = LazyLock::new(|| {
        let settings = FieldSettings {
            cell: 0.05,
            ..Default::default()
        };
        let triangles = shapes::icosphere(3);
        let points: Vec<_> = triangles.iter().flatten().copied().collect();
        let corners: Vec<[u32; 3]> = (0..triangles.len() as u32)
            .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
            .collect();
        let tell = &mut |_| ControlFlow::Continue(());
        Field::of_mesh(&points, &corners, &settings, tell).unwrap()
    });

    fn unmoved() -> Look {
        BALL.look(&Mat3::IDENTITY, Vec3::ZERO)
    }

    proptest! {
        /// What is called far away is, wherever it is; and what is a brick farther is called so.
        #[test]
        fn nothing_near_is_called_far(
            points in prop::array::uniform3(prop::array::uniform8(-4.0_f32..4.0)),
        ) {
            let sampled = BALL.sample_lanes(&points).0;
            let at_least = BALL.at_least(&unmoved(), &points.map(Lanes));
            for (least, sampled) in at_least.0.into_iter().zip(sampled) {
                prop_assert!(sampled >= least - 1e-5, "{sampled} {least}");
                // Beyond the grid the bound is that of its nearest point.
                let inside = points.iter().flatten().all(|x| x.abs() < 1.2);
                prop_assert!(!inside || sampled < least + 2.0 * 4.0 * 0.05, "{sampled} {least}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_far_from_everything_near() {
        let nowhere = splat3(Vec3::NAN);
        let least = BALL.at_least(&unmoved(), &nowhere).0;
        assert!(least.into_iter().all(|least| least > 0.2));
    }
}
