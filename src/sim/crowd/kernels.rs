//! Particles added to a grid, and what they feel of it.

use crate::sim::blocks::{LANES, Lanes, Lanes3, ParticleBlock, axes, lane3, put3};
use crate::sim::lanes::{all3, minus3};
use crate::sim::widest::Kernel;

/// Weights and velocities are summed as whole numbers of this share: so the sum does not depend on
/// the order, nor on the threads.
pub(super) const UNIT: f64 = 65_536.0;
/// Faster particles count as this fast, dm/s.
const FASTEST: f32 = 1_000.0;
/// Differences of fewer particles from cell to cell are noise, and push accordingly less.
const NOISE: f32 = 1.0;
/// 1.5 · 2⁵²: added to this, a number below 2⁵¹ is rounded to a whole one, which then stands in the
/// low bits. A conversion that AVX2 has no instruction for.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Number of particles and sum of their velocities at a node, in whole [`UNIT`]s.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Node(pub(super) [i64; 4]);

impl Node {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Node) {
        for i in 0..4 {
            self.0[i] = self.0[i].wrapping_add(other.0[i]);
        }
    }

    /// Whole numbers nearest to `values`.
    #[inline(always)]
    fn of(values: [f64; 4]) -> Self {
        let mut node = Node::default();
        for i in 0..4 {
            let whole = (values[i] + WHOLE).to_bits() as i64;
            node.0[i] = whole.wrapping_sub(WHOLE.to_bits() as i64);
        }
        node
    }

    /// The sums, in [`UNIT`]s.
    #[inline(always)]
    fn values(&self) -> [f64; 4] {
        let mut values = [0.0; 4];
        for i in 0..4 {
            let bits = self.0[i].wrapping_add(WHOLE.to_bits() as i64);
            values[i] = f64::from_bits(bits as u64) - WHOLE;
        }
        values
    }
}

/// Nodes at even distances, x fastest, then y; world space, decimetres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grid {
    pub(super) low: [f32; 3],
    /// 1 / cell.
    pub(super) per_cell: f32,
    /// Nodes along each axis, at least 4.
    pub(super) size: [usize; 3],
}

/// Where eight points are on a grid.
struct Places {
    /// The lowest node of each one's cell.
    node: [u32; LANES],
    /// Where in the cell, 0 to 1.
    within: Lanes3,
}

impl Grid {
    pub(super) fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    #[inline(always)]
    fn places(&self, points: &Lanes3) -> Places {
        let from = minus3(points, &all3(self.low));
        let mut cells = [[0_u32; LANES]; 3];
        let within = axes!(axis => {
            let place = from[axis] * Lanes::all(self.per_cell);
            let most = (self.size[axis] - 2) as u32;
            let mut whole = Lanes::default();
            for lane in 0..LANES {
                cells[axis][lane] = (place.0[lane] as i32 as u32).min(most);
                whole.0[lane] = cells[axis][lane] as i32 as f32;
            }
            (place - whole).at_least(0.0).at_most(1.0)
        });
        let mut node = [0; LANES];
        let [row, rows] = [self.size[0] as u32, self.size[1] as u32];
        for lane in 0..LANES {
            node[lane] = (cells[2][lane] * rows + cells[1][lane]) * row + cells[0][lane];
        }
        Places { node, within }
    }

    /// From the lowest node of a cell to each of its nodes.
    #[inline(always)]
    fn steps(&self) -> [usize; 8] {
        let (row, layer) = (self.size[0], self.size[0] * self.size[1]);
        [
            0,
            1,
            row,
            row + 1,
            layer,
            layer + 1,
            layer + row,
            layer + row + 1,
        ]
    }
}

/// Weights of the nodes of a cell.
#[inline(always)]
fn weights([x, y, z]: [f32; 3]) -> [f32; 8] {
    let (u, v, w) = (1.0 - x, 1.0 - y, 1.0 - z);
    let [a, b, c, d] = [v * w, y * w, v * z, y * z];
    [u * a, x * a, u * b, x * b, u * c, x * c, u * d, x * d]
}

/// The box around particles.
pub(super) struct Box3 {
    low: Lanes3,
    high: Lanes3,
}

impl Box3 {
    #[inline(always)]
    fn add(&mut self, low: &Lanes3, high: &Lanes3) {
        self.low = axes!(i => self.low[i].lesser(low[i]));
        self.high = axes!(i => self.high[i].greater(high[i]));
    }

    pub(super) fn with(mut self, other: Self) -> Option<Self> {
        self.add(&other.low, &other.high);
        Some(self)
    }

