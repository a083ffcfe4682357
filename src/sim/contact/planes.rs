//! Tangent planes at points that are too deep.

use crate::sim::pose::HeadMotion;
use crate::sim::simd::{Lanes, Lanes3, SHORT, above3, add_scaled3, dot3, minus3, scaled3, splat3};
use glam::Vec3;

/// Planes of the lanes that touch: each goes through `foot`, and the point belongs on or above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// 1 where a point is too deep, else 0.
    pub(crate) touched: Lanes,
    pub(crate) normal: Lanes3,
    pub(super) foot: Lanes3,
    /// 1 where the surface moves with the head, 0 where it is fixed.
    pub(super) of_head: Lanes,
}

impl Planes {
    /// Returns planes that no lane touches.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self {
            touched: Lanes::splat(0.0),
            normal: splat3(Vec3::Y),
            foot: splat3(Vec3::ZERO),
            of_head: Lanes::splat(0.0),
        }
    }

    #[inline(always)]
    pub(super) fn of_head(touched: Lanes, normal: Lanes3, foot: Lanes3) -> Self {
        Self {
            touched,
            normal,
            foot,
            of_head: Lanes::splat(1.0),
        }
    }

    /// Returns `true` if no lane touches.
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.touched == Lanes::splat(0.0)
    }

    /// Returns `yes` in the lanes that touch, and `no` in the others.
    #[inline(always)]
    pub(crate) fn where_touched(&self, yes: &Lanes3, no: &Lanes3) -> Lanes3 {
        above3(self.touched, 0.5, yes, no)
    }

    /// Replaces the planes in the lanes that `found` touches.
    #[inline(always)]
    pub(super) fn add(&mut self, found: &Self) {
        *self = Self {
            touched: self.touched.max(found.touched),
            normal: found.where_touched(&found.normal, &self.normal),
            foot: found.where_touched(&found.foot, &self.foot),
            of_head: found.touched.above(0.5, found.of_head, self.of_head),
        };
    }

    /// Returns the heights of points above the planes.
    #[inline(always)]
    pub(crate) fn height(&self, points: &Lanes3) -> Lanes {
        dot3(&minus3(points, &self.foot), &self.normal)
    }

    /// Returns planes that touch what is less than `reach` above them.
    #[inline(always)]
    pub(crate) fn within(&self, reach: Lanes, points: &Lanes3) -> Self {
        Self {
            touched: self.height(points).below(reach),
            ..*self
        }
    }

    /// Moves points below the planes that touch onto them. Returns the planes at their feet.
    #[inline(always)]
    pub(crate) fn push_out(&self, points: &mut Lanes3) -> Self {
        let height = self.height(points);
        let foot = add_scaled3(points, &self.normal, -height);
        let planes = Self {
            touched: self.touched * height.below(Lanes::ZERO),
            foot,
            ..*self
        };
        *points = planes.where_touched(&foot, points);
        planes
    }

    /// Returns the displacements of the surfaces in a step, of a head that keeps its shape.
    #[inline(always)]
    pub(super) fn way(&self, motion: &HeadMotion) -> Lanes3 {
        scaled3(&motion.displacements_of_world(&self.foot), self.of_head)
    }
}

/// Segments that rotate about their start and keep their length, even if the end stays inside.
#[derive(Clone, Copy)]
pub(super) struct Pivot<'a> {
    pub(super) from: &'a Lanes3,
    pub(super) length: &'a Lanes,
}

/// Returns the points on the planes at distance `length` from `from` that are nearest to `to`.
/// Where a plane is out of reach, the point lies straight towards it.
#[inline(always)]
pub(super) fn on_plane(Pivot { from, length }: Pivot, to: &Lanes3, planes: &Planes) -> Lanes3 {
    let normal = &planes.normal;
    let height = dot3(&minus3(&planes.foot, from), normal);
    let way = minus3(to, from);
    let along = add_scaled3(&way, normal, -dot3(&way, normal));
    Ring::new(normal, height, length).point(from, &along)
}

/// The circles in which planes cut spheres around the starts of segments, with the segment length
/// as radius.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'a> {
    normal: &'a Lanes3,
    length: &'a Lanes,
    /// Height of the plane above the start and squared radius of the circle, in segment lengths:
    /// −1 to 1, and 0 to 1.
    pub(super) up: Lanes,
    square: Lanes,
}

impl<'a> Ring<'a> {
    /// Returns the circles in planes at these heights above the starts, along their normals.
    #[inline(always)]
    pub(super) fn new(normal: &'a Lanes3, height: Lanes, length: &'a Lanes) -> Self {
        let one = Lanes::splat(1.0);
        let up = height * (one / length.at_least(1e-12));
        let up = up.at_least(-1.0).at_most(1.0);
        Self {
            normal,
            length,
            up,
            square: (one - up * up).at_least(0.0),
        }
    }

    /// Returns the points of the circle in the direction of `along`, relative to its centre and in
    /// segment lengths. `along` lies in the planes.
    #[inline(always)]
    pub(super) fn beside(&self, along: &Lanes3) -> Lanes3 {
        let n = self.normal;
        // A segment straight into the surface may turn in any direction.
        let steep = n[0] * n[0];
        let any = above3(steep, 0.36, &splat3(Vec3::Z), &splat3(Vec3::X));
        let any = add_scaled3(&any, n, -dot3(&any, n));
        let along = above3(dot3(along, along), SHORT, along, &any);
        scaled3(&along, (self.square / dot3(&along, &along)).sqrt())
    }

    /// Returns the points of the circle in the direction of `along`.
    #[inline(always)]
    pub(super) fn point(&self, from: &Lanes3, along: &Lanes3) -> Lanes3 {
        let direction = add_scaled3(&self.beside(along), self.normal, self.up);
        // The length is 1 but for rounding. One Newton step for 1 / sqrt corrects it.
        let near_one = Lanes::splat(1.5) - Lanes::splat(0.5) * dot3(&direction, &direction);
        add_scaled3(from, &scaled3(&direction, near_one), *self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::simd::{get3, set3};

    #[test]
    fn kept_planes_stop_what_was_near_them() {
        let mut points = Lanes3::default();
        for lane in 0..8 {
            set3(&mut points, lane, Vec3::new(0.3, lane as f32, 0.1));
        }
        let planes = Planes::of_head(Lanes::ZERO, splat3(Vec3::Y), splat3(Vec3::Y));
        let kept = planes.within(Lanes::splat(2.5), &points);
        let mut moved = add_scaled3(&points, &splat3(Vec3::Y), Lanes::splat(-3.0));
        let out = kept.push_out(&mut moved);
        for lane in 0..8 {
            // Up to 2.5 above the plane at 1, points are near it.
            let is_near = lane <= 3;
            assert_eq!(out.touched.0[lane] > 0.5, is_near, "lane {lane}");
            let height = if is_near { 1.0 } else { lane as f32 - 3.0 };
            assert_eq!(
                get3(&moved, lane),
                Vec3::new(0.3, height, 0.1),
                "lane {lane}"
            );
        }
    }
}
