//! The pieces of scalp triangles, which are split until the ball of one root holds each.

use crate::scalp::{Scalp, SurfacePoint};
use glam::{DVec2, DVec3, Vec3};

/// The number that stands for no root.
pub const NO_ROOT: u32 = u32::MAX;

/// The length from which a triangle is sliced and not halved, in its shortest edges.
const NEEDLE: f64 = 4.0;
/// The largest number of slices at once.
const MOST_SLICES: f64 = 64.0;

/// A triangle inside a scalp triangle.
///
/// Corners are the weights (u, v) of the scalp triangle's second and third
/// corner. Splits only ever halve, so the weights are dyadic and exact in f64
/// down to 2^-52 of the triangle: pieces tile it without gaps.
#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    pub triangle: u32,
    /// The root that comes nearest to holding it, or [`NO_ROOT`]: darts at the
    /// fragment and its halves are best tested against that one first.
    pub holder: u32,
    corners: [DVec2; 3],
}

/// A fragment together with where its corners are.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub fragment: Fragment,
    pub corners: [DVec3; 3],
}

impl Fragment {
    /// Returns a whole scalp triangle.
    pub fn whole(triangle: u32) -> Self {
        Fragment {
            triangle,
            holder: NO_ROOT,
            corners: [DVec2::ZERO, DVec2::X, DVec2::Y],
        }
    }

    /// Returns `true` if it is the scalp triangle itself.
    pub fn is_whole(&self) -> bool {
        self.corners == [DVec2::ZERO, DVec2::X, DVec2::Y]
    }

    /// Returns the painted density at its corners.
    pub fn densities(&self, scalp: &Scalp) -> [f64; 3] {
        let [a, b, c] = scalp.corner_densities(self.triangle).map(f64::from);
        self.corners.map(|w| a + (b - a) * w.x + (c - a) * w.y)
    }

    /// Returns its area. Its share of the area of its scalp triangle is exact.
    pub fn area(&self, scalp: &Scalp) -> f64 {
        let [a, b, c] = self.corners;
        scalp.triangle_areas()[self.triangle as usize] * (b - a).perp_dot(c - a).abs()
    }

    /// Returns the point `a + s (b - a) + t (c - a)`. None of s, t and 1-s-t is negative.
    pub fn surface_point(&self, s: f64, t: f64) -> SurfacePoint {
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

    /// Returns it with the positions of its corners.
    pub fn place(self, scalp: &Scalp) -> Placed {
        let plane = scalp.plane(self.triangle);
        Placed {
            fragment: self,
            corners: self.corners.map(|w| plane.at(w.x, w.y)),
        }
    }
}

impl Placed {
    /// Returns the point `a + s (b - a) + t (c - a)`.
    pub fn at(&self, s: f64, t: f64) -> DVec3 {
        let [a, b, c] = self.corners;
        a + (b - a) * s + (c - a) * t
    }

    /// Returns the mean of the corners.
    pub fn centroid(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (a + b + c) / 3.0
    }

    /// Returns the number of the longest edge, and its squared length.
    pub fn longest_edge(&self) -> (usize, f64) {
        let squares = self.edges2();
        let edge = squares.max_position();
        (edge, squares[edge])
    }

    /// Returns the squared lengths of the edges. Edge 0 is from corner 0 to 1.
    fn edges2(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
            .map(|(from, to)| from.distance_squared(to))
            .into()
    }

    /// Returns the halves on both sides of the middle of an edge.
    ///
    /// No piece is ever thinner than about half its parent (Rosenberg and Stenger 1975).
    pub fn split(&self, edge: usize) -> [Placed; 2] {
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

    /// Pushes smaller pieces: slices `longest` wide of a long needle, else the halves of an edge.
    ///
    /// Halved, a needle n times too long makes n^1.6 pieces; cut crosswise, 2 n - 1.
    pub fn split_into(&self, edge: usize, longest: f64, stack: &mut Vec<Placed>) {
        let squares = self.edges2();
        let (length2, short) = (squares[edge], squares.min_position());
        if length2 <= (2.0 * longest).powi(2) || NEEDLE * NEEDLE * squares[short] > length2 {
            stack.extend(self.split(edge));
            return;
        }
        let count = ((length2.sqrt() / longest).min(MOST_SLICES) as u32).next_power_of_two();
        let [tip, left, right] = [(short + 2) % 3, short, (short + 1) % 3];
        let along = |side: usize, k: u32| {
            let share = f64::from(k) / f64::from(count);
            let (w, p) = (&self.fragment.corners, &self.corners);
            let w = w[tip] + (w[side] - w[tip]) * share;
            (w, p[tip] + (p[side] - p[tip]) * share)
        };
        let mut push = |corners: [(DVec2, DVec3); 3]| {
            let mut slice = *self;
            slice.fragment.corners = corners.map(|(w, _)| w);
            slice.corners = corners.map(|(_, p)| p);
            stack.push(slice);
        };
        push([along(tip, 0), along(left, 1), along(right, 1)]);
        for k in 1..count {
            let (near, far) = (along(left, k), along(right, k + 1));
            push([near, along(left, k + 1), far]);
            push([near, far, along(right, k)]);
        }
    }

    /// Returns the squared distance of the corner that is farthest from `p`. No point of the
    /// fragment is farther, since balls are convex.
    pub fn farthest2(&self, p: DVec3) -> f64 {
        let [a, b, c] = self.corners;
        let [a, b, c] = [a, b, c].map(|corner| p.distance_squared(corner));
        // `f64::max` would also handle NaN, which takes longer.
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        larger(larger(a, b), c)
    }
}
