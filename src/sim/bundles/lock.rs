//! Locks: wet strands gather with their neighbours.

use crate::groom::Groom;
use crate::roots::RootIndex;
use glam::Vec3;

/// The locks of all strands.
#[derive(Clone, Debug)]
pub(super) struct Locks {
    /// The strands of each lock, ascending.
    pub(super) strands: Vec<Vec<usize>>,
    /// The way of each root from the mean root of its lock, head space.
    pub(super) spots: Vec<Vec3>,
}

impl Locks {
    /// Gathers strands around middles that are picked greedily in the order of the roots, at least
    /// `size` apart, so that locks are as even as roots. Returns `None` for a size of 0.
    pub(super) fn of(groom: &Groom, size: f32) -> Option<Self> {
        if size <= 0.0 {
            return None;
        }
        let reach = f64::from(size);
        let mut middles = RootIndex::default();
        for (&root, &normal) in groom.roots.iter().zip(&groom.normals) {
            if root.is_finite() && !middles.any(root, normal, reach, |_| reach) {
                // A root that the index refuses is no middle.
                let _ = middles.add(root, normal);
            }
        }
        let mut strands = vec![Vec::new(); middles.len()];
        for (strand, (&root, &normal)) in groom.roots.iter().zip(&groom.normals).enumerate() {
            let finite = Some(root).filter(|root| root.is_finite());
            if let Some(lock) = finite.and_then(|root| middles.nearest(root, normal, reach)) {
                strands[lock].push(strand);
            }
        }
        // One strand alone is no lock.
        strands.retain(|strands| strands.len() > 1);
        let mut spots = vec![Vec3::ZERO; groom.len()];
        for strands in &strands {
            let roots = strands.iter().map(|&strand| groom.roots[strand]);
            let middle = roots.sum::<Vec3>() / strands.len() as f32;
            for &strand in strands {
                spots[strand] = groom.roots[strand] - middle;
            }
        }
        Some(Self { strands, spots })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_lock_of_its_size() {
        let root = |i: usize| Vec3::new((i % 20) as f32, 0.0, (i / 20) as f32) * 0.05;
        let mut groom = Groom::parallel((0..400).map(root).collect(), Vec3::Y, 1.0);
        groom.roots[7] = Vec3::NAN;
        let locks = Locks::of(&groom, 0.2).unwrap();
        let held: usize = locks.strands.iter().map(Vec::len).sum();
        assert!((380..400).contains(&held), "{held}");
        assert!((20..60).contains(&locks.strands.len()));
        for strands in &locks.strands {
            assert!(strands.len() > 1 && !strands.contains(&7));
            let sum: Vec3 = strands.iter().map(|&i| locks.spots[i]).sum();
            assert!(sum.length() < 1e-4);
            assert!(strands.iter().all(|&i| locks.spots[i].length() < 0.4));
        }
        assert!(Locks::of(&groom, 0.0).is_none());
    }
}
