//! The parts of a triangle that several balls leave uncovered.

use crate::random::Random;
use glam::{DVec2, DVec3};

/// The largest number of balls considered together; pieces with more are split.
const MOST_BALLS: usize = 24;
/// The largest numbers of corners and cuts of a part of a triangle; 5 and 3 are usual. Pieces that
/// need more are split.
const MOST_CORNERS: usize = 12;
const MOST_CUTS: u32 = 48;
/// The number of tries on the whole triangle before a point near a corner of a gap is searched.
const TRIES: u32 = 4;
/// The number of shrinkings of a cell towards a corner of its gap, each to 0.6.
const SHRINKS: u32 = 12;

/// Differences of powers below this share of the squared radius are rounding.
const ROUNDING: f64 = 1e-11;

/// The balls around a triangular piece of the scalp.
#[derive(Default)]
pub struct Balls {
    triangle: [DVec3; 3],
    balls: Vec<Ball>,
    /// The buffer of [`Balls::search`].
    stack: Vec<(Polygon, usize)>,
}

#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    radius2: f64,
    /// The power of the corners of the triangle: squared distance minus squared radius.
    powers: [f64; 3],
}

impl Ball {
    /// Returns the power of a point, negative inside the ball.
    fn power(&self, p: DVec3) -> f64 {
        p.distance_squared(self.centre) - self.radius2
    }

    /// Returns the difference of its power to that of another ball at weights (s, t). It is linear,
    /// since squares cancel.
    fn excess(&self, other: &Ball, weights: DVec2) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|corner| self.powers[corner] - other.powers[corner]);
        a + (b - a) * weights.x + (c - a) * weights.y
    }
}

/// The search was given up after too many cuts.
struct Lost;

/// The uncovered part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uncovered {
    /// Every point is in a ball, or nearly.
    Nothing,
    /// The point `a + s (b - a) + t (c - a)` is uncovered.
    Point(f64, f64),
    /// There are too many balls.
    Unknown,
}

impl Balls {
    /// Removes all balls, for those around another triangle.
    pub fn start(&mut self, triangle: [DVec3; 3]) {
        self.triangle = triangle;
        self.balls.clear();
    }

    pub fn push(&mut self, centre: DVec3, radius: f64) {
        let radius2 = radius * radius;
        let corners = self.triangle;
        let powers = corners.map(|corner| corner.distance_squared(centre) - radius2);
        self.balls.push(Ball {
            centre,
            radius2,
            powers,
        });
    }

