//! The certificate of maximality, and the relative radius.

use super::{Amount, Roots, SampleError};
use crate::roots::fragment::{Fragment, Placed};
use crate::roots::index::{Neighbourhood, RootIndex, same_side};
use crate::roots::metric::Metric;
use crate::roots::work::{self, Progress, Result};
use crate::scalp::{Scalp, SurfacePoint};
use glam::{DVec3, Vec3};
use std::ops::ControlFlow;

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
    /// `true` if `ratio_upper_bound` is at most 1 + [`MAXIMAL_TOLERANCE`].
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

/// Returns the smallest distance relative to r_max = 2 sqrt(A / (2 sqrt(3) N)), that of a hexagonal
/// lattice of as many points on a plane of that area: 0 for clumps, about 0.77 for maximal
/// Poisson-disk sets, 1 for a regular lattice (Lagae and Dutré 2008). Edges raise it a little.
pub fn relative_radius(min_distance: f64, count: usize, area: f64) -> f64 {
    let r_max = 2.0 * (area / (2.0 * 3.0_f64.sqrt() * count as f64)).sqrt();
    min_distance / r_max
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
    coverage(scalp, roots, roots.metric())
}

/// Returns the coverage relative to a spacing that need not be that of the roots. Their positions
/// and face normals are used.
pub(super) fn coverage(scalp: &Scalp, roots: &Roots, metric: Metric) -> Result<Coverage> {
    if !(metric.radius.is_finite() && metric.radius > 0.0) {
        let spacing = metric.radius as f32;
        return Err(SampleError::Spacing { spacing });
    }
    let (low, high) = scalp.bounds();
    let count = u32::try_from(roots.positions.len()).unwrap_or(u32::MAX);
    let mut go_on = |_| ControlFlow::Continue(());
    let mut progress = Progress::new(&mut go_on, work::most(scalp, Amount::Strands(count)));
    let across = low.as_dvec3().distance(high.as_dvec3());
    let mut index = RootIndex::of(&roots.positions, &roots.face_normals)?;
    let mut near = Neighbourhood::default();
    let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
    let mut widest = None;
    let mut stack = Vec::new();
    'scalp: for triangle in 0..scalp.triangles().len() as u32 {
        stack.push(Fragment::whole(triangle).place(scalp));
        while let Some(piece) = stack.pop() {
            index.work += work::PIECE;
            progress.spend(&mut index.work)?;
            let (least, most) = metric.range(scalp, &piece.fragment);
            let face_normal = scalp.face_normal(triangle);
            let bounds = bounds(&piece, face_normal, most, across, &mut near, &mut index);
            let Some((nearest, farthest)) = bounds else {
                (lower, upper, widest) = (f64::INFINITY, f64::INFINITY, None);
                break 'scalp;
            };
            let gap = nearest / metric.middle(scalp, &piece.fragment);
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

/// Returns the distance of the centroid from its nearest root, and a distance within which one root
/// holds the whole piece; `None` without a root on this side. A root is likely within the spacing.
fn bounds(
    piece: &Placed,
    face_normal: Vec3,
    spacing: f64,
    across: f64,
    near: &mut Neighbourhood,
    index: &mut RootIndex,
) -> Option<(f64, f64)> {
    let centroid = piece.centroid();
    let look = |found: &mut [f64; 2], position: DVec3, normal| {
        let to_centroid2 = position.distance_squared(centroid);
        let distances2 = [to_centroid2, piece.farthest2(position)];
        let is_nearer = distances2[0] < found[0] || distances2[1] < found[1];
        if is_nearer && same_side(normal, face_normal) {
            *found = [0, 1].map(|i| found[i].min(distances2[i]));
        }
    };
    let mut found = [f64::INFINITY; 2];
    let known = near.around(index, centroid, spacing, spacing);
    index.work += work::NEIGHBOUR * known.len() as u64;
    for &(_, position, normal) in known {
        look(&mut found, position, normal);
    }
    // Beyond the spacing, the neighbourhood may be incomplete.
    let mut radius = spacing;
    while found[0] > radius * radius {
        if radius > 2.0 * across && found[0] == f64::INFINITY {
            return None;
        }
        radius *= 2.0;
        index.visit(centroid, radius, |_, root, normal| {
            look(&mut found, root, normal)
        });
    }
    Some((found[0].sqrt(), found[1].sqrt()))
}
