//! Spheres and capsules in the world.

use super::super::simd::blocks::{Lanes, Lanes3, sub, unit_or};
use super::super::simd::lanes::{all3, dot3, minus3, plus3, unit3};
use super::{Planes, Surface};
use crate::sim::Collider;
use glam::Vec3;

/// All points within `radius` of the line from `from` along `reach`; a sphere if that is zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capsule {
    from: [f32; 3],
    reach: [f32; 3],
    /// 1 / |reach|², 0 for a sphere.
    per_square: f32,
    radius: f32,
    /// Across the axis: the way out of it.
    across: [f32; 3],
}

impl Capsule {
    pub(super) fn new(collider: &Collider) -> Self {
        let reach = sub(collider.to.unwrap_or(collider.from), collider.from);
        let square = Vec3::from(reach).length_squared();
        let [x, y, z] = reach;
        let across = if x.abs() < y.abs() {
            [0.0, -z, y]
        } else {
            [-z, 0.0, x]
        };
        Self {
            from: collider.from,
            reach,
            per_square: if square > 1e-12 { 1.0 / square } else { 0.0 },
            radius: collider.radius,
            across: unit_or(across, [0.0, 1.0, 0.0]),
        }
    }

    /// From the nearest points of the axis to points.
    #[inline(always)]
    fn off_axis(&self, points: &Lanes3) -> Lanes3 {
        let (from, reach) = (all3(self.from), all3(self.reach));
        let along = minus3(points, &from);
        let share = dot3(&along, &reach) * Lanes::all(self.per_square);
        let share = share.at_least(0.0).at_most(1.0);
        plus3(&along, &reach, -share)
    }
}

impl Surface for Capsule {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, _least: &Lanes) -> bool {
        let (off_axis, one) = (self.off_axis(points), Lanes::all(1.0));
        let limit = Lanes::all(self.radius * self.radius);
        one.if_at_most(limit, dot3(&off_axis, &off_axis)) == one
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _least: &Lanes) -> Planes {
        let off_axis = self.off_axis(points);
        let radius = Lanes::all(self.radius);
        let touched = dot3(&off_axis, &off_axis).below(radius * radius);
        let normal = unit3(&off_axis, &all3(self.across));
        let on_axis = minus3(points, &off_axis);
        Planes::standing(touched, normal, plus3(&on_axis, &normal, radius))
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _least: &Lanes) -> Lanes {
        let off_axis = self.off_axis(points);
        dot3(&off_axis, &off_axis).sqrt() - Lanes::all(self.radius)
    }
}
