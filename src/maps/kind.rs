//! The kinds of maps, and the meaning of their values.

use glam::Vec3;

crate::choices! {
    /// The property that a map controls.
    pub enum MapKind: "map" = Density {
        /// How much hair grows: black is bald, white is full
        Density = "density",
        /// How long hair is: black is shaved, white is the full length
        Length = "length",
        /// How wide strands are drawn: black is a tenth, white is the full width
        Width = "width",
        /// How stiffly hair keeps its shape: black is limp, white is what the solver's settings say
        Stiffness = "stiffness",
        /// How curly hair is: black is straight, white is the full curl
        Curl = "curl",
        /// How closely hair clumps: black is loose, white is the full clump
        Clump = "clump",
        /// The dye, sRGB: white changes nothing, grey darkens, other colours replace the hue
        Tint = "tint",
        /// The direction of hair at the skin: red, green and blue are x, y and z of the head, and
        /// middle grey is straight out
        Direction = "direction",
    }
}

/// Directions shorter than this mean none: 16 bits do not store (0.5, 0.5, 0.5) exactly.
const MIN_DIRECTION: f32 = 1e-3;

impl MapKind {
    /// Numbers per value: 1 for grey maps, 3 for tint and direction.
    pub fn channels(self) -> usize {
        match self {
            MapKind::Tint | MapKind::Direction => 3,
            _ => 1,
        }
    }

    /// The value of unpainted skin; grey kinds use the first number.
    pub fn neutral(self) -> [f32; 3] {
        match self {
            MapKind::Direction => [0.5; 3],
            _ => [1.0; 3],
        }
    }

    /// Returns a stored value mirrored to the other side of the head: directions flip their x.
    pub(super) fn mirrored(self, value: [u16; 3]) -> [u16; 3] {
        match self {
            MapKind::Direction => [u16::MAX - value[0], value[1], value[2]],
            _ => value,
        }
    }
}

/// Returns the direction of a value of a [`MapKind::Direction`] map, head space: `2 v - 1` along
/// each axis, not normalised. `None`: no direction; hair leaves along the skin's normal.
pub fn direction_of(value: [f32; 3]) -> Option<Vec3> {
    let direction = Vec3::from(value) * 2.0 - 1.0;
    (direction.length() >= MIN_DIRECTION).then_some(direction)
}

/// Returns the value of a direction of length up to 1, head space: the inverse of [`direction_of`].
pub fn value_of_direction(direction: Vec3) -> [f32; 3] {
    (direction * 0.5 + 0.5).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_lead_back_and_middle_grey_is_none() {
        let direction = Vec3::new(0.6, -0.8, 0.0);
        let back = direction_of(value_of_direction(direction)).unwrap();
        assert!(back.distance(direction) < 1e-6);
        assert_eq!(direction_of(MapKind::Direction.neutral()), None);
        let stored = (0.5_f32 * 65535.0).round() / 65535.0;
        assert_eq!(direction_of([stored; 3]), None);
    }
}
