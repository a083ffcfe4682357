//! Maps strands of a groom to those of the groom before, so that strands whose roots stay keep
//! their motion when others grow or go.

use crate::groom::Groom;
use glam::Vec3;

/// For each strand, the strand before that it continues.
pub(crate) enum StrandRemap {
    /// Each continues the one with its number.
    Same,
    /// Each continues the one given; `None` starts at rest.
    From(Vec<Option<u32>>),
}

impl StrandRemap {
    /// Finds strands by the bits of their roots. Where the number of strands stays and none is
    /// found under another number, it is the same hair on other roots: all strands continue.
    pub(crate) fn by_roots(old: &Groom, new: &Groom) -> Self {
        if old.roots == new.roots {
            return Self::Same;
        }
        let bits = |root: &Vec3| root.to_array().map(f32::to_bits);
        let numbered = old.roots.iter().zip(0_u32..);
        let mut known: Vec<([u32; 3], u32)> = numbered.map(|(root, i)| (bits(root), i)).collect();
        known.sort_unstable();
        let find = |root: &Vec3| {
            let first = known.partition_point(|(at, _)| *at < bits(root));
            let found = known.get(first).filter(|(at, _)| *at == bits(root));
            found.map(|(_, number)| *number)
        };
        let found: Vec<Option<u32>> = new.roots.iter().map(find).collect();
        let moved = |(new, old): (u32, &Option<u32>)| old.is_some_and(|old| old != new);
        match old.len() == new.len() && !(0..).zip(&found).any(moved) {
            true => Self::Same,
            false => Self::From(found),
        }
    }

    /// Restricts the map to strands that are simulated: `new` are their numbers, and `old` maps a
    /// strand before to the simulated one that it was or followed.
    pub(crate) fn simulated(
        self,
        new: impl Iterator<Item = u32>,
        old: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let Self::From(found) = self else {
            return Self::Same;
        };
        let from = |strand: u32| found.get(strand as usize).copied().flatten().and_then(&old);
        Self::From(new.map(from).collect())
    }

    /// Returns the strand, of `count` before, that a strand continues; `None`: it starts at rest.
    pub(crate) fn source(&self, strand: usize, count: usize) -> Option<usize> {
        let source = match self {
            Self::Same => strand,
            Self::From(found) => (*found.get(strand)?)? as usize,
        };
        (source < count).then_some(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groom(roots: &[f32]) -> Groom {
        Groom {
            roots: roots.iter().map(|&x| Vec3::new(x, 0.0, 0.0)).collect(),
            ..Groom::default()
        }
    }

    #[test]
    fn strands_are_known_by_their_roots() {
        let old = groom(&[1.0, 2.0, 3.0]);
        for (new, expected) in [
            (&[1.0, 2.0, 3.0][..], &[Some(0), Some(1), Some(2)][..]),
            (&[1.0, 3.0], &[Some(0), Some(2)]),
            (&[5.0, 1.0, 2.0, 3.0], &[None, Some(0), Some(1), Some(2)]),
            // One came and one went.
            (&[2.0, 3.0, 4.0], &[Some(1), Some(2), None]),
            // The same hair on other roots.
            (&[7.0, 8.0, 9.0], &[Some(0), Some(1), Some(2)]),
        ] {
            let remap = StrandRemap::by_roots(&old, &groom(new));
            let sources: Vec<_> = (0..new.len()).map(|i| remap.source(i, 3)).collect();
            assert_eq!(sources, expected);
        }
    }

    #[test]
    fn basis_hairs_go_on_from_what_their_strands_followed() {
        let (old, new) = (groom(&[1.0, 2.0, 3.0]), groom(&[1.0, 3.0]));
        // Strand 1 alone is simulated; before, strands 1 and 2 followed the second basis hair.
        let remap = StrandRemap::by_roots(&old, &new);
        let remap = remap.simulated([1].into_iter(), |strand| Some(strand.min(1)));
        assert_eq!(remap.source(0, 2), Some(1));
    }
}
