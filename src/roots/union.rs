//! Whether several balls together hold a triangle.

use glam::DVec3;

/// Balls looked at together; a piece that takes more of them is split first.
const MOST_BALLS: usize = 12;
/// Corners of a triangle after a cut by every other ball's plane.
const MOST_CORNERS: usize = 3 + MOST_BALLS;

/// Balls around a piece of the scalp.
#[derive(Default)]
pub(crate) struct Balls {
    balls: Vec<Ball>,
}

#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    radius2: f64,
}

impl Ball {
    /// The power of a point: negative within the ball.
    fn power(&self, p: DVec3) -> f64 {
        p.distance_squared(self.centre) - self.radius2
    }
}

impl Balls {
    pub(crate) fn clear(&mut self) {
        self.balls.clear();
    }

    pub(crate) fn push(&mut self, centre: DVec3, radius: f64) {
        let radius2 = radius * radius;
        self.balls.push(Ball { centre, radius2 });
    }

    /// Whether every point of a triangle lies in one of the balls; `false` also where there
    /// are too many to tell.
    ///
    /// The triangle is cut into the cells of the balls' power diagram (Aurenhammer 1987). In a
    /// cell its own ball has the least power, so the cell is covered exactly if that ball
    /// holds it, and as it is convex, if the ball holds its corners.
    pub(crate) fn hold(&self, triangle: &[DVec3; 3]) -> bool {
        let is_held = |corner: &DVec3| self.balls.iter().any(|ball| ball.power(*corner) < 0.0);
        if self.balls.len() > MOST_BALLS || !triangle.iter().all(is_held) {
            return false;
        }
        self.balls.iter().enumerate().all(|(own, ball)| {
            let others = self.balls.iter().enumerate();
            let mut cell = Polygon::of(triangle);
            for (_, other) in others.filter(|&(other, _)| other != own) {
                cell.cut(ball, other);
                if cell.count == 0 {
                    return true;
                }
            }
            cell.corners()
                .iter()
                .all(|&corner| ball.power(corner) < 0.0)
        })
    }
}

/// A convex polygon.
struct Polygon {
    corners: [DVec3; MOST_CORNERS],
    count: usize,
}

impl Polygon {
    fn of(triangle: &[DVec3; 3]) -> Self {
        let mut corners = [DVec3::ZERO; MOST_CORNERS];
        corners[..3].copy_from_slice(triangle);
        Polygon { corners, count: 3 }
    }

    fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// Keeps where `ball` has less power than `other`: a half-space.
    fn cut(&mut self, ball: &Ball, other: &Ball) {
        let across = other.centre - ball.centre;
        // power(ball) - power(other) = 2 (p - centre) · across - offset
        let offset = across.length_squared() + ball.radius2 - other.radius2;
        let beyond = |p: DVec3| 2.0 * (p - ball.centre).dot(across) - offset;
        let mut distances = [0.0; MOST_CORNERS];
        let mut farthest = f64::NEG_INFINITY;
        for (distance, &corner) in distances.iter_mut().zip(self.corners()) {
            *distance = beyond(corner);
            farthest = farthest.max(*distance);
        }
        if farthest <= 0.0 {
            return;
        }
        let (old, count) = (self.corners, self.count);
        self.count = 0;
        let mut keep = |p| {
            self.corners[self.count] = p;
            self.count += 1;
        };
        let mut last = count - 1;
        for next in 0..count {
            let (a, b) = (distances[last], distances[next]);
            if (a <= 0.0) != (b <= 0.0) {
                keep(old[last] + (old[next] - old[last]) * (a / (a - b)));
            }
            if b <= 0.0 {
                keep(old[next]);
            }
            last = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn balls(list: &[([f64; 3], f64)]) -> Balls {
        let mut balls = Balls::default();
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
        assert!(balls(&corners).hold(&TRIANGLE));
        assert!(!balls(&corners[1..]).hold(&TRIANGLE));
        // Their corners are held, the middle of the longest edge is not.
        let small = corners.map(|(centre, _)| (centre, 0.6));
        assert!(!balls(&small).hold(&TRIANGLE));
        let mended = [&small[..], &[([0.5, 0.5, 0.3], 0.32)]].concat();
        assert!(balls(&mended).hold(&TRIANGLE));
    }

    proptest! {
        /// Against points of the triangle: none outside all balls where it says yes, and where
        /// it says no, a fine net finds one (or nearly).
        #[test]
        fn agrees_with_points(
            list in prop::collection::vec((prop::array::uniform3(-0.3..1.3_f64), 0.2..0.9_f64), 1..8),
        ) {
            let said = balls(&list).hold(&TRIANGLE);
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
        }
    }
}