    /// Returns the sum of the distances of the two nearest centres; `None` inside a ball.
    pub fn room(&self, p: DVec3) -> Option<f64> {
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

    /// Returns `true` if every point of the triangle is in a ball, and `false` also if there are
    /// too many balls.
    pub fn hold(&mut self) -> bool {
        let held = |corner: usize| self.balls.iter().any(|ball| ball.powers[corner] < 0.0);
        if self.balls.len() > MOST_BALLS || !(0..3).all(held) {
            return false;
        }
        let worst = |ball: &Ball| ball.powers.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let balls = self.balls.iter().enumerate();
        let best = balls.min_by(|(_, a), (_, b)| worst(a).total_cmp(&worst(b)));
        let Some((best, _)) = best else {
            return false;
        };
        matches!(self.search(best, 0.0), Ok(None))
    }

    /// Returns a random uncovered point of the triangle. Gaps whose farthest corner is less than
    /// about `crack`, relative to the radius, outside are ignored.
    pub fn uncovered(&mut self, crack: f64, random: &mut Random) -> Uncovered {
        if self.balls.len() > MOST_BALLS {
            return Uncovered::Unknown;
        }
        for _ in 0..TRIES {
            let (s, t) = random.triangle();
            if self.room(self.place(DVec2::new(s, t))).is_some() {
                return Uncovered::Point(s, t);
            }
        }
        let first = (random.uniform() * self.balls.len() as f64) as usize;
        let (corner, around) = match self.search(first, crack) {
            Ok(None) => return Uncovered::Nothing,
            Err(Lost) => return Uncovered::Unknown,
            Ok(Some(gap)) => gap,
        };
        // Near its corner, more of the cell is outside all balls.
        let mut shrink = 1.0;
        for _ in 0..SHRINKS {
            let p = corner + (around.point(random) - corner) * shrink;
            if self.room(self.place(p)).is_some() {
                return Uncovered::Point(p.x, p.y);
            }
            shrink *= 0.6;
        }
        Uncovered::Point(corner.x, corner.y)
    }

    /// Searches a point outside all balls by more than a crack. It is found as the corner of a
    /// polygon.
    ///
    /// A polygon is covered if one ball contains its corners, since balls are convex. If a corner
    /// is outside of that ball, the ball of least power there decides: if it does not contain the
    /// corner either, none does. Otherwise the polygon is cut by the radical plane of the two
    /// balls, on which their powers agree (a line here), and each part continues with the ball of
    /// less power. This is the power diagram of the balls (Aurenhammer 1987), as far as it is
    /// needed.
    fn search(&mut self, first: usize, crack: f64) -> Result<Option<(DVec2, Polygon)>, Lost> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((Polygon::whole(), first));
        let mut found = Ok(None);
        let mut cuts = 0;
        while let Some((around, own)) = stack.pop() {
            let ball = &self.balls[own];
            let mut widest = (2.0 * crack * ball.radius2, None);
            for &corner in around.corners() {
                let power = ball.power(self.place(corner));
                if power >= widest.0 {
                    widest = (power, Some(corner));
                }
            }
            let (power, Some(corner)) = widest else {
                continue;
            };
            // Rounding leaves a rest after a cut, which must not be cut again and again.
            let mut most = (ROUNDING * ball.radius2, None);
            for (number, other) in self.balls.iter().enumerate() {
                let excess = ball.excess(other, corner);
                if excess > most.0 {
                    most = (excess, Some(number));
                }
            }
            let (excess, Some(number)) = most else {
                found = Ok(Some((corner, around)));
                break;
            };
            let other = &self.balls[number];
            if power - excess >= 2.0 * crack * other.radius2 {
                found = Ok(Some((corner, around)));
                break;
            }
            cuts += 1;
            if cuts > MOST_CUTS || around.count == MOST_CORNERS {
                found = Err(Lost);
                break;
            }
            stack.push((around.cut(|corner| ball.excess(other, corner)), own));
            stack.push((around.cut(|corner| other.excess(ball, corner)), number));
        }
        self.stack = stack;
        found
    }

    fn place(&self, weights: DVec2) -> DVec3 {
        let [a, b, c] = self.triangle;
        a + (b - a) * weights.x + (c - a) * weights.y
    }
}

/// A convex polygon in a triangle. Corners are weights (s, t) of its second and third corner.
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

    /// Returns a random point, uniform by area.
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

    /// Returns the part where a linear function is not positive. It may have one more corner.
    fn cut(&self, beyond: impl Fn(DVec2) -> f64) -> Polygon {
        let mut part = Polygon {
            corners: [DVec2::ZERO; MOST_CORNERS],
            count: 0,
        };
        let mut keep = |corner| {
            // Only rounding on a sliver could cut a convex polygon more than twice.
            if let Some(place) = part.corners.get_mut(part.count) {
                *place = corner;
                part.count += 1;
            }
        };
        let Some(&(mut last)) = self.corners().last() else {
            return part;
        };
        let mut a = beyond(last);
        for &next in self.corners() {
            let b = beyond(next);
            if (a <= 0.0) != (b <= 0.0) {
                keep(last + (next - last) * (a / (a - b)));
            }
            if b <= 0.0 {
                keep(next);
            }
            (last, a) = (next, b);
        }
        part
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

    proptest! {
        /// Compares with points of the triangle: none is outside all balls if it is covered, and
        /// otherwise a fine net finds one, or nearly.
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
            match balls(&list).uncovered(0.0, &mut Random::new(1)) {
                Uncovered::Point(s, t) => {
                    prop_assert!(s >= -1e-12 && t >= -1e-12 && s + t <= 1.0 + 1e-12, "{s} {t}");
                    let p = DVec3::new(s, t, 0.0);
                    let outside = list.iter().all(|&(c, r)| p.distance(c.into()) >= r - 1e-9);
                    prop_assert!(outside, "({s}, {t}) lies in a ball");
                }
                Uncovered::Nothing => prop_assert!(said),
                Uncovered::Unknown => prop_assert!(!said),
            }
        }
    }
}
