//! Hair against hair: what a strand feels of the others, on a grid.
//!
//! Petrovic, Henne, Anderson: Volumetric Methods for Simulation and Rendering of Hair (Pixar
//! 2005), as in Müller, Kim, Chentanez 2012, equations 10 and 11.

use super::Hair;
use super::blocks::{LANES, Lanes3, ParticleBlock, add_scaled, dot, lane3, put3};
use super::step::kept;
use glam::Vec3;
use rayon::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};

/// Most nodes of the grid; where hair is spread farther, cells are larger.
const MOST_NODES: usize = 1 << 20;
/// Weights and velocities are summed as whole numbers of this share: so the sum does not depend on
/// the order, nor on the threads.
const UNIT: f32 = 65_536.0;
/// Faster particles count as this fast, dm/s.
const FASTEST: f32 = 1_000.0;
/// Differences of fewer particles from cell to cell are noise, and push accordingly less.
const NOISE: f32 = 1.0;

/// What strands do to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crowding {
    /// Rate at which velocities become those around, 1/s.
    pub(crate) friction: f32,
    /// Acceleration from where hair is dense to where it is not, dm/s².
    pub(crate) repulsion: f32,
    /// Side of a cell, dm.
    pub(crate) cell: f32,
}

impl Crowding {
    pub(super) fn is_off(&self) -> bool {
        self.friction == 0.0 && self.repulsion == 0.0
    }
}

/// How dense hair is at the nodes of the grid on which strands feel each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DensityGrid {
    /// Side of a cell, decimetres.
    pub cell: f32,
    /// Nodes with hair around them, world space, and how many particles each has: of one that lies
    /// between nodes each has a share. None before the first step.
    pub nodes: Vec<(Vec3, f32)>,
}

/// Number of particles and sum of their velocities at every node.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    low: [f32; 3],
    per_cell: f32,
    size: [usize; 3],
    nodes: Vec<[AtomicI64; 4]>,
}

impl Clone for Crowd {
    /// Without its contents, which every step makes anew.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Crowd {
    /// Lets all strands act on each other for a step of `dt` seconds.
    pub(crate) fn act(&mut self, hair: &mut Hair, crowding: &Crowding, dt: f32) {
        if !self.surround(hair, crowding.cell) {
            return;
        }
        let (m, count) = (hair.particles(), hair.len());
        let strands = |block: usize| (count - block * LANES).min(LANES);
        (hair.state.par_chunks(m).enumerate()).for_each(|(block, particles)| {
            for particle in &particles[1..] {
                for lane in 0..strands(block) {
                    self.add(particle, lane);
                }
            }
        });
        let friction = 1.0 - kept(crowding.friction, f64::from(dt));
        let push = crowding.repulsion * dt;
        (hair.state.par_chunks_mut(m)).for_each(|particles| {
            for particle in &mut particles[1..] {
                for lane in 0..LANES {
                    self.feel(particle, lane, friction, push);
                }
            }
        });
    }

    /// What the last step has counted.
    pub(super) fn density(&self) -> DensityGrid {
        if self.nodes.is_empty() {
            return DensityGrid::default();
        }
        let cell = 1.0 / self.per_cell;
        let [row, rows, _] = self.size;
        let counted = self.nodes.iter().enumerate().filter_map(|(i, node)| {
            let count = node[0].load(Ordering::Relaxed);
            let at = [i % row, i / row % rows, i / (row * rows)];
            let place = Vec3::from(self.low) + cell * Vec3::from(at.map(|x| x as f32));
            (count > 0).then(|| (place, count as f32 / UNIT))
        });
        DensityGrid {
            cell,
            nodes: counted.collect(),
        }
    }

