//! Between the nodes: what solvers ask, many times a step.

use super::Field;
use super::lanes::LANES;
use crate::sim::blocks::axes;

/// Points farther out count as this far, decimetres: squares of it are still numbers.
const FARTHEST: f32 = 1e18;
/// 2²³: from here to its double, single precision holds whole numbers only.
const WHOLE: f32 = 8_388_608.0;

/// A point along one axis.
#[derive(Clone, Copy, Default)]
pub(super) struct Along {
    /// Number of the cell that holds it, or of the one nearest to it.
    pub(super) cell: u32,
    /// Where in the cell, 0 to 1.
    share: f32,
    /// From the nearest point of the grid to the point: zero inside.
    off: f32,
}

/// Values at the corners of a cell, x fastest.
type Corners = [f32; 8];

impl Field {
    /// Distance of a point from the skin, decimetres, negative inside, and its gradient: head
    /// space, out of the skin, of about unit length.
    ///
    /// Within the grid both are of the trilinear function of the cell that holds the point; on
    /// the sides of cells the gradient jumps a little, and where two pieces of skin are equally
    /// near it is short. Outside, the distance is √(d² + o²), with d the distance at the nearest
    /// point of the grid and o the way to that: it joins without a step and is no larger than the
    /// true one (but for [`error_bound`](Self::error_bound)), since everything lies inside the
    /// grid, which is convex. Any number is allowed; what is not a number is far outside.
    #[inline(always)]
    pub fn sample(&self, point: [f32; 3]) -> (f32, [f32; 3]) {
        let along = axes!(axis => self.along(axis, point[axis]));
        let corners = self.corners(axes!(axis => along[axis].cell));
        self.between(&corners, along)
    }

    /// The distance alone: the same bits as [`sample`](Self::sample) gives.
    #[inline(always)]
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        self.sample(point).0 // what is not used is not computed once this is inlined
    }

    /// Eight points at once, lanes of x, y and z: the bits of [`sample`](Self::sample) in every
    /// lane, in half of the time where the processor has lanes.
    #[inline(always)]
    pub fn sample_lanes(&self, points: &[[f32; LANES]; 3]) -> ([f32; LANES], [[f32; LANES]; 3]) {
        // By lanes, axis after axis and corner after corner: what is loaded one by one is then
        // worked on together.
        let (mut cell, mut share, mut off) =
            ([[0; LANES]; 3], [[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for axis in 0..3 {
            for lane in 0..LANES {
                let along = self.along(axis, points[axis][lane]);
                cell[axis][lane] = along.cell;
                share[axis][lane] = along.share;
                off[axis][lane] = along.off;
            }
        }
        let mut corners = [[0.0; LANES]; 8];
        for lane in 0..LANES {
            let found = self.corners(axes!(axis => cell[axis][lane]));
            for (corner, found) in corners.iter_mut().zip(found) {
                corner[lane] = found;
            }
        }
        let (mut distance, mut gradient) = ([0.0; LANES], [[0.0; LANES]; 3]);
        for lane in 0..LANES {
            let along = axes!(axis => Along {
                cell: 0,
                share: share[axis][lane],
                off: off[axis][lane],
            });
            let [a, b, c, d, e, f, g, h] = &corners;
            let [a, b, c, d] = [a[lane], b[lane], c[lane], d[lane]];
            let [e, f, g, h] = [e[lane], f[lane], g[lane], h[lane]];
            let found = self.between(&[a, b, c, d, e, f, g, h], along);
            distance[lane] = found.0;
            for (gradient, slope) in gradient.iter_mut().zip(found.1) {
                gradient[lane] = slope;
            }
        }
        (distance, gradient)
    }

    #[inline(always)]
    pub(super) fn along(&self, axis: usize, p: f32) -> Along {
        let (low, high) = (self.grid.low[axis], self.high[axis]);
        let p = clamp(p, -FARTHEST, FARTHEST);
        let near = clamp(p, low, high);
        let cells = self.cells[axis];
        let u = clamp((near - low) * self.per_cell, 0.0, cells);
        // The number of the cell, without the cost of a checked conversion: added to 2²³ a number
        // is rounded to a whole one, which then stands in the low bits. A node may count to either
        // of its cells.
        let whole = clamp(u - 0.5, 0.0, cells - 1.0) + WHOLE;
        Along {
            cell: whole.to_bits() & 0x007f_ffff,
            share: u - (whole - WHOLE),
            off: p - near,
        }
    }

    #[inline(always)]
    fn corners(&self, [x, y, z]: [u32; 3]) -> Corners {
        let row = self.grid.size[0];
        let layer = row * self.grid.size[1];
        let first = z as usize * layer + y as usize * row + x as usize;
        let pair = |step: usize| {
            let pair = &self.values[first + step..first + step + 2];
            [pair[0], pair[1]]
        };
        let [[a, b], [c, d]] = [pair(0), pair(row)];
        let [[e, f], [g, h]] = [pair(layer), pair(layer + row)];
        [a, b, c, d, e, f, g, h]
    }

    /// Distance and gradient from what is at the corners.
    #[inline(always)]
    fn between(&self, corners: &Corners, along: [Along; 3]) -> (f32, [f32; 3]) {
        let [a, b, c, d, e, f, g, h] = *corners;
        let [x, y, z] = axes!(axis => along[axis].share);
        // Differences along x, the four edges at x, differences along y, and so on.
        let (ab, cd, ef, gh) = (b - a, d - c, f - e, h - g);
        let (a, c, e, g) = (a + ab * x, c + cd * x, e + ef * x, g + gh * x);
        let (ac, eg) = (c - a, g - e);
        let (a, e) = (a + ac * y, e + eg * y);
        let dz = e - a;
        let inside = a + dz * z;
        let dy = ac + (eg - ac) * z;
        let (ab, ef) = (ab + (cd - ab) * y, ef + (gh - ef) * y);
        let dx = ab + (ef - ab) * z;

        let off = axes!(axis => along[axis].off);
        let off2 = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
        let outside = off2 > 0.0;
        let whole = (inside * inside + off2).sqrt();
        let per_whole = 1.0 / if outside { whole } else { 1.0 };
        let slope = [dx * self.per_cell, dy * self.per_cell, dz * self.per_cell];
        // By the chain rule; along the axes on which the point is off, the nearest stays.
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
}

/// The lower bound for what is not a number.
#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}
