//! Applies friction and repulsion from the nodes to the particles.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::grid::{Grid, Node, Units};
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{Kernel, LANES, Lanes, Transpose, axes, dispatch, flush, get3, set3};
use glam::Vec3;

/// The ε of the repulsion, particles per cell: smaller differences are noise and push less.
const NOISE: f32 = 1.0;

/// The forces of one step.
///
/// Friction: v = (1 − f) v + f v_grid. Repulsion: v −= a h ∇ρ / (|∇ρ| + ε).
#[derive(Clone, Copy)]
pub struct InteractionForces<'a> {
    pub(super) grid: Grid,
    pub(super) units: Units,
    pub(super) nodes: &'a [Node],
    /// The number of particles of a strand.
    pub(super) each: usize,
    /// The fraction f of the velocity difference that friction removes in a step.
    pub(super) friction: f32,
    /// The velocity change a h by repulsion in a step, dm/s.
    pub(super) push: f32,
}

impl InteractionForces<'_> {
    /// Applies the forces to whole strands, except for their roots.
    pub(crate) fn apply(&self, particles: &mut [ParticleBlock]) {
        dispatch((self, particles));
    }
}

/// The kernel of [`InteractionForces::apply`].
impl Kernel for (&InteractionForces<'_>, &mut [ParticleBlock]) {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) {
        // Copies, which no write can alias.
        let (forces, particles) = (*self.0, self.1);
        let (grid, units) = (forces.grid, forces.units);
        let (rows, end) = grid.rows();
        let per_cell = 1.0 / grid.cell;
        let slope = per_cell / units.per_particle;
        let per_density = units.per_particle / units.per_speed;
        // For each strand, the means over its four rows at either end, and the densities at the
        // corners of its cell, rows first.
        let (mut means, mut corners) = ([Lanes::default(); LANES], [Lanes::default(); LANES]);
        for particles in particles.chunks_exact_mut(forces.each) {
            for ParticleBlock { position, velocity } in &mut particles[1..] {
                let places = grid.places(position);
                let weights = &places.rows;
                for lane in 0..LANES {
                    let first = places.node[lane] as usize;
                    let nodes = &forces.nodes[first..first + end];
                    let (a, b) = (row(nodes, rows[0]), row(nodes, rows[1]));
                    let (c, d) = (row(nodes, rows[2]), row(nodes, rows[3]));
                    let [k, l, m, n] = weights;
                    let (k, l, m, n) = (k.0[lane], l.0[lane], m.0[lane], n.0[lane]);
                    for i in 0..LANES {
                        means[lane].0[i] = a.0[i] * k + b.0[i] * l + c.0[i] * m + d.0[i] * n;
                    }
                    corners[lane] = transpose.ends([&a, &b, &c, &d]);
                }
                let means = transpose.transposed(&means);
                let corners = transpose.transposed(&corners);
                let within = places.within;
                let was = *velocity;
                let mut now = was;
                for lane in 0..LANES {
                    let [x, y, z] = get3(&within, lane).to_array();
                    let (u, v, w) = (1.0 - x, 1.0 - y, 1.0 - z);
                    let (left, right) = (means[0].0[lane], means[4].0[lane]);
                    let density = left * u + right * x;
                    let momentum = axes!(i => means[i + 1].0[lane] * u + means[i + 5].0[lane] * x);
                    let momentum = Vec3::from(momentum);
                    let [a, b] = [corners[0].0[lane], corners[1].0[lane]];
                    let [c, d] = [corners[2].0[lane], corners[3].0[lane]];
                    let [e, f] = [corners[4].0[lane], corners[5].0[lane]];
                    let [g, h] = [corners[6].0[lane], corners[7].0[lane]];
                    let along_y = ((b - a) * w + (d - c) * z) * u + ((f - e) * w + (h - g) * z) * x;
                    let along_z = ((c - a) * v + (d - b) * y) * u + ((g - e) * v + (h - f) * y) * x;
                    let gradient = Vec3::new(right - left, along_y, along_z) * slope;
                    let steep = gradient.dot(gradient).sqrt() + NOISE * per_cell;
                    let push = forces.push / steep;
                    // There is no friction where there is no hair.
                    let some = density > 0.0;
                    let per_mass = per_density / if some { density } else { 1.0 };
                    let friction = if some { forces.friction } else { 0.0 };
                    let v = get3(&was, lane);
                    let felt = v + (momentum * per_mass - v) * friction - gradient * push;
                    set3(&mut now, lane, felt.map(flush));
                }
                *velocity = now;
            }
        }
    }
}

/// Returns the components of two nodes in a row.
#[inline(always)]
fn row(nodes: &[Node], at: usize) -> Lanes {
    let nodes = nodes[at..at + 2].as_flattened();
    let mut numbers = Lanes::default();
    for i in 0..LANES {
        numbers.0[i] = nodes[i] as f32;
    }
    numbers
}
