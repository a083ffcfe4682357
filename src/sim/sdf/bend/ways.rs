//! The ways back at the nodes of a grid, from points of skin.

use super::lattice::Lattice;
use crate::sim::sdf::grid::place;
use glam::{Mat3, Vec3};
use rayon::prelude::*;

/// The number of times that what is left at the points of skin is added to the nodes around them.
const ROUNDS: usize = 2;
/// Shorter ways count as none, decimetres.
const LEAST_WAY: f32 = 1e-3;

/// A point of skin that has moved, head space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(crate) now: Vec3,
    /// Its place in the field.
    pub(crate) then: Vec3,
    /// The map of directions from now to then.
    pub(crate) back: Mat3,
}

/// A mean of maps p = `back` q + `shift` of head space from now to then.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    /// 0: it is not known.
    weight: f32,
    back: Mat3,
    shift: Vec3,
}

impl Mean {
    const NONE: Self = Self {
        weight: 0.0,
        back: Mat3::ZERO,
        shift: Vec3::ZERO,
    };

    fn add(&mut self, other: &Self, weight: f32) {
        self.weight += weight;
        self.back += other.back * weight;
        self.shift += other.shift * weight;
    }

    fn divided(self) -> Self {
        if self.weight <= 0.0 {
            return Self::NONE;
        }
        Self {
            weight: 1.0,
            back: self.back * (1.0 / self.weight),
            shift: self.shift * (1.0 / self.weight),
        }
    }
}

/// Returns the way from each node of a grid to where the field has it.
///
/// Each point of skin gives the map that moves its surroundings back. A node beside skin has the
/// mean of those near it, so that pieces of skin that move as a whole are exact. The others have
/// what is left between (pull and push: Gortler and others, *The Lumigraph*, 1996). What maps alone
/// do not tell, such as morph targets, is then added to the nodes beside skin.
pub(super) fn ways(lattice: &Lattice, skin: &[Moved]) -> Vec<Vec3> {
    let mut means = vec![Mean::NONE; lattice.nodes()];
    for point in skin {
        let map = Mean {
            weight: 1.0,
            back: point.back,
            shift: point.then - point.back * point.now,
        };
        for (node, weight) in lattice.around_point(point.now) {
            means[node].add(&map, weight);
        }
    }
    (means.iter_mut()).for_each(|mean| *mean = mean.divided());
    fill(lattice.size, &mut means);
    let way = |(node, mean): (usize, &Mean)| {
        let at = lattice.node(node);
        match mean.weight > 0.0 {
            true => mean.back * at + mean.shift - at,
            false => Vec3::ZERO,
        }
    };
    let mut ways: Vec<Vec3> = means.par_iter().enumerate().map(way).collect();
    let mut left = vec![(Vec3::ZERO, 0.0); ways.len()];
    for _ in 0..ROUNDS {
        left.fill((Vec3::ZERO, 0.0));
        for point in skin {
            let around = lattice.around_point(point.now);
            let found: Vec3 = around
                .iter()
                .map(|&(node, weight)| ways[node] * weight)
                .sum();
            let missing = point.then - point.now - found;
            for (node, weight) in around {
                left[node].0 += missing * weight;
                left[node].1 += weight;
            }
        }
        for (way, (missing, weight)) in ways.iter_mut().zip(&left) {
            if *weight > 0.0 {
                *way += *missing * (1.0 / weight);
            }
        }
    }
    for way in &mut ways {
        if !way.is_finite() || way.length_squared() < LEAST_WAY * LEAST_WAY {
            *way = Vec3::ZERO;
        }
    }
    ways
}

/// Gives the nodes that have none what is left between those that have a map.
fn fill(size: [usize; 3], means: &mut [Mean]) {
    if size.iter().all(|&nodes| nodes <= 1) || means.iter().all(|mean| mean.weight > 0.0) {
        return;
    }
    let half = size.map(|nodes| nodes.div_ceil(2));
    let mut above = vec![Mean::NONE; half.iter().product()];
    for (node, mean) in means.iter().enumerate() {
        if mean.weight > 0.0 {
            let [x, y, z] = place(size, node).map(|i| i / 2);
            above[(z * half[1] + y) * half[0] + x].add(mean, 1.0);
        }
    }
    (above.iter_mut()).for_each(|mean| *mean = mean.divided());
    fill(half, &mut above);
    means.par_iter_mut().enumerate().for_each(|(node, mean)| {
        if mean.weight > 0.0 {
            return;
        }
        // A node is a quarter of a cell beside the middle of its parent.
        let at = place(size, node);
        let along = [0, 1, 2].map(|axis: usize| {
            let parent = at[axis] / 2;
            let beside = match at[axis] % 2 {
                0 => parent.saturating_sub(1),
                _ => (parent + 1).min(half[axis] - 1),
            };
            [(parent, 0.75), (beside, 0.25)]
        });
        let mut sum = Mean::NONE;
        for (z, wz) in along[2] {
            for (y, wy) in along[1] {
                for (x, wx) in along[0] {
                    let parent = &above[(z * half[1] + y) * half[0] + x];
                    if parent.weight > 0.0 {
                        sum.add(parent, wx * wy * wz);
                    }
                }
            }
        }
        *mean = sum.divided();
    });
}
