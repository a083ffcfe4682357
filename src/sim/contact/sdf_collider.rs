//! The head as its own skin: a distance field, in world space.

use super::planes::{Pivot, Planes, on_plane};
use super::surfaces::Surface;
use crate::sim::sdf::Bend;
use crate::sim::simd::{
    Lanes, Lanes3, Transpose, add_scaled3, dispatch, dot3, minus3, rotate3, splat3, unit3,
};
use crate::sim::{Pose, Sdf};
use glam::{Mat3, Vec3};
use std::sync::Arc;

/// The error of the field where openings were closed, in cells.
const CLOSED_CELLS: f32 = 1.5;

/// A distance field that moves with the head. Levels are distances, decimetres.
#[derive(Clone, Debug)]
pub(crate) struct SdfCollider {
    field: Arc<Sdf>,
    /// The motion of skin on the head; `None`: it is where the field has it.
    bend: Option<Bend>,
    /// The rotation of the head and its transpose.
    rotation: Mat3,
    back: Mat3,
    translation: Vec3,
    /// The rotation to head space, in units of bricks.
    to_bricks: Mat3,
    /// The largest change of the field beyond the distance moved, decimetres: twice its error, and
    /// the error of closed openings.
    slack: f32,
}

impl SdfCollider {
    pub(crate) fn new(field: Arc<Sdf>, bend: Option<Bend>, pose: &Pose) -> Self {
        let rotation = pose.to_dmat3();
        let back = rotation.transpose().as_mat3();
        let translation = pose.translation.as_vec3();
        Self {
            slack: 2.0 * field.error_bound() + CLOSED_CELLS * field.cell(),
            to_bricks: back * field.per_brick,
            field,
            bend,
            rotation: rotation.as_mat3(),
            back,
            translation,
        }
    }

    /// Transforms points from world to head space.
    #[inline(always)]
    fn in_head(&self, points: &Lanes3) -> Lanes3 {
        rotate3(&self.back, &minus3(points, &splat3(self.translation)))
    }

    /// Returns lower bounds of the distances of eight points from the skin.
    #[inline(always)]
    fn bounds(&self, points: &Lanes3) -> Lanes {
        if let Some(bend) = &self.bend {
            // A copy, since what cold code takes the address of lives in memory.
            let points = *points;
            return self.bent_bounds(bend, &points);
        }
        (self.field).lower_bounds(&self.to_bricks, self.translation, points)
    }

    /// Returns how far eight points can move before they may be nearer to the skin than `allowed`.
    /// Values up to 0 mean that this is unknown.
    ///
    /// The field differs from the distance by at most its error, and a distance changes by at most
    /// the distance moved.
    #[inline(always)]
    pub(super) fn free_path(&self, points: &Lanes3, allowed: f32) -> Lanes {
        self.bounds(points) - Lanes::splat(allowed + self.slack)
    }

    /// Returns `true` if one of eight points moved so far that the skin may have another tangent
    /// plane there. Within a quarter of a cell, the sharpest curvature that a field can represent
    /// leaves the tangent plane by a thirtieth of a cell.
    #[inline(always)]
    pub(super) fn bends_between(&self, from: &Lanes3, to: &Lanes3) -> bool {
        let near = 0.25 * self.field.cell();
        let way = minus3(to, from);
        Lanes::splat(near * near).any_below(dot3(&way, &way))
    }

    /// Turns segments whose ends are more than half a cell too deep along the skin at their start.
    /// Between the two sides of a thin part (a nose, a lid) each side would turn them towards the
    /// other. Returns whether there were any.
    #[inline(always)]
    pub(super) fn unstick(&self, end: &mut Lanes3, pivot: Pivot, allowed: &Lanes) -> bool {
        let above = self.distance(end, allowed);
        let stuck = above.below(Lanes::splat(-0.5 * self.field.cell()));
        if stuck == Lanes::ZERO {
            return false;
        }
        let mut beside = self.touch(pivot.from, allowed);
        beside.touched = stuck;
        let turned = on_plane(pivot, end, &beside);
        *end = beside.where_touched(&turned, end);
        true
    }

    /// Returns the distances at points and their gradients, world space.
    #[inline(always)]
    pub(super) fn sample_world(
        &self,
        transpose: impl Transpose,
        points: &Lanes3,
    ) -> (Lanes, Lanes3) {
        if let Some(found) = self.bent(points) {
            return (found.0, rotate3(&self.rotation, &found.1));
        }
        let (distance, gradient) = self.field.sample_by(transpose, &self.in_head(points));
        (distance, rotate3(&self.rotation, &gradient))
    }

    /// Samples as [`sample_world`](Self::sample_world), with gradients in head space.
    #[inline(always)]
    fn sample(&self, points: &Lanes3) -> (Lanes, Lanes3) {
        if let Some(found) = self.bent(points) {
            return found;
        }
        dispatch((&*self.field, &self.in_head(points)))
    }

    #[cold]
    #[inline(never)]
    fn bent_bounds(&self, bend: &Bend, points: &Lanes3) -> Lanes {
        bend.lower_bounds(&self.in_head(points))
    }

    /// Samples as [`sample`](Self::sample) where skin is not where the field has it.
    #[inline(always)]
    fn bent(&self, points: &Lanes3) -> Option<(Lanes, Lanes3)> {
        let (bend, points) = (self.bend.as_ref()?, *points);
        self.bent_sample(bend, &points)
    }

    #[cold]
    #[inline(never)]
    fn bent_sample(&self, bend: &Bend, points: &Lanes3) -> Option<(Lanes, Lanes3)> {
        bend.sample(&self.field, &self.in_head(points))
    }

    /// Returns the displacements of skin on the head at eight points in the step, world space; `None`
    /// for skin that stays where the field has it.
    #[inline(always)]
    pub(super) fn displacements(&self, points: &Lanes3) -> Option<Lanes3> {
        let (bend, points) = (self.bend.as_ref()?, *points);
        Some(self.bent_displacements(bend, &points))
    }

    #[cold]
    #[inline(never)]
    fn bent_displacements(&self, bend: &Bend, points: &Lanes3) -> Lanes3 {
        rotate3(&self.rotation, &bend.displacements(&self.in_head(points)))
    }
}

impl Surface for SdfCollider {
    /// Uses the coarse bounds of the field.
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, allowed: &Lanes) -> bool {
        !self.bounds(points).any_below(*allowed)
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, allowed: &Lanes) -> Planes {
        let (distance, gradient) = self.sample(points);
        let out = rotate3(&self.rotation, &gradient);
        let normal = unit3(&out, &splat3(Vec3::Y));
        let foot = add_scaled3(points, &normal, *allowed - distance);
        Planes::of_head(distance.below(*allowed), normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, allowed: &Lanes) -> Lanes {
        self.sample(points).0 - *allowed
    }
}
