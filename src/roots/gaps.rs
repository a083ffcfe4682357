//! What several balls together leave uncovered of a triangle.

use super::filler::Random;
use glam::{DVec2, DVec3};

/// Balls looked at together; a piece that takes more of them is split first.
const MOST_BALLS: usize = 16;
/// Corners of a triangle after a cut by every other ball's plane.
const MOST_CORNERS: usize = 3 + MOST_BALLS;
/// Tries at the whole triangle before a point is looked for next to a corner of a gap.
const TRIES: u32 = 4;
/// Shrinkings of a cell towards a corner of its gap, each to 0.6 of it.
const SHRINKS: u32 = 12;

/// Differences of powers below this share of the squared radius are rounding.
const ROUNDING: f64 = 1e-11;

/// Balls around a triangular piece of the scalp.
#[derive(Default)]
pub(crate) struct Balls {
    triangle: [DVec3; 3],
    balls: Vec<Ball>,
}

#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    radius2: f64,
    /// The power of the triangle's corners: squared distance less squared radius.
    powers: [f64; 3],
}

impl Ball {
    /// The power of a point: negative within the ball.
    fn power(&self, p: DVec3) -> f64 {
        p.distance_squared(self.centre) - self.radius2
    }

    /// By how much its power is above another's at weights (s, t): linear, as squares cancel.
    fn excess(&self, other: &Ball, weights: DVec2) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|corner| self.powers[corner] - other.powers[corner]);
        a + (b - a) * weights.x + (c - a) * weights.y
    }
}

/// What there is to say about a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gap {
    /// Every point lies in a ball, or nearly.
    None,
    /// `a + s (b - a) + t (c - a)` does not.
    At(f64, f64),
    /// Too many balls to tell.
    Unknown,
}

impl Balls {
    /// No balls around another triangle.
    pub(crate) fn start(&mut self, triangle: [DVec3; 3]) {
        self.triangle = triangle;
        self.balls.clear();
    }

    pub(crate) fn push(&mut self, centre: DVec3, radius: f64) {
        let radius2 = radius * radius;
        let powers = self
            .triangle
            .map(|corner| corner.distance_squared(centre) - radius2);
        self.balls.push(Ball {
            centre,
            radius2,
            powers,
        });
    }

    /// How far the two nearest centres are together; `None` within a ball.
    pub(crate) fn room(&self, p: DVec3) -> Option<f64> {
        let mut nearest2 = [f64::INFINITY; 2];
        for ball in &self.balls {
            let distance2 = p.distance_squared(ball.centre);
            if distance2 < ball.radius2 {
                return None;
            }
            if distance2 < nearest2[1] {
                nearest2 = [distance2.min(nearest2[0]), distance2.max(nearest2[0])];
            }
        }
        Some(nearest2[0].sqrt() + nearest2[1].sqrt())
    }

    /// Whether every point of the triangle lies in one of the balls; `false` also where there
    /// are too many to tell.
    pub(crate) fn hold(&self) -> bool {
        let held = |corner: usize| self.balls.iter().any(|ball| ball.powers[corner] < 0.0);
        self.balls.len() <= MOST_BALLS
            && (0..3).all(held)
            && (0..self.balls.len()).all(|own| self.gap_in_cell(own, 0.0).is_none())
    }

    /// A random uncovered point of the triangle. Gaps whose farthest corner is less than about
    /// `crack` (a share of the radius) outside do not count.
    pub(crate) fn gap(&self, crack: f64, random: &mut Random) -> Gap {
        if self.balls.len() > MOST_BALLS {
            return Gap::Unknown;
        }
        for _ in 0..TRIES {
            let (s, t) = random.triangle();
            if self.room(self.place(DVec2::new(s, t))).is_some() {
                return Gap::At(s, t);
            }
        }
        let count = self.balls.len();
        let first = (random.uniform() * count as f64) as usize;
        let mut cells = (first..count).chain(0..first);
        let Some((corner, around)) = cells.find_map(|own| self.gap_in_cell(own, crack)) else {
            return Gap::None;
        };
        // Shrunk towards its corner, what is around lies ever more outside of all balls.
        let mut shrink = 1.0;
        for _ in 0..SHRINKS {
            let p = corner + (around.point(random) - corner) * shrink;
            if self.room(self.place(p)).is_some() {
                return Gap::At(p.x, p.y);
            }
            shrink *= 0.6;
        }
        Gap::At(corner.x, corner.y)
    }