    /// Its lowest and highest corner.
    pub(super) fn ends(&self) -> ([f32; 3], [f32; 3]) {
        let low = axes!(i => self.low[i].0.into_iter().fold(f32::MAX, f32::min));
        (
            low,
            axes!(i => self.high[i].0.into_iter().fold(f32::MIN, f32::max)),
        )
    }
}

/// Finds the box; `None` if a particle is nowhere.
pub(super) struct Around<'a> {
    pub(super) particles: &'a [ParticleBlock],
}

impl Kernel for Around<'_> {
    type Output = Option<Box3>;

    #[inline(always)]
    fn run(self) -> Option<Box3> {
        let mut found = Box3 {
            low: all3([f32::MAX; 3]),
            high: all3([f32::MIN; 3]),
        };
        let (one, zero) = (Lanes::all(1.0), Lanes::all(0.0));
        let mut finite = one;
        for ParticleBlock { position, .. } in self.particles {
            for x in position {
                // 0, or not a number.
                finite = finite.if_at_most(*x * zero, zero);
            }
            found.add(position, position);
        }
        (finite == one).then_some(found)
    }
}

/// Adds particles, but for the roots, to the nodes around them.
pub(super) struct Splat<'a> {
    pub(super) grid: &'a Grid,
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
        let steps = self.grid.steps();
        for (block, particles) in self.particles.chunks_exact(self.each).enumerate() {
            let lanes = (self.strands - block * LANES).min(LANES);
            for ParticleBlock { position, velocity } in &particles[1..] {
                let places = self.grid.places(position);
                let v = axes!(i => velocity[i].at_least(-FASTEST).at_most(FASTEST));
                for lane in 0..lanes {
                    let [x, y, z] = lane3(&v, lane);
                    let values = [1.0, x, y, z].map(|value| f64::from(value) * UNIT);
                    let weights = weights(lane3(&places.within, lane));
                    let first = places.node[lane] as usize;
                    for (step, weight) in steps.into_iter().zip(weights) {
                        let weight = f64::from(weight);
                        let [a, b, c, d] = values;
                        let share = [a * weight, b * weight, c * weight, d * weight];
                        self.nodes[first + step].add(&Node::of(share));
                    }
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
        let steps = self.grid.steps();
        for particles in self.particles.chunks_exact_mut(self.each) {
            for ParticleBlock { position, velocity } in &mut particles[1..] {
                let places = self.grid.places(position);
                let (mut density, mut momentum) = (Lanes::default(), Lanes3::default());
                let mut gradient = Lanes3::default();
                for lane in 0..LANES {
                    let within = lane3(&places.within, lane);
                    let weights = weights(within);
                    let first = places.node[lane] as usize;
                    let (mut sums, mut dense) = ([0.0_f64; 4], [0.0_f32; 8]);
                    for corner in 0..8 {
                        let values = self.nodes[first + steps[corner]].values();
                        let weight = f64::from(weights[corner]);
                        for i in 0..4 {
                            sums[i] += values[i] * weight;
                        }
                        dense[corner] = values[0] as f32;
                    }
                    density.0[lane] = sums[0] as f32;
                    put3(
                        &mut momentum,
                        lane,
                        [sums[1] as f32, sums[2] as f32, sums[3] as f32],
                    );
                    put3(&mut gradient, lane, slopes(&dense, within));
                }
                let per_cell = Lanes::all(self.grid.per_cell);
                let (zero, friction) = (Lanes::all(0.0), Lanes::all(self.friction));
                let scale = Lanes::all(self.grid.per_cell / UNIT as f32);
                let gradient: Lanes3 = axes!(i => gradient[i] * scale);
                let [a, b, c] = gradient;
                let steep = (a * a + b * b + c * c).sqrt() + Lanes::all(NOISE) * per_cell;
                let push = Lanes::all(self.push) / steep;
                let felt = axes!(i => {
                    let v = velocity[i];
                    let around = momentum[i] / density;
                    v + friction * (around - v) - gradient[i] * push
                });
                *velocity = axes!(i => density.where_above(zero, felt[i], velocity[i]));
            }
        }
    }
}

/// How values at the corners of a cell change along the axes, from side to side.
#[inline(always)]
fn slopes(values: &[f32; 8], [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a, b, c, d, e, f, g, h] = *values;
    let (u, v, w) = (1.0 - x, 1.0 - y, 1.0 - z);
    [
        ((b - a) * v + (d - c) * y) * w + ((f - e) * v + (h - g) * y) * z,
        ((c - a) * u + (d - b) * x) * w + ((g - e) * u + (h - f) * x) * z,
        ((e - a) * u + (f - b) * x) * v + ((g - c) * u + (h - d) * x) * y,
    ]
}
