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

use super::work::Work;
use crate::sim::sdf::grid::Grid;
use crate::sim::sdf::settings::SdfError;
use std::collections::VecDeque;

/// Ball centres are nodes whose distance exceeds the radius by at most so many cells.
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

/// Replaces distances by those from the skin closed by balls of `radius` decimetres.
pub(crate) fn close(
    grid: &Grid,
    values: &mut [f32],
    radius: f32,
    work: &mut Work,
) -> Result<(), SdfError> {
    if radius < grid.cell {
        return Ok(());
    }
    let balls = Balls {
        grid,
        values,
        center: vec![NONE; values.len()],
    };
    for (node, best) in balls.roll(radius, work)? {
        let value = &mut values[node as usize];
        *value = value.min(best + MISSED * grid.cell);
    }
    Ok(())
}

struct Balls<'a> {
    grid: &'a Grid,
    values: &'a [f32],
    /// The best centre so far of each node that was reached.
    center: Vec<u32>,
}

impl Balls<'_> {
    /// Propagates centres from node to node. Returns the nodes that were reached, with d_c.
    fn roll(mut self, radius: f32, work: &mut Work) -> Result<Vec<(u32, f32)>, SdfError> {
        let cell = self.grid.cell;
        let centers = radius..radius + CENTERS * cell;
        let mut open: VecDeque<u32> = (0..self.values.len() as u32)
            .filter(|&node| centers.contains(&self.values[node as usize]))
            .collect();
        for &node in &open {
            self.center[node as usize] = node;
        }
        let mut reached = Vec::new();
        let mut is_open = vec![false; self.values.len()];
        let mut looked = 0_u64;
        while let Some(node) = open.pop_front() {
            if looked.is_multiple_of(REPORT_EVERY) {
                work.tell(reached.len() as f32 / self.values.len() as f32)?;
            }
            looked += 1;
            is_open[node as usize] = false;
            let center = self.center[node as usize];
            for next in self.neighbours(node) {
                let distance = self.values[next as usize];
                if distance >= radius || distance < -INSIDE * cell {
                    continue;
                }
                let before = self.center[next as usize];
                if before == NONE {
                    reached.push(next);
                } else if self.reach(center, next) <= self.reach(before, next) {
                    continue;
                }
                self.center[next as usize] = center;
                if !is_open[next as usize] {
                    is_open[next as usize] = true;
                    open.push_back(next);
                }
            }
        }
        let best = |node: u32| (node, self.reach(self.center[node as usize], node));
        Ok(reached.into_iter().map(best).collect())
    }

    /// Returns how far inside the ball about a centre a node is.
    fn reach(&self, center: u32, node: u32) -> f32 {
        let [from, to] = [center, node].map(|node| self.at(node));
        let steps = [0, 1, 2].map(|axis: usize| from[axis] as f32 - to[axis] as f32);
        let square = steps.map(|step| step * step).iter().sum::<f32>();
        self.values[center as usize] - self.grid.cell * square.sqrt()
    }

    /// Returns the indices of a node along the axes.
    fn at(&self, node: u32) -> [usize; 3] {
        let ([row, rows, _], node) = (self.grid.size, node as usize);
        [node % row, node / row % rows, node / (row * rows)]
    }

    /// Returns the neighbours of a node.
    fn neighbours(&self, node: u32) -> impl Iterator<Item = u32> + use<> {
        let ([row, rows, layers], [x, y, z]) = (self.grid.size, self.at(node));
        (0..27_usize)
            .filter(|step| *step != 13)
            .filter_map(move |step| {
                let i = (x + step % 3).checked_sub(1).filter(|&i| i < row)?;
                let j = (y + step / 3 % 3).checked_sub(1).filter(|&j| j < rows)?;
                let k = (z + step / 9).checked_sub(1).filter(|&k| k < layers)?;
                Some(((k * rows + j) * row + i) as u32)
            })
    }
}
