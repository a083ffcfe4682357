//! Distance and gradient between the nodes, and lower bounds of distances.

// Loops index lanes and axes, also where only one array is involved.
#![allow(clippy::needless_range_loop)]

use super::Sdf;
use super::grid::SIDE;
use crate::sim::simd::{Kernel, LANES, Lanes, Lanes3, Portable, Transpose, axes, clamp, get3};
use glam::{Mat3, Vec3};

/// Coordinates are clamped to this, decimetres, so that their squares are finite.
const MAX_COORDINATE: f32 = 1e18;
/// 2²³. Adding it rounds a number to an integer, which then stands in the low bits. That is cheaper
/// than a checked conversion.
const WHOLE: f32 = 8_388_608.0;
/// The mask of those bits.
const NUMBER: u32 = 0x007f_ffff;

/// The place of a point along one axis.
#[derive(Clone, Copy, Default)]
struct Along {
    /// The index of the cell that contains it, or of the nearest one.
    cell: u32,
    /// The position in the cell, 0 to 1.
    share: f32,
    /// The offset from the nearest point of the grid; zero inside.
    off: f32,
}

impl Sdf {
    /// Returns the distance of a point from the skin, decimetres, negative inside, and its gradient
    /// in head space, which points outwards and has about unit length.
    ///
    /// Inside the grid both come from the trilinear function of the cell. The gradient jumps a
    /// little between cells and is short where two pieces of skin are equally near. Outside, the
    /// distance is √(d² + o²), with the distance d at the nearest point of the grid and the offset
    /// o from it. That is continuous, and not larger than the true distance up to
    /// [`error_bound`](Self::error_bound), since the grid is convex. Not-a-number counts as far
    /// outside.
    #[inline(always)]
    pub fn sample(&self, point: [f32; 3]) -> (f32, [f32; 3]) {
        let along = axes!(axis => self.along(axis, point[axis]));
        let first = self.bricks.first(axes!(axis => along[axis].cell));
        let [[a, b], [c, d], [e, f], [g, h]] = self.pairs(first).map(|pair| *pair);
        let share = axes!(axis => along[axis].share);
        let (distance, slope) = self.between(&[a, b, c, d, e, f, g, h], share);
        beyond(distance, slope, axes!(axis => along[axis].off))
    }

