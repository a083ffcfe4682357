//! A line on the skin, straight or bent, along which hair is parted.

use super::Part;
use crate::det_math::smooth_step;
use glam::Vec3;

/// Distance over which the directions of a bent line are averaged, decimetres: hair beside a zigzag
/// lies evenly.
const EVEN: f32 = 0.35;

/// A polyline.
pub(super) struct Line(Vec<Vec3>);

impl Line {
    /// Returns the line of a parting.
    pub(super) fn new(part: &Part) -> Self {
        let mut points = vec![Vec3::from(part.from)];
        points.extend(part.via.iter().copied().map(Vec3::from));
        points.push(part.to.into());
        Self(points)
    }

    /// Returns `true` if it has no points between its ends.
    pub(super) fn is_straight(&self) -> bool {
        self.0.len() == 2
    }

    /// Returns the side of the line on which a place on the skin is, -1 or 1, the direction along the
    /// line there, and the nearest place on the line.
    ///
    /// A straight line parts by the upright plane through it. A bent one parts by the side of the
    /// nearest place on it, its direction being an average, with weights l / (d² + s²) for pieces of
    /// length l at the distance d.
    pub(super) fn side(&self, place: Vec3, normal: Vec3) -> (f32, Vec3, Vec3) {
        let (away, along, foot) = self.away(place, normal);
        (if away < 0.0 { -1.0 } else { 1.0 }, along, foot)
    }

    /// Returns the distance of a place on the skin from the line, positive to the left of the head.
    /// Where the line runs from side to side, the front counts as left.
    pub(super) fn leftward(&self, place: Vec3, normal: Vec3) -> f32 {
        let aside = aside(self.whole(), Vec3::Y);
        let is_left = match aside.x.abs() > 1e-3 {
            true => aside.x > 0.0,
            false => aside.z > 0.0,
        };
        let (away, ..) = self.away(place, normal);
        if is_left { away } else { -away }
    }

    /// Returns the direction from the first to the last point.
    fn whole(&self) -> Vec3 {
        let (first, last) = (self.0[0], self.0[self.0.len() - 1]);
        (last - first).normalize_or(Vec3::NEG_Z)
    }

    /// Returns the same as [`side`](Self::side), with the distance in place of 1.
    fn away(&self, place: Vec3, normal: Vec3) -> (f32, Vec3, Vec3) {
        let (first, whole) = (self.0[0], self.whole());
        if self.is_straight() {
            return ((place - first).dot(aside(whole, Vec3::Y)), whole, first);
        }
        let (mut even, mut here, mut least) = (Vec3::ZERO, Vec3::ZERO, f32::INFINITY);
        let (mut from_line, mut foot) = (Vec3::ZERO, first);
        for (i, pair) in self.0.windows(2).enumerate() {
            let way = pair[1] - pair[0];
            let along = way.normalize_or_zero();
            let share = (place - pair[0]).dot(way) / way.length_squared().max(1e-12);
            // The ends go on straight, so that there are two sides everywhere.
            let low = if i == 0 { f32::NEG_INFINITY } else { 0.0 };
            let is_last = i + 2 == self.0.len();
            let high = if is_last { f32::INFINITY } else { 1.0 };
            let apart = place - pair[0] - way * share.clamp(low, high);
            let away = apart.length_squared();
            even += way / (away + EVEN * EVEN);
            // Where a corner is nearest, both of its pieces say on which side a place is.
            if away <= least * 1.0001 {
                let is_corner = (least - away).abs() <= 1e-4 * least;
                here = if is_corner { here + along } else { along };
                (least, from_line) = (away.min(least), apart);
                foot = pair[0] + way * share.clamp(0.0, 1.0);
            }
        }
        let away = least.sqrt().copysign(from_line.dot(here.cross(normal)));
        (away, even.normalize_or(whole), foot)
    }

    /// Returns 1 on the line and 0 from a distance on, with a soft edge.
    pub(super) fn nearness(&self, place: Vec3, reach: f32) -> f32 {
        let away = self.0.windows(2).map(|pair| {
            let way = pair[1] - pair[0];
            let share = (place - pair[0]).dot(way) / way.length_squared().max(1e-12);
            place.distance(pair[0] + way * share.clamp(0.0, 1.0))
        });
        let away = away.fold(f32::INFINITY, f32::min);
        1.0 - smooth_step(2.0 * away / reach - 1.0)
    }
}

/// Returns the direction away from a line on its side 1, where `up` is the way out of the skin.
pub(super) fn aside(along: Vec3, up: Vec3) -> Vec3 {
    along.cross(up).normalize_or(Vec3::X)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(via: &[[f32; 3]]) -> Line {
        Line::new(&Part {
            from: [0.0, 1.0, 1.0],
            to: [0.0, 1.0, -1.0],
            via: via.to_vec(),
            ..Part::default()
        })
    }

    #[test]
    fn a_zigzag_parts_by_its_own_sides_and_hair_beside_it_lies_evenly() {
        let zigzag = line(&[[0.2, 1.0, 0.5], [-0.2, 1.0, 0.0], [0.2, 1.0, -0.5]]);
        let side = |x: f32, z: f32| {
            let (side, along, _) = zigzag.side(Vec3::new(x, 1.0, z), Vec3::Y);
            let aside = aside(along, Vec3::Y);
            assert!(along.z < -0.8 && aside.x > 0.8, "{along} {aside}");
            side
        };
        // Inside of the corners and beside them.
        for (x, z, expected) in [
            (0.1, 0.5, -1.0),
            (0.25, 0.5, 1.0),
            (-0.1, 0.0, 1.0),
            (-0.25, 0.0, -1.0),
            (0.1, 0.3, 1.0),
            (2.0, 0.0, 1.0),
            (-2.0, -3.0, -1.0),
        ] {
            assert_eq!(side(x, z), expected, "{x} {z}");
        }
        // Distances to the left, in whichever direction the line was drawn.
        let at = Vec3::new(0.5, 1.0, 0.0);
        let back = Line(zigzag.0.iter().rev().copied().collect());
        for line in [&zigzag, &back, &line(&[])] {
            let [left, right] =
                [at, at * Vec3::new(-1.0, 1.0, 1.0)].map(|at| line.leftward(at, Vec3::Y));
            assert!((0.25..0.6).contains(&left) && (0.25..0.6).contains(&-right));
        }
        // Points on a straight line are that line.
        let (straight, bent) = (line(&[]), line(&[[0.0, 1.0, 0.2]]));
        for place in [Vec3::new(0.3, 1.0, 0.1), Vec3::new(-0.4, 1.0, 2.0)] {
            let [a, b] = [&straight, &bent].map(|line| line.side(place, Vec3::Y));
            assert!(a.0 == b.0 && a.1.distance(b.1) < 1e-6);
        }
    }

    #[test]
    fn the_reach_ends_softly() {
        let line = line(&[]);
        let at = |x: f32| line.nearness(Vec3::new(x, 1.0, 0.0), 0.4);
        assert_eq!([at(0.0), at(0.2), at(0.3), at(0.4)], [1.0, 1.0, 0.5, 0.0]);
        assert_eq!(line.nearness(Vec3::new(5.0, 1.0, 0.0), 100.0), 1.0);
    }
}