    /// Lays an empty grid around all particles; false where there is none, or one is nowhere.
    fn surround(&mut self, hair: &Hair, cell: f32) -> bool {
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for ParticleBlock { position, .. } in &hair.state {
            for axis in 0..3 {
                for x in position[axis].0 {
                    if !x.is_finite() {
                        return false;
                    }
                    low[axis] = low[axis].min(x);
                    high[axis] = high[axis].max(x);
                }
            }
        }
        if hair.is_empty() {
            return false;
        }
        let mut cell = cell;
        loop {
            // Nodes at multiples of the cell, whatever the hair around does; one more on each side.
            let size = [0, 1, 2].map(|i| ((high[i] - low[i]) / cell).min(1e6) as usize + 4);
            let nodes: usize = size.iter().product();
            if nodes <= MOST_NODES {
                self.low = low.map(|x| ((x / cell).floor() - 1.0) * cell);
                self.per_cell = 1.0 / cell;
                self.size = size;
                self.nodes.clear();
                self.nodes.resize_with(nodes, Default::default);
                return true;
            }
            cell *= 1.25;
        }
    }

    /// The lowest node of the cell that a point is in, and where in the cell.
    #[inline(always)]
    fn place(&self, point: [f32; 3]) -> (usize, [f32; 3]) {
        let mut within = [0.0; 3];
        let mut at = [0; 3];
        for axis in 0..3 {
            let place = (point[axis] - self.low[axis]) * self.per_cell;
            at[axis] = (place as usize).min(self.size[axis] - 2);
            within[axis] = (place - at[axis] as f32).clamp(0.0, 1.0);
        }
        let node = (at[2] * self.size[1] + at[1]) * self.size[0] + at[0];
        (node, within)
    }

    /// The eight nodes of a cell: their numbers, weights, and derivatives of the weights.
    #[inline(always)]
    fn corners(&self, point: [f32; 3]) -> [(usize, f32, [f32; 3]); 8] {
        let (node, [x, y, z]) = self.place(point);
        let strides = [1, self.size[0], self.size[0] * self.size[1]];
        std::array::from_fn(|corner| {
            let (mut number, mut factors, mut slopes) = (node, [0.0; 3], [0.0; 3]);
            for (axis, f) in [x, y, z].into_iter().enumerate() {
                let upper = corner >> axis & 1 == 1;
                number += if upper { strides[axis] } else { 0 };
                factors[axis] = if upper { f } else { 1.0 - f };
                slopes[axis] = if upper { self.per_cell } else { -self.per_cell };
            }
            let [a, b, c] = factors;
            let gradient = [slopes[0] * b * c, slopes[1] * a * c, slopes[2] * a * b];
            (number, a * b * c, gradient)
        })
    }

    fn add(&self, particle: &ParticleBlock, lane: usize) {
        let v = lane3(&particle.velocity, lane).map(|v| v.clamp(-FASTEST, FASTEST));
        for (number, weight, _) in self.corners(lane3(&particle.position, lane)) {
            let node = &self.nodes[number];
            let values = [weight, weight * v[0], weight * v[1], weight * v[2]];
            for (sum, value) in node.iter().zip(values) {
                sum.fetch_add((value * UNIT) as i64, Ordering::Relaxed);
            }
        }
    }

