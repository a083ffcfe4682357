//! The head as an ellipsoid, in world space.

use super::planes::Planes;
use super::surface::Surface;
use crate::sim::simd::{Lanes, Lanes3, above3, add_scaled3, dot3, minus3, rotate3, splat3, unit3};
use crate::sim::{Ellipsoid, Pose};
use glam::{DMat3, DVec3, Mat3, Vec3};

/// Squared levels below this are taken for the centre, from which every way out is as good.
const AT_CENTER: f32 = 1e-12;

/// A head as a map to the unit sphere. The level of a point is |q|, 1 on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EllipsoidCollider {
    center: Vec3,
    /// E: q = E (p − center) is inside the unit sphere where p is inside.
    to_sphere: Mat3,
    /// The transpose of `to_sphere`.
    from_sphere: Mat3,
    /// A point of the surface relative to the centre, and its image on the sphere.
    pole: Vec3,
    pole_on_sphere: Vec3,
}

impl EllipsoidCollider {
    pub(crate) fn new(head: Ellipsoid, pose: &Pose) -> Self {
        let center = pose.transform_point(head.center.as_dvec3());
        let shrink = DMat3::from_diagonal(DVec3::ONE / head.radii.as_dvec3());
        let to_sphere = shrink * pose.to_dmat3().transpose();
        let pole = pose.transform_vector(DVec3::Y * f64::from(head.radii.y));
        Self {
            center: center.as_vec3(),
            to_sphere: to_sphere.as_mat3(),
            from_sphere: to_sphere.transpose().as_mat3(),
            pole: pole.as_vec3(),
            pole_on_sphere: (to_sphere * pole).as_vec3(),
        }
    }

    /// Returns the vectors from the centre to the points, in world space and on the sphere.
    #[inline(always)]
    fn relative(&self, points: &Lanes3) -> (Lanes3, Lanes3) {
        let from_center = minus3(points, &splat3(self.center));
        (from_center, rotate3(&self.to_sphere, &from_center))
    }

    /// Returns the levels of points.
    #[inline(always)]
    pub(crate) fn level(&self, points: &Lanes3) -> Lanes {
        let (_, q) = self.relative(points);
        dot3(&q, &q).sqrt()
    }
}

impl Surface for EllipsoidCollider {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, allowed: &Lanes) -> bool {
        let (_, q) = self.relative(points);
        (*allowed * *allowed).all_at_most(dot3(&q, &q))
    }

    /// Moves points along the rays from the centre.
    #[inline(always)]
    fn touch(&self, points: &Lanes3, allowed: &Lanes) -> Planes {
        let (from_center, q) = self.relative(points);
        let squared = dot3(&q, &q);
        let touched = squared.below(*allowed * *allowed);
        let from_center = above3(squared, AT_CENTER, &from_center, &splat3(self.pole));
        let q = above3(squared, AT_CENTER, &q, &splat3(self.pole_on_sphere));
        let normal = unit3(&rotate3(&self.from_sphere, &q), &splat3(Vec3::Y));
        let scale = *allowed / dot3(&q, &q).sqrt();
        let foot = add_scaled3(&splat3(self.center), &from_center, scale);
        Planes::of_head(touched, normal, foot)
    }

    /// Measures from the surface of the allowed level, to first order.
    #[inline(always)]
    fn distance(&self, points: &Lanes3, allowed: &Lanes) -> Lanes {
        let (_, q) = self.relative(points);
        let length = dot3(&q, &q).sqrt();
        let gradient = rotate3(&self.from_sphere, &q);
        let steep = dot3(&gradient, &gradient).sqrt().at_least(1e-12);
        (length - *allowed) * length / steep
    }
}
