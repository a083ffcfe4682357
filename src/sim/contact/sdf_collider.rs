//! The head in the world, as its own skin.

use super::super::sdf::Look;
use super::super::simd::dispatch::dispatch;
use super::super::simd::transpose::{Transpose, TransposeKernel};
use super::{Planes, Surface};
use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::{Lanes3, axes, get3};
use crate::sim::simd::vector::{add_scaled3, minus3, rotate3, splat3, unit3};
use crate::sim::{Field, Pose};
use glam::{Mat3, Vec3};
use std::sync::Arc;

/// What is closed is off by up to a cell where few balls fit, and by a share of one elsewhere.
const CLOSED_CELLS: f32 = 1.5;

/// A distance field, carried by the head. Depth is told by distances, dm.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    field: Arc<Field>,
    /// R and its transpose.
    rotation: Mat3,
    back: Mat3,
    translation: Vec3,
    look: Look,
    /// By how much more than the way gone the field may change: twice its error, and what it misses
    /// where it is closed, dm.
    slack: f32,
}

impl Skin {
    pub(crate) fn new(field: Arc<Field>, pose: &Pose) -> Self {
        let rotation = pose.to_dmat3();
        let back = rotation.transpose().as_mat3();
        let translation = pose.translation.as_vec3();
        Self {
            slack: 2.0 * field.error_bound() + CLOSED_CELLS * field.cell(),
            look: field.look(&back, translation),
            field,
            rotation: rotation.as_mat3(),
            back,
            translation,
        }
    }

    /// From world to head space.
    #[inline(always)]
    fn in_head(&self, points: &Lanes3) -> [[f32; 8]; 3] {
        let local = rotate3(&self.back, &minus3(points, &splat3(self.translation)));
        axes!(i => local[i].0)
    }

    /// How far eight points are from skin, at least.
    #[inline(always)]
    fn bounds(&self, points: &Lanes3) -> Lanes {
        self.field.at_least(&self.look, points)
    }

    /// How far eight points can go, at least, before they are nearer to skin than `least`. Not
    /// above 0: that is not known.
    ///
    /// What the field tells of a place is within its error of the distance, and a distance changes
    /// by no more than the way gone.
    #[inline(always)]
    pub(crate) fn way_to(&self, points: &Lanes3, least: f32) -> Lanes {
        self.bounds(points) - Lanes::splat(least + self.slack)
    }

    /// Is any of eight points so far from where it was that the skin is another one there? A
    /// quarter of a cell is not: over that way, skin that bends as much as a field can show leaves
    /// its tangent plane by a thirtieth of a cell.
    #[inline(always)]
    pub(crate) fn bends_between(&self, from: &Lanes3, to: &Lanes3) -> bool {
        let near = 0.25 * self.field.cell();
        let mut far = 0;
        for lane in 0..LANES {
            let way = get3(to, lane) - get3(from, lane);
            far |= u32::from(way.dot(way) > near * near);
        }
        far != 0
    }

    /// Where points are deeper by more than half a cell than `least`, the planes along the skin at
    /// `parents`; `None` if none is.
    #[inline(always)]
    pub(crate) fn where_stuck(
        &self,
        points: &Lanes3,
        parents: &Lanes3,
        least: &Lanes,
    ) -> Option<Planes> {
        let above = self.distance(points, least);
        let stuck = above.below(Lanes::splat(-0.5 * self.field.cell()));
        if stuck == Lanes::splat(0.0) {
            return None;
        }
        let mut along = self.touch(parents, least);
        along.touched = stuck;
        Some(along)
    }

    /// Distances of points, and which way they grow.
    #[inline(always)]
    pub(crate) fn ask_by(&self, transpose: impl Transpose, points: &Lanes3) -> (Lanes, Lanes3) {
        let (distance, gradient) = self.field.sample_by(transpose, &self.in_head(points));
        let gradient = axes!(i => Lanes(gradient[i]));
        (Lanes(distance), rotate3(&self.rotation, &gradient))
    }

    /// As [`ask_by`](Self::ask_by), with gradients in head space.
    #[inline(always)]
    fn sample(&self, points: &Lanes3) -> (Lanes, Lanes3) {
        let mut out = (Lanes::default(), Lanes3::default());
        dispatch(Sample {
            field: &self.field,
            points: &self.in_head(points),
            out: &mut out,
        });
        out
    }
}

/// What a field says of eight points: compiled once, since it is large.
struct Sample<'a> {
    field: &'a Field,
    points: &'a [[f32; 8]; 3],
    out: &'a mut (Lanes, Lanes3),
}

impl TransposeKernel for Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run_with(self, transpose: impl Transpose) {
        let (distance, gradient) = self.field.sample_by(transpose, self.points);
        *self.out = (Lanes(distance), axes!(i => Lanes(gradient[i])));
    }
}

impl Surface for Skin {
    /// By the field's coarse bounds.
    #[inline(always)]
    fn are_outside(&self, points: &Lanes3, least: &Lanes) -> bool {
        !self.bounds(points).any_below(*least)
    }

    #[inline(always)]
    fn touch(&self, points: &Lanes3, least: &Lanes) -> Planes {
        let (distance, gradient) = self.sample(points);
        let out = rotate3(&self.rotation, &gradient);
        let normal = unit3(&out, &splat3(Vec3::Y));
        let foot = add_scaled3(points, &normal, *least - distance);
        Planes::of_head(distance.below(*least), normal, foot)
    }

    #[inline(always)]
    fn distance(&self, points: &Lanes3, least: &Lanes) -> Lanes {
        self.sample(points).0 - *least
    }
}
