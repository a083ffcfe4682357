//! The order of the roots of a level: the farthest from those before it comes next.

use super::Filler;
use crate::roots::SampleError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Filler<'_> {
    /// Ranks the roots from `first` on: each is the one farthest from all before it
    /// (farthest-point order, Gonzalez 1985), where more than `reach` counts as that.
    pub(crate) fn farthest_first(&mut self, first: usize, reach: f64) -> Result<(), SampleError> {
        let count = self.points.len() - first;
        let mut nearest = vec![reach; count];
        // Roots of the level that are near each other, those of each root in a run that ends here.
        let (mut near, mut ends) = (Vec::new(), Vec::with_capacity(count));
        let mut found = Vec::new();
        for root in first..self.points.len() {
            self.index.same_side_within(root, reach, &mut found);
            self.index.work.check()?;
            for &(other, distance) in &found {
                if other < self.external_count {
                    continue;
                }
                if other < first {
                    let nearest = &mut nearest[root - first];
                    *nearest = nearest.min(distance);
                } else {
                    near.push(((other - first) as u32, distance));
                }
            }
            ends.push(near.len());
        }
        // Distances only fall, so an entry is never below its place. Positive floats order as
        // their bits do.
        let key = |distance: f64, root: u32| (distance.to_bits(), Reverse(root));
        let mut heap: BinaryHeap<_> = (0..count as u32)
            .map(|root| key(nearest[root as usize], root))
            .collect();
        self.order.retain(|&root| (root as usize) < first);
        while let Some((claimed, Reverse(root))) = heap.pop() {
            let at = root as usize;
            if nearest[at].to_bits() < claimed {
                heap.push(key(nearest[at], root));
                continue;
            }
            self.order.push(first as u32 + root);
            let begin = at.checked_sub(1).map_or(0, |before| ends[before]);
            for &(other, distance) in &near[begin..ends[at]] {
                let nearest = &mut nearest[other as usize];
                *nearest = nearest.min(distance);
            }
        }
        Ok(())
    }
}
