//! How the head moves in one step, in single precision.

use super::pose::Pose;
use crate::sim::simd::{Lanes3, dot3, flush, minus3, rotate3, splat3, sum3};
use glam::{DMat3, Mat3, Vec3};

/// The head's pose at the end of a step, and its difference from the pose at the beginning.
///
/// Differences are taken in double precision: between single-precision points they would be
/// rounding noise at 240 steps a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadMotion {
    /// R1 and T1: the pose at the end.
    pub(crate) rotation: Mat3,
    pub(crate) translation: Vec3,
    /// R1 − R0 and T1 − T0.
    pub(crate) turn: Mat3,
    shift: Vec3,
}

impl HeadMotion {
    pub(crate) fn new(from: &Pose, to: &Pose) -> Self {
        let (r0, r1) = (from.to_dmat3(), to.to_dmat3());
        Self {
            rotation: r1.as_mat3(),
            translation: to.translation.as_vec3(),
            turn: flushed(r1 - r0),
            shift: (to.translation - from.translation).as_vec3().map(flush),
        }
    }

    /// Transforms a point from head to world space, at the end of the step.
    #[inline(always)]
    pub(crate) fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// As [`transform_point`](Self::transform_point), in every lane.
    #[inline(always)]
    pub(crate) fn transform_points(&self, points: &Lanes3) -> Lanes3 {
        sum3(&rotate3(&self.rotation, points), &splat3(self.translation))
    }

    /// Transforms directions from head to world space, at the end of the step.
    #[inline(always)]
    pub(crate) fn transform_vectors(&self, vectors: &Lanes3) -> Lanes3 {
        rotate3(&self.rotation, vectors)
    }

    /// Returns the displacement of a point of head space in the step, world space.
    #[inline(always)]
    pub(crate) fn displacement(&self, point: Vec3) -> Vec3 {
        self.turn * point + self.shift
    }

    /// As [`displacement`](Self::displacement), in every lane.
    #[inline(always)]
    pub(crate) fn displacements(&self, points: &Lanes3) -> Lanes3 {
        sum3(&rotate3(&self.turn, points), &splat3(self.shift))
    }

    /// As [`displacements`](Self::displacements), of points given in world space at the end of the
    /// step.
    #[inline(always)]
    pub(crate) fn displacements_of_world(&self, points: &Lanes3) -> Lanes3 {
        let p = minus3(points, &splat3(self.translation));
        let r = &self.rotation;
        self.displacements(&[
            dot3(&splat3(r.x_axis), &p),
            dot3(&splat3(r.y_axis), &p),
            dot3(&splat3(r.z_axis), &p),
        ])
    }
}

/// Converts to single precision. An easing that has ended leaves differences of rotations that
/// would be denormal.
fn flushed(matrix: DMat3) -> Mat3 {
    Mat3::from_cols_array(&matrix.as_mat3().to_cols_array().map(flush))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn an_easing_that_has_ended_leaves_no_denormal_numbers() {
        let to = Pose::new(DQuat::IDENTITY, DVec3::splat(1e-40));
        let motion = HeadMotion::new(&Pose::IDENTITY, &to);
        assert_eq!(motion.shift, Vec3::ZERO);
    }
}
