//! Units and axes of files, and their map to head space.

use glam::{DMat3, DMat4, DQuat, DVec3, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

crate::choices! {
    /// The direction that is up in a file.
    pub enum Up: "up" = Y {
        /// Y is up, as glTF and most other formats have it.
        Y = "y",
        /// Z is up, and Y points to the back.
        Z = "z",
        /// Z is down, and Y points to the front.
        MinusZ = "-z",
        /// X is up.
        X = "x",
        /// Y is down.
        MinusY = "-y",
        /// X is down.
        MinusX = "-x",
    }
}

impl Up {
    /// Returns the direction, in the file.
    pub fn direction(self) -> DVec3 {
        match self {
            Up::X => DVec3::X,
            Up::Y => DVec3::Y,
            Up::Z => DVec3::Z,
            Up::MinusX => DVec3::NEG_X,
            Up::MinusY => DVec3::NEG_Y,
            Up::MinusZ => DVec3::NEG_Z,
        }
    }

    /// Returns the rotation that makes it Y.
    pub(crate) fn turn(self) -> DQuat {
        match self {
            Up::Y => DQuat::IDENTITY,
            Up::Z => DQuat::from_rotation_x(-FRAC_PI_2),
            Up::MinusZ => DQuat::from_rotation_x(FRAC_PI_2),
            Up::X => DQuat::from_rotation_z(FRAC_PI_2),
            Up::MinusY => DQuat::from_rotation_z(PI),
            Up::MinusX => DQuat::from_rotation_z(-FRAC_PI_2),
        }
    }
}

/// The map from the file to head space: `head = (turn · place − centre) · scale`. File space is the
/// file turned, so that Y is up and the face looks along +Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// The rotation from the file to file space.
    pub turn: DQuat,
    /// Decimetres per file unit.
    pub scale: f32,
    /// The point of file space that is the origin of head space.
    pub centre: Vec3,
    /// The unit and axes that the format of the file names. The file is read as metres with Y up.
    pub native: Option<NativeUnits>,
}

/// The unit and the axis of a file whose format names them: USD and COLLADA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NativeUnits {
    /// Metres per unit.
    pub metres: f64,
    /// The axis that is up.
    pub up: Up,
}

impl NativeUnits {
    /// Returns the map to metres with Y up.
    pub(crate) fn matrix(&self) -> DMat4 {
        DMat4::from_mat3(self.turn() * self.metres)
    }

    /// Returns the place in the file of one in metres with Y up.
    fn place_of(&self, place: Vec3) -> Vec3 {
        (self.turn().transpose() * place.as_dvec3() / self.metres).as_vec3()
    }

    /// Returns the rotation that makes its axis Y. Turns between axes are exact.
    fn turn(&self) -> DMat3 {
        let turn = DMat3::from_quat(self.up.turn()).to_cols_array();
        DMat3::from_cols_array(&turn.map(f64::round))
    }
}

impl Units {
    /// Returns the place in the file of a point in head space.
    pub fn file_from_head(&self, point: Vec3) -> Vec3 {
        let place = point.as_dvec3() / f64::from(self.scale) + self.centre.as_dvec3();
        (self.turn.inverse() * place).as_vec3()
    }

    /// Returns the place of a point in head space in the unit and axes that the format of the file
    /// names, if it does, or else in the file.
    pub fn native_from_head(&self, point: Vec3) -> Vec3 {
        let place = self.file_from_head(point);
        (self.native).map_or(place, |native| native.place_of(place))
    }

    /// Returns the point in head space of a place in the file.
    pub fn head_from_file(&self, place: Vec3) -> Vec3 {
        let turned = self.turn * place.as_dvec3() - self.centre.as_dvec3();
        (turned * f64::from(self.scale)).as_vec3()
    }

    /// Returns the matrix of [`head_from_file`](Self::head_from_file).
    pub fn matrix(&self) -> DMat4 {
        let scale = DMat4::from_scale(DVec3::splat(self.scale.into()));
        scale * DMat4::from_rotation_translation(self.turn, -self.centre.as_dvec3())
    }

    /// Returns the inverse of [`native_from_head`](Self::native_from_head) as a matrix.
    pub fn native_matrix(&self) -> DMat4 {
        let metres = self
            .native
            .map_or(DMat4::IDENTITY, |native| native.matrix());
        self.matrix() * metres
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_of_units_maps_places_as_they_do() {
        let units = Units {
            turn: DQuat::from_rotation_x(-1.5),
            scale: 3.0,
            centre: Vec3::new(1.0, -2.0, 0.5),
            native: Some(NativeUnits {
                metres: 0.01,
                up: Up::Z,
            }),
        };
        for place in [Vec3::ZERO, Vec3::new(0.3, 4.0, -1.0)] {
            let mapped = units.matrix().transform_point3(place.as_dvec3());
            let head = units.head_from_file(place);
            assert!(mapped.as_vec3().distance(head) < 1e-5, "{mapped}");
            assert!(units.file_from_head(head).distance(place) < 1e-5);
            let native = 100.0 * Vec3::new(place.x, -place.z, place.y);
            assert!(units.native_from_head(head).distance(native) < 1e-3);
            let mapped = units.native_matrix().transform_point3(native.as_dvec3());
            assert!(mapped.as_vec3().distance(head) < 1e-5, "{mapped}");
        }
    }
}
