//! Bakes triangles into distances at nodes.
//!
//! [`skin`] selects the triangles, [`packet`] finds distances, [`winding`] tells inside from
//! outside, [`sign`] applies that to the nodes, [`closing`] closes openings, and [`work`] runs all
//! of it in parallel.

mod closing;
pub(super) mod packet;
mod sign;
pub(super) mod skin;
mod winding;
pub(super) mod work;

use super::grid::Grid;
use super::settings::{SdfError, SdfSettings};
use crate::bvh::{Bvh, Corners};
use crate::sim::simd::{Kernel, Lanes, Transpose, dispatch};
use packet::Packets;
use sign::Sign;
use skin::has_area;
use std::ops::ControlFlow;
use work::{BLOCK, Count, Layer, Nodes, PACKET, Work};

/// Distances at block corners may be found too large by this factor and are divided by it. In the
/// middle of a ball, all triangles are about equally near.
const STRETCH: f32 = 1.01;

/// Bakes triangles with finite corners. Returns the grid and the distances at its nodes.
pub(crate) fn bake(
    mut triangles: Vec<Corners>,
    settings: &SdfSettings,
    tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<(Grid, Vec<f32>), SdfError> {
    // Neighbours cover the points of triangles without an area.
    triangles.retain(has_area);
    let mut work = Work::new(tell);
    work.section(0.0, 0.05);
    work.tell(0.0)?;
    let all = Bvh::of(&triangles);
    drop(triangles);
    let bounds = all.bounds().ok_or(SdfError::NoArea)?;
    // The size is checked before any work is done.
    let grid = Grid::around(bounds, settings)?;
    let (low, high) = (bounds.0.as_dvec3(), bounds.1.as_dvec3());
    let middle = (low + high) * 0.5;
    let mut skin = Packets::of(&all, middle);
    skin.orient(&all, &mut work)?;
    work.section(0.05, 0.1);
    let kept = skin.unburied(&all, &mut work)?;
    let shown = (kept.len() < all.corners.len()).then(|| Packets::of(&Bvh::of(&kept), middle));
    drop((all, kept));

    let (far, radius) = (grid.far(), settings.closing.min(0.5 * grid.margin));
    work.section(0.1, 0.7);
    let mut nodes = Nodes {
        values: vec![f32::INFINITY; grid.size.iter().product()],
        grid,
        work,
    };
    nodes.measure(shown.as_ref().unwrap_or(&skin), far)?;
    nodes.work.section(0.7, 0.9);
    nodes.each_layer(|layer, count| {
        dispatch(Sign {
            skin: &skin,
            low,
            high,
            layer,
            count,
        });
    })?;
    nodes.work.section(0.9, 0.95);
    let caps = nodes.caps(&skin)?;
    if !caps.is_empty() {
        nodes.measure(&Packets::of(&Bvh::of(&caps), middle), f32::INFINITY)?;
    }
    nodes.work.section(0.95, 1.0);
    nodes.close(radius)?;
    nodes.work.tell(1.0)?;
    Ok((nodes.grid, nodes.values))
}

impl Nodes<'_> {
    /// Lowers the distances of all nodes to those from the nearest triangle: exactly up to `far`
    /// from the skin, and farther out by interpolation between block corners, less the largest
    /// possible excess.
    ///
    /// With q the point of the skin nearest to p and u along p − q, d(x) ≤ |x − q| ≤ d(p) +
    /// u (x − p) + |x − p|² / (2 d(p)). Trilinear weights w of the corners x of a block of side H
    /// reproduce linear functions, so the interpolated d is too large by at most
    /// Σ w |x − p|² / (2 d(p)) = H² Σ t (1 − t) / (2 d(p)).
    fn measure(&mut self, skin: &Packets, far: f32) -> Result<(), SdfError> {
        self.each_layer(|layer, count| {
            dispatch(Measure {
                skin,
                far,
                layer,
                hint: 0,
                count,
            });
        })
    }
}

