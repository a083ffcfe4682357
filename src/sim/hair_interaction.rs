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

/// The expected largest number of particles at a node. If there are more, the splat is repeated.
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
    /// The extent of the hair at the last splat.
    extent: Extent,
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
            stick(hair, &step[0]);
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
    /// The grid is made for the extent and speed of the previous splat, because a pass over all
    /// particles to find them would take an eighth as long as the rest. If they do not fit, the
    /// splat is repeated.
    fn splat_all(&mut self, hair: &Hair, cell: f32) -> bool {
        let particles = hair.len() * (hair.particles() - 1);
        let mut most = DENSE.min(particles);
        loop {
            self.grid = Grid::around(&self.extent, cell);
            self.units = Units::new(particles, most, self.extent.fastest);
            let Some(extent) = self.splat(hair).extent() else {
                return false;
            };
            self.extent = extent;
            if !self.grid.holds(&extent, cell)
                || self.units != Units::new(particles, most, extent.fastest)
            {
                continue;
            }
            let densest = self.sum();
            if densest <= most as f32 {
                return true;
            }
            most += densest as usize;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Groom;
    use crate::sim::Pose;
    use crate::sim::contact::Contacts;

    fn bunch(count: usize) -> Hair {
        let root = |i: usize| Vec3::new((i % 7) as f32, 0.0, (i / 7) as f32) * 0.01;
        let groom = Groom::parallel((0..count).map(root).collect(), Vec3::Y, 0.5);
        Hair::new(&groom, 6, &Pose::IDENTITY)
    }

    const DT: f32 = 1.0 / 240.0;

    fn settings(friction: f32, repulsion: f32) -> HairSettings {
        HairSettings {
            friction,
            repulsion,
            cell: 0.02,
            density: 0.0,
        }
    }

    fn act(hair: &mut Hair, settings: HairSettings) {
        HairInteraction::default().apply(hair, &settings, DT);
    }

    #[test]
    fn friction_evens_velocities_out_and_keeps_the_mean() {
        let mut hair = bunch(49);
        for i in 0..49 {
            let velocity = Vec3::new(3.0, if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0);
            for j in 1..6 {
                hair.set(i, j, hair.position(i, j), velocity);
            }
        }
        for _ in 0..240 {
            act(&mut hair, settings(5.0, 0.0));
        }
        for i in 0..49 {
            let v = hair.velocity(i, 4);
            assert!((v.x - 3.0).abs() < 1e-2, "{v}");
            assert!(v.y.abs() < 0.1, "{v}");
        }
        assert_eq!(hair.velocity(0, 0), Vec3::ZERO);
    }

    #[test]
    fn repulsion_spreads_a_bunch_at_most_at_its_rate() {
        let mut hair = bunch(49);
        act(&mut hair, settings(0.0, 24.0));
        for (strand, side) in [(0, -1.0), (48, 1.0)] {
            let v = hair.velocity(strand, 3) * side;
            assert!(v.x > 1e-3 && v.z > 1e-3 && v.length() <= 0.1, "{v}");
        }
    }

    #[test]
    fn the_density_counts_all_particles_but_roots() {
        let mut interaction = HairInteraction::default();
        assert_eq!(interaction.density(), DensityGrid::default());
        let mut hair = bunch(49);
        interaction.apply(&mut hair, &settings(5.0, 0.0), DT);
        let DensityGrid { cell, nodes } = interaction.density();
        assert!((cell - 0.02).abs() < 1e-6);
        let all: f32 = nodes.iter().map(|(_, count)| count).sum();
        assert!((all - 49.0 * 5.0).abs() < 0.1, "{all}");
        let weighted = nodes.iter().map(|&(place, count)| place * count);
        let off = weighted.sum::<Vec3>() / all - Vec3::new(0.03, 0.3, 0.03);
        assert!(off.length() < 1e-3, "{off}");
    }

    /// The grid was once that of the step before, and took a part of what hair had gained since.
    #[test]
    fn friction_keeps_the_momentum_of_hair_that_is_pushed() {
        let (mut interaction, mut hair) = (HairInteraction::default(), bunch(49));
        let mut expected = Vec3::ZERO;
        for _ in 0..12 {
            for i in 0..49 {
                for j in 1..6 {
                    let push = Vec3::new(0.04, (i % 5) as f32 * 0.02, (j % 2) as f32 * 0.03);
                    expected += push;
                    hair.set(i, j, hair.position(i, j), hair.velocity(i, j) + push);
                }
            }
            interaction.apply(&mut hair, &settings(100.0, 0.0), DT);
        }
        let off = hair.momentum() - expected;
        assert!(
            off.length() < 1e-4 * expected.length(),
            "{off} of {expected}"
        );
    }

    /// Repulsion once was as strong for the least difference, and hair trembled.
    #[test]
    fn repulsion_vanishes_with_the_difference_in_density() {
        // Bunches on nodes side by side, each denser than the one before by two strands.
        let counts = (0..7).map(|bunch| 200 + 2 * bunch);
        let place = |bunch: usize| Vec3::new(bunch as f32 * 0.02, 0.0, 0.0);
        let roots = counts
            .enumerate()
            .flat_map(|(i, count)| vec![place(i); count]);
        let groom = Groom::parallel(roots.collect(), Vec3::Y, 0.5);
        let mut hair = Hair::new(&groom, 26, &Pose::IDENTITY);
        act(&mut hair, settings(0.0, 100.0));
        let along = |strand: usize| -hair.velocity(strand, 12).x / (100.0 * DT);
        let (least, middle) = (along(0), along(3 * 203));
        assert!(
            least > 0.3 && (0.001..0.01).contains(&middle),
            "{least}, {middle}"
        );
    }

    /// Without a target, hair spreads until it is even, like a gas.
    #[test]
    fn hair_below_the_target_density_is_not_pushed() {
        let pushed = |density: f32| {
            let mut hair = bunch(49);
            let settings = HairSettings {
                density,
                ..settings(0.0, 24.0)
            };
            act(&mut hair, settings);
            hair.velocity(0, 3).length()
        };
        // Particles of parallel strands lie in layers, five cells apart.
        let [everywhere, half, over] = [0.0, 0.5, 10.0].map(pushed);
        assert!(everywhere > half && half > 0.0 && over == 0.0);
    }

    /// Repulsion once let hair creep for minutes.
    #[test]
    fn hair_that_hardly_moves_sticks_under_a_still_head() {
        let contacts = Contacts::default();
        let way = |to: Pose, acceleration: f32| {
            let step = Step::new(Pose::IDENTITY, to, 0.0, &SimSettings::default(), &contacts);
            let mut hair = bunch(9);
            let push = Vec3::X * acceleration * DT;
            hair.set(3, 5, hair.position(3, 5) + push * DT, push);
            stick(&mut hair, &step);
            let moved = hair.position(3, 5) - hair.rest(3, 5);
            assert!((hair.velocity(3, 5) - moved / DT).length() < 1e-4);
            moved.x
        };
        let moving = Pose::new(glam::DQuat::IDENTITY, glam::DVec3::Y);
        assert_eq!(way(Pose::IDENTITY, 1.0), 0.0);
        assert!(way(Pose::IDENTITY, 4.0) > 0.0);
        assert!(way(moving, 1.0) > 0.0);
    }

    #[test]
    fn distant_and_non_finite_hair_is_left_alone() {
        let mut hair = bunch(2);
        for place in [1e9, f32::NAN] {
            hair.set(1, 3, Vec3::splat(place), Vec3::X);
            act(&mut hair, settings(5.0, 5.0));
            assert!(hair.velocity(1, 3).is_finite());
        }
        assert_eq!(hair.velocity(1, 3), Vec3::X);
        act(&mut bunch(0), settings(5.0, 5.0));
    }
}
