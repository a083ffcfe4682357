//! Locks: strands whose roots are near each other.

use crate::bvh::bounds;
use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// The largest number of cells of a grid.
const MOST_CELLS: f32 = 4e6;
/// The number that stands for no middle.
const NONE: u32 = u32::MAX;

/// Returns for each strand the strand in the middle of its lock.
///
/// Middles are picked greedily in the order of the roots, at least `radius` apart on one side of the
/// skin, and every strand belongs to the nearest. A strand whose root is not finite is alone.
pub(crate) fn locks(roots: &[Vec3], normals: &[Vec3], radius: f32) -> Vec<u32> {
    let middles = Middles::spaced(roots, normals, radius, radius);
    let of = |strand: usize| middles.nearest(strand).unwrap_or(strand as u32);
    (0..roots.len()).into_par_iter().map(of).collect()
}

/// The middles that are known, in a grid of cells at least as wide as two radii of a lock: those
/// within a radius are in eight cells.
pub(super) struct Middles<'a> {
    roots: &'a [Vec3],
    normals: &'a [Vec3],
    radius: f32,
    low: Vec3,
    per_cell: f32,
    size: IVec3,
    /// The last middle in each cell, and the one before each middle.
    last: Vec<u32>,
    before: Vec<u32>,
}

impl<'a> Middles<'a> {
    /// Picks middles that are this far apart, and are found within the radius.
    pub(super) fn spaced(roots: &'a [Vec3], normals: &'a [Vec3], apart: f32, radius: f32) -> Self {
        let mut middles = Middles::new(roots, normals, radius);
        for (strand, root) in roots.iter().enumerate() {
            let mut is_near = !root.is_finite();
            middles.near(strand, |_, away| is_near |= away < apart * apart);
            if !is_near {
                middles.add(strand);
            }
        }
        middles
    }

    fn new(roots: &'a [Vec3], normals: &'a [Vec3], radius: f32) -> Self {
        let finite = roots.iter().copied().filter(|root| root.is_finite());
        let (low, high) = bounds(finite);
        let extent = (high - low).max(Vec3::ZERO);
        let mut cell = 2.0 * radius;
        while ((extent / cell).floor() + 1.0).element_product() > MOST_CELLS {
            cell *= 2.0;
        }
        let size = (extent / cell).as_ivec3() + 1;
        Self {
            roots,
            normals,
            radius,
            low,
            per_cell: 1.0 / cell,
            size,
            last: vec![NONE; size.element_product().max(1) as usize],
            before: vec![NONE; roots.len()],
        }
    }

    /// Returns the cell of a place that lies so many cells beyond a root along each axis.
    fn cell(&self, root: Vec3, beyond: f32) -> IVec3 {
        let cell = ((root - self.low) * self.per_cell + beyond).as_ivec3();
        cell.clamp(IVec3::ZERO, self.size - 1)
    }

    fn index(&self, cell: IVec3) -> usize {
        ((cell.z * self.size.y + cell.y) * self.size.x + cell.x) as usize
    }

    fn add(&mut self, strand: usize) {
        let cell = self.index(self.cell(self.roots[strand], 0.0));
        self.before[strand] = std::mem::replace(&mut self.last[cell], strand as u32);
    }

    /// Returns the nearest middle within the radius on the strand's side of the skin.
    pub(super) fn nearest(&self, strand: usize) -> Option<u32> {
        let (mut nearest, mut least) = (None, f32::INFINITY);
        self.near(strand, |other, away| {
            if away < least {
                (nearest, least) = (Some(other), away);
            }
        });
        nearest
    }

    /// Calls a function with each middle within the radius on the strand's side of the skin, and
    /// the square of its distance.
    pub(super) fn near(&self, strand: usize, mut found: impl FnMut(u32, f32)) {
        let (root, normal) = (self.roots[strand], self.normals[strand]);
        let (low, high) = (self.cell(root, -0.5), self.cell(root, 0.5));
        let most = self.radius * self.radius;
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let mut other = self.last[self.index(IVec3::new(x, y, z))];
                    while other != NONE {
                        let away = self.roots[other as usize].distance_squared(root);
                        if away < most && self.normals[other as usize].dot(normal) > 0.0 {
                            found(other, away);
                        }
                        other = self.before[other as usize];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn middles_are_apart_and_every_strand_has_the_nearest() {
        let mut random = Random::new(3);
        for extent in [1.0, 1e6] {
            let point = |_| Vec3::from([0; 3].map(|_| extent * random.uniform() as f32));
            let mut roots: Vec<Vec3> = (0..400).map(point).collect();
            roots[7] = Vec3::NAN;
            let normals: Vec<Vec3> = (0..400).map(|i| [Vec3::Y, Vec3::NEG_Y][i % 2]).collect();
            let radius = 0.3;
            let found = locks(&roots, &normals, radius);
            let is_middle = |&i: &usize| found[i] == i as u32 && i != 7;
            let middles: Vec<usize> = (0..400).filter(is_middle).collect();
            for strand in (0..400).filter(|&i| i != 7) {
                let near = middles.iter().filter(|&&m| m % 2 == strand % 2);
                let near = near.min_by(|&&a, &&b| {
                    let away = |i: usize| roots[i].distance(roots[strand]);
                    away(a).total_cmp(&away(b))
                });
                let near = *near.unwrap();
                assert_eq!(found[strand], near as u32);
                assert!(roots[near].distance(roots[strand]) < radius);
            }
            for (n, &a) in middles.iter().enumerate() {
                let others = middles[..n].iter().filter(|&&b| a % 2 == b % 2);
                others.for_each(|&b| assert!(roots[a].distance(roots[b]) >= radius));
            }
            assert_eq!(found[7], 7);
            // Middles that are nearer to each other are found as far away.
            let spaced = Middles::spaced(&roots, &normals, 0.5 * radius, radius);
            let mut all = 0;
            for strand in (0..400).filter(|&i| i != 7) {
                let mut least = f32::INFINITY;
                spaced.near(strand, |_, away| (all, least) = (all + 1, away.min(least)));
                assert!(least.sqrt() <= 0.5 * radius, "{strand}");
            }
            assert!(all > 2 * 400 || extent > 1.0, "{all}");
        }
    }
}
