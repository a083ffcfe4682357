//! The order of strands in memory: neighbours on the head are neighbours in memory.
//!
//! Strands come in an order of which every prefix is evenly spread, so consecutive strands are far
//! apart. What eight of them read of the head's distance field, or add to the grid on which hair
//! feels hair, would be spread over all of it.

use glam::Vec3;

/// Bits of the Morton code along an axis.
const BITS: u32 = 10;

/// A permutation of strands.
#[derive(Clone, Debug)]
pub(super) struct SlotOrder {
    /// The slot of each strand.
    slots: Vec<u32>,
    /// The strand in each slot.
    strands: Vec<u32>,
}

impl SlotOrder {
    /// Orders strands along the curve of Morton (1966) through the box around all roots.
    pub(super) fn new(roots: &[Vec3]) -> Self {
        let finite = roots.iter().copied().filter(|root| root.is_finite());
        let (low, high) = finite.fold((Vec3::MAX, Vec3::MIN), |(low, high), root| {
            (low.min(root), high.max(root))
        });
        let side = (high - low).max_element();
        let cells = ((1_u32 << BITS) - 1) as f32;
        let code = |&strand: &u32| {
            let place = (roots[strand as usize] - low) / side * cells;
            // NaN becomes 0.
            let [x, y, z] = place.to_array().map(|x| x as u32);
            spread(x) | spread(y) << 1 | spread(z) << 2
        };
        let mut strands: Vec<u32> = (0..roots.len() as u32).collect();
        strands.sort_by_cached_key(code);
        let mut slots = vec![0; strands.len()];
        for (slot, &strand) in strands.iter().enumerate() {
            slots[strand as usize] = slot as u32;
        }
        Self { slots, strands }
    }

    /// Returns the slot of a strand.
    pub(super) fn slot(&self, strand: usize) -> usize {
        self.slots[strand] as usize
    }

    /// Returns the strand in each slot.
    pub(super) fn strands(&self) -> &[u32] {
        &self.strands
    }
}

/// Inserts two zeros before each of the lowest ten bits.
fn spread(x: u32) -> u32 {
    let x = x.min((1 << BITS) - 1);
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strand_has_a_slot_and_neighbours_are_near() {
        let count = 4096;
        let mut roots: Vec<Vec3> = (0..count)
            .map(|i| {
                let at = i * 2731 % count;
                Vec3::new((at % 64) as f32, (at / 64) as f32, 0.0)
            })
            .collect();
        let order = SlotOrder::new(&roots);
        for strand in 0..count {
            assert_eq!(order.strands()[order.slot(strand)] as usize, strand);
        }
        let ways = order.strands().windows(2).map(|pair| {
            let [a, b] = [0, 1].map(|i: usize| roots[pair[i] as usize]);
            a.distance(b)
        });
        assert!(ways.sum::<f32>() / (count as f32) < 2.0);
        roots[7] = Vec3::NAN;
        assert_eq!(SlotOrder::new(&roots).strands().len(), count);
        assert!(SlotOrder::new(&[]).strands().is_empty());
        assert_eq!(SlotOrder::new(&[Vec3::ONE; 3]).strands(), [0, 1, 2]);
    }

    #[test]
    fn bits_are_spread() {
        let expected = 0b001_001_000_000_000_000_000_001_000_001;
        assert_eq!(spread(0b11_0000_0101), expected);
        assert_eq!(spread(u32::MAX), 0x0924_9249);
    }
}
