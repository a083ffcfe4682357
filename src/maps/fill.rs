//! Changes of a whole map: filling, and mirroring one half of the head to the other.

use super::map::stored;
use super::{Canvas, Map, MapUndo, Place};
use glam::Vec3;
use rayon::prelude::*;

/// Search radius around mirrored positions, decimetres: heads are not quite symmetric.
const MAX_ASYMMETRY: f32 = 0.25;

impl Map {
    /// Sets all values, each number 0 to 1; grey maps use the first.
    pub fn fill(&mut self, value: [f32; 3], record: &mut MapUndo) {
        record.record_whole(self);
        let channels = self.kind.channels();
        let value = value.map(stored);
        for numbers in self.values.chunks_exact_mut(channels) {
            for (number, value) in numbers.iter_mut().zip(value) {
                *number = value;
            }
        }
    }

    /// Sets each value on the right half of the head (x below 0) to the one at the mirrored
    /// position on the left; directions are mirrored. Returns the number of changed values.
    ///
    /// Values without a counterpart within 0.25 dm stay, and so do those that also have a place on
    /// the left, where UVs overlap. Nothing happens if the canvas is for another layout.
    pub fn mirror_left_to_right(&mut self, canvas: &Canvas, record: &mut MapUndo) -> usize {
        if canvas.layout() != self.layout {
            return 0;
        }
        let is_left = |place: &Place| place.position.x >= 0.0;
        let places = canvas.places();
        let shared = places
            .iter()
            .enumerate()
            .filter(|(at, _)| canvas.is_shared(*at));
        let shared_left = shared.filter(|(_, place)| is_left(place));
        let mut on_both: Vec<u32> = shared_left.map(|(_, place)| place.texel).collect();
        on_both.sort_unstable();
        let step = 2.0 * canvas.texel_size();
        let other = |place: &Place| {
            if is_left(place) || on_both.binary_search(&place.texel).is_ok() {
                return None;
            }
            let there = place.position * Vec3::new(-1.0, 1.0, 1.0);
            let source = canvas.grid.nearest(there, step, MAX_ASYMMETRY, is_left)?;
            let value = self.stored(source as usize)?;
            Some((place.texel, self.kind.mirrored(value)))
        };
        let found: Vec<(u32, [u16; 3])> = places.par_iter().filter_map(other).collect();
        let put = |&(texel, value): &(u32, [u16; 3])| record.put(self, texel, value);
        found.iter().map(put).filter(|&changed| changed).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::test_parts::{FULL_SQUARE, quad};
    use crate::maps::{Dab, MapKind};

    #[test]
    fn the_right_half_becomes_the_mirrored_left() {
        let canvas = Canvas::of_part(&quad(FULL_SQUARE), 32);
        for kind in [MapKind::Density, MapKind::Direction] {
            let mut map = Map::uniform(canvas.layout(), kind, kind.neutral()).unwrap();
            let mut record = MapUndo::default();
            for (x, value) in [(0.5, [0.2, 0.3, 0.4]), (-0.4, [0.9; 3])] {
                let centre = Vec3::new(x, 0.2, 0.0);
                let dab = Dab {
                    centre,
                    value,
                    ..Dab::default()
                };
                map.dab(&canvas, &dab, &mut record);
            }
            let painted = map.clone();
            assert!(map.mirror_left_to_right(&canvas, &mut MapUndo::default()) > 0);
            for texel in 0..32 * 32 {
                let (row, column) = (texel / 32, texel % 32);
                let there = painted.stored(row * 32 + 31 - column).unwrap();
                let expected = match column {
                    16.. => painted.stored(texel).unwrap(),
                    _ => kind.mirrored(there),
                };
                assert_eq!(map.stored(texel), Some(expected));
            }
        }
    }

    #[test]
    fn fills_fill_and_are_undone() {
        let canvas = Canvas::of_part(&quad(None), 32);
        let mut map = Map::uniform(canvas.layout(), MapKind::Tint, [1.0; 3]).unwrap();
        let before = map.clone();
        let mut record = MapUndo::default();
        map.fill([0.0, 0.5, 1.0], &mut record);
        assert_eq!(map.values()[..3], [0, 32768, 65535]);
        record.swap(&mut map);
        assert_eq!(map, before);
    }
}
