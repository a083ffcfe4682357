//! Lower bounds of distances, from the smallest distance in each brick.

use super::bricks::BRICK;
use super::field::Sdf;
use super::sample::{NUMBER, WHOLE};
use crate::sim::simd::{LANES, Lanes, Lanes3, axes, get3};
use glam::{Mat3, Vec3};

/// Maps points of the world to bricks, for a pose of the head.
#[derive(Clone, Debug)]
pub(crate) struct BoundLookup {
    translation: Vec3,
    /// The rotation to head space, in units of bricks.
    rotation: Mat3,
    /// The lowest node, in units of bricks.
    low: [f32; 3],
    /// The index of the last brick along each axis.
    last: [f32; 3],
}

impl Sdf {
    /// Returns the lookup for a head at `translation`; `back` rotates from world to head space.
    pub(crate) fn bound_lookup(&self, back: &Mat3, translation: Vec3) -> BoundLookup {
        let per_brick = self.per_cell / BRICK as f32;
        BoundLookup {
            translation,
            rotation: *back * per_brick,
            low: self.grid.low.map(|x| x * per_brick),
            last: self.bricks.size.map(|bricks| (bricks - 1) as f32),
        }
    }

    /// Returns lower bounds of what [`sample_lanes`](Self::sample_lanes) returns for eight points,
    /// up to rounding, with one load per point instead of four.
    #[inline(always)]
    pub(crate) fn lower_bounds(&self, lookup: &BoundLookup, points: &Lanes3) -> Lanes {
        let mut bricks = [0_u32; LANES];
        for (lane, brick) in bricks.iter_mut().enumerate() {
            let point = lookup.rotation * (get3(points, lane) - lookup.translation);
            let point = point.to_array();
            // Outside the grid, distances are not smaller than at its nearest point.
            let at = axes!(axis => {
                let along = point[axis] - lookup.low[axis] - 0.5;
                let along = if along > 0.0 { along } else { 0.0 };
                let last = lookup.last[axis];
                let along = if along < last { along } else { last };
                (along + WHOLE).to_bits() & NUMBER
            });
            *brick = self.bricks.index(at);
        }
        let mut least = Lanes::default();
        for (least, brick) in least.0.iter_mut().zip(bricks) {
            *least = self.bricks.least[brick as usize];
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::BoundLookup;
    use crate::sim::simd::{Lanes, splat3};
    use crate::sim::{Sdf, SdfSettings};
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use std::sync::LazyLock;

    static BALL: LazyLock<Sdf> = LazyLock::new(|| {
        let settings = SdfSettings {
            cell: 0.05,
            ..Default::default()
        };
        let triangles = shapes::icosphere(3);
        let points: Vec<_> = triangles.iter().flatten().copied().collect();
        let corners: Vec<[u32; 3]> = (0..triangles.len() as u32)
            .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
            .collect();
        let tell = &mut |_| ControlFlow::Continue(());
        Sdf::of_mesh(&points, &corners, &settings, tell).unwrap()
    });

    fn unmoved() -> BoundLookup {
        BALL.bound_lookup(&Mat3::IDENTITY, Vec3::ZERO)
    }

    proptest! {
        /// Places that the bound calls far away are far away, and so are those a brick farther.
        #[test]
        fn nothing_near_is_called_far(
            points in prop::array::uniform3(prop::array::uniform8(-4.0_f32..4.0)),
        ) {
            let sampled = BALL.sample_lanes(&points).0;
            let at_least = BALL.lower_bounds(&unmoved(), &points.map(Lanes));
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
        let least = BALL.lower_bounds(&unmoved(), &nowhere).0;
        assert!(least.into_iter().all(|least| least > 0.2));
    }
}
