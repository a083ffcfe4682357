//! The grid of nodes, the extent of hair that it is made for, and how particles are added to the
//! nodes around them.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, ROUNDING, Transpose, axes, clamp, get3, set3, splat3,
};
use glam::Vec3;

/// The largest number of nodes. Widely spread hair gets larger cells.
const MAX_NODES: usize = 1 << 20;
/// The largest distance of a node from the world's origin, in cells, so that single precision can
/// number them. Distant hair gets larger cells.
const MAX_INDEX: f32 = 524_288.0;
/// Spare nodes on each side, which hair may reach by the next step.
const MARGIN: i32 = 1;
/// Speeds are clamped to this range for the fixed-point units, dm/s.
const MAX_SPEED: f32 = 1_000.0;
const MIN_SPEED: f32 = 1e-3;
/// The largest fixed-point weight of a particle.
const MAX_UNIT: f32 = 65_536.0;

/// The box around particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// Lowest and highest corner, world space, decimetres.
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
    /// The largest component of a velocity, dm/s.
    pub(crate) fastest: f32,
}

/// Nodes at multiples of the cell size, x fastest, then y; world space, decimetres. Forces do not
/// depend on the extent of the grid as long as it contains the hair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    pub(crate) cell: f32,
    /// The index of the first node along each axis, counted from the world's origin.
    first: [i32; 3],
    /// The number of nodes along each axis, at least 4.
    pub(crate) size: [usize; 3],
}

/// The places of eight points on a grid.
#[derive(Default)]
pub(crate) struct Places {
    /// The lowest node of each point's cell.
    pub(crate) node: [u32; LANES],
    /// The position in the cell, 0 to 1.
    pub(crate) within: Lanes3,
    /// The weights of the cell's rows of nodes, in the order of [`Grid::rows`].
    pub(crate) rows: [Lanes; 4],
}

impl Grid {
    /// Returns a grid around hair, with cells of at least the given size.
    pub(crate) fn around(hair: &Extent, cell: f32) -> Self {
        let close = Self::close(hair, cell);
        let wide = Self {
            first: close.first.map(|first| first - MARGIN),
            size: close.size.map(|size| size + 2 * MARGIN as usize),
            ..close
        };
        if wide.nodes() <= MAX_NODES {
            wide
        } else {
            close
        }
    }

    /// Returns `true` if the grid contains the hair and has the cell size that it would get.
    pub(crate) fn holds(&self, hair: &Extent, cell: f32) -> bool {
        let close = Self::close(hair, cell);
        let end = |grid: &Self, i: usize| grid.first[i] + grid.size[i] as i32;
        let within = |i| self.first[i] <= close.first[i] && end(&close, i) <= end(self, i);
        self.cell == close.cell && (0..3).all(within)
    }

