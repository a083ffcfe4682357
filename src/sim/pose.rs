//! Poses of the head, and its motion between two of them.

use super::simd::{Lanes3, flush, minus3, rotate3, splat3, sum3};
use crate::det_math::{sin_cos, slerp};
use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, Mat3, Mat4, Vec3};

/// The joint that scenes and mouse drags turn a head about, head space, decimetres: inside the
/// neck, below the skull, of a standard head (2.74 high, centred).
pub const NECK: DVec3 = DVec3::new(0.0, -0.9, -0.2);

/// The rigid transform `world_from_head`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Unit rotation.
    pub rotation: DQuat,
    /// Decimetres.
    pub translation: DVec3,
}

/// The largest difference of a matrix from that of a pose, as of single precision.
const MATRIX_TOLERANCE: f64 = 1e-3;
/// The largest coordinate of a pose that is given as a matrix, decimetres: 1 km.
const MAX_TRANSLATION: f64 = 1e4;

/// The reason why a matrix is no pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseError {
    /// A number is NaN or infinite.
    #[error("a number is not finite")]
    NotFinite,
    /// The matrix scales, mirrors or shears.
    #[error("its upper left is not a rotation; a head cannot be scaled or mirrored")]
    NoRotation,
    /// The matrix projects, or its translation is in the last row.
    #[error("its last row is not 0 0 0 1; the translation belongs in the last column")]
    LastRow,
    /// The head is beyond 1 km.
    #[error("it is more than 1 km from the origin")]
    Far,
}

