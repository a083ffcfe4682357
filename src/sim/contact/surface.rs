//! The interface of everything that hair cannot enter.

use super::planes::Planes;
use crate::sim::simd::{Lanes, Lanes3};

/// An obstacle in world space, for eight points at a time. `allowed` is the lowest level at which
/// each point may be: a distance for [`SdfCollider`](super::sdf_collider::SdfCollider), a multiple
/// of the radii for [`EllipsoidCollider`](super::ellipsoid_collider::EllipsoidCollider); capsules
/// and planes ignore it.
pub(super) trait Surface {
    /// Returns `true` only if all points are outside; it may miss some that are.
    fn are_outside(&self, points: &Lanes3, allowed: &Lanes) -> bool;

    /// Returns the tangent planes at the points that are too deep. Not-a-number is never too deep.
    fn touch(&self, points: &Lanes3, allowed: &Lanes) -> Planes;

    /// Returns the distances from the surface, negative inside.
    fn distance(&self, points: &Lanes3, allowed: &Lanes) -> Lanes;
}
