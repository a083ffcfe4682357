//! Applies friction and repulsion from the nodes to the particles.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::field::Pull;
use super::grid::Grid;
use crate::sim::hair::{Hair, ParticleBlock};
use crate::sim::simd::{Kernel, LANES, Lanes, Transpose, dispatch, flush, get3, set3};
use glam::Vec3;
use rayon::prelude::*;

/// Particles of eight strands that a thread takes at a time.
const CHUNK: usize = 1_024;

/// Slips below this are none, dm/s.
const SLOW: f32 = 1e-12;

/// The forces of one step.
///
/// With the slip r = v − u against the hair around, v becomes u + e^(−c h) r without a length of at
/// most the dry friction, and the push of repulsion.
#[derive(Clone, Copy)]
pub struct InteractionForces<'a> {
    pub(super) grid: Grid,
    pub(super) pulls: &'a [Pull],
    /// The number of particles of a strand.
    pub(super) each: usize,
    /// The share of the slip that viscous friction leaves.
    pub(super) left: f32,
}

impl InteractionForces<'_> {
    /// Applies the forces to all strands, except for their roots.
    pub(crate) fn apply(&self, hair: &mut Hair) {
        let chunk = (CHUNK / self.each).max(1) * self.each;
        let chunks = hair.state.par_chunks_mut(chunk);
        chunks.for_each(|particles| self.apply_to(particles));
    }

    /// Applies the forces to whole strands, except for their roots.
    pub(crate) fn apply_to(&self, particles: &mut [ParticleBlock]) {
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
        let mut pulls = [Lanes::default(); LANES];
        for particles in particles.chunks_exact_mut(forces.each) {
            for ParticleBlock { position, velocity } in &mut particles[1..] {
                let places = grid.places(position);
                let [within, ..] = places.within;
                let [k, l, m, n] = &places.rows;
                for lane in 0..LANES {
                    let first = places.node[lane] as usize;
                    let near = &forces.pulls[first..first + end];
                    let (a, b) = (&near[rows[0]..rows[0] + 2], &near[rows[1]..rows[1] + 2]);
                    let (c, d) = (&near[rows[2]..rows[2] + 2], &near[rows[3]..rows[3] + 2]);
                    let (k, l, m, n) = (k.0[lane], l.0[lane], m.0[lane], n.0[lane]);
                    let x = within.0[lane];
                    let u = 1.0 - x;
                    for i in 0..LANES {
                        let low = a[0][i] * k + b[0][i] * l + c[0][i] * m + d[0][i] * n;
                        let high = a[1][i] * k + b[1][i] * l + c[1][i] * m + d[1][i] * n;
                        pulls[lane].0[i] = low * u + high * x;
                    }
                }
                let pulls = transpose.transposed(&pulls);
                let was = *velocity;
                let mut now = was;
                for lane in 0..LANES {
                    let at = |i: usize| pulls[i].0[lane];
                    let v = get3(&was, lane);
                    let slip = v * at(0) - Vec3::new(at(1), at(2), at(3));
                    let left = slip * forces.left;
                    let speed = left.dot(left).sqrt();
                    let slides = speed - at(4);
                    let slides = if slides > 0.0 { slides } else { 0.0 };
                    let some = if speed > SLOW { speed } else { SLOW };
                    let push = Vec3::new(at(5), at(6), at(7));
                    let felt = v - slip + left * (slides / some) + push;
                    set3(&mut now, lane, felt.map(flush));
                }
                *velocity = now;
            }
        }
    }
}
