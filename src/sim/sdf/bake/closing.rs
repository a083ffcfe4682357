//! Closes openings in which hair would get caught: eye sockets, nostrils, the mouth, folds of ears.
//!
//! This is the morphological closing by a ball (Serra 1982, Image Analysis and Mathematical
//! Morphology): points that no ball of the radius can reach from outside count as inside. The
//! largest outside ball about x has the radius d(x), the distance from the skin. The distance from
//! the closed skin is therefore
//!
//! ```text
//! d_c(p) = max over x with d(x) ≥ radius of d(x) − |p − x|  ≤  d(p)
//! ```
//!
//! and equals d(p) wherever a ball touches. The best x of a node is propagated from its neighbours
//! (Danielsson 1980, Euclidean Distance Mapping).

use super::work::Nodes;
use crate::sim::sdf::grid::{Grid, place};
use crate::sim::sdf::settings::SdfError;
use std::collections::VecDeque;

/// Ball centres are nodes whose distance exceeds the radius by at most this many cells.
const CENTERS: f32 = 2.5;
/// The error of the propagation in cells, since centres are at nodes only. Smaller changes are
/// ignored.
const MISSED: f32 = 0.15;
/// Nodes deeper than this, in cells, stay unchanged; no hair gets there.
const INSIDE: f32 = 4.0;
/// The index of no node.
const NONE: u32 = u32::MAX;

/// The number of nodes between two progress reports.
const REPORT_EVERY: u64 = 1 << 16;

impl Nodes<'_> {
    /// Replaces distances by those from the skin closed by balls of `radius` decimetres.
    pub(crate) fn close(&mut self, radius: f32) -> Result<(), SdfError> {
        let (grid, before, cell) = (&self.grid, &self.values[..], self.grid.cell);
        if radius < cell {
            return Ok(());
        }
        // The depth of a node in the ball about a centre.
        let reach = |center: u32, node: u32| {
            let [from, to] = [center, node].map(|node| place(grid.size, node as usize));
            let steps = [0, 1, 2].map(|axis: usize| from[axis] as f32 - to[axis] as f32);
            let square = steps.map(|step| step * step).iter().sum::<f32>();
            before[center as usize] - cell * square.sqrt()
        };
        let centers = radius..radius + CENTERS * cell;
        let mut open: VecDeque<u32> = (0..before.len() as u32)
            .filter(|&node| centers.contains(&before[node as usize]))
            .collect();
        // The best centre so far of each node that was reached.
        let mut best = vec![NONE; before.len()];
        for &node in &open {
            best[node as usize] = node;
        }
        let mut reached = Vec::new();
        let mut is_open = vec![false; before.len()];
        let mut looked = 0_u64;
        while let Some(node) = open.pop_front() {
            if looked.is_multiple_of(REPORT_EVERY) {
                self.work.tell(reached.len() as f32 / before.len() as f32)?;
            }
            looked += 1;
            is_open[node as usize] = false;
            let center = best[node as usize];
            for next in neighbours(grid, node) {
                let distance = before[next as usize];
                if distance >= radius || distance < -INSIDE * cell {
                    continue;
                }
                let known = best[next as usize];
                if known == NONE {
                    reached.push(next);
                } else if reach(center, next) <= reach(known, next) {
                    continue;
                }
                best[next as usize] = center;
                if !is_open[next as usize] {
                    is_open[next as usize] = true;
                    open.push_back(next);
                }
            }
        }
        let closed = |&node: &u32| reach(best[node as usize], node) + MISSED * cell;
        let closed: Vec<f32> = reached.iter().map(closed).collect();
        for (node, closed) in reached.into_iter().zip(closed) {
            let value = &mut self.values[node as usize];
            *value = value.min(closed);
        }
        Ok(())
    }
}

/// Returns the neighbours of a node.
fn neighbours(grid: &Grid, node: u32) -> impl Iterator<Item = u32> + use<> {
    let ([row, rows, layers], [x, y, z]) = (grid.size, place(grid.size, node as usize));
    (0..27_usize)
        .filter(|step| *step != 13)
        .filter_map(move |step| {
            let i = (x + step % 3).checked_sub(1).filter(|&i| i < row)?;
            let j = (y + step / 3 % 3).checked_sub(1).filter(|&j| j < rows)?;
            let k = (z + step / 9).checked_sub(1).filter(|&k| k < layers)?;
            Some(((k * rows + j) * row + i) as u32)
        })
}
