//! What is far away, told with one look.

use super::Field;
use super::grid::{BRICK, Grid};
use super::lanes::LANES;
use crate::sim::blocks::axes;

/// Cells of a brick along each axis, as a power of two.
const SHIFT: u32 = BRICK.ilog2();

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
        let size = grid.size.map(|nodes| (nodes - 1).div_ceil(BRICK));
        let [nx, ny, nz] = grid.size;
        let mut least = Vec::with_capacity(size.iter().product());
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    // The function between nodes is least at a node; bricks share their sides.
                    let nodes =
                        |at: usize, most: usize| at * BRICK..=(at * BRICK + BRICK).min(most - 1);
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
    /// What eight points are at least away from skin, as [`sample_lanes`](Self::sample_lanes) tells
    /// distances, but with one load a point and not eight. `place` gives the point of each lane:
    /// its arithmetic, too, goes into the one loop over the lanes.
    #[inline(always)]
    pub(crate) fn at_least(&self, place: impl Fn(usize) -> [f32; 3]) -> [f32; LANES] {
        let mut bricks = [0_u32; LANES];
        for (lane, brick) in bricks.iter_mut().enumerate() {
            let point = place(lane);
            // Beyond the grid distances are no less than at its nearest point.
            let [x, y, z] = axes!(axis => self.along(axis, point[axis]).cell >> SHIFT);
            *brick = x + y * self.bounds.strides[0] + z * self.bounds.strides[1];
        }
        let mut least = [0.0; LANES];
        for (least, brick) in least.iter_mut().zip(bricks) {
            *least = self.bounds.least[brick as usize];
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::field::shapes;
    use crate::sim::{Field, FieldSettings};
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

    proptest! {
        /// What is called far away is, wherever it is; and what is a brick farther is called so.
        #[test]
        fn nothing_near_is_called_far(
            points in prop::array::uniform3(prop::array::uniform8(-4.0_f32..4.0)),
        ) {
            let sampled = BALL.sample_lanes(&points).0;
            let at_least = BALL.at_least(|lane| points.map(|axis| axis[lane]));
            for (least, sampled) in at_least.into_iter().zip(sampled) {
                prop_assert!(sampled >= least, "{sampled} {least}");
                // Beyond the grid the bound is that of its nearest point.
                let inside = points.iter().flatten().all(|x| x.abs() < 1.2);
                prop_assert!(!inside || sampled < least + 2.0 * 4.0 * 0.05, "{sampled} {least}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_far_from_everything_near() {
        assert!(
            BALL.at_least(|_| [f32::NAN; 3])
                .into_iter()
                .all(|least| least > 0.2)
        );
    }
}
