//! Maps, the kinds and layouts of their values, and their errors.

use crate::files::FileError;
use crate::head::Part;
use glam::Vec3;

/// Longest side of a map, values.
pub const MAX_SIDE: u32 = 8192;
/// Values per row in files of values per vertex.
pub(super) const ROW: u32 = 4096;
/// Largest number of vertices of a map: what its file has room for.
pub(super) const MAX_VERTICES: u32 = ROW * MAX_SIDE;
/// Directions shorter than this mean none: 16 bits do not store (0.5, 0.5, 0.5) exactly.
const MIN_DIRECTION: f32 = 1e-3;

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
        /// Where modifiers with the first mask act: black is not at all, white is fully
        Mask1 = "mask1",
        /// Where modifiers with the second mask act
        Mask2 = "mask2",
        /// Where modifiers with the third mask act
        Mask3 = "mask3",
        /// Where modifiers with the fourth mask act
        Mask4 = "mask4",
    }
}

impl MapKind {
    /// Numbers per value: 1 for grey maps, 3 for tint and direction.
    pub fn channels(self) -> usize {
        match self {
            MapKind::Tint | MapKind::Direction => 3,
            _ => 1,
        }
    }

    /// The masks of modifiers. They alone change nothing that is seen.
    pub const MASKS: [MapKind; 4] = [
        MapKind::Mask1,
        MapKind::Mask2,
        MapKind::Mask3,
        MapKind::Mask4,
    ];

    /// Returns `true` for the masks of modifiers.
    pub fn is_mask(self) -> bool {
        Self::MASKS.contains(&self)
    }

    /// Returns the value of unpainted skin; grey kinds use the first number.
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

/// The layout of a map's values on the skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A picture over the part's UVs: u goes right and v down, and the centre of value `i` of a row
    /// is at `u = (i + 0.5) / width`.
    Picture {
        /// Values across, 1 to [`MAX_SIDE`].
        width: u32,
        /// Values down, 1 to [`MAX_SIDE`].
        height: u32,
    },
    /// One value per vertex of the part, for parts without UVs.
    Vertices(u32),
}

impl Layout {
    /// Returns the number of values; each is one number or three.
    pub fn values(self) -> usize {
        match self {
            Layout::Picture { width, height } => width as usize * height as usize,
            Layout::Vertices(count) => count as usize,
        }
    }

    pub(super) fn check(self) -> Result<(), MapErrorKind> {
        let (sides, most, problem) = match self {
            Layout::Picture { width, height } => {
                let problem = MapErrorKind::Size(width, height);
                ([width, height], MAX_SIDE, problem)
            }
            Layout::Vertices(count) => ([count; 2], MAX_VERTICES, MapErrorKind::Vertices(count)),
        };
        let is_valid = sides.iter().all(|side| (1..=most).contains(side));
        is_valid.then_some(()).ok_or(problem)
    }
}

/// Values painted over the skin of one part of a head.
///
/// Numbers are stored as `u16`; as `f32` they are 0 to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    pub(super) kind: MapKind,
    pub(super) layout: Layout,
    /// `true` for a layer: a coverage follows the numbers of each value. Elsewhere it is full.
    pub(super) has_coverage: bool,
    /// `channels` numbers per value; rows from the top, or vertices in order.
    pub(super) values: Vec<u16>,
}

/// A full coverage as stored.
pub(super) const FULL: u16 = u16::MAX;

impl Map {
    /// Returns a map with the same value everywhere, each number 0 to 1; grey kinds use the first.
    ///
    /// # Errors
    ///
    /// The layout has no values, or too many.
    pub fn uniform(layout: Layout, kind: MapKind, value: [f32; 3]) -> Result<Map, MapError> {
        layout.check().map_err(named(kind))?;
        let stored = value.map(stored);
        let value = stored.get(..kind.channels()).unwrap_or_default();
        Ok(Map {
            kind,
            layout,
            has_coverage: false,
            values: value.repeat(layout.values()),
        })
    }

