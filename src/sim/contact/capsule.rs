//! Spheres and capsules, in world space.

use super::planes::Planes;
use super::surface::Surface;
use crate::sim::Collider;
use crate::sim::simd::{Lanes, Lanes3, add_scaled3, dot3, minus3, splat3, unit_or, unit3};
use glam::Vec3;

/// All points within `radius` of the segment from `from` along `reach`; a sphere if that is zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capsule {
    from: Vec3,
    reach: Vec3,
    /// 1 / |reach|², 0 for a sphere.
    per_square: f32,
    radius: f32,
    /// A direction perpendicular to the axis, in which points on the axis leave.
    across: Vec3,
}

impl Capsule {
    pub(super) fn new(collider: &Collider) -> Self {
        let from = Vec3::from(collider.from);
        let reach = collider.to.map_or(Vec3::ZERO, |to| Vec3::from(to) - from);
        let square = reach.length_squared();
        let Vec3 { x, y, z } = reach;
        let across = if x.abs() < y.abs() {
            Vec3::new(0.0, -z, y)
        } else {
            Vec3::new(-z, 0.0, x)
        };
        Self {
            from,
            reach,
            per_square: if square > 1e-12 { 1.0 / square } else { 0.0 },
            radius: collider.radius,
            across: unit_or(across, Vec3::Y),
        }
    }

    /// Returns the vectors from the nearest points of the axis to the points.
    #[inline(always)]
    fn off_axis(&self, points: &Lanes3) -> Lanes3 {
        let (from, reach) = (splat3(self.from), splat3(self.reach));
        let along = minus3(points, &from);
        let share = dot3(&along, &reach) * Lanes::splat(self.per_square);
        let share = share.at_least(0.0).at_most(1.0);
        add_scaled3(&along, &reach, -share)
    }
}

impl Surface for Capsule {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, _least: &Lanes) -> bool {
        let off_axis = self.off_axis(points);
        let limit = Lanes::splat(self.radius * self.radius);
        limit.all_at_most(dot3(&off_axis, &off_axis))
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _least: &Lanes) -> Planes {
        let off_axis = self.off_axis(points);
        let radius = Lanes::splat(self.radius);
        let touched = dot3(&off_axis, &off_axis).below(radius * radius);
        let normal = unit3(&off_axis, &splat3(self.across));
        let on_axis = minus3(points, &off_axis);
        Planes::standing(touched, normal, add_scaled3(&on_axis, &normal, radius))
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _least: &Lanes) -> Lanes {
        let off_axis = self.off_axis(points);
        dot3(&off_axis, &off_axis).sqrt() - Lanes::splat(self.radius)
    }
}
