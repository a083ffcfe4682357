//! Between the nodes: what solvers ask, many times a step.

use super::super::blocks::dot;
use super::Field;

/// Points farther out count as this far, decimetres: squares of it are still numbers.
const FARTHEST: f32 = 1e18;
/// 2²³: from here to its double, single precision holds whole numbers only.
const WHOLE: f32 = 8_388_608.0;

/// A point in its cell, or in the cell nearest to it.
struct Place {
    /// The first corner's node.
    first: usize,
    /// Where in the cell, 0 to 1.
    share: [f32; 3],
    /// From the nearest point of the grid to the point: zero inside.
    off: [f32; 3],
}

/// The two values at the ends of each of a cell's four edges along x, at (y, z) = (0, 0), (1, 0),
/// (0, 1), (1, 1).
type Corners = [[f32; 2]; 4];

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
        let place = self.place(point);
        let corners = self.corners(place.first);
        let [x, y, z] = place.share;
        let along = corners.map(|c| mix(c, x));
        let rows = [mix([along[0], along[1]], y), mix([along[2], along[3]], y)];
        let inside = mix(rows, z);
        let dx = corners.map(|c| c[1] - c[0]);
        let dx = mix([mix([dx[0], dx[1]], y), mix([dx[2], dx[3]], y)], z);
        let dy = mix([along[1] - along[0], along[3] - along[2]], z);
        let dz = rows[1] - rows[0];
        let gradient = [dx, dy, dz].map(|slope| slope * self.per_cell);
        let (distance, scale, outside) = beyond(inside, place.off);
        // By the chain rule; along the axes on which the point is off, the nearest stays.
        let gradient = [0, 1, 2].map(|axis| {
            let off = place.off[axis];
            let slope = if off == 0.0 {
                gradient[axis] * inside
            } else {
                off
            };
            if outside {
                slope * scale
            } else {
                gradient[axis]
            }
        });
        (distance, gradient)
    }

    /// The distance alone: the same bits as [`sample`](Self::sample) gives.
    #[inline(always)]
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        let place = self.place(point);
        let [x, y, z] = place.share;
        let along = self.corners(place.first).map(|c| mix(c, x));
        let rows = [mix([along[0], along[1]], y), mix([along[2], along[3]], y)];
        beyond(mix(rows, z), place.off).0
    }

    #[inline(always)]
    fn place(&self, point: [f32; 3]) -> Place {
        let mut node = [0; 3];
        let [mut share, mut off] = [[0.0; 3]; 2];
        for axis in 0..3 {
            let (low, high) = (self.grid.low[axis], self.high[axis]);
            let p = clamp(point[axis], -FARTHEST, FARTHEST);
            let near = clamp(p, low, high);
            off[axis] = p - near;
            let cells = (self.grid.size[axis] - 1) as f32;
            let u = clamp((near - low) * self.per_cell, 0.0, cells);
            // The number of the cell, without the cost of a checked conversion: added to 2²³ a
            // number is rounded to a whole one, which then stands in the low bits. A node may
            // count to either of its cells.
            let whole = clamp(u - 0.5, 0.0, cells - 1.0) + WHOLE;
            node[axis] = (whole.to_bits() & 0x007f_ffff) as usize;
            share[axis] = u - (whole - WHOLE);
        }
        Place {
            first: (node[2] * self.grid.size[1] + node[1]) * self.grid.size[0] + node[0],
            share,
            off,
        }
    }

    #[inline(always)]
    fn corners(&self, first: usize) -> Corners {
        let row = self.grid.size[0];
        let layer = row * self.grid.size[1];
        [0, row, layer, layer + row].map(|step| {
            let pair = &self.values[first + step..first + step + 2];
            [pair[0], pair[1]]
        })
    }
}

/// Distance, 1 / distance, and whether the point is outside of the grid at all.
#[inline(always)]
fn beyond(inside: f32, off: [f32; 3]) -> (f32, f32, bool) {
    let off2 = dot(off, off);
    let outside = off2 > 0.0;
    let whole = (inside * inside + off2).sqrt();
    let distance = if outside { whole } else { inside };
    (distance, 1.0 / whole.max(1e-20), outside)
}

/// The lower bound for what is not a number.
#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Not fused, and the ends exactly.
#[inline(always)]
fn mix([a, b]: [f32; 2], share: f32) -> f32 {
    a * (1.0 - share) + b * share
}
