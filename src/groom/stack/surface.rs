//! The surface of hair: dyes, wetness and thickness.

use super::locks::locks;
use super::strands::{Strand, Strands, random_of};
use super::{Dye, Modifier, Profile, Wet};
use rayon::prelude::*;

/// The number of values of a strand whose values differ from root to tip.
const VALUES: usize = 16;

impl Strands<'_> {
    pub(super) fn dye(&mut self, modifier: &Modifier, dye: &Dye) {
        let middles = match dye.lock > 0.0 && dye.share < 1.0 {
            true => locks(&self.groom.roots, &self.groom.normals, dye.lock),
            false => Vec::new(),
        };
        let (ranks, seed) = (self.ground.ranks, self.seed(modifier));
        let is_dyed = |strand: &Strand| {
            let middle = (middles.get(strand.index)).map_or(strand.index, |&m| m as usize);
            let rank = ranks.get(middle).map_or(middle as u32, |&rank| rank);
            (random_of(seed, rank).uniform() as f32) < dye.share
        };
        if dye.bleach > 0.0 {
            let bleach = std::mem::take(&mut self.groom.bleach);
            self.groom.bleach = self.added(modifier, bleach, dye.bleach, is_dyed);
        }
        let mut stops = dye.stops.clone();
        stops.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let is_even = stops.len() <= 1 && modifier.is_even();
        let tints = std::mem::take(&mut self.groom.tints);
        self.groom.tints = self.values(modifier, tints, [1.0; 3], is_even, |strand, tints| {
            if !is_dyed(&strand) {
                return;
            }
            let count = tints.len();
            for (j, old) in tints.iter_mut().enumerate() {
                let t = place(j, count);
                let color = ramp(&stops, t).unwrap_or(dye.color);
                let weight = strand.weight * modifier.along(t);
                *old = [0, 1, 2].map(|i| old[i] * (1.0 - weight) + color[i] * weight);
            }
        });
    }

    pub(super) fn wet(&mut self, modifier: &Modifier, wet: &Wet) {
        let wetness = std::mem::take(&mut self.groom.wetness);
        self.groom.wetness = self.added(modifier, wetness, wet.wetness, |_| true);
    }

    pub(super) fn profile(&mut self, modifier: &Modifier, profile: &Profile) {
        let factors = [profile.root, profile.middle, profile.tip];
        let is_even = modifier.is_even() && factors.iter().all(|&f| f == factors[0]);
        let widths = std::mem::take(&mut self.groom.widths);
        self.groom.widths = self.values(modifier, widths, 1.0, is_even, |strand, widths| {
            let thinner = 1.0 - profile.variation * strand.random().uniform() as f32;
            let count = widths.len();
            for (j, old) in widths.iter_mut().enumerate() {
                let t = place(j, count);
                let weight = strand.weight * modifier.along(t);
                *old *= 1.0 + (thinner * linear(&factors, t) - 1.0) * weight;
            }
        });
    }

    /// Returns shares of which `more` is taken from what is left to 1, on the strands that are meant.
    fn added(
        &self,
        modifier: &Modifier,
        old: Vec<f32>,
        more: f32,
        is_meant: impl Fn(&Strand) -> bool + Sync,
    ) -> Vec<f32> {
        self.values(modifier, old, 0.0, modifier.is_even(), |strand, shares| {
            if is_meant(&strand) {
                let count = shares.len();
                for (j, share) in shares.iter_mut().enumerate() {
                    let weight = strand.weight * modifier.along(place(j, count));
                    *share = 1.0 - (1.0 - *share) * (1.0 - more * weight);
                }
            }
        })
    }

    /// Returns the values of all strands, `usual` where there are none, after `change` was called
    /// with each strand that the modifier acts on and its values. Strands get [`VALUES`] unless their
    /// values are even.
    fn values<T: Copy + Send + Sync>(
        &self,
        modifier: &Modifier,
        old: Vec<T>,
        usual: T,
        is_even: bool,
        change: impl Fn(Strand, &mut [T]) + Sync,
    ) -> Vec<T> {
        let count = self.groom.len();
        let had = old.len() / count;
        let per = if is_even { had.max(1) } else { VALUES };
        let mut values = match had {
            0 => vec![usual; count * per],
            _ if had == per => old,
            // All lists have one value or this number of them.
            _ => old.iter().flat_map(|&old| [old; VALUES]).collect(),
        };
        (values.par_chunks_exact_mut(per).enumerate()).for_each(|(index, values)| {
            let strand = Strand::new(self.groom, self.ground, modifier, index);
            if strand.weight > 0.0 {
                change(strand, values);
            }
        });
        values
    }
}

/// Returns the share of the way from the root of a value; the middle for a single one.
fn place(j: usize, count: usize) -> f32 {
    match count {
        1 => 0.5,
        _ => j as f32 / (count - 1) as f32,
    }
}

/// Returns the value at a share of the way, 0 to 1, along evenly spaced values, linear in between; 1
/// if there are none.
pub(super) fn linear(values: &[f32], t: f32) -> f32 {
    let place = t * values.len().saturating_sub(1) as f32;
    let last = values.len().saturating_sub(2);
    let i = (place as usize).min(last);
    match values[i.min(values.len())..] {
        [low, high, ..] => low + (high - low) * (place - i as f32),
        [only] => only,
        [] => 1.0,
    }
}

/// Returns the colour at a place of a ramp whose stops are in order, linear in between; `None` if it
/// has no stops.
fn ramp(stops: &[[f32; 4]], t: f32) -> Option<[f32; 3]> {
    let next = stops.partition_point(|stop| stop[0] <= t);
    let [low, high] = [
        next.saturating_sub(1),
        next.min(stops.len().saturating_sub(1)),
    ];
    let (low, high) = (stops.get(low)?, stops.get(high)?);
    let share = ((t - low[0]) / (high[0] - low[0]).max(1e-6)).clamp(0.0, 1.0);
    Some([1, 2, 3].map(|i| low[i] + (high[i] - low[i]) * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_are_linear_between_their_stops() {
        let stops = [
            [0.2, 1.0, 0.0, 0.0],
            [0.6, 0.0, 1.0, 0.0],
            [0.6, 0.0, 0.0, 1.0],
        ];
        for (t, expected) in [
            (0.0, [1.0, 0.0, 0.0]),
            (0.4, [0.5, 0.5, 0.0]),
            (0.6, [0.0, 0.0, 1.0]),
            (1.0, [0.0, 0.0, 1.0]),
        ] {
            let color = ramp(&stops, t).unwrap();
            assert!(
                (0..3).all(|i| (color[i] - expected[i]).abs() < 1e-6),
                "{t}: {color:?}"
            );
        }
        assert_eq!(ramp(&[], 0.5), None);
        assert_eq!(ramp(&stops[..1], 0.9), Some([1.0, 0.0, 0.0]));
    }
}
