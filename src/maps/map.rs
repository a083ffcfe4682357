//! The values of a map.

use super::{MapError, MapErrorKind, MapKind};
use crate::head::Part;

/// Longest side of a map, values.
pub const MAX_SIDE: u32 = 8192;
/// Values per row in files of values per vertex.
pub(super) const ROW: u32 = 4096;
/// Largest number of vertices of a map: what its file has room for.
pub(super) const MAX_VERTICES: u32 = ROW * MAX_SIDE;

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
    /// The number of values; each is one number or three.
    pub fn values(self) -> usize {
        match self {
            Layout::Picture { width, height } => width as usize * height as usize,
            Layout::Vertices(count) => count as usize,
        }
    }

    pub(super) fn check(self) -> Result<(), MapErrorKind> {
        let sides = 1..=MAX_SIDE;
        match self {
            Layout::Picture { width, height }
                if !sides.contains(&width) || !sides.contains(&height) =>
            {
                Err(MapErrorKind::Size { width, height })
            }
            Layout::Vertices(count) if !(1..=MAX_VERTICES).contains(&count) => {
                Err(MapErrorKind::Vertices(count))
            }
            _ => Ok(()),
        }
    }
}

/// Values painted over the skin of one part of a head.
///
/// Numbers are stored as `u16`; as `f32` they are 0 to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    pub(super) kind: MapKind,
    pub(super) layout: Layout,
    /// `channels` numbers per value; rows from the top, or vertices in order.
    pub(super) values: Vec<u16>,
}

impl Map {
    /// A map with the same value everywhere, each number 0 to 1; grey kinds use the first.
    ///
    /// # Errors
    ///
    /// The layout has no values, or too many.
    pub fn uniform(layout: Layout, kind: MapKind, value: [f32; 3]) -> Result<Map, MapError> {
        layout.check().map_err(|problem| named(kind, problem))?;
        let stored = value.map(stored);
        let value = stored.get(..kind.channels()).unwrap_or_default();
        Ok(Map {
            kind,
            layout,
            values: value.repeat(layout.values()),
        })
    }

    /// The kind of the values.
    pub fn kind(&self) -> MapKind {
        self.kind
    }

    /// The layout of the values on the skin.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// All numbers as stored: [`MapKind::channels`] per value, rows from the top, or vertices in
    /// order.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The value at an index, each number 0 to 1; grey is repeated three times. The neutral value
    /// beyond the last.
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

    /// Size of the values in memory, bytes.
    pub fn bytes(&self) -> usize {
        self.values.len() * size_of::<u16>()
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
                let part = part.positions.len();
                MapErrorKind::OtherModel { map, part }
            }
            _ => return Ok(()),
        };
        Err(named(self.kind, problem))
    }

    /// The numbers of the value at an index as stored; grey is repeated three times.
    pub(super) fn stored(&self, index: usize) -> Option<[u16; 3]> {
        let channels = self.kind.channels();
        let start = index.checked_mul(channels)?;
        match *self.values.get(start..start.checked_add(channels)?)? {
            [grey] => Some([grey; 3]),
            [red, green, blue] => Some([red, green, blue]),
            _ => None,
        }
    }

    /// Writes the value at an index, if there is one.
    pub(super) fn put(&mut self, index: usize, value: [u16; 3]) {
        let channels = self.kind.channels();
        let start = index.saturating_mul(channels);
        match self.values.get_mut(start..start.saturating_add(channels)) {
            Some([grey]) => *grey = value[0],
            Some([red, green, blue]) => [*red, *green, *blue] = value,
            _ => {}
        }
    }
}

/// An error of a map that is not in a file.
pub(super) fn named(kind: MapKind, problem: MapErrorKind) -> MapError {
    MapError {
        what: format!("{kind} map"),
        kind: problem,
    }
}

/// Converts a number from 0 to 1 to how it is stored; NaN becomes 0.
pub(super) fn stored(value: f32) -> u16 {
    // Casts saturate.
    (value * 65535.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::test_parts::picture_layout;

    #[test]
    fn unpainted_maps_are_neutral() {
        for kind in MapKind::ALL {
            let map = Map::uniform(picture_layout(1, 1), kind, kind.neutral()).unwrap();
            assert_eq!(map.values().len(), kind.channels());
            for (value, neutral) in map.value(0).into_iter().zip(kind.neutral()) {
                assert!((value - neutral).abs() < 1e-5);
            }
            assert_eq!(map.value(usize::MAX), kind.neutral());
        }
    }

    #[test]
    fn values_are_kept_in_range() {
        for (value, expected) in [(-1.0, 0), (7.0, 65535), (f32::NAN, 0), (0.5, 32768)] {
            assert_eq!(stored(value), expected);
        }
    }

    #[test]
    fn sizes_are_held() {
        let text = |layout| {
            let map = Map::uniform(layout, MapKind::Curl, [1.0; 3]);
            map.unwrap_err().to_string()
        };
        assert_eq!(
            text(picture_layout(0, 3)),
            "curl map: 0 x 3 values; each side must be 1 to 8192. Resize the picture"
        );
        assert!(text(picture_layout(3, 8193)).starts_with("curl map: 3 x 8193 values;"));
        assert!(text(Layout::Vertices(0)).starts_with("curl map: 0 vertices;"));
        assert!(text(Layout::Vertices(u32::MAX)).contains("1 to 33554432. Give"));
    }
}
