//! Hair-hair interaction: friction and repulsion on a grid.
//!
//! Particles are added to the nodes of a `grid`, `field` works out what the hair at a node does, and
//! `gather` applies that to the particles.
//!
//! Petrovic, Henne, Anderson: Volumetric Methods for Simulation and Rendering of Hair (Pixar 2005),
//! as in Müller, Kim, Chentanez 2012, equations 10 and 11.

mod field;
mod gather;
mod grid;
mod stick;
#[cfg(test)]
mod tests;
mod tips;

pub use gather::InteractionForces;
pub(crate) use tips::TipInteraction;

use super::{Hair, HairSettings, Outcome, SimSettings, Solver, Step};
use crate::det_math::decay;
use crate::sim::simd::{LANES, dispatch};
use field::{Laws, Pull};
use glam::Vec3;
use grid::{Bounds, Extent, Grid, Node, Splat, Units};
use rayon::prelude::*;
use stick::stick;

/// The largest number of nodes of all per-thread grids together: 64 MB.
const MAX_PART_NODES: usize = 1 << 22;
/// The smallest number of particles that gets a thread and a grid of its own.
const PART: usize = 16_384;
/// The number of nodes that a thread sums at a time.
const SUM_CHUNK: usize = 4_096;

/// The largest number of particles at a node up to which units are the same.
const DENSE: usize = 4_096;

/// The density of hair at the nodes of the interaction grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DensityGrid {
    /// Side of a cell, decimetres.
    pub cell: f32,
    /// The non-empty nodes, world space, with their trilinearly weighted particle counts. Empty
    /// before the first step.
    pub nodes: Vec<(Vec3, f32)>,
}

/// The grid of hair-hair interaction: particle count and momentum at every node.
#[derive(Clone, Debug, Default)]
pub struct HairInteraction {
    grid: Grid,
    units: Units,
    /// The extent of the hair at the last splat, and the bound on particles at a node.
    extent: Extent,
    most: usize,
    nodes: Vec<Node>,
    /// The grids of the other threads. Integer sums do not depend on who adds them.
    parts: Vec<Vec<Node>>,
    /// The pull of each node.
    pulls: Vec<Pull>,
}

impl HairInteraction {
    /// Moves hair through the steps by a solver. Strands that feel each other must take every step
    /// together.
    pub(crate) fn advance(
        &mut self,
        hair: &mut Hair,
        solver: &mut dyn Solver,
        settings: &SimSettings,
        steps: &[Step],
    ) -> Outcome {
        Outcome::in_turn(steps, |_, step| {
            let dt = step[0].dt_secs;
            if let Some(forces) = self.forces(hair, &settings.hair, settings.friction, dt) {
                solver.feel(hair, &forces);
            }
            let outcome = solver.advance(hair, step);
            stick(hair, &step[0], solver);
            outcome
        })
    }

    /// Applies the forces of a step of `dt` seconds to all strands, without dry friction.
    pub fn apply(&mut self, hair: &mut Hair, settings: &HairSettings, dt: f32) {
        if let Some(forces) = self.forces(hair, settings, 0.0, dt) {
            forces.apply(hair);
        }
    }

