//! Undo of strokes on maps.

use super::map::Map;

/// The values that a stroke on a map changed, as they were before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapUndo {
    /// The indices of these values.
    texels: Vec<u32>,
    /// Their numbers, `channels` each.
    old: Vec<u16>,
    /// A bit for each value of the map, set if it is one of them. Empty after the stroke.
    known: Vec<u64>,
}

impl MapUndo {
    /// Adds the numbers and the coverage that a value of a map had before it changed, unless it
    /// changed before.
    pub(super) fn add(&mut self, map: &Map, index: usize, old: [u16; 3], coverage: u16) {
        // Memory is taken when it is first written to: a stroke over a large map begins at once.
        if self.known.is_empty() {
            self.known = vec![0; map.layout.values().div_ceil(64)];
        }
        let (word, bit) = (&mut self.known[index / 64], 1 << (index % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.texels.push(index as u32);
            self.old.extend(&old[..map.kind.channels()]);
            self.old.extend(map.has_coverage.then_some(coverage));
        }
    }

    /// Ends the stroke on its map: forgets values that are as they were before it, and frees what
    /// only further dabs need.
    pub fn finish(&mut self, map: &Map) {
        let channels = map.channels();
        // The lists are shortened in place, because a large map has many values.
        let mut kept = 0;
        for i in 0..self.texels.len() {
            let old = i * channels..(i + 1) * channels;
            let value = map.values.get(self.texels[i] as usize * channels..);
            if value.is_none_or(|value| !value.starts_with(&self.old[old.clone()])) {
                self.texels[kept] = self.texels[i];
                self.old.copy_within(old, kept * channels);
                kept += 1;
            }
        }
        self.texels.truncate(kept);
        self.old.truncate(kept * channels);
        self.texels.shrink_to_fit();
        self.old.shrink_to_fit();
        self.known = Vec::new();
    }

    /// Returns the indices of the values.
    pub(super) fn texels(&self) -> &[u32] {
        &self.texels
    }

    /// Returns `true` if the stroke changed nothing.
    pub fn is_empty(&self) -> bool {
        self.texels.is_empty()
    }

    /// Size in memory, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.texels[..]) + size_of_val(&self.old[..])
    }

    /// Swaps the values with those of the map: undoes the stroke, or redoes it, to the bit. The map
    /// must be in the state in which the stroke left it.
    pub fn swap(&mut self, map: &mut Map) {
        let channels = map.channels();
        for (&texel, old) in self.texels.iter().zip(self.old.chunks_exact_mut(channels)) {
            let start = texel as usize * channels;
            if let Some(values) = map.values.get_mut(start..start + channels) {
                values.swap_with_slice(old);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Layout, MapKind};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn undo_and_redo_lead_back_to_the_bit(
            kind in prop::sample::select(MapKind::ALL.to_vec()),
            changes in prop::collection::vec((0..9_usize, any::<[u16; 3]>(), any::<u16>()), 0..20),
            is_layer in any::<bool>(),
        ) {
            let mut before = Map::uniform(Layout::Vertices(7), kind, kind.neutral()).unwrap();
            if is_layer {
                before = before.with_coverage(0);
            }
            let (mut map, mut undo) = (before.clone(), MapUndo::default());
            for (index, value, coverage) in changes {
                let (old, covered) = (map.stored(index), map.coverage(index));
                if map.put(index, value) | map.cover(index, coverage) {
                    undo.add(&map, index, old.unwrap(), covered);
                }
            }
            undo.finish(&map);
            prop_assert_eq!(undo.is_empty(), map == before);
            let after = map.clone();
            for expected in [&before, &after, &before] {
                undo.swap(&mut map);
                prop_assert_eq!(&map, expected);
            }
        }
    }
}