    /// Friction: v = (1 − f) v + f v_grid. Repulsion: v −= a h ∇ρ / (|∇ρ| + ε).
    fn feel(&self, particle: &mut ParticleBlock, lane: usize, friction: f32, push: f32) {
        let (mut density, mut momentum, mut gradient) = (0.0, [0.0; 3], [0.0; 3]);
        for (number, weight, slope) in self.corners(lane3(&particle.position, lane)) {
            let sum = |i: usize| self.nodes[number][i].load(Ordering::Relaxed) as f32 / UNIT;
            density += weight * sum(0);
            momentum = add_scaled(momentum, [sum(1), sum(2), sum(3)], weight);
            gradient = add_scaled(gradient, slope, sum(0));
        }
        let velocities: &mut Lanes3 = &mut particle.velocity;
        let v = lane3(velocities, lane);
        if density <= 0.0 {
            return;
        }
        let around = momentum.map(|p| p / density);
        let slowed = [0, 1, 2].map(|i| v[i] + friction * (around[i] - v[i]));
        let steep = dot(gradient, gradient).sqrt() + NOISE * self.per_cell;
        put3(
            velocities,
            lane,
            add_scaled(slowed, gradient, -push / steep),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Groom;
    use crate::sim::Pose;

    fn bunch(count: usize) -> Hair {
        let roots: Vec<Vec3> = (0..count)
            .map(|i| Vec3::new((i % 7) as f32, 0.0, (i / 7) as f32) * 0.01)
            .collect();
        let groom = Groom {
            directions: vec![Vec3::Y; count],
            normals: vec![Vec3::Y; count],
            lengths: vec![0.5; count],
            roots,
            ..Groom::default()
        };
        Hair::new(&groom, 6, &Pose::IDENTITY)
    }

    fn act(hair: &mut Hair, friction: f32, repulsion: f32) {
        let crowding = Crowding {
            friction,
            repulsion,
            cell: 0.02,
        };
        Crowd::default().act(hair, &crowding, 1.0 / 240.0);
    }

    #[test]
    fn friction_makes_velocities_alike_and_keeps_common_ones() {
        let mut hair = bunch(49);
        for i in 0..49 {
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            for j in 1..6 {
                let velocity = Vec3::new(3.0, side, 0.0);
                hair.set(i, j, hair.position(i, j), velocity);
            }
        }
        for _ in 0..240 {
            act(&mut hair, 5.0, 0.0);
        }
        for i in 0..49 {
            let v = hair.velocity(i, 4);
            assert!((v.x - 3.0).abs() < 1e-2, "{v}");
            assert!(v.y.abs() < 0.1, "{v}");
        }
        assert_eq!(hair.velocity(0, 0), Vec3::ZERO);
    }

    #[test]
    fn repulsion_drives_a_bunch_apart_at_most_at_its_rate() {
        let mut hair = bunch(49);
        act(&mut hair, 0.0, 24.0);
        let (left, right) = (hair.velocity(0, 3), hair.velocity(48, 3));
        assert!(left.x < -1e-3 && left.z < -1e-3, "{left}");
        assert!(right.x > 1e-3 && right.z > 1e-3, "{right}");
        assert!(left.length() <= 0.1 && right.length() <= 0.1);
    }

    #[test]
    fn the_density_counts_every_particle_but_roots_where_it_is() {
        let mut crowd = Crowd::default();
        assert_eq!(crowd.density(), DensityGrid::default());
        let mut hair = bunch(49);
        let crowding = Crowding {
            friction: 1.0,
            repulsion: 0.0,
            cell: 0.05,
        };
        crowd.act(&mut hair, &crowding, 1.0 / 240.0);
        let DensityGrid { cell, nodes } = crowd.density();
        assert!((cell - 0.05).abs() < 1e-6);
        let all: f32 = nodes.iter().map(|(_, count)| count).sum();
        assert!((all - 49.0 * 5.0).abs() < 0.1, "{all}");
        let middle = nodes
            .iter()
            .map(|&(place, count)| place * count)
            .sum::<Vec3>()
            / all;
        assert!(
            middle.distance(Vec3::new(0.03, 0.3, 0.03)) < 1e-3,
            "{middle}"
        );
    }

    #[test]
    fn hair_that_is_far_apart_or_nowhere_is_left_alone() {
        let mut hair = bunch(2);
        hair.set(1, 3, Vec3::splat(1e9), Vec3::X);
        act(&mut hair, 5.0, 5.0);
        assert!(hair.velocity(1, 3).is_finite());
        hair.set(1, 3, Vec3::NAN, Vec3::X);
        act(&mut hair, 5.0, 5.0);
        assert_eq!(hair.velocity(1, 3), Vec3::X);
        act(&mut bunch(0), 5.0, 5.0);
    }
}
