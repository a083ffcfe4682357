//! What is far away, told with one look.

use super::Field;
use super::grid::Grid;
use super::lanes::LANES;

/// Cells of a brick along each axis, as a power of two.
const SHIFT: u32 = 2;

/// The least distance in each brick of cells: what a solver looks at first, and small enough for
/// the processor's near caches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds {
    /// Bricks along x, and along x and y.
    strides: [u32; 2],
    least: Vec<f32>,
}

impl Bounds {
    pub(super) fn of(grid: &Grid, values: &[f32]) -> Self {
        let brick = 1 << SHIFT;
        let size = grid.size.map(|nodes| (nodes - 1).div_ceil(brick));
        let [nx, ny, nz] = grid.size;
        let mut least = Vec::with_capacity(size.iter().product());
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    // The function between nodes is least at a node; bricks share their sides.
                    let nodes =
                        |at: usize, most: usize| at * brick..=(at * brick + brick).min(most - 1);
                    let mut found = f32::MAX;
                    for k in nodes(z, nz) {
                        for j in nodes(y, ny) {
                            let row = (k * ny + j) * nx;
                            let row = &values[row..row + nx];
                            found = row[nodes(x, nx)].iter().copied().fold(found, f32::min);
                        }
                    }
                    least.push(found);
                }
            }
        }
        let strides = [size[0] as u32, (size[0] * size[1]) as u32];
        Self { strides, least }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.least.as_slice())
    }
}

impl Field {
    /// Are eight points surely at least so far from skin? One load a point, where
    /// [`sample_lanes`](Self::sample_lanes) has eight. No says nothing.
    #[inline(always)]
    pub(crate) fn are_beyond(&self, points: &[[f32; LANES]; 3], distances: &[f32; LANES]) -> bool {
        let mut brick = [0_u32; LANES];
        for lane in 0..LANES {
            // Beyond the grid distances are no less than at its nearest point.
            let [x, y, z] =
                [0, 1, 2].map(|axis| self.along(axis, points[axis][lane]).cell >> SHIFT);
            brick[lane] = x + y * self.bounds.strides[0] + z * self.bounds.strides[1];
        }
        let mut near = 0;
        for lane in 0..LANES {
            let least = self.bounds.least[brick[lane] as usize];
            near |= u32::from(least < distances[lane]);
        }
        near == 0
    }
}
