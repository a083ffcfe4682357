//! From triangles to values at nodes.

use super::super::simd::dispatch::{Kernel, dispatch};
use super::close::close;
use super::grid::Grid;
use super::inside::Winding;
use super::lanes::{LANES, Lanes};
use super::packet::Packets;
use super::sign::{caps, sign};
use super::tree::{Corners, Tree, has_area};
use super::work::{Count, Work};
use super::{Field, FieldError, FieldSettings};
use std::ops::ControlFlow;

/// More triangles are refused: with what is needed while baking these take 0.6 GB.
pub(crate) const MOST_TRIANGLES: usize = 2_000_000;
/// Nodes along the sides of a packet.
pub(crate) const PACKET: usize = 2;
/// Nodes along the sides of blocks, which are decided about as a whole where that will do.
pub(crate) const BLOCK: usize = 4;
/// Corners of blocks may have distances so many times as large as they are, and get as much less:
/// in the middle of a ball all triangles are about equally near.
const STRETCH: f32 = 1.01;
/// Nearer than so many cells to skin all nodes are exact: farther out half a cell is the most that
/// blocks take off.
pub(crate) const FAR_CELLS: f32 = 12.0;

/// The field of triangles with finite corners.
pub(crate) fn bake(
    mut triangles: Vec<Corners>,
    settings: &FieldSettings,
    tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<Field, FieldError> {
    // A neighbour covers the points of those without an area.
    triangles.retain(has_area);
    let mut work = Work::new(tell);
    work.section(0.0, 0.05);
    work.tell(0.0)?;
    let all = Tree::of(&triangles);
    drop(triangles);
    let bounds = all.bounds().ok_or(FieldError::NoArea)?;
    // The size is checked before any work is done.
    let grid = Grid::around(bounds, settings)?;
    let middle = (bounds.0.as_dvec3() + bounds.1.as_dvec3()) * 0.5;
    let winding = Winding::of(&all, middle, &mut work)?;
    let kept = winding.unburied(&all, &mut work)?;
    let shown = (kept.len() < all.corners.len()).then(|| Packets::of(&Tree::of(&kept), middle));
    drop((all, kept));

    let mut values = vec![f32::INFINITY; grid.len()];
    work.section(0.1, 0.7);
    let skin = shown.as_ref().unwrap_or(&winding.packets);
    let far = grid.margin.max(FAR_CELLS * grid.cell);
    measure(&grid, &mut values, skin, far, &mut work)?;
    work.section(0.7, 0.9);
    sign(&grid, &mut values, &winding, bounds, &mut work)?;
    work.section(0.9, 0.95);
    let caps = caps(&grid, &values, &winding, &mut work)?;
    if !caps.is_empty() {
        let caps = Packets::of(&Tree::of(&caps), middle);
        measure(&grid, &mut values, &caps, f32::INFINITY, &mut work)?;
    }
    work.section(0.95, 1.0);
    let radius = settings.closing.min(0.5 * grid.margin);
    close(&grid, &mut values, radius, &mut work)?;
    work.tell(1.0)?;
    Ok(Field::new(grid, &values))
}

/// Makes distances of all nodes those from the nearest triangle, where that is nearer: exactly up
/// to `far` from skin, and farther out by what the corners of blocks have, less what could be too
/// much.
///
/// With q the point of the skin nearest to p, |x − q| ≤ d(p) + u (x − p) + |x − p|² / (2 d(p)), u
/// along p − q. So d, which is at most that, lies below a parabola about p, and a mean of d at the
/// corners x of a block of side H with the weights w of a trilinear function, which are right for
/// what is linear, is too large by at most Σ w |x − p|² / (2 d(p)) = H² Σ t (1 − t) / (2 d(p)).
fn measure(
    grid: &Grid,
    values: &mut [f32],
    skin: &Packets,
    far: f32,
    work: &mut Work,
) -> Result<(), FieldError> {
    let [row, rows, _] = grid.size;
    work.each(values, BLOCK * row * rows, |piece, values, count| {
        dispatch(Measure {
            grid,
            skin,
            far,
            layer: piece * BLOCK,
            values,
            hint: 0,
            count,
        });
    })
}

/// A layer of blocks.
struct Measure<'a> {
    grid: &'a Grid,
    skin: &'a Packets,
    far: f32,
    layer: usize,
    values: &'a mut [f32],
    /// What was nearest to the last packet is near to the next.
    hint: u32,
    count: &'a mut Count,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let [row, rows, _] = self.grid.size;
        let mut row_start = 0;
        for j in (0..rows).step_by(BLOCK) {
            self.hint = row_start;
            for i in (0..row).step_by(BLOCK) {
                self.block([i, j, self.layer]);
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
            // To the next block: on the last ones the upper corners are beyond the grid.
            let corners = self.ask(from, BLOCK, STRETCH * STRETCH, [f32::INFINITY; LANES]);
            let corners = corners.map(|square| square.sqrt() * (1.0 / STRETCH));
            let side = BLOCK as f32 * self.grid.cell;
            // Any point is within this of a corner.
            let half_diagonal = 0.866_026 * side;
            let least = corners.iter().fold(f32::INFINITY, |a, &b| a.min(b)) - half_diagonal;
            if least >= self.far {
                self.fill(from, &corners, side * side / (2.0 * least));
                return;
            }
        }
        for packet in 0..(BLOCK / PACKET).pow(3) {
            let along = BLOCK / PACKET;
            let at = [
                packet % along,
                packet / along % along,
                packet / (along * along),
            ];
            let from = [0, 1, 2].map(|axis| from[axis] + PACKET * at[axis]);
            let places = places(from, self.end(), self.grid.size, self.layer);
            let mut before = [0.0; LANES];
            for (before, place) in before.iter_mut().zip(places) {
                let value = place.map_or(0.0, |place| self.values[place]);
                *before = value * value;
            }
            let best = self.ask(from, 1, 1.0, before);
            for (lane, place) in places.into_iter().enumerate() {
                if let Some(place) = place
                    && best[lane] < before[lane]
                {
                    let value = &mut self.values[place];
                    *value = best[lane].sqrt().copysign(*value);
                }
            }
        }
    }

    /// Squared distances of a node and of those `side` cells farther along the axes.
    #[inline(always)]
    fn ask(&mut self, from: [usize; 3], side: usize, stretch2: f32, before: Lanes) -> Lanes {
        let to = self.grid.node(from.map(|node| node + side));
        let points = self.skin.points(self.grid.node(from), to);
        let mut best = before;
        let (hint, done) = (&mut self.hint, &mut self.count.done);
        self.skin.nearest(&points, stretch2, &mut best, hint, done);
        best
    }

    /// A block from its corners, less `excess` times Σ t (1 − t).
    #[inline(always)]
    fn fill(&mut self, from: [usize; 3], corners: &Lanes, excess: f32) {
        let end = self.end();
        let along = |axis: usize| from[axis]..(from[axis] + BLOCK).min(end[axis]);
        let share = |node: usize, axis: usize| (node - from[axis]) as f32 / BLOCK as f32;
        for (k, j) in along(2).flat_map(|k| along(1).map(move |j| (k, j))) {
            for i in along(0) {
                let t = [share(i, 0), share(j, 1), share(k, 2)];
                let mut sum = 0.0;
                for (corner, value) in corners.iter().enumerate() {
                    let weights = [0, 1, 2].map(|axis: usize| {
                        let upper = corner >> axis & 1 == 1;
                        if upper { t[axis] } else { 1.0 - t[axis] }
                    });
                    sum += value * (weights[0] * weights[1] * weights[2]);
                }
                let bend = t.map(|t| t * (1.0 - t));
                let value = sum - excess * (bend[0] + bend[1] + bend[2]);
                self.values[place([i, j, k], self.grid.size, self.layer)] = value;
            }
        }
    }

    /// The end of this layer of blocks.
    fn end(&self) -> [usize; 3] {
        let [row, rows, _] = self.grid.size;
        [row, rows, self.layer + self.values.len() / (row * rows)]
    }
}

/// Where the nodes of a packet are in a piece that starts with `layer`.
#[inline(always)]
pub(crate) fn places(
    from: [usize; 3],
    end: [usize; 3],
    size: [usize; 3],
    layer: usize,
) -> [Option<usize>; LANES] {
    std::array::from_fn(|lane| {
        let node = [0, 1, 2].map(|axis: usize| from[axis] + (lane >> axis & 1));
        let is_there = (0..3).all(|axis| node[axis] < end[axis]);
        is_there.then(|| place(node, size, layer))
    })
}

/// Where a node is in a piece that starts with `layer`.
#[inline(always)]
pub(crate) fn place(node: [usize; 3], size: [usize; 3], layer: usize) -> usize {
    ((node[2] - layer) * size[1] + node[1]) * size[0] + node[0]
}