    /// Returns the values as a layer with this coverage.
    pub(super) fn with_coverage(self, coverage: u16) -> Map {
        let numbers = self.values.chunks_exact(self.kind.channels());
        let values = numbers.flat_map(|value| value.iter().chain([&coverage]).copied());
        Map {
            has_coverage: true,
            values: values.collect(),
            ..self
        }
    }

    /// Numbers per value, with its coverage.
    pub(super) fn channels(&self) -> usize {
        self.kind.channels() + usize::from(self.has_coverage)
    }

    /// Returns the kind of the values.
    pub fn kind(&self) -> MapKind {
        self.kind
    }

    /// Returns the layout of the values on the skin.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns all numbers as stored: [`MapKind::channels`] per value, and a coverage if it is a
    /// layer; rows from the top, or vertices in order.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// Returns the value at an index, each number 0 to 1; grey is repeated three times. Beyond the
    /// last it is the neutral value.
    pub fn value(&self, index: usize) -> [f32; 3] {
        match self.stored(index) {
            Some(value) => value.map(|number| f32::from(number) / 65535.0),
            None => self.kind.neutral(),
        }
    }

    /// Sets the value at an index, each number 0 to 1; grey kinds use the first. Does nothing
    /// beyond the last.
    pub(crate) fn set(&mut self, index: usize, value: [f32; 3]) {
        self.put(index, value.map(stored));
    }

    /// Checks that the map can lie on a part.
    ///
    /// # Errors
    ///
    /// The map is a picture and the part has no UVs, or it has values for another number of
    /// vertices.
    pub fn check_fits(&self, part: &Part) -> Result<(), MapError> {
        let problem = match self.layout {
            Layout::Picture { .. } if part.uvs.is_none() => MapErrorKind::NoUvs,
            Layout::Vertices(map) if map as usize != part.positions.len() => {
                MapErrorKind::OtherModel(map, part.positions.len())
            }
            _ => return Ok(()),
        };
        Err(named(self.kind)(problem))
    }

    /// Returns the numbers of the value at an index as stored; grey is repeated three times.
    pub(super) fn stored(&self, index: usize) -> Option<[u16; 3]> {
        let channels = self.channels();
        let start = index.checked_mul(channels)?;
        match *self.values.get(start..start.checked_add(channels)?)? {
            [grey] | [grey, _] => Some([grey; 3]),
            [red, green, blue] | [red, green, blue, _] => Some([red, green, blue]),
            _ => None,
        }
    }

    /// Writes the value at an index, if there is one. Returns `true` if it changes.
    pub(super) fn put(&mut self, index: usize, value: [u16; 3]) -> bool {
        let channels = self.channels();
        let start = index.saturating_mul(channels);
        match self.values.get_mut(start..start.saturating_add(channels)) {
            Some([grey] | [grey, _]) => std::mem::replace(grey, value[0]) != value[0],
            Some([red, green, blue] | [red, green, blue, _]) => {
                let old = [*red, *green, *blue];
                [*red, *green, *blue] = value;
                old != value
            }
            _ => false,
        }
    }

    /// Returns the coverage of the value at an index as stored.
    pub(super) fn coverage(&self, index: usize) -> u16 {
        let channels = self.channels();
        let coverage = self.values.get(index * channels + channels - 1);
        coverage
            .copied()
            .filter(|_| self.has_coverage)
            .unwrap_or(FULL)
    }

    /// Writes the coverage of the value at an index of a layer. Returns `true` if it changes.
    pub(super) fn cover(&mut self, index: usize, coverage: u16) -> bool {
        let channels = self.channels();
        let old = self.values.get_mut(index * channels + channels - 1);
        let old = old.filter(|_| self.has_coverage);
        old.is_some_and(|old| std::mem::replace(old, coverage) != coverage)
    }
}

/// Returns the conversion of problems of a map that is not in a file to errors.
pub(super) fn named(kind: MapKind) -> impl FnOnce(MapErrorKind) -> MapError {
    FileError::of(format!("{kind} map"))
}

