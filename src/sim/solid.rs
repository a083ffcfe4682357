//! One thing that hair cannot enter, in world space.

use super::blocks::{Lanes, Lanes3, add_scaled, dot, rotate, rows, sub, unit_or, vec};
use super::lanes::{all3, dot3, minus3, plus3, rotate3};
use super::{Collider, Ellipsoid, Pose, Step};
use glam::{DMat3, DVec3, Vec3};

/// Where a point is taken for the centre of a solid: every way out is as good as another.
const AT_CENTER: f32 = 1e-12;

/// One thing that hair cannot enter: convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    /// The head, as a map to the unit sphere.
    Head {
        center: [f32; 3],
        /// Rows of E: q = E (p − center) is inside the unit sphere where p is inside.
        to_sphere: [[f32; 3]; 3],
        /// Rows of its transpose.
        from_sphere: [[f32; 3]; 3],
        /// A point of its surface, seen from the centre.
        pole: [f32; 3],
    },
    /// All points within `radius` of the line from `from` along `reach`; a sphere if that is zero.
    Capsule {
        from: [f32; 3],
        reach: [f32; 3],
        /// 1 / |reach|², 0 for a sphere.
        per_square: f32,
        radius: f32,
    },
}

/// Where a point that is too deep belongs: on or above the plane through `foot`. All of the solid
/// lies below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: [f32; 3],
    pub(super) foot: [f32; 3],
    /// Moves with the head; else it stands still.
    of_head: bool,
}

impl Plane {
    /// How far the surface goes in a step.
    #[inline(always)]
    pub(super) fn way(&self, step: &Step) -> [f32; 3] {
        if self.of_head {
            step.way_of(self.foot)
        } else {
            [0.0; 3]
        }
    }
}

impl Solid {
    pub(super) fn of_head(head: &Ellipsoid, pose: &Pose) -> Self {
        let center = pose.transform_point(head.center.as_dvec3());
        let shrink = DMat3::from_diagonal(DVec3::ONE / head.radii.as_dvec3());
        let to_sphere = shrink * pose.to_dmat3().transpose();
        Solid::Head {
            center: vec(center),
            to_sphere: rows(&to_sphere),
            from_sphere: rows(&to_sphere.transpose()),
            pole: vec(pose.transform_vector(DVec3::Y * f64::from(head.radii.y))),
        }
    }

    pub(super) fn of_collider(collider: &Collider) -> Self {
        let reach = Vec3::from(collider.to.unwrap_or(collider.from)) - Vec3::from(collider.from);
        let square = reach.length_squared();
        Solid::Capsule {
            from: collider.from,
            reach: reach.to_array(),
            per_square: if square > 1e-12 { 1.0 / square } else { 0.0 },
            radius: collider.radius,
        }
    }

    /// Is a point outside? In the head it may be down to level `least`.
    #[inline(always)]
    pub(super) fn is_outside(&self, point: [f32; 3], least: f32) -> bool {
        match self {
            Solid::Head {
                center, to_sphere, ..
            } => {
                let q = rotate(to_sphere, sub(point, *center));
                dot(q, q) >= least * least
            }
            Solid::Capsule { radius, .. } => {
                let off_axis = self.off_axis(point);
                dot(off_axis, off_axis) >= radius * radius
            }
        }
    }

    /// [`is_outside`](Self::is_outside) of all lanes at once.
    #[inline(always)]
    pub(super) fn are_outside(&self, points: &Lanes3, least: Lanes) -> bool {
        let (squared, limit) = match self {
            Solid::Head {
                center, to_sphere, ..
            } => {
                let q = rotate3(to_sphere, &minus3(points, &all3(*center)));
                (dot3(&q, &q), least * least)
            }
            Solid::Capsule {
                from,
                reach,
                per_square,
                radius,
            } => {
                let along = minus3(points, &all3(*from));
                let share = dot3(&along, &all3(*reach)) * Lanes::all(*per_square);
                let share = share.at_least(0.0).at_most(1.0);
                let off_axis = plus3(&along, &all3(*reach), -share);
                (dot3(&off_axis, &off_axis), Lanes::all(radius * radius))
            }
        };
        let one = Lanes::all(1.0);
        one.if_at_most(limit, squared) == one
    }

    /// The tangent plane beside a point, if that is inside: on the ray from the head's centre, or
    /// from the nearest point of a capsule's axis.
    #[inline(always)]
    pub(super) fn touch(&self, point: [f32; 3], least: f32) -> Option<Plane> {
        // Not a number is inside of nothing.
        if self.is_outside(point, least) || dot(point, point).is_nan() {
            return None;
        }
        match self {
            Solid::Head {
                center,
                to_sphere,
                from_sphere,
                pole,
            } => {
                let mut from_center = sub(point, *center);
                let mut q = rotate(to_sphere, from_center);
                if dot(q, q) < AT_CENTER {
                    (from_center, q) = (*pole, rotate(to_sphere, *pole));
                }
                Some(Plane {
                    normal: unit_or(rotate(from_sphere, q), [0.0, 1.0, 0.0]),
                    foot: add_scaled(*center, from_center, least / dot(q, q).sqrt()),
                    of_head: true,
                })
            }
            Solid::Capsule { reach, radius, .. } => {
                let off_axis = self.off_axis(point);
                let [x, y, z] = *reach;
                // Across the axis, where the point is on it.
                let across = if x.abs() < y.abs() {
                    [0.0, -z, y]
                } else {
                    [-z, 0.0, x]
                };
                let across = unit_or(across, [0.0, 1.0, 0.0]);
                let normal = unit_or(off_axis, across);
                let on_axis = sub(point, off_axis);
                Some(Plane {
                    normal,
                    foot: add_scaled(on_axis, normal, *radius),
                    of_head: false,
                })
            }
        }
    }

    /// From the nearest point of a capsule's axis to a point.
    #[inline(always)]
    fn off_axis(&self, point: [f32; 3]) -> [f32; 3] {
        let Solid::Capsule {
            from,
            reach,
            per_square,
            ..
        } = self
        else {
            return [0.0; 3];
        };
        let along = sub(point, *from);
        let share = (dot(along, *reach) * per_square).clamp(0.0, 1.0);
        add_scaled(along, *reach, -share)
    }

    /// Level of a point in the head: 1 on its surface, below 1 inside. Large for other solids.
    #[inline(always)]
    pub(super) fn level_in_head(&self, point: [f32; 3]) -> f32 {
        match self {
            Solid::Head {
                center, to_sphere, ..
            } => {
                let q = rotate(to_sphere, sub(point, *center));
                dot(q, q).sqrt()
            }
            Solid::Capsule { .. } => f32::MAX,
        }
    }

    /// Distance from the surface, of the head from that of a level: to first order for ellipsoids,
    /// exact for spheres and capsules.
    #[inline(always)]
    pub(super) fn distance(&self, point: [f32; 3], least: f32) -> f32 {
        match self {
            Solid::Head {
                center,
                to_sphere,
                from_sphere,
                ..
            } => {
                let q = rotate(to_sphere, sub(point, *center));
                let length = dot(q, q).sqrt();
                let gradient = rotate(from_sphere, q);
                let steep = dot(gradient, gradient).sqrt().max(1e-12);
                (length - least) * length / steep
            }
            Solid::Capsule { radius, .. } => {
                let off_axis = self.off_axis(point);
                dot(off_axis, off_axis).sqrt() - radius
            }
        }
    }
}
