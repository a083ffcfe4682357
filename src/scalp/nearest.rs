//! The scalp point nearest to any point: a tree of boxes around the triangles.

use super::{Scalp, SurfacePoint};
use glam::{DVec3, Vec3};

/// Triangles that are not worth another box.
const LEAF: usize = 4;

/// A box around some of the triangles. Nodes lie in one list, the first is the root; a node's
/// first half follows it.
struct Node {
    low: DVec3,
    high: DVec3,
    /// Range of `Nearest::order`.
    triangles: std::ops::Range<usize>,
    /// Where the second half is; `None` for a leaf.
    second: Option<usize>,
}

/// Finds nearest scalp points.
pub(crate) struct Nearest<'a> {
    scalp: &'a Scalp,
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl<'a> Nearest<'a> {
    pub(crate) fn of(scalp: &'a Scalp) -> Self {
        let mut order: Vec<u32> = (0..scalp.triangles.len() as u32).collect();
        let corners = |t: u32| scalp.triangles[t as usize].map(|v| scalp.positions[v as usize]);
        let mut nodes: Vec<Node> = Vec::new();
        // Ranges still to be boxed, and which node wants to know where its second half is.
        let mut open = vec![(0..order.len(), None)];
        while let Some((triangles, parent)) = open.pop() {
            let here = nodes.len();
            if let Some(parent) = parent {
                let parent: &mut Node = &mut nodes[parent];
                parent.second = Some(here);
            }
            let mine = &mut order[triangles.clone()];
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for p in mine.iter().flat_map(|&t| corners(t)) {
                low = low.min(p.as_dvec3());
                high = high.max(p.as_dvec3());
            }
            if mine.len() > LEAF {
                let axis = (high - low).max_position();
                let along = |t: u32| corners(t).map(|p| f64::from(p[axis])).iter().sum::<f64>();
                let half = mine.len() / 2;
                mine.select_nth_unstable_by(half, |&a, &b| {
                    along(a).total_cmp(&along(b)).then(a.cmp(&b))
                });
                let middle = triangles.start + half;
                open.push((middle..triangles.end, Some(here)));
                open.push((triangles.start..middle, None));
            }
            nodes.push(Node {
                low,
                high,
                triangles,
                second: None,
            });
        }
        Nearest {
            scalp,
            nodes,
            order,
        }
    }

    /// The nearest scalp point, up to a distance, on a triangle whose face normal is `wanted`,
    /// and its distance; of equally near ones that of the first triangle.
    pub(crate) fn find(
        &self,
        p: Vec3,
        most: f64,
        wanted: impl Fn(Vec3) -> bool,
    ) -> Option<(SurfacePoint, f64)> {
        let p = p.as_dvec3();
        // Squared distance, triangle, weights of its second and third corner.
        let mut best: Option<(f64, u32, [f64; 2])> = None;
        let mut open = vec![0];
        while let Some(here) = open.pop() {
            let node = &self.nodes[here];
            let to_box = p.clamp(node.low, node.high).distance_squared(p);
            if to_box > best.map_or(most * most, |(distance2, ..)| distance2) {
                continue;
            }
            if let Some(second) = node.second {
                let mut halves = [here + 1, second];
                let away = halves.map(|half| {
                    let half = &self.nodes[half];
                    p.clamp(half.low, half.high).distance_squared(p)
                });
                if away[0] <= away[1] {
                    halves.swap(0, 1);
                }
                open.extend(halves); // the nearer one is looked at first
                continue;
            }
            for &triangle in &self.order[node.triangles.clone()] {
                if !wanted(self.scalp.face_normal(triangle)) {
                    continue;
                }
                let (distance2, weights) = self.on_triangle(triangle, p);
                let found = (distance2, triangle);
                let is_best =
                    best.is_none_or(|(distance2, triangle, _)| found < (distance2, triangle));
                if is_best && distance2 <= most * most {
                    best = Some((distance2, triangle, weights));
                }
            }
        }
        best.map(|(distance2, triangle, [u, v])| {
            let (u, v) = (u as f32, v as f32);
            let weights = Vec3::new((1.0 - u - v).max(0.0), u, v);
            (SurfacePoint { triangle, weights }, distance2.sqrt())
        })
    }

    /// Squared distance to the nearest point of a triangle, and its weights: by the region of
    /// the plane that `p` is above (Ericson 2005, Real-Time Collision Detection, 5.1.5).
    fn on_triangle(&self, triangle: u32, p: DVec3) -> (f64, [f64; 2]) {
        let plane = self.scalp.plane(triangle);
        let (ab, ac) = (plane.to_second, plane.to_third);
        let ap = p - plane.origin;
        let (bp, cp) = (ap - ab, ap - ac);
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        let weights = if d1 <= 0.0 && d2 <= 0.0 {
            [0.0, 0.0]
        } else if d3 >= 0.0 && d4 <= d3 {
            [1.0, 0.0]
        } else if d6 >= 0.0 && d5 <= d6 {
            [0.0, 1.0]
        } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            [d1 / (d1 - d3), 0.0]
        } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            [0.0, d2 / (d2 - d6)]
        } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            let v = (d4 - d3) / ((d4 - d3) + (d5 - d6));
            [1.0 - v, v]
        } else {
            let sum = va + vb + vc;
            [vb / sum, vc / sum]
        };
        // Products of sizes that f64 cannot hold: any corner is better than no number.
        let weights = if weights.iter().all(|w| w.is_finite()) {
            weights
        } else {
            [0.0, 0.0]
        };
        let nearest = plane.at(weights[0], weights[1]);
        (nearest.distance_squared(p), weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A crumpled sheet.
    fn sheet(side: usize) -> Scalp {
        let at = |n: usize| {
            let (x, y) = ((n % side) as f32, (n / side) as f32);
            Vec3::new(x, y, (x * 1.7).sin() + (y * 2.3).cos())
        };
        let positions: Vec<Vec3> = (0..side * side).map(at).collect();
        let mut triangles = Vec::new();
        for n in (0..side * (side - 1)).filter(|n| n % side + 1 < side) {
            let [a, b, c, d] = [n, n + 1, n + side, n + side + 1].map(|v| v as u32);
            triangles.extend([[a, b, d], [a, d, c]]);
        }
        let vertices = positions.len();
        let normals = vec![Vec3::Z; vertices];
        Scalp::new(positions, normals, triangles, vec![1.0; vertices]).unwrap()
    }

    proptest! {
        #[test]
        fn no_point_of_any_triangle_is_nearer(
            x in -3.0_f32..12.0, y in -3.0_f32..12.0, z in -4.0_f32..4.0,
        ) {
            let scalp = sheet(9);
            let p = Vec3::new(x, y, z);
            let (found, distance) = Nearest::of(&scalp).find(p, f64::INFINITY, |_| true).unwrap();
            let there = scalp.point(found).distance(p);
            prop_assert!((f64::from(there) - distance).abs() < 1e-5);
            for triangle in 0..scalp.triangles().len() as u32 {
                for (u, v) in (0..=12).flat_map(|u| (0..=12 - u).map(move |v| (u, v))) {
                    let q = scalp.plane(triangle).at(f64::from(u) / 12.0, f64::from(v) / 12.0);
                    prop_assert!(q.distance(p.as_dvec3()) >= distance - 1e-9);
                }
            }
        }
    }

    #[test]
    fn only_wanted_faces_are_found() {
        let scalp = sheet(3);
        let nearest = Nearest::of(&scalp);
        assert!(nearest.find(Vec3::ZERO, f64::INFINITY, |_| false).is_none());
        let first = scalp.face_normal(0);
        let far = Vec3::splat(9.0);
        let (found, _) = nearest.find(far, f64::INFINITY, |n| n == first).unwrap();
        assert!(nearest.find(far, 5.0, |_| true).is_none());
        assert_eq!(scalp.face_normal(found.triangle), first);
    }
}
