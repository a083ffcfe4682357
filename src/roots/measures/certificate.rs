//! The certificate of maximality: bounds on the distance of scalp points from roots.

use crate::roots::coverage::fragment::{Fragment, Placed};
use crate::roots::coverage::index::{Neighbourhood, RootIndex, same_side};
use crate::roots::coverage::metric::Metric;
use crate::roots::work::{self, Work};
use crate::roots::{Amount, Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;

/// The tolerance of maximality, relative to the spacing.
pub const MAXIMAL_TOLERANCE: f64 = 1e-3;

/// The precision of the coverage radius, relative to it or the spacing.
const BRACKET: f64 = 1e-4;

/// The coverage of a scalp: the coverage radius R, the largest distance of a scalp point from the
/// nearest root on its side, relative to the spacing r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// A proven upper bound of R/r; infinite if a face has no root on its side.
    pub ratio_upper_bound: f64,
    /// A lower bound of R/r: a scalp point at this distance, in r, was found.
    pub ratio_lower_bound: f64,
    /// Whether `ratio_upper_bound` is at most 1 + [`MAXIMAL_TOLERANCE`].
    pub maximal: bool,
    /// The largest gap found, or `None` if a face has no root on its side.
    pub gap: Option<Gap>,
}

/// A point of the scalp without a root nearby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The place on the scalp.
    pub point: SurfacePoint,
    /// The position in head space.
    pub position: Vec3,
    /// The distance of the nearest root on its side, decimetres.
    pub radius: f64,
}

/// Certifies the coverage of any set of roots.
///
/// Branch and bound over the scalp, independent of the sampler. All points of a triangle are within
/// max(|corner − root|) of a root, since balls are convex; its centroid is no closer to a root than
/// the nearest one. A piece is halved if its upper bound exceeds the largest lower bound found.
/// Only positions, face normals and the spacing are used. In a [`scaled`](Roots::scaled) set,
/// distances are relative to the spacing at the scalp point.
///
/// # Errors
///
/// [`SampleError::Spacing`] or [`SampleError::Index`] for sets that no sampler makes;
/// [`SampleError::Uneven`] for a scalp that would take too long.
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
    /// Returns the distance of the centroid from its nearest root, and a distance within which one
    /// root holds the whole piece; `None` without a root on this side.
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
        // Beyond the spacing, the neighbourhood may be incomplete.
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
