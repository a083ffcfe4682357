//! A piece of a scalp triangle, split until one root's ball holds it.

use crate::scalp::{Scalp, SurfacePoint};
use glam::{DVec2, DVec3, Vec3};

/// Stands for no root.
pub(crate) const NO_ROOT: u32 = u32::MAX;

/// A triangle this many times as long as its shortest edge is sliced, not halved.
const NEEDLE: f64 = 4.0;
/// Into at most so many slices at once.
const MOST_SLICES: f64 = 64.0;

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

    /// Whether it is the scalp triangle itself.
    pub(crate) fn is_whole(&self) -> bool {
        self.corners == [DVec2::ZERO, DVec2::X, DVec2::Y]
    }

    /// The painted density at its corners.
    pub(crate) fn densities(&self, scalp: &Scalp) -> [f64; 3] {
        let [a, b, c] = scalp.corner_densities(self.triangle).map(f64::from);
        self.corners.map(|w| a + (b - a) * w.x + (c - a) * w.y)
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

    /// Cuts it into pieces with edges up to a length; `stack` is scratch and empty.
    pub(crate) fn cut(
        self,
        scalp: &Scalp,
        longest: f64,
        stack: &mut Vec<Placed>,
        into: &mut Vec<Fragment>,
    ) {
        stack.push(self.place(scalp));
        while let Some(piece) = stack.pop() {
            let (edge, length2) = piece.longest_edge();
            if length2 <= longest * longest {
                into.push(piece.fragment);
            } else {
                piece.split_into(edge, longest, stack);
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
    /// The point `a + s (b - a) + t (c - a)`.
    pub(crate) fn at(&self, s: f64, t: f64) -> DVec3 {
        let [a, b, c] = self.corners;
        a + (b - a) * s + (c - a) * t
    }

    /// The mean of the corners.
    pub(crate) fn centroid(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (a + b + c) / 3.0
    }

    /// Returns the number of the longest edge (0 is from corner 0 to 1), and its squared length.
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
    /// No piece is ever thinner than about half its parent (Rosenberg and Stenger 1975).
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

    /// Pushes what to go on with towards edges of at most `longest`: slices of a long needle,
    /// else the halves of an edge.
    ///
    /// Halved, a needle n times too long makes n^1.6 pieces; cut crosswise, 2 n - 1.
    pub(crate) fn split_into(&self, edge: usize, longest: f64, stack: &mut Vec<Placed>) {
        let [a, b, c] = self.corners;
        let squares = [
            a.distance_squared(b),
            b.distance_squared(c),
            c.distance_squared(a),
        ];
        let length2 = squares[edge];
        let short = (0..3).fold(0, |least, e| {
            if squares[e] < squares[least] {
                e
            } else {
                least
            }
        });
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

    /// The squared distance from `p` to the farthest corner, and so (balls are
    /// convex) to the farthest point of the fragment.
    pub(crate) fn farthest2(&self, p: DVec3) -> f64 {
        let [a, b, c] = self.corners;
        p.distance_squared(a)
            .max(p.distance_squared(b))
            .max(p.distance_squared(c))
    }
}
