//! Undo and redo of a stroke on a map.

use super::Map;

/// The values that a stroke changed, as they were before.
///
/// Pass the same record to everything that belongs to a stroke. [`MapUndo::swap`] then undoes the
/// stroke, and redoes it when called again.
#[derive(Clone, Debug, Default)]
pub struct MapUndo {
    /// One bit per value: whether it is recorded. Empty until the first change, and after
    /// [`MapUndo::finish`].
    seen: Vec<u64>,
    /// The recorded values; empty if `whole` is set.
    texels: Vec<u32>,
    /// Their old numbers, `channels` each; all numbers of the map if `whole` is set.
    old: Vec<u16>,
    /// Whether `old` is the whole map.
    whole: bool,
}

impl MapUndo {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty()
    }

    /// Size in memory, bytes.
    pub fn bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u64>()
            + self.texels.capacity() * size_of::<u32>()
            + self.old.capacity() * size_of::<u16>()
    }

    /// Frees the memory that is needed only during a stroke.
    pub fn finish(&mut self) {
        self.seen = Vec::new();
        self.texels.shrink_to_fit();
        self.old.shrink_to_fit();
    }

    /// Swaps the recorded values with those of the map: undoes the stroke, or redoes it, to the
    /// bit. The map must be the painted one, in the state in which the stroke left it.
    pub fn swap(&mut self, map: &mut Map) {
        if self.whole {
            if self.old.len() == map.values.len() {
                std::mem::swap(&mut self.old, &mut map.values);
            }
            return;
        }
        let channels = map.kind.channels();
        for (&texel, old) in self.texels.iter().zip(self.old.chunks_exact_mut(channels)) {
            let start = texel as usize * channels;
            if let Some(values) = map.values.get_mut(start..start + channels) {
                values.swap_with_slice(old);
            }
        }
    }

    /// Writes a value, and records the old one the first time that it changes. Returns whether it
    /// changed.
    pub(crate) fn put(&mut self, map: &mut Map, texel: u32, value: [u16; 3]) -> bool {
        let index = texel as usize;
        let channels = map.kind.channels();
        let Some(old) = map.stored(index) else {
            return false;
        };
        if old == value || channels == 1 && old[0] == value[0] {
            return false;
        }
        map.put(index, value);
        if !self.whole && self.first_time(map.layout.values(), index) {
            self.texels.push(texel);
            self.old
                .extend_from_slice(old.get(..channels).unwrap_or_default());
        }
        true
    }

    /// Records the whole map. Call it before the map changes.
    pub(crate) fn record_whole(&mut self, map: &Map) {
        if self.whole {
            return;
        }
        // The map before the stroke: the recorded values put back.
        let mut before = map.clone();
        self.swap(&mut before);
        *self = MapUndo {
            old: before.values,
            whole: true,
            ..MapUndo::default()
        };
    }

    fn first_time(&mut self, values: usize, index: usize) -> bool {
        if self.seen.is_empty() {
            self.seen.resize(values.div_ceil(64), 0);
            for &texel in &self.texels {
                mark(&mut self.seen, texel as usize);
            }
        }
        mark(&mut self.seen, index)
    }
}

/// Sets a bit, and returns whether it was not set before.
fn mark(bits: &mut [u64], index: usize) -> bool {
    let Some(bits) = bits.get_mut(index / 64) else {
        return false;
    };
    let bit = 1 << (index % 64);
    let first = *bits & bit == 0;
    *bits |= bit;
    first
}
