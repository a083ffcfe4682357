//! Particles added to a grid, and what they feel of it.

// Lanes and nodes by number, as elsewhere, also where a loop happens to go through one array only.
#![allow(clippy::needless_range_loop)]

use super::grid::Grid;
use crate::sim::blocks::{LANES, Lanes, Lanes3, ParticleBlock, axes};
use crate::sim::lanes::all3;
use crate::sim::widest::Kernel;

/// Differences of fewer particles from cell to cell are noise, and push accordingly less.
const NOISE: f32 = 1.0;
/// 1.5 · 2²³: added to this, a number below 2²² is rounded to a whole one, which then stands in the
/// low bits.
const WHOLE: f32 = 12_582_912.0;

/// Number of particles and sum of their velocities at a node, in whole [`Units`].
pub(super) type Node = [i32; 4];

/// What a whole number at a node stands for: sums of whole numbers depend neither on the order of
/// what is added, nor on the threads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Units {
    /// Of a particle.
    pub(super) per_particle: f32,
    /// Of one at 1 dm/s.
    pub(super) per_speed: f32,
}

/// Eight numbers at two neighbouring nodes: four of the one, four of the other.
type Pair = [f32; 8];

/// From the first row of a cell's nodes to the others, and the end of the last. What follows from
/// this order, compilers need not check at every particle.
#[inline(always)]
fn rows_in_order(grid: &Grid) -> ([usize; 4], usize) {
    let rows = grid.rows();
    let end = rows[3] + 2;
    for first in rows {
        assert!(first <= first + 2 && first + 2 <= end);
    }
    (rows, end)
}

/// Adds numbers to a row of two nodes.
#[inline(always)]
fn add_row(nodes: &mut [Node], at: usize, values: &Pair, weight: f32) {
    let nodes = nodes[at..at + 2].as_flattened_mut();
    for i in 0..8 {
        let whole = (values[i] * weight + WHOLE).to_bits() as i32;
        let whole = whole.wrapping_sub(WHOLE.to_bits() as i32);
        nodes[i] = nodes[i].wrapping_add(whole);
    }
}

/// The numbers of a row of two nodes.
#[inline(always)]
fn row(nodes: &[Node], at: usize) -> Pair {
    let nodes = nodes[at..at + 2].as_flattened();
    let mut values = [0.0; 8];
    for i in 0..8 {
        values[i] = nodes[i] as f32;
    }
    values
}

/// Where particles are, and how fast.
pub(super) struct Bounds {
    low: Lanes3,
    high: Lanes3,
    /// Largest components of velocities, without their signs.
    fastest: Lanes,
    /// 0, or not a number where one is nowhere.
    nowhere: Lanes,
}

impl Bounds {
    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            low: axes!(i => self.low[i].lesser(other.low[i])),
            high: axes!(i => self.high[i].greater(other.high[i])),
            fastest: self.fastest.greater(other.fastest),
            nowhere: self.nowhere + other.nowhere,
        }
    }

    /// The lowest and highest corner of the box around all; `None` if a particle is nowhere.
    pub(super) fn ends(&self) -> Option<([f32; 3], [f32; 3])> {
        let low = axes!(i => self.low[i].0.into_iter().fold(f32::MAX, f32::min));
        let high = axes!(i => self.high[i].0.into_iter().fold(f32::MIN, f32::max));
        (self.nowhere == Lanes::all(0.0)).then_some((low, high))
    }

    /// No component of a velocity is larger.
    pub(super) fn fastest(&self) -> f32 {
        self.fastest.0.into_iter().fold(0.0, f32::max)
    }
}

/// Finds the bounds of particles.
pub(super) struct Around<'a> {
    pub(super) particles: &'a [ParticleBlock],
}

impl Kernel for Around<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run(self) -> Bounds {
        let mut found = Bounds {
            low: all3([f32::MAX; 3]),
            high: all3([f32::MIN; 3]),
            fastest: Lanes::all(0.0),
            nowhere: Lanes::all(0.0),
        };
        for ParticleBlock { position, velocity } in self.particles {
            for axis in 0..3 {
                let (x, v) = (position[axis], velocity[axis]);
                found.low[axis] = found.low[axis].lesser(x);
                found.high[axis] = found.high[axis].greater(x);
                found.fastest = found.fastest.greater(v).greater(-v);
                found.nowhere += x * Lanes::all(0.0);
            }
        }
        found
    }
}

/// Adds particles, but for the roots, to the nodes around them.
pub(super) struct Splat<'a> {
    pub(super) grid: &'a Grid,
    pub(super) units: Units,
    /// Particles that are faster, dm/s, count as this fast.
    pub(super) fastest: f32,
    pub(super) nodes: &'a mut [Node],
    /// Blocks of `each` particles.
    pub(super) particles: &'a [ParticleBlock],
    pub(super) each: usize,
    /// Those from here on: lanes past the last one do not count.
    pub(super) strands: usize,
}

