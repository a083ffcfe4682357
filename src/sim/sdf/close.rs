//! Closes what hair would get caught in: sockets, nostrils, the mouth, the folds of ears.
//!
//! Closing by a ball (Serra 1982, Image Analysis and Mathematical Morphology): what no ball of the
//! radius that is all outside reaches, counts as inside. A ball about x of its distance d(x) from
//! skin is the largest that is outside, so the distance from what is closed is
//!
//! ```text
//! d_c(p) = max over x with d(x) ≥ radius of d(x) − |p − x|  ≤  d(p)
//! ```
//!
//! and d(p) itself wherever a ball rolls by. The best x of a node is looked for among those of its
//! neighbours (Danielsson 1980, Euclidean Distance Mapping).

use super::FieldError;
use super::grid::Grid;
use super::work::Work;
use std::collections::VecDeque;

/// Centres of balls are nodes up to so many cells beyond the radius.
const CENTERS: f32 = 2.5;
/// What a node misses, in cells, since centres are at nodes only: what is less is none.
const MISSED: f32 = 0.15;
/// Skin this far inside stays as it is, in cells: nothing gets there.
const INSIDE: f32 = 4.0;
/// No node.
const NONE: u32 = u32::MAX;

/// Nodes between two looks at the caller.
const LOOK: u64 = 1 << 16;

/// Makes distances those from the skin after it is closed by balls of this radius, dm.
pub(crate) fn close(
    grid: &Grid,
    values: &mut [f32],
    radius: f32,
    work: &mut Work,
) -> Result<(), FieldError> {
    if radius < grid.cell {
        return Ok(());
    }
    let balls = Balls {
        grid,
        values,
        center: vec![NONE; values.len()],
    };
    let reached = balls.roll(radius, work)?;
    for (node, best) in reached {
        let value = &mut values[node as usize];
        *value = value.min(best + MISSED * grid.cell);
    }
    Ok(())
}

struct Balls<'a> {
    grid: &'a Grid,
    values: &'a [f32],
    /// For each node that was reached, the best centre so far.
    center: Vec<u32>,
}

impl Balls<'_> {
    /// Carries centres from node to node. Gives what was reached, and d_c there.
    fn roll(mut self, radius: f32, work: &mut Work) -> Result<Vec<(u32, f32)>, FieldError> {
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
            if looked.is_multiple_of(LOOK) {
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
                let is_better =
                    before == NONE || self.reach(center, next) > self.reach(before, next);
                if !is_better {
                    continue;
                }
                if before == NONE {
                    reached.push(next);
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

    /// How far inside the ball about a centre a node is.
    fn reach(&self, center: u32, node: u32) -> f32 {
        let [from, to] = [center, node].map(|node| self.at(node));
        let steps = [0, 1, 2].map(|axis: usize| from[axis] as f32 - to[axis] as f32);
        let square = steps.map(|step| step * step).iter().sum::<f32>();
        self.values[center as usize] - self.grid.cell * square.sqrt()
    }

    /// Numbers of a node along the axes.
    fn at(&self, node: u32) -> [usize; 3] {
        let ([row, rows, _], node) = (self.grid.size, node as usize);
        [node % row, node / row % rows, node / (row * rows)]
    }

    /// The nodes around a node.
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

#[cfg(test)]
mod tests {
    use super::super::tests::{beside, go_on, open, shipped};
    use super::super::{Field, FieldSettings, shapes};
    use glam::Vec3;

    /// Where two balls touch, a ball of the radius that rolls round them leaves a ring closed.
    #[test]
    fn closing_fills_what_the_ball_does_not_get_into_and_nothing_else() {
        let mut balls = Vec::new();
        for x in [-1.0, 1.0] {
            let moved = |p: Vec3| p + Vec3::X * x;
            balls.extend(shapes::icosphere(4).into_iter().map(|t| t.map(moved)));
        }
        let (positions, triangles) = shapes::mesh(&balls);
        let radius = 0.25_f32;
        let [open, closed] = [0.0, radius].map(|closing| {
            let settings = FieldSettings {
                cell: 0.05,
                margin: 0.6,
                closing,
                ..Default::default()
            };
            Field::of_mesh(&positions, &triangles, &settings, &mut go_on).unwrap()
        });
        // The rolling ball is a distance of 1 + radius from both centres.
        let far = ((1.0 + radius) * (1.0 + radius) - 1.0).sqrt();
        for p in beside(&balls, 3000, 0.4) {
            let point = p.as_vec3().to_array();
            let (before, after) = (open.distance(point), closed.distance(point));
            assert!(after <= before + 1e-6, "{p}: {before} {after}");
            let ring = p.y.hypot(p.z) as f32;
            let x = p.x.abs() as f32;
            // Seen from the centre of the rolling ball, is the point between those of the balls?
            let between = x * far < far - ring;
            let off = (far - ring).hypot(x);
            if before < -0.15 {
                continue;
            }
            let expected = if between { radius - off } else { before };
            // Centres are at nodes: where few balls fit, the best one is up to a cell away.
            assert!(
                (after - expected).abs() < 0.05,
                "{p}: {after}, not {expected} ({before})"
            );
        }
    }

    #[test]
    fn sockets_of_the_shipped_head_are_closed_to_hair_and_its_forehead_is_as_it_was() {
        let head = shipped();
        let [open, closed] = [open(), FieldSettings::default()]
            .map(|settings| Field::bake(&head, &settings, &mut go_on).unwrap());
        let eyes = (head.parts.iter())
            .find(|part| part.name == "eyes")
            .unwrap();
        let eyes: Vec<_> = eyes.positions.iter().map(|p| p.to_array()).collect();
        let hollow = eyes.iter().filter(|&&p| open.distance(p) > 0.0).count();
        assert!(hollow > 50, "{hollow} of {}", eyes.len());
        for &p in &eyes {
            assert!(closed.distance(p) < 0.05, "{p:?}: {}", closed.distance(p));
        }
        let scalp = crate::Scalp::of_head(&head).unwrap();
        for p in scalp.positions().iter().map(|p| p.to_array()) {
            assert!(
                (open.distance(p) - closed.distance(p)).abs() < 1e-3,
                "{p:?}"
            );
        }
    }
}
