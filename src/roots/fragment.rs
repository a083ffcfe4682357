//! A piece of a scalp triangle, split until one root's ball holds it.

use crate::scalp::{Scalp, SurfacePoint};
use glam::{DVec2, DVec3, Vec3};

/// Stands for no root.
pub(crate) const NO_ROOT: u32 = u32::MAX;

/// A triangle inside a scalp triangle.
///
/// Corners are the weights (u, v) of the scalp triangle's second and third
/// corner. Splits only ever halve, so the weights are dyadic and exact in f64
/// down to 2^-52 of the triangle: pieces tile it without gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub(crate) triangle: u32,
    /// The root that comes nearest to holding it, or [`NO_ROOT`]: darts at the
    /// fragment and its halves are best tested against that one first.
    pub(crate) holder: u32,
    corners: [DVec2; 3],
}

/// A fragment together with where its corners are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) fragment: Fragment,
    pub(crate) corners: [DVec3; 3],
}

impl Fragment {
    /// A whole scalp triangle.
    pub(crate) fn whole(triangle: u32) -> Self {
        Fragment {
            triangle,
            holder: NO_ROOT,
            corners: [DVec2::ZERO, DVec2::X, DVec2::Y],
        }
    }

    /// Its share of the area of its scalp triangle, exactly.
    pub(crate) fn share(&self) -> f64 {
        let [a, b, c] = self.corners;
        (b - a).perp_dot(c - a).abs()
    }

    /// The point `a + s (b - a) + t (c - a)` as a surface point; needs s, t, 1-s-t >= 0.
    pub(crate) fn surface_point(&self, s: f64, t: f64) -> SurfacePoint {
        let [a, b, c] = self.corners;
        let w = a + (b - a) * s + (c - a) * t;
        let (u, mut v) = (w.x.max(0.0) as f32, w.y.max(0.0) as f32);
        // Rounding to f32 must not push the point over the third edge.
        while f64::from(u) + f64::from(v) > 1.0 && v > 0.0 {
            v = v.next_down();
        }
        let u = u.min(1.0);
        SurfacePoint {
            triangle: self.triangle,
            weights: Vec3::new((1.0 - f64::from(u) - f64::from(v)) as f32, u, v),
        }
    }

    /// Cuts it into pieces with edges up to a length.
    pub(crate) fn cut(self, scalp: &Scalp, longest: f64, into: &mut Vec<Fragment>) {
        let mut stack = vec![self.place(scalp)];
        while let Some(piece) = stack.pop() {
            let (edge, length2) = piece.longest_edge();
            if length2 <= longest * longest {
                into.push(piece.fragment);
            } else {
                stack.extend(piece.split(edge));
            }
        }
    }

    /// With its corners' positions.
    pub(crate) fn place(self, scalp: &Scalp) -> Placed {
        let plane = scalp.plane(self.triangle);
        Placed {
            fragment: self,
            corners: self.corners.map(|w| plane.at(w.x, w.y)),
        }
    }
}

impl Placed {
    /// The mean of the corners.
    pub(crate) fn centroid(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (a + b + c) / 3.0
    }

    /// Which edge is longest (0: from corner 0 to 1, and so on), and its squared length.
    pub(crate) fn longest_edge(&self) -> (usize, f64) {
        let [a, b, c] = self.corners;
        let mut longest = (0, a.distance_squared(b));
        for (edge, length2) in [(1, b.distance_squared(c)), (2, c.distance_squared(a))] {
            if length2 > longest.1 {
                longest = (edge, length2);
            }
        }
        longest
    }

    /// The halves on both sides of the middle of an edge.
    ///
    /// Halving the longest edge keeps needles cheaper: a triangle a thousand times
    /// longer than wide needs 3^10 pieces, not a million, and no piece is ever
    /// thinner than about half its parent (Rosenberg and Stenger 1975).
    pub(crate) fn split(&self, edge: usize) -> [Placed; 2] {
        let next = (edge + 1) % 3;
        let middle = (self.fragment.corners[edge] + self.fragment.corners[next]) * 0.5;
        let middle_at = (self.corners[edge] + self.corners[next]) * 0.5;
        [next, edge].map(|replaced| {
            let mut half = *self;
            half.fragment.corners[replaced] = middle;
            half.corners[replaced] = middle_at;
            half
        })
    }

    /// The squared distance from `p` to the farthest corner, and so (balls are
    /// convex) to the farthest point of the fragment.
    pub(crate) fn farthest2(&self, p: DVec3) -> f64 {
        let [a, b, c] = self.corners;
        p.distance_squared(a)
            .max(p.distance_squared(b))
            .max(p.distance_squared(c))
    }
}
