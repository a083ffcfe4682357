//! The scalp point nearest to any point.

use super::{Scalp, SurfacePoint};
use crate::bvh::Bvh;
use glam::{DVec3, Vec3};

/// Finds nearest scalp points.
pub(crate) struct NearestFinder<'a> {
    pub(crate) scalp: &'a Scalp,
    tree: Bvh,
}

impl<'a> NearestFinder<'a> {
    pub(crate) fn of(scalp: &'a Scalp) -> Self {
        let corners = scalp.triangles.iter();
        let corners = corners.map(|corners| corners.map(|v| scalp.positions[v as usize]));
        let tree = Bvh::of(&corners.collect::<Vec<_>>());
        Self { scalp, tree }
    }

    /// Returns the nearest scalp point within `max_distance` (decimetres) on a triangle whose face
    /// normal `accepts`, and its distance. Among equally near points that of the first triangle
    /// counts.
    pub(crate) fn find(
        &self,
        p: Vec3,
        max_distance: f64,
        accepts: impl Fn(Vec3) -> bool,
    ) -> Option<(SurfacePoint, f64)> {
        let p = p.as_dvec3();
        let measure = |triangle| {
            accepts(self.scalp.face_normal(triangle)).then(|| self.on_triangle(triangle, p))
        };
        let (max2, mut left) = (max_distance * max_distance, usize::MAX);
        let found = self.tree.nearest(p, max2, &mut left, measure);
        found.map(|(distance2, triangle, [u, v])| {
            let (u, v) = (u as f32, v as f32);
            let weights = Vec3::new((1.0 - u - v).max(0.0), u, v);
            (SurfacePoint { triangle, weights }, distance2.sqrt())
        })
    }

    /// Returns the squared distance from the nearest point of a triangle, and the weights of its
    /// second and third corner there: by the region of the plane that `p` is above (Ericson 2005,
    /// Real-Time Collision Detection, 5.1.5).
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
        // Products may overflow; then the first corner is the answer.
        let is_finite = weights.iter().all(|w| w.is_finite());
        let [u, v] = if is_finite { weights } else { [0.0, 0.0] };
        (plane.at(u, v).distance_squared(p), [u, v])
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
            let (found, distance) = NearestFinder::of(&scalp).find(p, f64::INFINITY, |_| true).unwrap();
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
    fn only_accepted_faces_are_found() {
        let scalp = sheet(3);
        let nearest = NearestFinder::of(&scalp);
        assert!(nearest.find(Vec3::ZERO, f64::INFINITY, |_| false).is_none());
        let first = scalp.face_normal(0);
        let far = Vec3::splat(9.0);
        let (found, _) = nearest.find(far, f64::INFINITY, |n| n == first).unwrap();
        assert!(nearest.find(far, 5.0, |_| true).is_none());
        assert_eq!(scalp.face_normal(found.triangle), first);
    }
}