    /// Returns the forces of a step of `dt` seconds, with a coefficient of dry friction. Returns
    /// `None` without interaction, and if a position is not finite.
    fn forces(
        &mut self,
        hair: &Hair,
        settings: &HairSettings,
        coefficient: f32,
        dt: f32,
    ) -> Option<InteractionForces<'_>> {
        if !settings.acts() || hair.is_empty() {
            return None;
        }
        if !self.splat_all(hair, settings.cell) {
            self.nodes.clear();
            return None;
        }
        let laws = Laws {
            coefficient,
            push: settings.repulsion * dt,
            target: settings.density * hair.density_on_skin * self.grid.cell.powi(3),
        };
        laws.write(&self.grid, self.units, &self.nodes, &mut self.pulls);
        Some(InteractionForces {
            grid: self.grid,
            pulls: &self.pulls,
            each: hair.particles(),
            left: decay(settings.friction + viscosity(settings), f64::from(dt)),
        })
    }

    /// Adds all particles to the grid. Returns `false` if a position is not finite.
    ///
    /// The grid is made for the extent, speed and density of the previous splat, because a pass over
    /// all particles to find them would take an eighth as long as the rest. If they do not fit, or
    /// give other units, the splat is repeated, so that no result depends on the previous one.
    fn splat_all(&mut self, hair: &Hair, cell: f32) -> bool {
        let particles = hair.len() * (hair.particles() - 1);
        let least = DENSE.min(particles);
        self.most = self.most.max(least);
        loop {
            self.grid = Grid::around(&self.extent, cell);
            self.units = Units::new(particles, self.most, self.extent.fastest);
            let Some(extent) = self.splat(hair).extent() else {
                return false;
            };
            self.extent = extent;
            let units = |most: usize| Units::new(particles, most, extent.fastest);
            if !self.grid.holds(&extent, cell) || self.units != units(self.most) {
                continue;
            }
            let densest = self.sum();
            self.most = match densest <= least as f32 {
                true => least,
                false => least + densest as usize,
            };
            if self.units == units(self.most) {
                return true;
            }
        }
    }

    /// Adds all particles to the nodes around them. Each thread has a grid of its own.
    fn splat(&mut self, hair: &Hair) -> Bounds {
        let (m, count) = (hair.particles(), hair.len());
        let (grid, units) = (self.grid, self.units);
        let blocks = count.div_ceil(LANES);
        let parts = rayon::current_num_threads().min(blocks * LANES * m / PART);
        let parts = parts.min(MAX_PART_NODES / grid.nodes()).max(1);
        let per_part = blocks.div_ceil(parts).max(1);
        let parts: Vec<_> = hair.state.chunks(per_part * m).collect();
        self.parts.resize_with(parts.len() - 1, Vec::new);
        let splat = |(part, nodes): (usize, &mut Vec<Node>)| {
            nodes.clear();
            nodes.resize(grid.nodes(), Node::default());
            let first = part * per_part * LANES;
            dispatch(Splat {
                grid: &grid,
                units,
                nodes,
                particles: parts[part],
                each: m,
                strands: count - first,
            })
        };
        let mut all: Vec<&mut Vec<Node>> = vec![&mut self.nodes];
        all.extend(&mut self.parts);
        let bounds = all.into_par_iter().enumerate().map(splat);
        bounds.reduce(Bounds::new, Bounds::with)
    }

    /// Sums the grids of all threads. Returns the largest number of particles at a node.
    fn sum(&mut self) -> f32 {
        let others = &self.parts;
        let sums = self.nodes.par_chunks_mut(SUM_CHUNK).enumerate();
        let most = sums.map(|(i, sums)| {
            for other in others {
                for (sum, node) in sums.iter_mut().zip(&other[i * SUM_CHUNK..]) {
                    for i in 0..4 {
                        sum[i] = sum[i].wrapping_add(node[i]);
                    }
                }
            }
            // All four components, which compilers vectorise.
            let mut most = Node::default();
            for node in sums {
                for i in 0..4 {
                    most[i] = node[i].max(most[i]);
                }
            }
            most[0]
        });
        most.max().unwrap_or(0) as f32 / self.units.per_particle
    }

    /// Returns the density at the last splat.
    pub fn density(&self) -> DensityGrid {
        if self.nodes.is_empty() {
            return DensityGrid::default();
        }
        let (cell, low) = (self.grid.cell, Vec3::from(self.grid.low()));
        let [row, rows, _] = self.grid.size;
        let counted = self.nodes.iter().enumerate().filter_map(|(i, node)| {
            let count = node[0];
            let at = [i % row, i / row % rows, i / (row * rows)];
            let place = low + cell * Vec3::from(at.map(|x| x as f32));
            (count > 0).then(|| (place, count as f32 / self.units.per_particle))
        });
        DensityGrid {
            cell,
            nodes: counted.collect(),
        }
    }
}

/// Returns the rate at which repulsion evens velocities out, 1/s: a tenth of that at which its waves
/// of speed √(a cell / 2) cross a cell.
///
/// Forces on particles by way of a grid heat them (Birdsall, Langdon: Plasma Physics via Computer
/// Simulation, 1985), and hair that repels hair would never come to rest.
fn viscosity(settings: &HairSettings) -> f32 {
    0.1 * (settings.repulsion / (2.0 * settings.cell)).sqrt()
}
