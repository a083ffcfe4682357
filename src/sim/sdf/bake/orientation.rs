//! The orientation of triangles, and triangles that are deep inside.

use super::packet::Packets;
use super::skin::longest_edge2;
use super::work::Work;
use crate::bvh::{Bvh, Corners};
use crate::sim::sdf::settings::SdfError;
use crate::sim::simd::LANES;
use glam::DVec3;

/// The number of triangles per piece of work.
const TRIANGLES: usize = 1_024;
/// The largest number of boxes and triangles that a piece may visit: a hundred times that of a mesh
/// without stacked triangles.
const MAX_VISITS: u64 = 8_000_000;
/// A triangle is buried if the winding number just in front of it exceeds this.
const BURIED: f32 = 0.75;

impl Packets {
    /// Determines from which side the triangles of `all` are counter-clockwise.
    pub(crate) fn orient(&mut self, all: &Bvh, work: &mut Work) -> Result<(), SdfError> {
        let before = self.in_front_of_faces(all, &[MIDDLE], work)?;
        // In front of a closed surface the number is 0, or −1 if the front is inside. The mean is
        // weighted by area, so that small flipped triangles do not decide.
        let mean = all.corners.iter().zip(&before);
        let mean = mean.map(|(t, &w)| area(t) * (f64::from(w) + 0.5));
        if mean.sum::<f64>() < 0.0 {
            self.sign = -1.0;
        }
        Ok(())
    }

    /// Returns the triangles that are not buried.
    pub(crate) fn unburied(&self, all: &Bvh, work: &mut Work) -> Result<Vec<Corners>, SdfError> {
        // Large triangles may be buried only in part, so points near the corners are tested too.
        let places = [MIDDLE, [8.0, 1.0, 1.0], [1.0, 8.0, 1.0], [1.0, 1.0, 8.0]];
        let before = self.in_front_of_faces(all, &places, work)?;
        let all = all.corners.iter().zip(before);
        let shown = all.filter(|&(_, w)| w <= BURIED);
        Ok(shown.map(|(t, _)| *t).collect())
    }

    /// Returns the smallest winding number at points just in front of each triangle, at the given
    /// weights of its corners. Points after the first are tested only where it may be buried.
    fn in_front_of_faces(
        &self,
        all: &Bvh,
        places: &[[f64; 3]],
        work: &mut Work,
    ) -> Result<Vec<f32>, SdfError> {
        let sides = (all.bounds()).map_or(0.0, |(low, high)| (high - low).max_element());
        let least = f64::from(sides) * 1e-5;
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
                        in_front_of(&corners[lane.min(last)], weights, self.sign, least)
                    });
                    let points = self.points_at(points);
                    let around = self.around(&points, &mut count.done);
                    for (before, w) in before.iter_mut().zip(around.0) {
                        *before = before.min(w);
                    }
                }
                if count.done > MAX_VISITS {
                    count.most = 0;
                    return;
                }
            }
        })?;
        Ok(before)
    }
}

/// The weights of the centroid.
const MIDDLE: [f64; 3] = [1.0, 1.0, 1.0];

/// Returns a point just in front of a triangle, or behind it for side −1: by a thousandth of its
/// height, at least `least`.
fn in_front_of(corners: &Corners, weights: [f64; 3], side: f32, least: f64) -> DVec3 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    let on_it = a * weights[0] + b * weights[1] + c * weights[2];
    let on_it = on_it / (weights[0] + weights[1] + weights[2]);
    // The length is twice the area: height times longest edge.
    let normal = (b - a).cross(c - a);
    let longest2 = longest_edge2([a, b, c]);
    let longest = longest2.max(f64::MIN_POSITIVE).sqrt();
    let unit = normal / normal.length().max(f64::MIN_POSITIVE);
    on_it + unit * (f64::from(side) * (1e-3 * normal.length() / longest).max(least))
}

/// Returns twice the area of a triangle.
fn area(corners: &Corners) -> f64 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    (b - a).cross(c - a).length()
}