/// Converts a number from 0 to 1 to how it is stored; NaN becomes 0.
pub(super) fn stored(value: f32) -> u16 {
    // Casts saturate.
    (value * 65535.0).round() as u16
}

/// An error of a map. Its file is for example "density map" for one in memory.
pub type MapError = FileError<MapErrorKind>;

/// A problem of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The file cannot be read, or is too large.
    #[error("cannot be read: {0}. Check the path")]
    Unreadable(String),
    /// The file cannot be written.
    #[error("cannot be written: {0}. Check the folder, and the space that is left")]
    Unwritable(String),
    /// The file is not a PNG or JPEG.
    #[error("it is neither PNG nor JPEG. Save the map as a PNG")]
    NoPicture,
    /// The picture cannot be decoded.
    #[error("the picture is broken: {0}. Save it again as a PNG")]
    Broken(String),
    /// The number of values across or down is 0 or too large.
    #[error("{0} x {1} values; each side must be 1 to {MAX_SIDE}. Resize the picture")]
    Size(u32, u32),
    /// Too many vertices, or none.
    #[error("{0} vertices; there must be 1 to {MAX_VERTICES}. Give the model UVs")]
    Vertices(u32),
    /// The number of vertices that a file tells does not fit its values across and down.
    #[error(
        "it says that it has values for {0} vertices, and has {1} x {2} values. It was changed \
         after it was saved: save it from mohawk again"
    )]
    Padding(String, u32, u32),
    /// Reading the picture takes this many bytes of memory, more than are allowed.
    #[error("it takes {0} bytes of memory, too many. Resize the picture")]
    Memory(u64),
    /// The map has values for this many vertices, and the part has the other number.
    #[error("it has values for {0} vertices, and the model has {1}. Paint a map for it")]
    OtherModel(u32, usize),
    /// The map is a picture, and the model has no UVs.
    #[error("it is a picture, and the model has no UVs. Unwrap the model, or paint a map for it")]
    NoUvs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::test_parts::{picture_layout, quad};

    #[test]
    fn unpainted_maps_are_neutral() {
        for kind in MapKind::ALL {
            let map = Map::uniform(picture_layout(1, 1), kind, kind.neutral()).unwrap();
            assert_eq!(map.values().len(), kind.channels());
            let apart = Vec3::from(map.value(0)).distance(kind.neutral().into());
            assert!(apart < 2e-5);
            let has_direction = direction_of(map.value(0)).is_some();
            assert_eq!(has_direction, kind != MapKind::Direction);
            assert_eq!(map.value(usize::MAX), kind.neutral());
        }
        for (value, expected) in [(-1.0, 0), (7.0, 65535), (f32::NAN, 0), (0.5, 32768)] {
            assert_eq!(stored(value), expected);
        }
        let direction = Vec3::new(0.6, -0.8, 0.0);
        let back = direction_of(value_of_direction(direction)).unwrap();
        assert!(back.distance(direction) < 1e-6);
    }

    #[test]
    fn maps_of_wrong_sizes_are_refused() {
        let uniform = |layout| Map::uniform(layout, MapKind::Curl, [1.0; 3]);
        let whole = "0 x 3 values; each side must be 1 to 8192. Resize the picture";
        let other = "has values for 5 vertices, and the model has 4";
        for (layout, expected) in [
            (picture_layout(0, 3), whole),
            (picture_layout(3, 8193), "3 x 8193 values;"),
            (Layout::Vertices(0), "0 vertices;"),
            (Layout::Vertices(u32::MAX), "must be 1 to 33554432. Give"),
            (Layout::Vertices(5), other),
            (picture_layout(1, 1), "the model has no UVs"),
        ] {
            let fitted = uniform(layout).and_then(|map| map.check_fits(&quad(None)));
            let text = fitted.unwrap_err().to_string();
            let is_expected = text.starts_with("curl map: ") && text.contains(expected);
            assert!(is_expected, "{text}");
        }
    }
}
