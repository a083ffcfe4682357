//! What the hair at a node does to the velocities of particles: friction and repulsion.

use super::grid::{Grid, Node, Units};
use crate::sim::simd::axes;
use glam::Vec3;
use rayon::prelude::*;

/// The ε of the repulsion, particles at a node: density is uncertain by a particle, and thin hair
/// is pushed less.
const NOISE: f32 = 1.0;

/// A share p and a velocity change: near a node, v becomes (1 − p) v + change in a step.
pub(super) type Pull = [f32; 4];

/// The laws of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    /// The fraction f of the velocity difference that friction removes in a step.
    pub(super) friction: f32,
    /// The largest velocity change a h by repulsion in a step, dm/s.
    pub(super) push: f32,
}

impl Laws {
    /// Writes the pull of every node.
    ///
    /// Friction: v = (1 − f) v + f u with the mean velocity u at each node. Weighted like the splat,
    /// these changes add up to nothing: friction keeps the momentum.
    pub(super) fn write(self, grid: &Grid, units: Units, nodes: &[Node], pulls: &mut Vec<Pull>) {
        let [row, rows, layers] = grid.size;
        let layer = row * rows;
        pulls.clear();
        pulls.resize(nodes.len(), Pull::default());
        let per_momentum = self.friction * units.per_particle / units.per_speed;
        let noise = 4.0 * NOISE * units.per_particle;
        let of_layer = |(k, pulls): (usize, &mut [Pull])| {
            // The outermost nodes have no hair.
            if k == 0 || k + 1 == layers {
                return;
            }
            for (i, pull) in pulls.iter_mut().enumerate() {
                let at = k * layer + i;
                let [here, momentum @ ..] = nodes[at];
                if here <= 0 {
                    continue;
                }
                let count = |at: usize| nodes.get(at).map_or(0.0, |node| node[0] as f32);
                let here = here as f32;
                let push = Vec3::from(axes!(axis => {
                    let step = [1, row, layer][axis];
                    let (below, above) = (count(at - step), count(at + step));
                    (below - above) / (below + 2.0 * here + above + noise)
                }));
                let around = Vec3::from(momentum.map(|x| x as f32)) * (per_momentum / here);
                let [x, y, z] = (around + push * self.push).to_array();
                *pull = [self.friction, x, y, z];
            }
        };
        pulls.par_chunks_mut(layer).enumerate().for_each(of_layer);
    }
}
