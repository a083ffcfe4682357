//! The head in the world, as an ellipsoid.

use super::super::simd::blocks::{Lanes, Lanes3, rows, vec};
use super::super::simd::lanes::{above3, all3, dot3, minus3, plus3, rotate3, unit3};
use super::{Planes, Surface};
use crate::sim::{Ellipsoid, Pose};
use glam::{DMat3, DVec3};

/// Where a point is taken for the centre: every way out is as good as another.
const AT_CENTER: f32 = 1e-12;

/// The head as a map to the unit sphere. Depth is told by levels: |q|, 1 on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skull {
    center: [f32; 3],
    /// Rows of E: q = E (p − center) is inside the unit sphere where p is inside.
    to_sphere: [[f32; 3]; 3],
    /// Rows of its transpose.
    from_sphere: [[f32; 3]; 3],
    /// A point of its surface, seen from the centre, and where that is on the sphere.
    pole: [f32; 3],
    pole_on_sphere: [f32; 3],
}

impl Skull {
    pub(crate) fn new(head: Ellipsoid, pose: &Pose) -> Self {
        let center = pose.transform_point(head.center.as_dvec3());
        let shrink = DMat3::from_diagonal(DVec3::ONE / head.radii.as_dvec3());
        let to_sphere = shrink * pose.to_dmat3().transpose();
        let pole = pose.transform_vector(DVec3::Y * f64::from(head.radii.y));
        Self {
            center: vec(center),
            to_sphere: rows(&to_sphere),
            from_sphere: rows(&to_sphere.transpose()),
            pole: vec(pole),
            pole_on_sphere: vec(to_sphere * pole),
        }
    }

    /// From the centre to points, in the world and where the head is the unit sphere.
    #[inline(always)]
    fn seen(&self, points: &Lanes3) -> (Lanes3, Lanes3) {
        let from_center = minus3(points, &all3(self.center));
        (from_center, rotate3(&self.to_sphere, &from_center))
    }

    /// Levels of points.
    #[inline(always)]
    pub(crate) fn level(&self, points: &Lanes3) -> Lanes {
        let (_, q) = self.seen(points);
        dot3(&q, &q).sqrt()
    }
}

impl Surface for Skull {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, least: &Lanes) -> bool {
        let ((_, q), one) = (self.seen(points), Lanes::all(1.0));
        one.if_at_most(*least * *least, dot3(&q, &q)) == one
    }

    /// On the rays from the centre.
    #[inline(always)]
    fn touch(&self, points: &Lanes3, least: &Lanes) -> Planes {
        let (from_center, q) = self.seen(points);
        let squared = dot3(&q, &q);
        let touched = squared.below(*least * *least);
        let from_center = above3(squared, AT_CENTER, &from_center, &all3(self.pole));
        let q = above3(squared, AT_CENTER, &q, &all3(self.pole_on_sphere));
        let normal = unit3(&rotate3(&self.from_sphere, &q), &all3([0.0, 1.0, 0.0]));
        let scale = *least / dot3(&q, &q).sqrt();
        let foot = plus3(&all3(self.center), &from_center, scale);
        Planes::of_head(touched, normal, foot)
    }

    /// From the surface of a level, to first order.
    #[inline(always)]
    fn distance(&self, points: &Lanes3, least: &Lanes) -> Lanes {
        let (_, q) = self.seen(points);
        let length = dot3(&q, &q).sqrt();
        let gradient = rotate3(&self.from_sphere, &q);
        let steep = dot3(&gradient, &gradient).sqrt().at_least(1e-12);
        (length - *least) * length / steep
    }
}