impl Pose {
    /// Head space and world space coincide.
    pub const IDENTITY: Pose = Pose {
        rotation: DQuat::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// Returns a rotation about the head's centre, then a translation, decimetres.
    pub fn new(rotation: DQuat, translation: DVec3) -> Self {
        Self {
            rotation,
            translation,
        }
    }

    /// Returns a rotation about [`NECK`], as heads turn.
    pub fn about_neck(rotation: DQuat) -> Self {
        Self::new(rotation, NECK - rotation * NECK)
    }

    /// Returns the rotation about a unit axis by an angle. All platforms give the same bits.
    pub fn turn(axis: DVec3, radians: f64) -> DQuat {
        let (sin, cos) = sin_cos(0.5 * radians);
        let [x, y, z] = (axis * sin).to_array();
        DQuat::from_xyzw(x, y, z, cos)
    }

    /// Transforms a point from head to world space, decimetres.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Transforms a direction (or difference of points) from head to world space.
    pub fn transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// Interpolates to `other`: rotates along the shortest arc at an even rate, translates along a
    /// straight line. `t` is clamped to 0 to 1, and at those ends (and between equal poses) the
    /// result is exact.
    pub fn interpolate(&self, other: &Pose, t: f64) -> Pose {
        if t >= 1.0 {
            *other
        } else if t > 0.0 && self != other {
            Pose {
                rotation: slerp(self.rotation, other.rotation, t),
                translation: self.translation * (1.0 - t) + other.translation * t,
            }
        } else {
            *self
        }
    }

    /// Returns the pose of a matrix `world_from_head`, decimetres, that is rigid to single
    /// precision.
    ///
    /// # Errors
    ///
    /// [`PoseError`].
    pub fn of_matrix(matrix: &DMat4) -> Result<Self, PoseError> {
        if !matrix.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let rotation = DMat3::from_mat4(*matrix);
        let error = (rotation * rotation.transpose() - DMat3::IDENTITY).to_cols_array();
        let is_close = |error: f64| error.abs() < MATRIX_TOLERANCE;
        if !error.into_iter().all(is_close) || rotation.determinant() <= 0.0 {
            return Err(PoseError::NoRotation);
        }
        if (matrix.row(3) - DVec4::W).abs().max_element() >= MATRIX_TOLERANCE {
            return Err(PoseError::LastRow);
        }
        let translation = matrix.w_axis.truncate();
        if translation.abs().max_element() >= MAX_TRANSLATION {
            return Err(PoseError::Far);
        }
        Ok(Self::new(
            DQuat::from_mat3(&rotation).normalize(),
            translation,
        ))
    }

    /// Converts to a 4×4 matrix, `world_from_head`.
    pub fn to_dmat4(&self) -> DMat4 {
        DMat4::from_rotation_translation(self.rotation, self.translation)
    }

    /// Converts to a 4×4 matrix in single precision, for drawing.
    pub fn to_mat4(&self) -> Mat4 {
        self.to_dmat4().as_mat4()
    }

    /// Converts the rotation to a 3×3 matrix.
    pub(super) fn to_dmat3(self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Returns the pose with its rotation normalised. `None` if it is not finite or has no
    /// rotation, for example when a pointer position was not a number.
    pub(super) fn usable(self) -> Option<Pose> {
        // A rotation that is unit to rounding stays the same to the bit.
        const UNIT_TOLERANCE: f64 = 1e-12;
        let length_squared = self.rotation.length_squared();
        if !(self.translation.is_finite() && length_squared.is_normal()) {
            return None;
        }
        let rotation = if (length_squared - 1.0).abs() <= UNIT_TOLERANCE {
            self.rotation
        } else {
            self.rotation.normalize()
        };
        Some(Pose { rotation, ..self })
    }
}

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
    /// Returns the motion from one pose to another.
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

    /// Transforms eight points from head to world space, at the end of the step.
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

    /// Returns the displacements of eight points of head space in the step, world space.
    #[inline(always)]
    pub(crate) fn displacements(&self, points: &Lanes3) -> Lanes3 {
        sum3(&rotate3(&self.turn, points), &splat3(self.shift))
    }

    /// Returns the [`displacements`](Self::displacements) of points that are given in world space
    /// at the end of the step.
    #[inline(always)]
    pub(crate) fn displacements_of_world(&self, points: &Lanes3) -> Lanes3 {
        let from_head = minus3(points, &splat3(self.translation));
        self.displacements(&rotate3(&self.rotation.transpose(), &from_head))
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

    #[test]
    fn halving_agrees_with_the_textbook_slerp_and_is_exact_at_the_ends() {
        let from = DQuat::from_rotation_x(0.3);
        let to = DQuat::from_euler(glam::EulerRot::YXZ, 1.2, -0.7, 2.0);
        for to in [to, -to] {
            for i in 0..=50 {
                let t = f64::from(i) / 50.0;
                let expected = from.slerp(to, t);
                let got = slerp(from, to, t);
                let distance = (got - expected).length().min((got + expected).length());
                assert!(distance < 1e-14, "{t}: {distance}");
            }
        }
        let [a, b] = [from, to].map(|rotation| Pose::new(rotation, DVec3::new(0.1, 0.2, 0.3)));
        for (to, t, expected) in [(b, 0.0, a), (b, 1.0, b), (a, 0.3, a), (b, f64::NAN, a)] {
            assert_eq!(a.interpolate(&to, t), expected);
        }
    }

    #[test]
    fn poses_that_are_not_finite_or_have_no_rotation_are_refused() {
        let good = Pose::new(DQuat::from_rotation_z(0.7), DVec3::X);
        assert_eq!(good.usable(), Some(good));
        let long = Pose::new(good.rotation * 3.0, DVec3::X).usable().unwrap();
        assert!((long.rotation - good.rotation).length() < 1e-15);
        let nan = DVec3::new(0.0, f64::NAN, 0.0);
        for (scale, translation) in [(0.0, DVec3::X), (f64::NAN, DVec3::X), (1.0, nan)] {
            assert_eq!(Pose::new(good.rotation * scale, translation).usable(), None);
        }
    }

    #[test]
    fn matrices_that_are_not_rigid_are_refused() {
        let pose = Pose::new(DQuat::from_rotation_z(0.7), DVec3::X);
        let matrix = pose.to_dmat4();
        let read = Pose::of_matrix(&matrix).unwrap();
        assert!((read.rotation - pose.rotation).length() < 1e-15);
        assert_eq!(read.translation, pose.translation);
        let scaled = matrix * DMat4::from_scale(DVec3::new(1.0, 1.1, 1.0));
        let mirrored = matrix * DMat4::from_scale(DVec3::new(1.0, -1.0, 1.0));
        let far = DMat4::from_translation(DVec3::Y * 1e5);
        for (matrix, error) in [
            (matrix * f64::NAN, PoseError::NotFinite),
            (scaled, PoseError::NoRotation),
            (mirrored, PoseError::NoRotation),
            (matrix.transpose(), PoseError::LastRow),
            (far, PoseError::Far),
        ] {
            assert_eq!(Pose::of_matrix(&matrix), Err(error));
        }
    }

    #[test]
    fn motion_at_the_end_of_an_easing_has_no_denormal_numbers() {
        let to = Pose::new(DQuat::IDENTITY, DVec3::splat(1e-40));
        let motion = HeadMotion::new(&Pose::IDENTITY, &to);
        assert_eq!(motion.shift, Vec3::ZERO);
    }
}
