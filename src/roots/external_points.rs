//! Points of other programs as roots, to be measured like ours.

use super::{Roots, SampleError, min_distance};
use crate::scalp::{NearestFinder, Scalp};
use crate::{ply::PointSet, roots::index::same_side};
use glam::Vec3;

/// The largest distance of a point from the scalp.
const FARTHEST: f64 = 0.05;

/// Within this share of the diagonal, two sheets are equally near, and the normal decides.
const SHEETS: f64 = 1e-3;

/// Within this share of the diagonal, a point lies on an edge and belongs to the triangle with its
/// normal, if there is one up to this cosine.
const EDGES: f64 = 1e-6;
const SAME_FACE: f32 = 1.0 - 1e-6;

/// The spacing of a set with coincident points, relative to r_max: that of a Poisson-disk set of
/// the same size.
const USUAL_RADIUS: f64 = 0.75;

/// Points converted to roots.
#[derive(Clone, Debug)]
pub struct ExternalRoots {
    /// The set. Positions are the given points, not moved to the scalp.
    pub roots: Roots,
    /// The largest distance of a point to the scalp.
    pub farthest: f64,
    /// `true` if the spacing is 0.75 of the largest possible one, because none was given and there
    /// is no pair or points coincide.
    pub is_spacing_assumed: bool,
}

/// An error of points that are not roots of a scalp.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExternalError {
    /// A point is not on the scalp.
    #[error(
        "point {point} is {distance:.4} away from the surface, which is {across:.4} across; \
         both must be in the same place and units (`--surface-output` writes the surface)"
    )]
    Far {
        /// The index of the point.
        point: usize,
        /// Its distance from the scalp.
        distance: f64,
        /// The diagonal of the bounding box of the surface.
        across: f64,
    },
    /// The set cannot be measured.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

impl Roots {
    /// Converts finite points on the scalp to roots. Each belongs to the nearest triangle; of
    /// coincident sheets, to the one that agrees with its normal.
    ///
    /// # Errors
    ///
    /// [`ExternalError`] for points off the scalp, or more than 1,000 at one place.
    pub fn of_points(
        scalp: &Scalp,
        set: &PointSet,
        spacing: Option<f32>,
    ) -> Result<ExternalRoots, ExternalError> {
        let (low, high) = scalp.bounds();
        let across = high.as_dvec3().distance(low.as_dvec3());
        let nearest = NearestFinder::of(scalp);
        let mut points = Vec::with_capacity(set.positions.len());
        let mut farthest = 0.0_f64;
        for (number, &p) in set.positions.iter().enumerate() {
            let Some((mut at, mut distance)) = nearest.find(p, f64::INFINITY, |_| true) else {
                continue; // No scalp is without triangles.
            };
            let normal = set.normals.as_ref().and_then(|normals| normals.get(number));
            if let Some(&normal) = normal {
                let very = |face: Vec3| face.dot(normal) > SAME_FACE * normal.length();
                let side = |face: Vec3| same_side(face, normal);
                let face = scalp.face_normal(at.triangle);
                let mut other = None;
                if !very(face) {
                    other = nearest.find(p, distance + EDGES * across, very);
                }
                if other.is_none() && !side(face) {
                    other = nearest.find(p, distance + SHEETS * across, side);
                }
                (at, distance) = other.unwrap_or((at, distance));
            }
            if distance > FARTHEST * across {
                return Err(ExternalError::Far {
                    point: number,
                    distance,
                    across,
                });
            }
            farthest = farthest.max(distance);
            points.push(at);
        }
        let mut roots = Roots {
            positions: set.positions.clone(),
            ..Roots::at(scalp, points, 0.0)
        };
        let spacing = match spacing {
            Some(_) => spacing,
            // Rounded down, so that the pair is not closer than the spacing.
            None => {
                let closest = min_distance(&roots)?.map(|distance| match distance as f32 {
                    up if f64::from(up) > distance => up.next_down(),
                    exact => exact,
                });
                closest.filter(|&spacing| spacing > 0.0)
            }
        };
        roots.spacing = spacing.unwrap_or_else(|| {
            let one_of_r_max = super::relative_radius(1.0, roots.points.len(), scalp.area());
            (USUAL_RADIUS / one_of_r_max) as f32
        });
        Ok(ExternalRoots {
            roots,
            farthest,
            is_spacing_assumed: spacing.is_none(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spacing_is_that_of_the_closest_pair_if_there_is_one() {
        // Two unit squares back to back.
        let square = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        let corners = [square, square].concat();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
        let scalp = Scalp::new(corners, vec![Vec3::ZERO; 8], triangles, vec![1.0; 8]).unwrap();
        let judged = |positions: &[Vec3], normals: Option<Vec<Vec3>>| {
            let positions = positions.to_vec();
            Roots::of_points(&scalp, &PointSet { positions, normals }, None).unwrap()
        };
        let pair = [Vec3::new(0.25, 0.5, 0.01), Vec3::new(0.75, 0.5, 0.0)];
        let two = judged(&pair, None);
        assert!((two.roots.spacing - 0.5001).abs() < 1e-4);
        assert!(!two.is_spacing_assumed);
        assert!((two.farthest - 0.01).abs() < 1e-6);
        assert_eq!(two.roots.positions, pair);
        for (set, normals) in [
            (&[pair[0]; 3][..], None),
            (&pair[..1], None),
            // One point on each side makes no pair.
            (&pair[..], Some(vec![Vec3::Z, -Vec3::Z])),
        ] {
            let judged = judged(set, normals);
            assert!(judged.is_spacing_assumed && judged.roots.spacing > 0.3);
        }
    }
}
