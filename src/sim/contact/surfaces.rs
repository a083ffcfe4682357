//! The obstacles of hair: their settings, and as surfaces in world space ellipsoids, capsules and
//! the planes at roots.

use super::ellipsoid::Ellipsoid;
use super::planes::Planes;
use crate::choices;
use crate::settings::{Field, ListItem, SettingError};
use crate::sim::Sdf;
use crate::sim::pose::Pose;
use crate::sim::simd::{
    Lanes, Lanes3, above3, add_scaled3, dot3, minus3, rotate3, splat3, unit_or, unit3,
};
use glam::{DMat3, DVec3, Mat3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Points of an ellipsoid with smaller squared levels are taken for its centre, from which all
/// directions are equally good.
const AT_CENTER: f32 = 1e-12;

choices! {
    /// The shape of the head that hair collides with.
    pub enum HeadCollider: "collider" = Field {
        /// Hair passes through the head.
        None = "none",
        /// Each strand stays above the plane at its root, as in the spring method.
        Plane = "plane",
        /// An ellipsoid fitted to the skull.
        Ellipsoid = "ellipsoid",
        /// The skin itself, by its distance field: forehead, ears, neck.
        Field = "field",
    }
}

/// The shapes of a head, head space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadShape {
    /// The fitted ellipsoid, from [`Ellipsoid::of_head`].
    pub ellipsoid: Option<Ellipsoid>,
    /// The distance field, from [`Sdf::bake`].
    pub field: Option<Arc<Sdf>>,
}

impl From<Option<Ellipsoid>> for HeadShape {
    fn from(ellipsoid: Option<Ellipsoid>) -> Self {
        Self {
            ellipsoid,
            field: None,
        }
    }
}

/// A sphere, or a capsule: all points within `radius` of a line segment. It is fixed in world
/// space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// The centre of the sphere or one end of the capsule, decimetres, each -1,000 to 1,000.
    pub from: [f32; 3],
    /// The other end of a capsule; `None` for a sphere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<[f32; 3]>,
    /// Radius, decimetres, 0.001 to 100.
    pub radius: f32,
}

impl Collider {
    /// The coordinates of an end.
    pub const PLACE: Field = Field::new(Self::KEY, &[]).within(-1_000.0, 1_000.0, "decimetres");
    /// The radius.
    pub const RADIUS: Field =
        Field::new("sim.colliders.radius", &[]).within(0.001, 100.0, "decimetres");
}

impl ListItem for Collider {
    const KEY: &'static str = "sim.colliders";
    const MAX: usize = 64;

    fn validate(&self) -> Result<(), SettingError> {
        Self::PLACE.check(&self.from)?;
        self.to.map_or(Ok(()), |to| Self::PLACE.check(&to))?;
        Self::RADIUS.check(&self.radius)
    }
}

/// An obstacle in world space, for eight points at a time. `allowed` is the lowest level at which
/// each point may be: a distance for [`SdfCollider`](super::sdf_collider::SdfCollider), a multiple
/// of the radii for [`EllipsoidCollider`]; capsules and planes ignore it.
pub(super) trait Surface {
    /// Returns `true` only if all points are outside; it may miss some that are.
    fn are_outside(&self, points: &Lanes3, allowed: &Lanes) -> bool;

    /// Returns the tangent planes at the points that are too deep. Not-a-number is never too deep.
    fn touch(&self, points: &Lanes3, allowed: &Lanes) -> Planes;

    /// Returns the distances from the surface, negative inside.
    fn distance(&self, points: &Lanes3, allowed: &Lanes) -> Lanes;
}

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

/// All points within `radius` of the segment from `from` along `reach`; a sphere if that is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    fn are_outside(&self, points: &Lanes3, _allowed: &Lanes) -> bool {
        let off_axis = self.off_axis(points);
        let limit = Lanes::splat(self.radius * self.radius);
        limit.all_at_most(dot3(&off_axis, &off_axis))
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _allowed: &Lanes) -> Planes {
        let off_axis = self.off_axis(points);
        let radius = Lanes::splat(self.radius);
        let touched = dot3(&off_axis, &off_axis).below(radius * radius);
        let normal = unit3(&off_axis, &splat3(self.across));
        let on_axis = minus3(points, &off_axis);
        Planes {
            of_head: Lanes::ZERO,
            ..Planes::of_head(touched, normal, add_scaled3(&on_axis, &normal, radius))
        }
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _allowed: &Lanes) -> Lanes {
        let off_axis = self.off_axis(points);
        dot3(&off_axis, &off_axis).sqrt() - Lanes::splat(self.radius)
    }
}

/// In each lane, the plane through a root perpendicular to the skin's normal there. It applies the
/// dot-product rule of the spring to every particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RootPlane {
    /// Root and unit normal, world space.
    pub(super) root: Lanes3,
    pub(super) normal: Lanes3,
}

impl RootPlane {
    #[inline(always)]
    fn height(&self, points: &Lanes3) -> Lanes {
        dot3(&minus3(points, &self.root), &self.normal)
    }
}

impl Surface for RootPlane {
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, _allowed: &Lanes) -> bool {
        Lanes::ZERO.all_at_most(self.height(points))
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, _allowed: &Lanes) -> Planes {
        let height = self.height(points);
        let foot = add_scaled3(points, &self.normal, -height);
        Planes::of_head(height.below(Lanes::splat(0.0)), self.normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, _allowed: &Lanes) -> Lanes {
        self.height(points)
    }
}
