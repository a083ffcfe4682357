//! Finds strands of a groom in the groom before, so that those whose roots stay keep their motion
//! when others grow or go.

use crate::groom::Groom;
use glam::Vec3;

/// Returns for each strand the one before that it continues; `None` starts at rest.
///
/// Strands are found by the bits of their roots. Where the number of strands stays and none is
/// found under another number, it is the same hair on other roots: all strands continue.
pub(crate) fn continued(old: &Groom, new: &Groom) -> Vec<Option<usize>> {
    let all = || (0..new.len()).map(Some).collect();
    if old.roots == new.roots {
        return all();
    }
    let bits = |root: &Vec3| root.to_array().map(f32::to_bits);
    let numbered = old.roots.iter().zip(0_usize..);
    let mut known: Vec<([u32; 3], usize)> = numbered.map(|(root, i)| (bits(root), i)).collect();
    known.sort_unstable();
    let find = |(number, root): (usize, &Vec3)| {
        // Strands at one place are told apart by their numbers.
        let same = old.roots.get(number).filter(|own| bits(own) == bits(root));
        if same.is_some() {
            return Some(number);
        }
        let first = known.partition_point(|(at, _)| *at < bits(root));
        let found = known.get(first).filter(|(at, _)| *at == bits(root));
        found.map(|(_, number)| *number)
    };
    let found: Vec<Option<usize>> = new.roots.iter().enumerate().map(find).collect();
    let moved = |(new, old): (usize, &Option<usize>)| old.is_some_and(|old| old != new);
    match old.len() == new.len() && !found.iter().enumerate().any(moved) {
        true => all(),
        false => found,
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
            // The hair is the same, on other roots.
            (&[7.0, 8.0, 9.0], &[Some(0), Some(1), Some(2)]),
        ] {
            assert_eq!(continued(&old, &groom(new)), expected);
        }
        let doubles = groom(&[1.0, 1.0, 2.0]);
        assert_eq!(continued(&doubles, &groom(&[1.0, 1.0])), [Some(0), Some(1)]);
    }
}
