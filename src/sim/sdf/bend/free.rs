//! Lower bounds of distances from skin that moves.

use super::BendMotion;
use super::lattice::{MARGIN, corners_of};
use crate::sim::Sdf;
use crate::sim::sdf::grid::place;
use crate::sim::simd::{LANES, Lanes3, get3, set3};
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// Paths along the neighbours of cells are longer than straight ones by no more than this inverse:
/// √(1 + (√2 − 1)² + (√3 − √2)²) = 1.128 along (1, √2 − 1, √3 − √2).
const STRAIGHT: f32 = 0.886;

impl BendMotion {
    /// Returns a lower bound of the distance of a point at any time of the motion.
    #[inline(always)]
    pub(super) fn lower_bound(&self, point: Vec3) -> f32 {
        let place = self.lattice.locate(point);
        match place.is_outside() {
            true => place.off.length() + MARGIN,
            false => {
                let from_middle = (place.share - 0.5) * self.lattice.cell;
                self.free[place.first] - from_middle.length()
            }
        }
    }

    /// Returns for each cell, by its lowest node, a lower bound of the distance of its middle.
    ///
    /// Where skin is pressed together, the field behind it is too far away. A distance changes by no
    /// more than the way between two points, so what is right beside skin bounds the rest.
    pub(super) fn distances(&self, field: &Sdf) -> Vec<f32> {
        let mut free = vec![f32::MAX; self.ways.len()];
        let half = Vec3::splat(0.5 * self.lattice.cell);
        let chunks = free.par_chunks_mut(LANES).enumerate();
        chunks.for_each(|(chunk, free)| {
            let mut middles = Lanes3::default();
            for lane in 0..LANES {
                let node = (chunk * LANES + lane).min(self.ways.len() - 1);
                set3(&mut middles, lane, self.lattice.node(node) + half);
            }
            let found = self.sample(field, &middles, 1.0);
            for (lane, free) in free.iter_mut().enumerate() {
                let first = chunk * LANES + lane;
                if !self.lattice.is_cell(first) {
                    continue;
                }
                *free = match &found {
                    Some((distance, _)) => distance.0[lane],
                    None => field.distance(get3(&middles, lane).to_array()),
                };
                let changes = corners_of(&self.lattice.size, first);
                let changes = changes.map(|node| self.ways[node][1]);
                *free -= changes.into_iter().map(Vec4::length).fold(0.0, f32::max);
            }
        });
        self.relax(&mut free);
        for free in &mut free {
            *free = if *free > 0.0 { *free * STRAIGHT } else { *free };
        }
        free
    }

    /// Lowers the values of cells to those of their neighbours and the ways from there.
    fn relax(&self, free: &mut [f32]) {
        let [nx, ny, nz] = self.lattice.size.map(|nodes| nodes as isize);
        let neighbours: Vec<([isize; 3], f32)> = (-1..=1)
            .flat_map(|z| (-1..=1).flat_map(move |y| (-1..=1).map(move |x| [x, y, z])))
            .filter(|[x, y, z]| (z * 3 + y) * 3 + x < 0)
            .map(|by| {
                (
                    by,
                    Vec3::from(by.map(|i| i as f32)).length() * self.lattice.cell,
                )
            })
            .collect();
        for forwards in [true, false] {
            for i in 0..free.len() {
                let (at, sign) = match forwards {
                    true => (i, 1),
                    false => (free.len() - 1 - i, -1),
                };
                let [x, y, z] = place(self.lattice.size, at).map(|i| i as isize);
                for ([dx, dy, dz], way) in &neighbours {
                    let (x, y, z) = (x + sign * dx, y + sign * dy, z + sign * dz);
                    if (0..nx).contains(&x) && (0..ny).contains(&y) && (0..nz).contains(&z) {
                        let beside = free[((z * ny + y) * nx + x) as usize];
                        free[at] = free[at].min(beside + way);
                    }
                }
            }
        }
    }
}