/// The kernel for one layer of blocks.
struct Measure<'a> {
    skin: &'a Packets,
    far: f32,
    layer: Layer<'a>,
    /// The nearest triangle of the last packet, which is near the next one.
    hint: u32,
    count: &'a mut Count,
}

impl Kernel for Measure<'_> {
    #[inline(always)]
    fn run(mut self, _: impl Transpose) {
        let [row, rows, _] = self.layer.grid.size;
        let mut row_start = 0;
        for j in (0..rows).step_by(BLOCK) {
            self.hint = row_start;
            for i in (0..row).step_by(BLOCK) {
                self.block([i, j, self.layer.first]);
                if i == 0 {
                    row_start = self.hint;
                }
            }
            if self.count.is_spent() {
                return;
            }
        }
    }
}

impl Measure<'_> {
    #[inline(always)]
    fn block(&mut self, from: [usize; 3]) {
        if self.far < f32::INFINITY {
            // The corners of the last blocks may lie beyond the grid.
            let infinite = Lanes::splat(f32::INFINITY);
            let corners = self.distances2(from, BLOCK, STRETCH * STRETCH, infinite);
            let corners = corners.sqrt() * Lanes::splat(1.0 / STRETCH);
            let side = BLOCK as f32 * self.layer.grid.cell;
            // Every point is within this distance of a corner.
            let half_diagonal = 0.866_026 * side;
            let least = corners.0.into_iter().fold(f32::INFINITY, f32::min) - half_diagonal;
            if least >= self.far {
                self.fill(from, &corners, side * side / (2.0 * least));
                return;
            }
        }
        const { assert!(BLOCK == 2 * PACKET) };
        for packet in 0..8 {
            let from = [0, 1, 2].map(|axis| from[axis] + PACKET * (packet >> axis & 1));
            let places = self.layer.packet(from);
            let values = &self.layer.values;
            let before = Lanes::from_fn(|lane| places[lane].map_or(0.0, |at| values[at]));
            let before = before * before;
            let best = self.distances2(from, 1, 1.0, before);
            for (lane, at) in places.into_iter().enumerate() {
                if let Some(at) = at
                    && best.0[lane] < before.0[lane]
                {
                    let value = &mut self.layer.values[at];
                    *value = best.0[lane].sqrt().copysign(*value);
                }
            }
        }
    }

    /// Returns the squared distances of a node and of those `side` cells farther along the axes.
    #[inline(always)]
    fn distances2(&mut self, from: [usize; 3], side: usize, stretch2: f32, before: Lanes) -> Lanes {
        let grid = self.layer.grid;
        let to = grid.node(from.map(|node| node + side));
        let points = self.skin.points(grid.node(from), to);
        let mut best = before;
        let (hint, done) = (&mut self.hint, &mut self.count.done);
        self.skin.nearest(&points, stretch2, &mut best, hint, done);
        best
    }

    /// Interpolates a block from its corners, less `excess` times Σ t (1 − t).
    #[inline(always)]
    fn fill(&mut self, from: [usize; 3], corners: &Lanes, excess: f32) {
        let end = self.layer.end();
        let along = |axis: usize| from[axis]..(from[axis] + BLOCK).min(end[axis]);
        let share = |node: usize, axis: usize| (node - from[axis]) as f32 / BLOCK as f32;
        for (k, j) in along(2).flat_map(|k| along(1).map(move |j| (k, j))) {
            for i in along(0) {
                let t = [share(i, 0), share(j, 1), share(k, 2)];
                let mut sum = 0.0;
                for (corner, value) in corners.0.iter().enumerate() {
                    let weights =
                        [0, 1, 2].map(|axis: usize| [1.0 - t[axis], t[axis]][corner >> axis & 1]);
                    sum += value * (weights[0] * weights[1] * weights[2]);
                }
                let bend = t.map(|t| t * (1.0 - t));
                let value = sum - excess * (bend[0] + bend[1] + bend[2]);
                let at = self.layer.at([i, j, k]);
                self.layer.values[at] = value;
            }
        }
    }
}