    /// Returns the distance of [`sample`](Self::sample), to the same bits.
    #[inline(always)]
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        self.sample(point).0 // Inlining removes the gradient.
    }

    /// Samples eight points, given as lanes of x, y and z. Each lane has the bits of
    /// [`sample`](Self::sample), in a third of the time with vector instructions.
    #[inline(always)]
    pub fn sample_lanes(&self, points: &[[f32; LANES]; 3]) -> ([f32; LANES], [[f32; LANES]; 3]) {
        let (distance, gradient) = self.sample_by(Portable, &points.map(Lanes));
        (distance.0, gradient.map(|lanes| lanes.0))
    }

    /// Samples as [`sample_lanes`](Self::sample_lanes).
    #[inline(always)]
    pub(crate) fn sample_by(&self, transpose: impl Transpose, points: &Lanes3) -> (Lanes, Lanes3) {
        // Each step is one loop over the lanes.
        let points = *points;
        let mut first = [0; LANES];
        let (mut share, mut off) = (Lanes3::default(), Lanes3::default());
        for lane in 0..LANES {
            let along = axes!(axis => self.along(axis, points[axis].0[lane]));
            first[lane] = self.bricks.first(axes!(axis => along[axis].cell));
            for axis in 0..3 {
                share[axis].0[lane] = along[axis].share;
                off[axis].0[lane] = along[axis].off;
            }
        }
        let mut cells = [Lanes::default(); LANES];
        for (cell, &first) in cells.iter_mut().zip(&first) {
            *cell = transpose.pairs(self.pairs(first));
        }
        let corners = transpose.transposed(&cells);
        let (mut distance, mut gradient) = (Lanes::default(), Lanes3::default());
        for lane in 0..LANES {
            let share = axes!(axis => share[axis].0[lane]);
            let [a, b] = [corners[0].0[lane], corners[1].0[lane]];
            let [c, d] = [corners[2].0[lane], corners[3].0[lane]];
            let [e, f] = [corners[4].0[lane], corners[5].0[lane]];
            let [g, h] = [corners[6].0[lane], corners[7].0[lane]];
            let found = self.between(&[a, b, c, d, e, f, g, h], share);
            distance.0[lane] = found.0;
            for axis in 0..3 {
                gradient[axis].0[lane] = found.1[axis];
            }
        }
        // Points outside are rare, and the two square roots would delay all others.
        let mut outside = 0;
        for lane in 0..LANES {
            outside |= u32::from(square(axes!(axis => off[axis].0[lane])) > 0.0);
        }
        if outside != 0 {
            for lane in 0..LANES {
                let off = axes!(axis => off[axis].0[lane]);
                let slope = axes!(axis => gradient[axis].0[lane]);
                let found = beyond(distance.0[lane], slope, off);
                distance.0[lane] = found.0;
                for axis in 0..3 {
                    gradient[axis].0[lane] = found.1[axis];
                }
            }
        }
        (distance, gradient)
    }

    /// Returns a lower bound of [`distance`](Self::distance), up to rounding, with one load instead of
    /// four.
    #[inline(always)]
    pub(crate) fn lower_bound(&self, point: Vec3) -> f32 {
        self.bricks.least[self.brick(point * self.per_brick) as usize]
    }

    /// Returns the brick of a point, which is scaled to bricks.
    #[inline(always)]
    fn brick(&self, point: Vec3) -> u32 {
        let point = point.to_array();
        // Outside the grid, distances are not smaller than at its nearest point.
        let at = axes!(axis => {
            let along = point[axis] - self.low_brick[axis] - 0.5;
            (clamp(along, 0.0, self.last_brick[axis]) + WHOLE).to_bits() & NUMBER
        });
        self.bricks.index(at)
    }

    /// Returns lower bounds of what [`sample_lanes`](Self::sample_lanes) returns for eight points,
    /// up to rounding, with one load per point instead of four. The head is at `translation`, and
    /// `to_bricks` rotates from world to head space and scales to bricks.
    #[inline(always)]
    pub(crate) fn lower_bounds(
        &self,
        to_bricks: &Mat3,
        translation: Vec3,
        points: &Lanes3,
    ) -> Lanes {
        let mut bricks = [0_u32; LANES];
        for (lane, brick) in bricks.iter_mut().enumerate() {
            *brick = self.brick(*to_bricks * (get3(points, lane) - translation));
        }
        let mut least = Lanes::default();
        for (least, brick) in least.0.iter_mut().zip(bricks) {
            *least = self.bricks.least[brick as usize];
        }
        least
    }

    /// Returns the values at the corners of a cell: pairs along x, by y, then by z.
    #[inline(always)]
    fn pairs(&self, first: u32) -> [&[f32; 2]; 4] {
        const LAYER: usize = SIDE * SIDE;
        let first = first as usize;
        let numbers: &[f32] = &self.bricks.numbers[first..first + LAYER + SIDE + 2];
        let pair = |at: usize| numbers[at..].first_chunk().expect("two numbers are left");
        [pair(0), pair(SIDE), pair(LAYER), pair(LAYER + SIDE)]
    }

    #[inline(always)]
    fn along(&self, axis: usize, p: f32) -> Along {
        let (low, high) = (self.grid.low[axis], self.high[axis]);
        let p = clamp(p, -MAX_COORDINATE, MAX_COORDINATE);
        let near = clamp(p, low, high);
        let cells = self.cells[axis];
        let u = clamp((near - low) * self.per_cell, 0.0, cells);
        // A point on a node may count to either of its cells.
        let whole = clamp(u - 0.5, 0.0, cells - 1.0) + WHOLE;
        Along {
            cell: whole.to_bits() & NUMBER,
            share: u - (whole - WHOLE),
            off: p - near,
        }
    }

    /// Interpolates distance and gradient between the corners of a cell, x fastest.
    #[inline(always)]
    fn between(&self, corners: &[f32; 8], share: [f32; 3]) -> (f32, [f32; 3]) {
        let [a, b, c, d, e, f, g, h] = *corners;
        let [x, y, z] = share;
        // Differences along x, the four edges at x, then the same along y and z.
        let (ab, cd, ef, gh) = (b - a, d - c, f - e, h - g);
        let (a, c, e, g) = (a + ab * x, c + cd * x, e + ef * x, g + gh * x);
        let (ac, eg) = (c - a, g - e);
        let (a, e) = (a + ac * y, e + eg * y);
        let dz = e - a;
        let inside = a + dz * z;
        let dy = ac + (eg - ac) * z;
        let (ab, ef) = (ab + (cd - ab) * y, ef + (gh - ef) * y);
        let dx = ab + (ef - ab) * z;
        let slope = [dx * self.per_cell, dy * self.per_cell, dz * self.per_cell];
        (inside, slope)
    }
}

/// Samples a field at eight points, head space. It is large and compiled once.
impl Kernel<(Lanes, Lanes3)> for (&Sdf, &Lanes3) {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> (Lanes, Lanes3) {
        self.0.sample_by(transpose, self.1)
    }
}

/// Returns distance and gradient at offset `off` from the nearest point of the grid, where they are
/// `inside` and `slope`.
#[inline(always)]
fn beyond(inside: f32, slope: [f32; 3], off: [f32; 3]) -> (f32, [f32; 3]) {
    let off2 = square(off);
    let outside = off2 > 0.0;
    let whole = (inside * inside + off2).sqrt();
    let per_whole = 1.0 / if outside { whole } else { 1.0 };
    // The chain rule; along axes with an offset, the nearest point does not move.
    let gradient = axes!(axis => {
        let pulled = inside * slope[axis];
        let beyond = if off[axis] == 0.0 { pulled } else { off[axis] };
        if outside {
            beyond * per_whole
        } else {
            slope[axis]
        }
    });
    (if outside { whole } else { inside }, gradient)
}

#[inline(always)]
fn square(v: [f32; 3]) -> f32 {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
}
