//! The field of hair against hair: friction and repulsion at the nodes of the grid.

use super::grid::{Grid, Node, Units};
use crate::sim::simd::axes;
use glam::Vec3;
use rayon::prelude::*;

/// The ε of the repulsion, particles at a node: density is uncertain by a particle, and thin hair
/// is pushed less.
const NOISE: f32 = 1.0;

/// The effect of the hair at a node in a step: 1 if there is any, its mean velocity, the slip that
/// dry friction stops, and the change of velocity by repulsion, dm/s.
pub(super) type Pull = [f32; 8];

/// The laws of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    /// The coefficient of dry friction.
    pub(super) coefficient: f32,
    /// The largest velocity change a h by repulsion in a step, dm/s.
    pub(super) push: f32,
    /// The density from which on hair repels hair, particles at a node.
    pub(super) target: f32,
}

impl Laws {
    /// Writes the pull of every node.
    ///
    /// The mean velocities are weighted like the splat, so drawing all hair nearer to them keeps the
    /// momentum. Repulsion: v −= a h (e₊ − e₋) / (ρ₊ + 2 ρ + ρ₋ + 4 ε) along each axis, from the
    /// densities ρ at a node and on either side of it and their excess e over the target. It goes to
    /// zero with the difference, so hair that it carries comes to rest. Waves of density travel at c
    /// with c² = a cell / 2, far less than a cell in a step. Dry friction is the coefficient times
    /// the repulsion that dense hair can exert.
    pub(super) fn write(self, grid: &Grid, units: Units, nodes: &[Node], pulls: &mut Vec<Pull>) {
        let [row, rows, layers] = grid.size;
        let layer = row * rows;
        // Every node is written below, by all threads.
        pulls.resize(nodes.len(), Pull::default());
        let per_momentum = units.per_particle / units.per_speed;
        let target = self.target * units.per_particle;
        let noise = 4.0 * NOISE * units.per_particle;
        let of_layer = |(k, pulls): (usize, &mut [Pull])| {
            // The outermost nodes have no hair.
            if k == 0 || k + 1 == layers {
                return pulls.fill(Pull::default());
            }
            for (i, pull) in pulls.iter_mut().enumerate() {
                let at = k * layer + i;
                let [here, momentum @ ..] = nodes[at];
                if here <= 0 {
                    *pull = Pull::default();
                    continue;
                }
                let count = |at: usize| nodes.get(at).map_or(0.0, |node| node[0] as f32);
                let excess = |count: f32| if count > target { count - target } else { 0.0 };
                let here = here as f32;
                let slope = Vec3::from(axes!(axis => {
                    let step = [1, row, layer][axis];
                    let (below, above) = (count(at - step), count(at + step));
                    (excess(below) - excess(above)) / (below + 2.0 * here + above + noise)
                }));
                let push = slope * self.push;
                let around = Vec3::from(momentum.map(|x| x as f32)) * (per_momentum / here);
                let dry = self.coefficient * self.push * (here / (here + noise));
                let [u, v, w] = around.to_array();
                let [x, y, z] = push.to_array();
                *pull = [1.0, u, v, w, dry, x, y, z];
            }
        };
        pulls.par_chunks_mut(layer).enumerate().for_each(of_layer);
    }
}