impl Kernel for Splat<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // Of its own, so that nothing written could have changed it.
        let grid = *self.grid;
        let (rows, end) = rows_in_order(&grid);
        let Units {
            per_particle,
            per_speed,
        } = self.units;
        let fastest = self.fastest;
        let mut pairs = [[0.0; 8]; LANES];
        for (block, particles) in self.particles.chunks_exact(self.each).enumerate() {
            let lanes = (self.strands - block * LANES).min(LANES);
            for ParticleBlock { position, velocity } in &particles[1..] {
                let places = grid.places(position);
                let speed = Lanes::all(per_speed);
                let v: Lanes3 = axes!(i => velocity[i].at_least(-fastest).at_most(fastest) * speed);
                // Lanes of what each adds to both ends of its rows, then those as pairs.
                let [x, ..] = places.within;
                let (u, count) = (Lanes::all(1.0) - x, Lanes::all(per_particle));
                let [a, b, c] = v;
                let ends = [
                    count * u,
                    a * u,
                    b * u,
                    c * u,
                    count * x,
                    a * x,
                    b * x,
                    c * x,
                ];
                for lane in 0..LANES {
                    for i in 0..8 {
                        pairs[lane][i] = ends[i].0[lane];
                    }
                }
                let weights = places.rows;
                for lane in 0..lanes {
                    let first = places.node[lane] as usize;
                    let [a, b, c, d] = &weights;
                    let nodes = &mut self.nodes[first..first + end];
                    add_row(nodes, rows[0], &pairs[lane], a.0[lane]);
                    add_row(nodes, rows[1], &pairs[lane], b.0[lane]);
                    add_row(nodes, rows[2], &pairs[lane], c.0[lane]);
                    add_row(nodes, rows[3], &pairs[lane], d.0[lane]);
                }
            }
        }
    }
}

/// Lets particles, but for the roots, feel the nodes around them.
///
/// Friction: v = (1 − f) v + f v_grid. Repulsion: v −= a h ∇ρ / (|∇ρ| + ε).
pub(super) struct Gather<'a> {
    pub(super) grid: &'a Grid,
    pub(super) units: Units,
    pub(super) nodes: &'a [Node],
    /// Blocks of `each` particles.
    pub(super) particles: &'a mut [ParticleBlock],
    pub(super) each: usize,
    pub(super) friction: f32,
    /// a h
    pub(super) push: f32,
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // Of its own, so that nothing written could have changed it.
        let grid = *self.grid;
        let (rows, end) = rows_in_order(&grid);
        let per_cell = grid.per_cell;
        let slope = per_cell / self.units.per_particle;
        let per_density = self.units.per_particle / self.units.per_speed;
        // At either end of the rows: means, and how they change along y and along z.
        let mut means = [[0.0; 8]; LANES];
        let (mut along_y, mut along_z) = ([[0.0; 8]; LANES], [[0.0; 8]; LANES]);
        for particles in self.particles.chunks_exact_mut(self.each) {
            for ParticleBlock { position, velocity } in &mut particles[1..] {
                let places = grid.places(position);
                let weights = places.rows;
                let [x, y, z] = places.within;
                let one = Lanes::all(1.0);
                let (u, v, w) = (one - x, one - y, one - z);
                for lane in 0..LANES {
                    let first = places.node[lane] as usize;
                    let nodes = &self.nodes[first..first + end];
                    let (a, b) = (row(nodes, rows[0]), row(nodes, rows[1]));
                    let (c, d) = (row(nodes, rows[2]), row(nodes, rows[3]));
                    let [k, l, m, n] = &weights;
                    let (k, l, m, n) = (k.0[lane], l.0[lane], m.0[lane], n.0[lane]);
                    let (v, w, y, z) = (v.0[lane], w.0[lane], y.0[lane], z.0[lane]);
                    for i in 0..8 {
                        means[lane][i] = a[i] * k + b[i] * l + c[i] * m + d[i] * n;
                    }
                    for i in 0..8 {
                        along_y[lane][i] = (b[i] - a[i]) * w + (d[i] - c[i]) * z;
                    }
                    for i in 0..8 {
                        along_z[lane][i] = (c[i] - a[i]) * v + (d[i] - b[i]) * y;
                    }
                }
                let lanes = |pairs: &[Pair; LANES], i: usize| {
                    let mut lanes = Lanes::default();
                    for lane in 0..LANES {
                        lanes.0[lane] = pairs[lane][i];
                    }
                    lanes
                };
                let between = |pairs, i| lanes(pairs, i) * u + lanes(pairs, i + 4) * x;
                let density = between(&means, 0);
                let momentum: Lanes3 = axes!(i => between(&means, i + 1));
                let gradient: Lanes3 = [
                    lanes(&means, 4) - lanes(&means, 0),
                    between(&along_y, 0),
                    between(&along_z, 0),
                ];
                let (zero, friction) = (Lanes::all(0.0), Lanes::all(self.friction));
                let gradient: Lanes3 = axes!(i => gradient[i] * Lanes::all(slope));
                let [a, b, c] = gradient;
                let steep = (a * a + b * b + c * c).sqrt() + Lanes::all(NOISE * per_cell);
                let push = Lanes::all(self.push) / steep;
                let per_mass = Lanes::all(per_density) / density;
                let felt = axes!(i => {
                    let v = velocity[i];
                    v + friction * (momentum[i] * per_mass - v) - gradient[i] * push
                });
                *velocity = axes!(i => density.where_above(zero, felt[i], velocity[i]).snapped());
            }
        }
    }
}
