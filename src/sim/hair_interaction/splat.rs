//! Adds particles to the nodes around them.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::bounds::Bounds;
use super::grid::Grid;
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{Kernel, LANES, Lanes, Transpose, get3};

/// The particle count and the sum of velocities at a node, in fixed-point [`Units`].
pub(crate) type Node = [i32; 4];

/// The scale of the fixed-point numbers. Integer sums depend neither on the order of the terms nor
/// on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Units {
    /// The integer for one particle.
    pub(crate) per_particle: f32,
    /// The integer for one particle at 1 dm/s.
    pub(crate) per_speed: f32,
}

/// Adds all particles but the roots to the nodes around them, and finds their bounds.
pub(crate) struct Splat<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) units: Units,
    /// Velocity components are clamped to this, dm/s.
    pub(crate) fastest: f32,
    pub(crate) nodes: &'a mut [Node],
    /// Blocks of `each` particles.
    pub(crate) particles: &'a [ParticleBlock],
    pub(crate) each: usize,
    /// The number of strands; lanes past the last one are ignored.
    pub(crate) strands: usize,
}

impl Kernel for Splat<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> Bounds {
        // A copy, which no write can alias.
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
                // The terms for both ends of the rows.
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

/// Adds four numbers to each of two nodes in a row.
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
