//! Particles added to the nodes around them.

// Lanes and nodes by number, as elsewhere, also where a loop happens to go through one array only.
#![allow(clippy::needless_range_loop)]

use super::super::simd::transpose::{Transpose, TransposeKernel};
use super::bounds::Bounds;
use super::grid::Grid;
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::lanes::{LANES, Lanes};
use crate::sim::simd::vector::get3;

/// Number of particles and sum of their velocities at a node, in whole [`Units`].
pub(crate) type Node = [i32; 4];

/// What a whole number at a node stands for: sums of whole numbers depend neither on the order of
/// what is added, nor on the threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Units {
    /// Of a particle.
    pub(crate) per_particle: f32,
    /// Of one at 1 dm/s.
    pub(crate) per_speed: f32,
}

/// Adds particles, but for the roots, to the nodes around them, and finds where they are.
pub(crate) struct Splat<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) units: Units,
    /// Particles that are faster, dm/s, count as this fast.
    pub(crate) fastest: f32,
    pub(crate) nodes: &'a mut [Node],
    /// Blocks of `each` particles.
    pub(crate) particles: &'a [ParticleBlock],
    pub(crate) each: usize,
    /// Those from here on: lanes past the last one do not count.
    pub(crate) strands: usize,
}

impl TransposeKernel for Splat<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run_with(self, transpose: impl Transpose) -> Bounds {
        // Of its own, so that nothing written could have changed it.
        let grid = *self.grid;
        let (rows, end) = grid.rows();
        let Units {
            per_particle,
            per_speed,
        } = self.units;
        let fastest = self.fastest;
        let mut bounds = Bounds::new();
        for (block, particles) in self.particles.chunks_exact(self.each).enumerate() {
            let lanes = (self.strands - block * LANES).min(LANES);
            for &ParticleBlock { position, velocity } in &particles[1..] {
                let places = grid.places(&position);
                let [within, ..] = places.within;
                // What each adds to both ends of its rows.
                let mut ends = [Lanes::default(); LANES];
                for lane in 0..LANES {
                    let v = get3(&velocity, lane);
                    bounds.add(lane, get3(&position, lane), v);
                    let v = v.map(|x| if x > -fastest { x } else { -fastest });
                    let v = v.map(|x| if x < fastest { x } else { fastest });
                    let [a, b, c] = (v * per_speed).to_array();
                    let x = within.0[lane];
                    let u = 1.0 - x;
                    ends[0].0[lane] = per_particle * u;
                    ends[1].0[lane] = a * u;
                    ends[2].0[lane] = b * u;
                    ends[3].0[lane] = c * u;
                    ends[4].0[lane] = per_particle * x;
                    ends[5].0[lane] = a * x;
                    ends[6].0[lane] = b * x;
                    ends[7].0[lane] = c * x;
                }
                let pairs = transpose.transposed(&ends);
                let weights = &places.rows;
                for lane in 0..lanes {
                    let first = places.node[lane] as usize;
                    let nodes = &mut self.nodes[first..first + end];
                    let pair = &pairs[lane];
                    let [a, b, c, d] = weights;
                    add_row(nodes, rows[0], pair, a.0[lane], transpose);
                    add_row(nodes, rows[1], pair, b.0[lane], transpose);
                    add_row(nodes, rows[2], pair, c.0[lane], transpose);
                    add_row(nodes, rows[3], pair, d.0[lane], transpose);
                }
            }
        }
        bounds
    }
}

/// Adds numbers to a row of two nodes: four to the one, four to the other.
#[inline(always)]
fn add_row(nodes: &mut [Node], at: usize, pair: &Lanes, weight: f32, transpose: impl Transpose) {
    let nodes = nodes[at..at + 2].as_flattened_mut();
    let mut numbers = Lanes::default();
    for i in 0..LANES {
        numbers.0[i] = pair.0[i] * weight;
    }
    let whole = transpose.rounded(&numbers);
    for i in 0..LANES {
        nodes[i] = nodes[i].wrapping_add(whole[i]);
    }
}
