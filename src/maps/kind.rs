//! What maps there are, and what their values mean.

use super::UnknownKind;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What the values of a map are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapKind {
    /// How many strands grow, as a share of all: 0 is bald.
    Density,
    /// How long strands are, as a share of the longest.
    Length,
    /// How wide strands are drawn, as a share of the widest; the narrowest have a tenth.
    Width,
    /// How well strands hold their shape, as a share of what the solver's settings say.
    Stiffness,
    /// How curly strands are, as a share of the curliest.
    Curl,
    /// How closely strands clump, as a share of the closest.
    Clump,
    /// Colour that strands are dyed with, sRGB: white leaves it alone, grey darkens it, others take
    /// the place of its hue. How bright it is, and how that changes from root to tip, stays.
    Tint,
    /// Which way strands leave the skin, in head space: see [`direction_of`].
    Direction,
}

/// A direction shorter than this means none: what 16 bits store for (0.5, 0.5, 0.5) is not
/// quite that, and nobody paints so faint a direction.
const FAINTEST: f32 = 1e-3;

impl MapKind {
    /// All kinds, in the order in which people are shown them.
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

    /// What it is called in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MapKind::Density => "density",
            MapKind::Length => "length",
            MapKind::Width => "width",
            MapKind::Stiffness => "stiffness",
            MapKind::Curl => "curl",
            MapKind::Clump => "clump",
            MapKind::Tint => "tint",
            MapKind::Direction => "direction",
        }
    }

    /// What black and white mean, in a line for people.
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

    /// What a map holds where nobody has painted; grey kinds use the first number.
    pub fn neutral(self) -> [f32; 3] {
        match self {
            MapKind::Direction => [0.5; 3],
            _ => [1.0; 3],
        }
    }

    /// What a stored value becomes on the other side of the head: directions turn their x.
    pub(super) fn mirrored(self, value: [u16; 3]) -> [u16; 3] {
        match self {
            MapKind::Direction => [u16::MAX - value[0], value[1], value[2]],
            _ => value,
        }
    }
}

/// The direction in head space that a value of a [`MapKind::Direction`] map stands for: `2 v - 1`
/// along each axis, not normalised. `None`: no direction, along the skin's normal.
pub fn direction_of(value: [f32; 3]) -> Option<Vec3> {
    let direction = Vec3::from(value) * 2.0 - 1.0;
    (direction.length() >= FAINTEST).then_some(direction)
}

/// The value that stands for a direction in head space of length up to 1: the way back from
/// [`direction_of`].
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