    /// A point of a ball's cell that lies outside of the ball, and a polygon around it.
    ///
    /// Balls divide the triangle into the cells of their power diagram (Aurenhammer 1987), in
    /// each of which its own ball has the least power. So a cell is covered exactly if that
    /// ball holds it, and as it is convex, if the ball holds its corners. It is cut out only as
    /// far as needed to see that: where a corner lies outside, by the ball that holds it best.
    fn gap_in_cell(&self, own: usize, crack: f64) -> Option<(DVec2, Polygon)> {
        let ball = &self.balls[own];
        let mut around = Polygon::whole();
        // Each other ball cuts once; more than that would be rounding's doing.
        for _ in 0..=2 * self.balls.len() {
            let mut widest = (2.0 * crack * ball.radius2, None);
            for &corner in around.corners() {
                let power = ball.power(self.place(corner));
                if power >= widest.0 {
                    widest = (power, Some(corner));
                }
            }
            let corner = widest.1?;
            // After a cut rounding leaves a little, which must not be cut again and again.
            let mut least = (ROUNDING * ball.radius2, None);
            for other in &self.balls {
                let excess = ball.excess(other, corner);
                if excess > least.0 {
                    least = (excess, Some(other));
                }
            }
            let Some(other) = least.1 else {
                return Some((corner, around));
            };
            around.cut(|corner| ball.excess(other, corner));
        }
        Some((DVec2::splat(1.0 / 3.0), Polygon::whole()))
    }

    fn place(&self, weights: DVec2) -> DVec3 {
        let [a, b, c] = self.triangle;
        a + (b - a) * weights.x + (c - a) * weights.y
    }
}

/// A convex polygon in a triangle; corners are weights (s, t) of its second and third corner.
struct Polygon {
    corners: [DVec2; MOST_CORNERS],
    count: usize,
}

impl Polygon {
    fn whole() -> Self {
        let mut corners = [DVec2::ZERO; MOST_CORNERS];
        corners[..3].copy_from_slice(&[DVec2::ZERO, DVec2::X, DVec2::Y]);
        Polygon { corners, count: 3 }
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// A random point, uniform by area.
    fn point(&self, random: &mut Random) -> DVec2 {
        let first = self.corners[0];
        let fan = || self.corners().windows(2).skip(1);
        let area = |pair: &[DVec2]| (pair[0] - first).perp_dot(pair[1] - first).abs();
        let mut at = random.uniform() * fan().map(area).sum::<f64>();
        let (s, t) = random.triangle();
        let mut chosen: &[DVec2] = &[first; 2];
        for pair in fan() {
            chosen = pair;
            at -= area(pair);
            if at < 0.0 {
                break;
            }
        }
        first + (chosen[0] - first) * s + (chosen[1] - first) * t
    }

    /// Keeps where a linear function is not positive.
    fn cut(&mut self, beyond: impl Fn(DVec2) -> f64) {
        let count = self.count;
        let mut old = [DVec2::ZERO; MOST_CORNERS];
        old[..count].copy_from_slice(self.corners());
        self.count = 0;
        let mut last = old[count - 1];
        let mut a = beyond(last);
        for &next in &old[..count] {
            let b = beyond(next);
            if (a <= 0.0) != (b <= 0.0) {
                self.keep(last + (next - last) * (a / (a - b)));
            }
            if b <= 0.0 {
                self.keep(next);
            }
            (last, a) = (next, b);
        }
    }

    fn keep(&mut self, corner: DVec2) {
        self.corners[self.count] = corner;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn balls(list: &[([f64; 3], f64)]) -> Balls {
        let mut balls = Balls::default();
        balls.start(TRIANGLE);
        for &(centre, radius) in list {
            balls.push(centre.into(), radius);
        }
        balls
    }

    #[test]
    fn balls_cover_together_what_none_covers_alone() {
        let corners = [
            ([0.0, 0.0, 0.0], 0.71),
            ([1.0, 0.0, 0.0], 0.72),
            ([0.0, 1.0, 0.0], 0.72),
        ];
        assert!(balls(&corners).hold());
        assert!(!balls(&corners[1..]).hold());
        // Their corners are held, the middle of the longest edge is not.
        let small = corners.map(|(centre, _)| (centre, 0.6));
        assert!(!balls(&small).hold());
        let mended = [&small[..], &[([0.5, 0.5, 0.1], 0.25)]].concat();
        assert!(balls(&mended).hold());
    }

    proptest! {
        /// Against points of the triangle: none outside all balls where it says yes, and where
        /// it says no, a fine net finds one (or nearly).
        #[test]
        fn agrees_with_points(
            list in prop::collection::vec((prop::array::uniform3(-0.3..1.3_f64), 0.2..0.9_f64), 1..8),
        ) {
            let said = balls(&list).hold();
            let mut widest = f64::NEG_INFINITY;
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let p = DVec3::new(f64::from(i) / 60.0, f64::from(j) / 60.0, 0.0);
                    let depth = list.iter().map(|&(c, r)| p.distance(c.into()) - r);
                    widest = widest.max(depth.fold(f64::INFINITY, f64::min));
                }
            }
            if said {
                prop_assert!(widest <= 1e-9, "a point {widest} outside");
            } else {
                prop_assert!(widest >= -0.013, "all points {} inside", -widest);
            }
            match balls(&list).gap(0.0, &mut Random::new(1)) {
                Gap::At(s, t) => {
                    prop_assert!(s >= -1e-12 && t >= -1e-12 && s + t <= 1.0 + 1e-12, "{s} {t}");
                    let p = DVec3::new(s, t, 0.0);
                    let outside = list.iter().all(|&(c, r)| p.distance(c.into()) >= r - 1e-9);
                    prop_assert!(outside, "({s}, {t}) lies in a ball");
                }
                gap => prop_assert!(gap == Gap::None && said),
            }
        }
    }
}
