//! Hair against hair: what a strand feels of the others, on a grid.
//!
//! Petrovic, Henne, Anderson: Volumetric Methods for Simulation and Rendering of Hair (Pixar
//! 2005), as in Müller, Kim, Chentanez 2012, equations 10 and 11.

mod bounds;
mod gather;
mod grid;
mod splat;

use super::Hair;
use super::simd::dispatch::dispatch;
use crate::det_math::decay;
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::lanes::LANES;
use bounds::{Bounds, Extent};
use gather::Gather;
use glam::Vec3;
use grid::Grid;
use rayon::prelude::*;
use splat::{Node, Splat, Units};

/// Most nodes of all threads' own grids together: 64 MB.
const MOST_OF_PARTS: usize = 1 << 22;
/// Particles that are worth a thread and a grid of its own.
const PART: usize = 16_384;
/// Nodes that a thread adds up at a time.
const ADDED: usize = 4_096;

/// Faster particles count as this fast, dm/s; and hair that all is slower as if some were that fast.
const FASTEST: f32 = 1_000.0;
const SLOWEST: f32 = 1e-3;
/// Particles at a node, as far as one must reckon with: where there are more, all is added again.
const DENSE: usize = 4_096;
/// Largest unit of a particle at a node.
const FINEST: f32 = 65_536.0;

/// What strands do to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowding {
    /// Rate at which velocities become those around, 1/s.
    pub friction: f32,
    /// Acceleration from where hair is dense to where it is not, dm/s².
    pub repulsion: f32,
    /// Side of a cell, dm.
    pub cell: f32,
}

impl Crowding {
    /// Whether neither friction nor repulsion acts.
    pub fn is_off(&self) -> bool {
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

/// Steps for which particles stay where they have been counted: what is felt of them changes by less
/// than they differ from strand to strand.
const COUNTED_FOR: u32 = 2;

/// Number of particles and sum of their velocities at every node.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Steps taken with what has been counted; 0: particles are to be counted.
    age: u32,
    grid: Grid,
    units: Units,
    /// Where hair was when it was last added.
    extent: Extent,
    nodes: Vec<Node>,
    /// What each thread adds up by itself. Sums of whole numbers are the same whoever adds them.
    parts: Vec<Vec<Node>>,
}

/// What strands feel of each other in a step.
pub struct Felt<'a> {
    crowd: &'a Crowd,
    /// Particles of a strand.
    each: usize,
    /// Share of the difference from the velocities around that is taken in a step.
    friction: f32,
    /// dm/s
    push: f32,
}

impl Felt<'_> {
    /// Lets whole strands feel it.
    pub(crate) fn act(&self, particles: &mut [ParticleBlock]) {
        dispatch(Gather {
            grid: &self.crowd.grid,
            units: self.crowd.units,
            nodes: &self.crowd.nodes,
            particles,
            each: self.each,
            friction: self.friction,
            push: self.push,
        });
    }
}

impl Crowd {
    /// Lets all strands act on each other for a step of `dt` seconds, as they are.
    pub fn act(&mut self, hair: &mut Hair, crowding: &Crowding, dt: f32) {
        self.forget();
        let Some(felt) = self.felt(hair, crowding, dt) else {
            return;
        };
        let chunk = PART / LANES / felt.each * felt.each;
        let chunks = hair.state.par_chunks_mut(chunk.max(felt.each));
        chunks.for_each(|particles| felt.act(particles));
    }

    /// What all strands feel in a step of `dt` seconds: of where others were in this step or the one
    /// before. `None` where nothing is to be felt, and where a particle is nowhere.
    pub fn felt(&mut self, hair: &Hair, crowding: &Crowding, dt: f32) -> Option<Felt<'_>> {
        if crowding.is_off() || hair.is_empty() {
            return None;
        }
        if self.age == 0 && !self.count(hair, crowding.cell) {
            self.nodes.clear();
            return None;
        }
        self.age = (self.age + 1) % COUNTED_FOR;
        Some(Felt {
            crowd: self,
            each: hair.particles(),
            friction: 1.0 - decay(crowding.friction, f64::from(dt)),
            push: crowding.repulsion * dt,
        })
    }

    /// Hair is elsewhere, or will feel something else.
    pub fn forget(&mut self) {
        self.age = 0;
    }

    /// Adds all particles to the nodes around them; false if one is nowhere.
    ///
    /// Around where hair was a step before, and reckoning with its speed of then: going through all
    /// particles only to find the box around them takes as long as an eighth of the rest. Where that
    /// was wrong, all is added once more.
    fn count(&mut self, hair: &Hair, cell: f32) -> bool {
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

    /// Adds all particles to the nodes around them: each thread some, to nodes of its own.
    fn splat(&mut self, hair: &Hair) -> Bounds {
        let (m, count) = (hair.particles(), hair.len());
        let (grid, units) = (self.grid, self.units);
        let blocks = count.div_ceil(LANES);
        let parts = rayon::current_num_threads().min(blocks * LANES * m / PART);
        let parts = parts.min(MOST_OF_PARTS / grid.nodes()).max(1);
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
                fastest: FASTEST,
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

    /// Adds up what the threads have added; particles at the node that has most.
    fn sum(&mut self) -> f32 {
        let others = &self.parts;
        let sums = self.nodes.par_chunks_mut(ADDED).enumerate();
        let most = sums.map(|(i, sums)| {
            for other in others {
                for (sum, node) in sums.iter_mut().zip(&other[i * ADDED..]) {
                    for i in 0..4 {
                        sum[i] = sum[i].wrapping_add(node[i]);
                    }
                }
            }
            // Of all four numbers, as compilers make vector code of that.
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

    /// What the last step has counted.
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

impl Units {
    /// For so many particles, of which `most` may be at a node and none counts as faster than `fastest`:
    /// sums are below 2³⁰, numbers added below 2²¹.
    fn new(particles: usize, most: usize, fastest: f32) -> Self {
        let (sum, number) = (2.0_f32.powi(30), 2.0_f32.powi(21));
        let below = |x: f32| x.log2().floor().exp2();
        let speed = fastest.clamp(SLOWEST, FASTEST);
        Self {
            per_particle: below((sum / particles as f32).min(FINEST)),
            per_speed: below((sum / most as f32).min(number) / speed),
        }
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
    fn particles_are_counted_every_second_step_and_where_hair_is_another() {
        let crowding = Crowding {
            friction: 1.0,
            repulsion: 0.0,
            cell: 0.05,
        };
        let (mut crowd, mut hair) = (Crowd::default(), bunch(9));
        let mut step = |crowd: &mut Crowd| {
            for j in 1..6 {
                hair.set(0, j, hair.position(0, j) + Vec3::X, Vec3::ZERO);
            }
            assert!(crowd.felt(&hair, &crowding, 1.0 / 240.0).is_some());
            crowd.density()
        };
        let first = step(&mut crowd);
        assert_eq!(step(&mut crowd), first);
        let third = step(&mut crowd);
        assert_ne!(third, first);
        crowd.forget();
        assert_ne!(step(&mut crowd), third);
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
