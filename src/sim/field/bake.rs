//! From triangles to values at nodes.

use super::super::widest::{Kernel, widest};
use super::grid::Grid;
use super::inside::Winding;
use super::lanes::LANES;
use super::packet::Packets;
use super::sign::{caps, sign};
use super::tree::{Corners, Tree, has_area};
use super::work::{Count, Work};
use super::{Field, FieldError, FieldSettings};
use std::ops::ControlFlow;

/// More triangles are refused: with what is needed while baking these take 0.3 GB.
pub(super) const MOST_TRIANGLES: usize = 2_000_000;
/// Nodes along the sides of a packet.
pub(super) const PACKET: usize = 2;
/// The field of triangles with finite corners.
pub(super) fn bake(
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
    measure(
        &grid,
        &mut values,
        shown.as_ref().unwrap_or(&winding.packets),
        &mut work,
    )?;
    work.section(0.7, 0.9);
    sign(&grid, &mut values, &winding, bounds, &mut work)?;
    work.section(0.9, 1.0);
    let caps = caps(&grid, &values, &winding, &mut work)?;
    if !caps.is_empty() {
        let caps = Packets::of(&Tree::of(&caps), middle);
        measure(&grid, &mut values, &caps, &mut work)?;
    }
    work.tell(1.0)?;
    Ok(Field::new(grid, values))
}

/// Makes distances of all nodes those from the nearest triangle, where that is nearer.
fn measure(
    grid: &Grid,
    values: &mut [f32],
    skin: &Packets,
    work: &mut Work,
) -> Result<(), FieldError> {
    let [row, rows, _] = grid.size;
    work.each(values, PACKET * row * rows, |piece, values, count| {
        widest(Measure {
            grid,
            skin,
            layer: piece * PACKET,
            values,
            count,
        });
    })
}

/// Two layers of nodes.
struct Measure<'a> {
    grid: &'a Grid,
    skin: &'a Packets,
    layer: usize,
    values: &'a mut [f32],
    count: &'a mut Count,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let [row, rows, _] = self.grid.size;
        let layers = self.values.len() / (row * rows);
        // What is nearest to a node is near to its neighbours.
        let mut row_start = 0;
        for j in (0..rows).step_by(PACKET) {
            let mut hint = row_start;
            for i in (0..row).step_by(PACKET) {
                // On the last nodes of an odd number, the upper lanes are beyond the grid.
                let from = [i, j, self.layer];
                let to = from.map(|node| node + 1);
                let points = self.skin.points(self.grid.node(from), self.grid.node(to));
                let end = [row, rows, self.layer + layers];
                let places = places(from, end, self.grid.size, self.layer);
                let mut best = [f32::INFINITY; LANES];
                for (best, place) in best.iter_mut().zip(places) {
                    let value = place.map_or(0.0, |place| self.values[place]);
                    *best = value * value;
                }
                let before = best;
                self.skin
                    .nearest(&points, &mut best, &mut hint, &mut self.count.done);
                for (lane, place) in places.into_iter().enumerate() {
                    if let Some(place) = place
                        && best[lane] < before[lane]
                    {
                        let value = &mut self.values[place];
                        *value = best[lane].sqrt().copysign(*value);
                    }
                }
                if i == 0 {
                    row_start = hint;
                }
            }
            if self.count.is_spent() {
                return;
            }
        }
    }
}

/// Where the nodes of a packet are in a piece that starts with `layer`.
#[inline(always)]
pub(super) fn places(
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
pub(super) fn place(node: [usize; 3], size: [usize; 3], layer: usize) -> usize {
    ((node[2] - layer) * size[1] + node[1]) * size[0] + node[0]
}
