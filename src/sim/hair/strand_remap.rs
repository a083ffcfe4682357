//! Which strand is which when others grow or go: those whose roots stay keep their motion.

use crate::groom::Groom;
use glam::Vec3;

/// For each strand, the one before that it goes on from.
pub(crate) enum Kept {
    /// Each from the one of its number.
    All,
    /// From these; `None` is at rest.
    Some(Vec<Option<u32>>),
}

impl Kept {
    /// Finds strands by their roots, to the bit. As many strands as before, and none of them found
    /// under another number, go on as they are: the same hair on other roots.
    pub(crate) fn of(old: &Groom, new: &Groom) -> Self {
        if old.roots == new.roots {
            return Self::All;
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
            true => Self::All,
            false => Self::Some(found),
        }
    }

    /// The same of strands of which only some are simulated: `new` those that are, by number;
    /// `old` where a strand is, or what it follows.
    pub(crate) fn simulated(
        self,
        new: impl Iterator<Item = u32>,
        old: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let Self::Some(found) = self else {
            return Self::All;
        };
        let from = |strand: u32| found.get(strand as usize).copied().flatten().and_then(&old);
        Self::Some(new.map(from).collect())
    }

    /// Where a strand goes on from, of `count` before; `None`: it is at rest.
    pub(crate) fn source(&self, strand: usize, count: usize) -> Option<usize> {
        let source = match self {
            Self::All => Some(strand),
            Self::Some(found) => found
                .get(strand)
                .copied()
                .flatten()
                .map(|from| from as usize),
        };
        source.filter(|&source| source < count)
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
        let sources = |new: &[f32]| {
            let kept = Kept::of(&old, &groom(new));
            (0..new.len())
                .map(|i| kept.source(i, 3))
                .collect::<Vec<_>>()
        };
        assert_eq!(sources(&[1.0, 2.0, 3.0]), [Some(0), Some(1), Some(2)]);
        assert_eq!(sources(&[1.0, 3.0]), [Some(0), Some(2)]);
        assert_eq!(
            sources(&[5.0, 1.0, 2.0, 3.0]),
            [None, Some(0), Some(1), Some(2)]
        );
        // One came and one went.
        assert_eq!(sources(&[2.0, 3.0, 4.0]), [Some(1), Some(2), None]);
        // The same hair on other roots.
        assert_eq!(sources(&[7.0, 8.0, 9.0]), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn basis_hairs_go_on_from_what_their_strands_followed() {
        let (old, new) = (groom(&[1.0, 2.0, 3.0]), groom(&[1.0, 3.0]));
        // Strand 1 alone is simulated; before, strands 1 and 2 followed the second basis hair.
        let kept = Kept::of(&old, &new).simulated([1].into_iter(), |strand| Some(strand.min(1)));
        assert_eq!(kept.source(0, 2), Some(1));
    }
}
