//! The sign of distances, and the ends of the inside across holes.

use super::packet::Packets;
use super::work::{BLOCK, Count, Layer, Nodes, PACKET};
use crate::bvh::Corners;
use crate::sim::sdf::settings::SdfError;
use crate::sim::simd::{Kernel, LANES, Lanes, Transpose};
use glam::{DVec3, Vec3};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Points with a larger winding number are inside.
const INSIDE: f32 = 0.5;
/// Winding numbers this close to 0 or 1 at the corners decide for a whole block far from the skin.
const SURE: f32 = 0.06;
/// The largest number of points at which the inside ends in a hole.
const MAX_CAPS: usize = 1 << 20;

impl Nodes<'_> {
    /// Returns the points on grid lines at which the inside ends without skin.
    ///
    /// A line between two nodes that crosses the skin is at least as long as the sum of their
    /// distances. If two nodes with different signs are farther from the skin than that, the inside
    /// ends in a hole.
    pub(crate) fn caps(&mut self, skin: &Packets) -> Result<Vec<Corners>, SdfError> {
        let (grid, values) = (&self.grid, &self.values);
        let [row, rows, layers] = grid.size;
        let steps = [1, row, row * rows];
        let found = AtomicUsize::new(0);
        let mut caps: Vec<Vec<Vec3>> = vec![Vec::new(); layers];
        self.work.each(&mut caps, 1, |k, caps, count| {
            for (j, i) in (0..rows).flat_map(|j| (0..row).map(move |i| (j, i))) {
                let here = (k * rows + j) * row + i;
                for axis in 0..3 {
                    let from = [i, j, k];
                    if from[axis] + 1 == grid.size[axis] {
                        continue;
                    }
                    let (a, b) = (values[here], values[here + steps[axis]]);
                    let unlike = a.is_sign_negative() != b.is_sign_negative();
                    if !unlike || a.abs() + b.abs() <= grid.cell * (1.0 + 1e-5) {
                        continue;
                    }
                    if found.fetch_add(1, Ordering::Relaxed) >= MAX_CAPS || count.is_spent() {
                        return;
                    }
                    let mut to = from;
                    to[axis] += 1;
                    let [from, to] = [from, to].map(|node| grid.node(node));
                    let ends = skin.points(from, to);
                    let around = skin.around(&ends, &mut count.done);
                    let [a, b] = [around.0[0], around.0[LANES - 1]].map(|w| f64::from(w - INSIDE));
                    // The signs agree where the box around the skin ends.
                    let share = if a * b < 0.0 { a / (a - b) } else { 0.5 };
                    caps[0].push((from + (to - from) * share).as_vec3());
                }
            }
        })?;
        if found.into_inner() > MAX_CAPS {
            return Err(SdfError::TooTangled);
        }
        Ok(caps.into_iter().flatten().map(|p| [p; 3]).collect())
    }
}

/// Makes the distances of the inside nodes of one layer of blocks negative.
///
/// The winding number is harmonic away from the skin. In a ball of radius R around c without skin,
/// a non-negative harmonic function is at most R (R + r) / (R − r)² times its value at c within r
/// of c (Harnack), which is 6 times for r = R/2. If the number is between 0 and 1 and within 1/12
/// of either at c, it does not reach ½ within R/2.
pub(crate) struct Sign<'a> {
    pub(crate) skin: &'a Packets,
    /// The box around the skin.
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
    pub(crate) layer: Layer<'a>,
    pub(crate) count: &'a mut Count,
}

impl Kernel for Sign<'_> {
    #[inline(always)]
    fn run(mut self, _: impl Transpose) {
        let [row, rows, _] = self.layer.grid.size;
        for j in (0..rows).step_by(BLOCK) {
            for i in (0..row).step_by(BLOCK) {
                self.block([i, j, self.layer.first]);
            }
            if self.count.is_spent() {
                return;
            }
        }
    }
}

impl Sign<'_> {
    #[inline(always)]
    fn block(&mut self, first: [usize; 3]) {
        let (grid, end) = (self.layer.grid, self.layer.end());
        let last = [0, 1, 2].map(|axis| (first[axis] + BLOCK).min(end[axis]) - 1);
        let (from, to) = (grid.node(first), grid.node(last));
        if from.cmpgt(self.high).any() || to.cmplt(self.low).any() {
            return;
        }
        // Every node is within this distance of a corner of the block.
        let radius = (from.distance(to) * 0.5) as f32;
        let corners = (0..8).map(|corner| {
            let node = [0, 1, 2].map(|axis| [first, last][corner >> axis & 1][axis]);
            self.layer.values[self.layer.at(node)]
        });
        let free = corners.fold(f32::INFINITY, f32::min);
        let mut whole = None;
        if free >= 2.0 * radius {
            let corners = self.skin.points(from, to);
            let around = self.skin.around(&corners, &mut self.count.done);
            let outside = around.0.iter().all(|&w| w <= SURE);
            let inside = around.0.iter().all(|&w| w >= 1.0 - SURE);
            whole = (outside || inside).then_some(inside);
        }
        if whole == Some(false) {
            return;
        }
        let along = |axis: usize| (first[axis]..=last[axis]).step_by(PACKET);
        for (k, j) in along(2).flat_map(|k| along(1).map(move |j| (k, j))) {
            for i in along(0) {
                self.packet([i, j, k], whole);
            }
        }
    }

    #[inline(always)]
    fn packet(&mut self, from: [usize; 3], whole: Option<bool>) {
        let to = from.map(|node| node + 1);
        let (low, high) = (self.layer.grid.node(from), self.layer.grid.node(to));
        let around = if whole.is_none() {
            let points = self.skin.points(low, high);
            self.skin.around(&points, &mut self.count.done)
        } else {
            Lanes::ONE
        };
        for (lane, at) in self.layer.packet(from).into_iter().enumerate() {
            // Nodes outside the box of the skin are never inside.
            let is_within = (0..3).all(|axis| {
                let x = [low, high][lane >> axis & 1][axis];
                x >= self.low[axis] && x <= self.high[axis]
            });
            if let Some(at) = at
                && is_within
                && around.0[lane] > INSIDE
            {
                self.layer.values[at] = -self.layer.values[at];
            }
        }
    }
}
