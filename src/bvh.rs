//! A bounding-volume tree of triangles, halved at the median of the longest side.

use glam::{DVec3, Vec3};
use std::ops::Range;

/// The largest number of triangles in a leaf.
const MAX_LEAF: usize = 3;

/// The corners of a triangle in head space, counter-clockwise seen from outside.
pub(crate) type Corners = [Vec3; 3];

/// The bounding box of some triangles. The first node is the root; a node's first child follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// The first triangle and the number of triangles.
    pub(crate) from: u32,
    pub(crate) count: u32,
    /// The index of the second child; 0 for a leaf.
    pub(crate) second: u32,
}

impl Node {
    /// Returns the positions of the node's triangles in the tree's arrays.
    pub(crate) fn range(&self) -> Range<usize> {
        self.from as usize..self.from as usize + self.count as usize
    }

    /// Returns where a ray enters the box, in lengths of `direction`; 0 from inside.
    fn enters(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        /// Boxes are so much larger than their triangles that rounding loses none.
        const MARGIN: f32 = 1e-5;
        let size = (self.high - self.low).max_element();
        let margin = MARGIN * (size + origin.distance(self.low));
        let (mut first, mut last) = (0.0_f32, f32::INFINITY);
        for axis in 0..3 {
            let [low, high] = [self.low[axis] - margin, self.high[axis] + margin];
            let (from, along) = (origin[axis], direction[axis]);
            if along == 0.0 {
                if from < low || from > high {
                    return None;
                }
                continue;
            }
            let [a, b] = [(low - from) / along, (high - from) / along];
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        (first <= last).then_some(first)
    }

    /// Returns the squared distance of a point from the box.
    fn distance2(&self, p: DVec3) -> f64 {
        let nearest = p.clamp(self.low.as_dvec3(), self.high.as_dvec3());
        nearest.distance_squared(p)
    }
}

/// Triangles, sorted so that those of a node are contiguous.
#[derive(Debug)]
pub(crate) struct Bvh {
    pub(crate) nodes: Vec<Node>,
    pub(crate) corners: Vec<Corners>,
    /// The index of each triangle in the list that the tree was built from.
    order: Vec<u32>,
}

impl Bvh {
    /// Builds the tree of fewer than 2^31 triangles with finite corners.
    pub(crate) fn of(triangles: &[Corners]) -> Self {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut nodes = Vec::with_capacity(triangles.len() / MAX_LEAF * 2 + 1);
        if !order.is_empty() {
            add_nodes(triangles, &mut order, 0, &mut nodes);
        }
        let corners = order.iter().map(|&t| triangles[t as usize]).collect();
        Self {
            nodes,
            corners,
            order,
        }
    }

    /// Returns the distance along a ray, in lengths of `direction`, to the first triangle that it meets
    /// from either side.
    pub(crate) fn first_hit(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let mut best: Option<f32> = None;
        let enters = |here: usize| self.nodes[here].enters(origin, direction);
        let root = (!self.nodes.is_empty()).then(|| enters(0)).flatten();
        let mut open = Vec::from_iter(root.map(|at| (0, at)));
        while let Some((here, at)) = open.pop() {
            if best.is_some_and(|best| at > best) {
                continue;
            }
            let node = &self.nodes[here];
            if node.second != 0 {
                let children = [here + 1, node.second as usize];
                let mut met: Vec<_> = (children.into_iter())
                    .filter_map(|child| Some((child, enters(child)?)))
                    .collect();
                met.sort_by(|(_, a), (_, b)| b.total_cmp(a)); // the nearer one is visited first
                open.extend(met);
                continue;
            }
            let hits = self.corners[node.range()].iter();
            let hits = hits.filter_map(|&corners| meets_triangle(origin, direction, corners));
            best = hits.chain(best).min_by(f32::total_cmp);
        }
        best
    }

    /// Returns the box around all triangles, or `None` without any.
    pub(crate) fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.nodes.first().map(|root| (root.low, root.high))
    }

    /// Returns the smallest squared distance up to `max2` that `measure` finds, with its triangle
    /// and what else `measure` says of it. `measure` gets the indices of triangles and returns
    /// `None` to skip one. Among equally near triangles the one with the lowest index counts. Ends
    /// early when `left` triangles were measured; the number of calls is taken off it.
    pub(crate) fn nearest<T>(
        &self,
        p: DVec3,
        max2: f64,
        left: &mut usize,
        measure: impl Fn(u32) -> Option<(f64, T)>,
    ) -> Option<(f64, u32, T)> {
        let mut best: Option<(f64, u32, T)> = None;
        let mut open = Vec::from_iter((!self.nodes.is_empty()).then_some(0));
        while let Some(here) = open.pop() {
            let node = &self.nodes[here];
            if node.distance2(p) > best.as_ref().map_or(max2, |best| best.0) {
                continue;
            }
            if node.second != 0 {
                let mut children = [here + 1, node.second as usize];
                let [first, second] = children.map(|child| self.nodes[child].distance2(p));
                if first <= second {
                    children.swap(0, 1);
                }
                open.extend(children); // the nearer one is visited first
                continue;
            }
            for &triangle in &self.order[node.range()] {
                let Some(rest) = left.checked_sub(1) else {
                    return best;
                };
                *left = rest;
                let Some((distance2, found)) = measure(triangle) else {
                    continue;
                };
                let is_nearer = best
                    .as_ref()
                    .is_none_or(|best| (distance2, triangle) < (best.0, best.1));
                if is_nearer && distance2 <= max2 {
                    best = Some((distance2, triangle, found));
                }
            }
        }
        best
    }
}

/// Returns the distance along a ray to either side of a triangle (Möller and Trumbore 1997).
pub(crate) fn meets_triangle(origin: Vec3, direction: Vec3, [a, b, c]: Corners) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// Adds the node of the triangles in `order`, which begin at `from`, and the nodes below it.
fn add_nodes(triangles: &[Corners], order: &mut [u32], from: usize, nodes: &mut Vec<Node>) {
    let (low, high) = bounds(order.iter().flat_map(|&t| triangles[t as usize]));
    let here = nodes.len();
    nodes.push(Node {
        low,
        high,
        from: from as u32,
        count: order.len() as u32,
        second: 0,
    });
    if order.len() > MAX_LEAF {
        let axis = (high - low).max_position();
        let along = |t: u32| triangles[t as usize].map(|p| p[axis]).iter().sum::<f32>();
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        let (first, second) = order.split_at_mut(half);
        add_nodes(triangles, first, from, nodes);
        nodes[here].second = nodes.len() as u32;
        add_nodes(triangles, second, from + half, nodes);
    }
}

/// Returns the lowest and the highest corner of the box around points.
pub(crate) fn bounds(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    let nothing = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    points.fold(nothing, |(low, high), p| (low.min(p), high.max(p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_crosses_the_triangle_it_points_at() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let from = Vec3::new(0.2, 0.2, 1.0);
        let meets = |from, direction| meets_triangle(from, direction, corners);
        assert_eq!(meets(from, -Vec3::Z), Some(1.0));
        assert_eq!(meets(from, Vec3::Z), None, "behind the origin");
        assert_eq!(meets(from + Vec3::X, -Vec3::Z), None, "beside");
        assert_eq!(meets(from, Vec3::X), None, "parallel");
    }
}
