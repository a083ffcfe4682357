//! Adds particles to the nodes around them, and finds their bounds.

// Loops index lanes and nodes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::grid::{Extent, Grid};
use crate::sim::hair::ParticleBlock;
use crate::sim::simd::{Kernel, LANES, Lanes, Lanes3, Transpose, axes, clamp, get3, splat3};
use glam::Vec3;

/// Speeds are clamped to this range for the fixed-point units, dm/s.
const MAX_SPEED: f32 = 1_000.0;
const MIN_SPEED: f32 = 1e-3;
/// The largest fixed-point weight of a particle.
const MAX_UNIT: f32 = 65_536.0;

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
    /// 0, or not-a-number if a position is not finite.
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
        let (position, velocity) = (position.to_array(), velocity.to_array());
        for axis in 0..3 {
            let (x, v) = (position[axis], velocity[axis].abs());
            let (low, high) = (&mut self.low[axis].0[lane], &mut self.high[axis].0[lane]);
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
            let fastest = &mut self.fastest.0[lane];
            *fastest = if v > *fastest { v } else { *fastest };
        }
        self.not_finite.0[lane] += (position[0] + position[1] + position[2]) * 0.0;
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
        let Units {
            per_particle,
            per_speed,
        } = self.units;
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
