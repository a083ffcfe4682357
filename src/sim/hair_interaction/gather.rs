//! Applies friction and repulsion from the nodes to the particles.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::field::Pull;
use super::grid::Grid;
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{Kernel, LANES, Lanes, Transpose, axes, dispatch, flush, get3, set3};
use glam::Vec3;

/// The forces of one step.
#[derive(Clone, Copy)]
pub struct InteractionForces<'a> {
    pub(super) grid: Grid,
    pub(super) pulls: &'a [Pull],
    /// The number of particles of a strand.
    pub(super) each: usize,
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
        let grid = forces.grid;
        let (rows, end) = grid.rows();
        // For each strand, the means over its four rows at either end.
        let mut means = [Lanes::default(); LANES];
        for particles in particles.chunks_exact_mut(forces.each) {
            for ParticleBlock { position, velocity } in &mut particles[1..] {
                let places = grid.places(position);
                let [k, l, m, n] = &places.rows;
                for lane in 0..LANES {
                    let first = places.node[lane] as usize;
                    let pulls = &forces.pulls[first..first + end];
                    let (a, b) = (row(pulls, rows[0]), row(pulls, rows[1]));
                    let (c, d) = (row(pulls, rows[2]), row(pulls, rows[3]));
                    let (k, l, m, n) = (k.0[lane], l.0[lane], m.0[lane], n.0[lane]);
                    for i in 0..LANES {
                        means[lane].0[i] = a[i] * k + b[i] * l + c[i] * m + d[i] * n;
                    }
                }
                let means = transpose.transposed(&means);
                let [within, ..] = places.within;
                let was = *velocity;
                let mut now = was;
                for lane in 0..LANES {
                    let x = within.0[lane];
                    let u = 1.0 - x;
                    let share = means[0].0[lane] * u + means[4].0[lane] * x;
                    let pull = axes!(i => means[i + 1].0[lane] * u + means[i + 5].0[lane] * x);
                    let v = get3(&was, lane);
                    set3(
                        &mut now,
                        lane,
                        (v - v * share + Vec3::from(pull)).map(flush),
                    );
                }
                *velocity = now;
            }
        }
    }
}

/// Returns the components of two nodes in a row.
#[inline(always)]
fn row(pulls: &[Pull], at: usize) -> [f32; LANES] {
    let mut numbers = [0.0; LANES];
    numbers.copy_from_slice(pulls[at..at + 2].as_flattened());
    numbers
}
