//! The strands that ties hold, and their spots in them.

use crate::groom::Groom;
use crate::sim::tie::Tie;
use glam::Vec3;
use rayon::prelude::*;

/// The share of the radius of a tie within which strands have their spots. The rest is for the
/// motion in a step.
const FILLED: f32 = 0.6;
/// Smallest sine between taut hair and the skin that it leaves; below it, hair lies on the skin.
const LEAST_SINE: f32 = 1e-3;

/// A strand in a tie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) strand: usize,
    /// The segment in which it is bound, by the particle at its end, and the share of the segment
    /// before the tie.
    pub(super) particle: usize,
    pub(super) along: f32,
    /// Length of the strand up to the tie, as it is and as a share of the whole.
    pub(super) arc: f32,
    pub(super) share: f32,
    /// Its spot around the middle of the tie, head space.
    pub(super) spot: Vec3,
}

impl Tie {
    /// Returns the number of strands that the tie holds.
    pub fn strands(&self, groom: &Groom) -> usize {
        self.bind(groom, 16).len()
    }

    /// Returns the strands that are bound, of `particles` points each.
    pub(super) fn bind(&self, groom: &Groom, particles: usize) -> Vec<Bound> {
        let strands = (0..groom.len()).into_par_iter();
        let bind = |points: &mut Vec<Vec3>, strand| {
            points.resize(particles.max(2), Vec3::ZERO);
            groom.write_rest(strand, points);
            self.bind_strand(strand, points, groom.normals.get(strand).copied())
        };
        let bound = strands.map_init(Vec::new, bind);
        let mut bound: Vec<Bound> = bound.flatten_iter().collect();
        // Strands lie in a tie side by side as they are groomed to pass it, only closer if there is
        // no room. A disc that is evenly filled is √2 times as wide as its points are from the
        // middle, root mean square; strays do not count for more.
        let (room, count) = (FILLED * self.radius, bound.len().max(1) as f32);
        let middle = bound.iter().map(|bound| bound.spot).sum::<Vec3>() / count;
        let square = |bound: &Bound| bound.spot.distance_squared(middle);
        let wide = (2.0 * bound.iter().map(square).sum::<f32>() / count).sqrt();
        let scale = (room / wide.max(1e-6)).min(1.0);
        for bound in &mut bound {
            bound.spot = ((bound.spot - middle) * scale).clamp_length_max(room);
        }
        bound
    }

    /// Binds a strand if it passes near and is long enough. Its spot is where it passes, from the
    /// place of the tie.
    fn bind_strand(&self, strand: usize, points: &[Vec3], normal: Option<Vec3>) -> Option<Bound> {
        let place = Vec3::from(self.place);
        let (mut off, mut arc, mut length) = (points[0] - place, 0.0, 0.0);
        for pair in points.windows(2) {
            let way = pair[1] - pair[0];
            let share = (place - pair[0]).dot(way) / way.length_squared().max(1e-12);
            let share = share.clamp(0.0, 1.0);
            let passes = pair[0] + way * share - place;
            if passes.length_squared() < off.length_squared() {
                (off, arc) = (passes, length + share * way.length());
            }
            length += way.length();
        }
        // False for what is not finite.
        let is_near = off.length() <= self.reach;
        let taut = taut_length(place - points[0], normal.unwrap_or_default());
        let wanted = f32::max(arc, taut);
        if !is_near || wanted - length > self.radius || length <= 1e-6 {
            return None;
        }
        let arc = wanted.clamp(0.01 * length, length);
        let mut before = 0.0;
        for (j, pair) in points.windows(2).enumerate() {
            let segment = pair[0].distance(pair[1]);
            if arc <= before + segment || j + 2 == points.len() {
                return Some(Bound {
                    strand,
                    particle: j + 1,
                    along: ((arc - before) / segment.max(1e-9)).clamp(0.0, 1.0),
                    arc,
                    share: arc / length,
                    spot: off,
                });
            }
            before += segment;
        }
        None
    }
}

/// Returns the length of taut hair from its root to a place, `way` from there: straight, or if the
/// head is in between, the arc of the circle that leaves the root along the skin. With the angle β
/// of the way below the skin, it is β / sin β times the way (tangent-chord theorem).
fn taut_length(way: Vec3, normal: Vec3) -> f32 {
    let chord = way.length();
    let sine = -way.dot(normal) / chord.max(1e-9);
    if sine.is_nan() || sine <= LEAST_SINE {
        return chord;
    }
    let sine = sine.min(1.0);
    let cosine = (1.0 - sine * sine).max(0.0).sqrt();
    let angle = crate::det_math::angle(cosine.into(), sine.into()) as f32;
    chord * angle / sine
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, SQRT_2};

    #[test]
    fn taut_hair_goes_straight_or_around_the_head() {
        assert_eq!(taut_length(Vec3::Y * 2.0, Vec3::Y), 2.0);
        assert_eq!(taut_length(Vec3::X * 2.0, Vec3::Y), 2.0);
        // A quarter and a half of a circle of radius 1.
        let quarter = taut_length(Vec3::new(1.0, -1.0, 0.0), Vec3::Y);
        assert!((quarter - FRAC_PI_2).abs() < 1e-5, "{quarter}");
        let half = taut_length(Vec3::Y * -2.0, Vec3::Y);
        assert!((half - 2.0 * FRAC_PI_2).abs() < 1e-5, "{half}");
    }

    #[test]
    fn strands_are_bound_where_they_can_get_to_the_place() {
        let roots = [0.0, 0.2, 0.6].map(|x| Vec3::new(x, 0.0, 0.0)).to_vec();
        let mut groom = Groom::parallel(roots, Vec3::Y, 2.0);
        let tie = Tie {
            reach: 0.5,
            ..Tie::at([0.0, 1.0, 0.0])
        };
        let bound = tie.bind(&groom, 11);
        let strands: Vec<_> = bound.iter().map(|bound| bound.strand).collect();
        assert_eq!(strands, [0, 1]);
        assert!((bound[0].arc - 1.0).abs() < 1e-5 && (bound[1].arc - 1.04_f32.sqrt()).abs() < 1e-5);
        assert_eq!(bound[1].particle, 6);
        assert!((bound[0].share - 0.5).abs() < 1e-5);
        assert!((bound[0].spot + bound[1].spot).length() < 1e-6);
        assert!((bound[0].spot.length() - FILLED * tie.radius / SQRT_2).abs() < 1e-6);
        // Too short by less than the radius, and by more.
        groom.lengths = vec![0.95, 0.85, 2.0];
        let bound = tie.bind(&groom, 11);
        assert!(bound.len() == 1 && (bound[0].share - 1.0).abs() < 1e-6);
        groom.roots[0] = Vec3::NAN;
        assert!(tie.bind(&groom, 11).is_empty());
        let far = Tie::at([SQRT_2, 9.0, 0.0]);
        assert_eq!(far.strands(&groom), 0);
    }
}
