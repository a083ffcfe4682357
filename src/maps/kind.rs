//! The kinds of maps, and the meaning of their values.

use super::UnknownKind;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What the values of a map control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapKind {
    /// Share of the follicles that grow hair: 0 is bald.
    Density,
    /// Length, as a share of the longest.
    Length,
    /// Width in the picture, as a share of the widest; the narrowest have a tenth.
    Width,
    /// Stiffness of the rest shape, as a share of what the solver's settings say.
    Stiffness,
    /// Curl, as a share of the strongest.
    Curl,
    /// Clumping, as a share of the strongest.
    Clump,
    /// Dye, sRGB: white changes nothing, grey darkens, and other colours replace the hue. The
    /// brightness, and how it changes from root to tip, stay.
    Tint,
    /// Direction of strands at the skin, head space: see [`direction_of`].
    Direction,
}

/// Directions shorter than this mean none: 16 bits do not store (0.5, 0.5, 0.5) exactly.
const MIN_DIRECTION: f32 = 1e-3;

impl MapKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [MapKind; 8] = [
        MapKind::Density,
        MapKind::Length,
        MapKind::Width,
        MapKind::Stiffness,
        MapKind::Curl,
        MapKind::Clump,
        MapKind::Tint,
        MapKind::Direction,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "density",
            "length",
            "width",
            "stiffness",
            "curl",
            "clump",
            "tint",
            "direction",
        ];
        NAMES[self as usize]
    }

    /// The meaning of black and white, in one line for users.
    pub fn about(self) -> &'static str {
        match self {
            MapKind::Density => "how much hair grows: black is bald, white is full",
            MapKind::Length => "how long hair is: black is shaved, white is the full length",
            MapKind::Width => "how wide strands are: black is a tenth, white is the full width",
            MapKind::Stiffness => "how well hair holds its shape: black is limp, white is stiff",
            MapKind::Curl => "how curly hair is: black is straight, white is the full curl",
            MapKind::Clump => "how closely hair clumps: black is loose, white is the full clump",
            MapKind::Tint => "what hair is dyed with: white leaves its colour alone",
            MapKind::Direction => {
                "which way hair leaves the skin: red, green and blue are x, y and z of the head, \
                 and middle grey is straight out"
            }
        }
    }

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

/// Returns the direction of a value of a [`MapKind::Direction`] map, head space: `2 v - 1` along each
/// axis, not normalised. `None`: no direction; hair leaves along the skin's normal.
pub fn direction_of(value: [f32; 3]) -> Option<Vec3> {
    let direction = Vec3::from(value) * 2.0 - 1.0;
    (direction.length() >= MIN_DIRECTION).then_some(direction)
}

/// Returns the value of a direction of length up to 1, head space: the inverse of [`direction_of`].
pub fn value_of_direction(direction: Vec3) -> [f32; 3] {
    (direction * 0.5 + 0.5).to_array()
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MapKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<MapKind, UnknownKind> {
        let named = |kind: &MapKind| kind.name() == name;
        let found = MapKind::ALL.into_iter().find(named);
        found.ok_or_else(|| UnknownKind {
            name: name.chars().take(40).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_kinds_in_text_and_in_files() {
        for kind in MapKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            let written = serde_json::to_string(&kind).unwrap();
            assert_eq!(written, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<MapKind>(&written).unwrap(), kind);
            assert!(!kind.about().is_empty());
        }
        let error = "desnity".parse::<MapKind>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no map called `desnity`; there are density, length, width, stiffness, \
             curl, clump, tint, direction"
        );
    }

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
