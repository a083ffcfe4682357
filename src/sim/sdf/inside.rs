//! Which way triangles face, and which of them are deep inside.

use super::FieldError;
use super::lanes::{LANES, Lanes, Points};
use super::packet::Packets;
use super::tree::{Corners, Tree};
use super::work::Work;
use glam::DVec3;

/// Triangles whose surroundings are looked at in one piece.
const TRIANGLES: usize = 1_024;
/// Boxes and triangles that a piece may look at: a hundred times what it takes where triangles are
/// beside each other and not on top.
const MOST_OF_PIECE: u64 = 8_000_000;
/// A triangle is buried if skin winds around a point close before it by more than this.
const BURIED: f32 = 0.75;

/// What decides about inside and outside.
pub(crate) struct Winding {
    pub(crate) packets: Packets,
    /// -1 if triangles are counter-clockwise from inside.
    sign: f32,
}

impl Winding {
    /// Finds out whether triangles are counter-clockwise from outside or from inside.
    pub(crate) fn of(all: &Tree, middle: DVec3, work: &mut Work) -> Result<Self, FieldError> {
        let mut winding = Self {
            packets: Packets::of(all, middle),
            sign: 1.0,
        };
        let before = winding.before_faces(all, &[MIDDLE], work)?;
        // Before a closed surface it is 0, and -1 if what is before is inside. The mean is by
        // area, so that flipped crumbs do not decide.
        let mean = all.corners.iter().zip(&before);
        let mean = mean.map(|(t, &w)| area(t) * (f64::from(w) + 0.5));
        if mean.sum::<f64>() < 0.0 {
            winding.sign = -1.0;
        }
        Ok(winding)
    }

    /// The winding numbers around eight points.
    #[inline(always)]
    pub(crate) fn around(&self, points: &Points, count: &mut u64) -> Lanes {
        let around = self.packets.around(points, count);
        around.map(|w| w * self.sign)
    }

    /// The triangles that are not buried.
    pub(crate) fn unburied(&self, all: &Tree, work: &mut Work) -> Result<Vec<Corners>, FieldError> {
        work.section(0.05, 0.1);
        // Large triangles may come out of what buries them: the corners are looked at, too.
        let places = [MIDDLE, [8.0, 1.0, 1.0], [1.0, 8.0, 1.0], [1.0, 1.0, 8.0]];
        let before = self.before_faces(all, &places, work)?;
        let kept = all
            .corners
            .iter()
            .zip(&before)
            .filter(|&(_, &w)| w <= BURIED);
        Ok(kept.map(|(t, _)| *t).collect())
    }

    /// The least winding number around points close before each triangle, at the given weights of
    /// its corners; those after the first are looked at only where it may be buried.
    fn before_faces(
        &self,
        all: &Tree,
        places: &[[f64; 3]],
        work: &mut Work,
    ) -> Result<Vec<f32>, FieldError> {
        let least = all
            .bounds()
            .map_or(0.0, |(low, high)| (high - low).max_element());
        let least = f64::from(least) * 1e-5;
        let mut before = vec![f32::INFINITY; all.corners.len()];
        work.each(&mut before, TRIANGLES, |piece, before, count| {
            let corners = &all.corners[piece * TRIANGLES..];
            for (before, corners) in before.chunks_mut(LANES).zip(corners.chunks(LANES)) {
                for &weights in places {
                    if !before.iter().any(|&w| w > BURIED) {
                        break;
                    }
                    let last = corners.len() - 1;
                    let points = std::array::from_fn(|lane| {
                        before_face(&corners[lane.min(last)], weights, self.sign, least)
                    });
                    let points = self.packets.points_at(points);
                    let around = self.around(&points, &mut count.done);
                    for (before, w) in before.iter_mut().zip(around) {
                        *before = before.min(w);
                    }
                }
                if count.done > MOST_OF_PIECE {
                    count.spend();
                    return;
                }
            }
        })?;
        Ok(before)
    }
}

/// Weights of a triangle's corners in its middle.
const MIDDLE: [f64; 3] = [1.0, 1.0, 1.0];

/// A point close before a triangle, or behind it for side -1: by a thousandth of its height, but
/// not less than can be told apart.
fn before_face(corners: &Corners, weights: [f64; 3], side: f32, least: f64) -> DVec3 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    let on_it = a * weights[0] + b * weights[1] + c * weights[2];
    let on_it = on_it / (weights[0] + weights[1] + weights[2]);
    // As long as twice the area: height times longest edge.
    let normal = (b - a).cross(c - a);
    let longest2 = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    let longest = longest2.max(f64::MIN_POSITIVE).sqrt();
    let unit = normal / normal.length().max(f64::MIN_POSITIVE);
    on_it + unit * (f64::from(side) * (1e-3 * normal.length() / longest).max(least))
}

/// Twice the area of a triangle.
fn area(corners: &Corners) -> f64 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    (b - a).cross(c - a).length()
}