    /// Returns the smallest grid, with one spare node on each side because points on a node may
    /// count to either cell.
    fn close(hair: &Extent, mut cell: f32) -> Self {
        loop {
            let per_cell = 1.0 / cell;
            let ends = [hair.low, hair.high].map(|end| end.map(|x| (x * per_cell).floor()));
            let near = |x: &f32| x.abs() <= MAX_INDEX;
            if ends.as_flattened().iter().all(near) {
                let [low, high] = ends.map(|end| end.map(|x| x as i32));
                let grid = Self {
                    cell,
                    first: low.map(|first| first - 1),
                    size: axes!(i => (high[i] - low[i]) as usize + 4),
                };
                if grid.nodes() <= MAX_NODES {
                    return grid;
                }
            }
            cell *= 1.25;
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        // Hair may be spread over more cells than a page can count.
        (self.size.iter()).fold(1, |count, size| count.saturating_mul(*size))
    }

    /// Returns the position of the first node.
    pub(crate) fn low(&self) -> [f32; 3] {
        self.first.map(|first| first as f32 * self.cell)
    }

    /// Returns the places of points; points outside the grid get the nearest cell.
    #[inline(always)]
    pub(crate) fn places(&self, points: &Lanes3) -> Places {
        let per_cell = 1.0 / self.cell;
        let least = axes!(i => self.first[i] as f32);
        let most = axes!(i => (self.first[i] + self.size[i] as i32 - 2) as f32);
        let [row, rows] = [self.size[0] as u32, self.size[1] as u32];
        let node = |[i, j, k]: [u32; 3]| {
            let line = k.wrapping_mul(rows).wrapping_add(j);
            line.wrapping_mul(row).wrapping_add(i)
        };
        let first = node(axes!(i => (least[i] + ROUNDING).to_bits()));
        let mut places = Places::default();
        for lane in 0..LANES {
            let from = (get3(points, lane) * per_cell).to_array();
            // Subtracting 0.5 and rounding gives the floor, but for points on a node.
            let whole = axes!(i => clamp(from[i] - 0.5, least[i], most[i]) + ROUNDING);
            let [x, y, z] = axes!(i => clamp(from[i] - (whole[i] - ROUNDING), 0.0, 1.0));
            places.node[lane] = node(axes!(i => whole[i].to_bits())).wrapping_sub(first);
            let (v, w) = (1.0 - y, 1.0 - z);
            set3(&mut places.within, lane, Vec3::new(x, y, z));
            places.rows[0].0[lane] = v * w;
            places.rows[1].0[lane] = y * w;
            places.rows[2].0[lane] = v * z;
            places.rows[3].0[lane] = y * z;
        }
        places
    }

    /// Returns the offsets from the lowest node of a cell to its rows along x (y first, then z),
    /// and to the end of the last row. The assertions spare bounds checks for every particle.
    #[inline(always)]
    pub(crate) fn rows(&self) -> ([usize; 4], usize) {
        let (row, layer) = (self.size[0], self.size[0] * self.size[1]);
        let rows = [0, row, layer, layer + row];
        let end = rows[3] + 2;
        for first in rows {
            assert!(first <= first + 2 && first + 2 <= end);
        }
        (rows, end)
    }
}

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

impl Units {
    /// Returns units for `particles` particles, at most `most` at a node and none faster than
    /// `fastest`. Sums stay below 2³⁰ and single terms below 2²¹.
    pub(crate) fn new(particles: usize, most: usize, fastest: f32) -> Self {
        let (sum, number) = (2.0_f32.powi(30), 2.0_f32.powi(21));
        let below = |x: f32| x.log2().floor().exp2();
        let speed = fastest.clamp(MIN_SPEED, MAX_SPEED);
        Self {
            per_particle: below((sum / particles as f32).min(MAX_UNIT)),
            per_speed: below((sum / most as f32).min(number) / speed),
        }
    }
}

/// An [`Extent`] per lane, while it is found.
pub(crate) struct Bounds {
    low: Lanes3,
    high: Lanes3,
    /// The largest absolute components of velocities.
    fastest: Lanes,
    /// 0, or not-a-number if a position or a velocity is not finite.
    not_finite: Lanes,
}

impl Bounds {
    /// Returns empty bounds.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            low: splat3(Vec3::MAX),
            high: splat3(Vec3::MIN),
            fastest: Lanes::splat(0.0),
            not_finite: Lanes::splat(0.0),
        }
    }

    /// Includes the particle of one lane.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: usize, position: Vec3, velocity: Vec3) {
        let sum = position + velocity;
        let (position, velocity) = (position.to_array(), velocity.to_array());
        for axis in 0..3 {
            let (x, v) = (position[axis], velocity[axis].abs());
            let (low, high) = (&mut self.low[axis].0[lane], &mut self.high[axis].0[lane]);
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
            let fastest = &mut self.fastest.0[lane];
            *fastest = if v > *fastest { v } else { *fastest };
        }
        self.not_finite.0[lane] += (sum.x + sum.y + sum.z) * 0.0;
    }

    /// Returns the bounds of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            low: axes!(i => self.low[i].min(other.low[i])),
            high: axes!(i => self.high[i].max(other.high[i])),
            fastest: self.fastest.max(other.fastest),
            not_finite: self.not_finite + other.not_finite,
        }
    }

    /// Returns the extent of all lanes; `None` if a particle is not finite.
    pub(crate) fn extent(&self) -> Option<Extent> {
        (self.not_finite == Lanes::splat(0.0)).then(|| Extent {
            low: axes!(i => self.low[i].0.into_iter().fold(f32::MAX, f32::min)),
            high: axes!(i => self.high[i].0.into_iter().fold(f32::MIN, f32::max)),
            fastest: self.fastest.0.into_iter().fold(0.0, f32::max),
        })
    }
}

/// Adds all particles but the roots to the nodes around them, and finds their bounds.
pub(crate) struct Splat<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) units: Units,
    pub(crate) nodes: &'a mut [Node],
    /// Blocks of `each` particles.
    pub(crate) particles: &'a [ParticleBlock],
    pub(crate) each: usize,
    /// The number of strands; lanes past the last one are ignored.
    pub(crate) strands: usize,
}

impl Kernel<Bounds> for Splat<'_> {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> Bounds {
        // A copy, which no write can alias.
        let grid = *self.grid;
        let (rows, end) = grid.rows();
        let (per_particle, per_speed) = (self.units.per_particle, self.units.per_speed);
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
                    let v = v.map(|x| clamp(x, -MAX_SPEED, MAX_SPEED));
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
