//! The proof that a set is maximal: a bound on how far any scalp point is from a root.

use super::fragment::{Fragment, Placed};
use super::index::{Neighbourhood, RootIndex, same_side};
use super::metric::Metric;
use super::work::{self, Work};
use super::{Amount, Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;

/// A set counts as maximal when no scalp point is farther from its root than
/// the spacing and this share of it.
pub const MAXIMAL_TOLERANCE: f64 = 1e-3;

/// How closely the coverage radius is bracketed, relative to it or the spacing.
const BRACKET: f64 = 1e-4;

/// How well a set covers a scalp: the coverage radius R, the largest distance of
/// a scalp point to the nearest root on its side, as a ratio to the spacing r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// R/r is proven not to exceed this; infinite where a face has no root on its side.
    pub ratio_upper_bound: f64,
    /// A scalp point this far (times r) from every root was found: R/r is at least this.
    pub ratio_lower_bound: f64,
    /// `ratio_upper_bound` is at most 1 + [`MAXIMAL_TOLERANCE`].
    pub maximal: bool,
    /// The largest gap found: the point that `ratio_lower_bound` is about. `None` where a face
    /// has no root on its side.
    pub gap: Option<Gap>,
}

/// A scalp point without a root for some way around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// On the scalp.
    pub point: SurfacePoint,
    /// The same in head space.
    pub position: Vec3,
    /// How far the nearest root on its side is, decimetres.
    pub radius: f64,
}

/// Certifies the coverage of any set of roots, however it was made.
///
/// Branch and bound over the scalp itself, without anything the sampler knew:
/// all points of a triangle are within max(|corner − root|) of a root, as balls
/// are convex; its centroid is no closer to a root than the nearest one. A piece
/// whose upper bound exceeds the largest lower bound found is halved. Only
/// positions, face normals and spacing of the set are used. Where the set is
/// [`scaled`](Roots::scaled), distances count in spacings at the scalp point.
///
/// # Errors
///
/// [`SampleError::Spacing`] or [`SampleError::Index`] for a set that no sampler made;
/// [`SampleError::Uneven`] for a scalp that would take for ever.
pub fn certify(scalp: &Scalp, roots: &Roots) -> Result<Coverage, SampleError> {
    if !(roots.spacing.is_finite() && roots.spacing > 0.0) {
        return Err(SampleError::Spacing {
            spacing: roots.spacing,
        });
    }
    let (low, high) = scalp.bounds();
    let count = u32::try_from(roots.positions.len()).unwrap_or(u32::MAX);
    let most = work::most(scalp, Amount::Strands(count));
    let mut search = Search {
        scalp,
        index: RootIndex::of(&roots.positions, &roots.face_normals)?,
        near: Neighbourhood::new(),
        metric: roots.metric(),
        across: low.as_dvec3().distance(high.as_dvec3()),
    };
    search.index.work = Work::new(most);
    let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
    let mut widest = None;
    let mut stack = Vec::new();
    for triangle in 0..scalp.triangles().len() as u32 {
        stack.push(Fragment::whole(triangle).place(scalp));
        while let Some(piece) = stack.pop() {
            search.index.work.add(work::PIECE);
            search.index.work.check()?;
            let Some((nearest, farthest)) = search.bounds(&piece) else {
                return Ok(Coverage {
                    ratio_upper_bound: f64::INFINITY,
                    ratio_lower_bound: f64::INFINITY,
                    maximal: false,
                    gap: None,
                });
            };
            let (least, _) = search.metric.range(scalp, &piece.fragment);
            let gap = nearest / search.metric.middle(scalp, &piece.fragment);
            if gap > lower || widest.is_none() {
                (lower, widest) = (gap, Some((piece.fragment, nearest)));
            }
            let bound = farthest / least;
            if bound <= lower + BRACKET * lower.max(1.0) {
                upper = upper.max(bound);
            } else {
                piece.split_into(piece.longest_edge().0, least, &mut stack);
            }
        }
    }
    Ok(Coverage {
        ratio_upper_bound: upper,
        ratio_lower_bound: lower,
        maximal: upper <= 1.0 + MAXIMAL_TOLERANCE,
        gap: widest.map(|(piece, radius)| {
            let point = piece.surface_point(1.0 / 3.0, 1.0 / 3.0);
            Gap {
                point,
                position: scalp.point(point),
                radius,
            }
        }),
    })
}

struct Search<'a> {
    scalp: &'a Scalp,
    index: RootIndex,
    near: Neighbourhood,
    metric: Metric,
    across: f64,
}

impl Search<'_> {
    /// The distance of the centroid to its nearest root, and a distance within
    /// which one root has the whole piece; `None`: no root is on this side.
    fn bounds(&mut self, piece: &Placed) -> Option<(f64, f64)> {
        let face_normal = self.scalp.face_normal(piece.fragment.triangle);
        let centroid = piece.centroid();
        let (_, spacing) = self.metric.range(self.scalp, &piece.fragment);
        let (mut nearest2, mut farthest2) = (f64::INFINITY, f64::INFINITY);
        for root in self
            .near
            .around(&mut self.index, centroid, spacing, spacing)
        {
            let distance2 = root.position.distance_squared(centroid);
            if distance2 < nearest2 && same_side(root.face_normal, face_normal) {
                nearest2 = distance2;
            }
            let reach2 = piece.farthest2(root.position);
            if reach2 < farthest2 && same_side(root.face_normal, face_normal) {
                farthest2 = reach2;
            }
        }
        // Beyond the spacing the neighbourhood need not be complete.
        let mut radius = spacing;
        while nearest2 > radius * radius {
            if radius > 2.0 * self.across && nearest2 == f64::INFINITY {
                return None;
            }
            radius *= 2.0;
            self.index.visit(centroid, radius, |_, root, normal| {
                if same_side(normal, face_normal) {
                    nearest2 = nearest2.min(root.distance_squared(centroid));
                    farthest2 = farthest2.min(piece.farthest2(root));
                }
            });
        }
        Some((nearest2.sqrt(), farthest2.sqrt()))
    }
}
