//! Measures of a set of roots, and the certificate of maximality.

use super::{Amount, Roots, SampleError};
use crate::roots::coverage::fragment::{Fragment, Placed};
use crate::roots::coverage::index::{Neighbourhood, RootIndex, same_side};
use crate::roots::coverage::metric::Metric;
use crate::roots::work::{self, Progress};
use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;
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

/// The measures of a set of roots on a scalp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The number of roots.
    pub count: usize,
    /// The area of the scalp, square decimetres.
    pub area: f64,
    /// The smallest distance of two roots on the same side, decimetres; `None` without such a pair.
    pub min_distance: Option<f64>,
    /// The [`relative_radius`] of that distance.
    pub relative_radius: Option<f64>,
    /// The bounds of the coverage radius.
    pub coverage: Coverage,
}

/// Measures any set of roots.
///
/// # Errors
///
/// As [`certify`].
pub fn measure(scalp: &Scalp, roots: &Roots) -> Result<Measures, SampleError> {
    let count = roots.positions.len();
    let min_distance = min_distance(roots)?;
    Ok(Measures {
        count,
        area: scalp.area(),
        min_distance,
        relative_radius: min_distance.map(|d| relative_radius(d, count, scalp.area())),
        coverage: certify(scalp, roots)?,
    })
}

/// Returns the smallest distance of two roots whose faces look to the same side, decimetres; `None`
/// without such a pair.
///
/// # Errors
///
/// [`SampleError::Index`] for positions that are not finite, or more than 32
/// roots at one place.
pub fn min_distance(roots: &Roots) -> Result<Option<f64>, SampleError> {
    let mut index = RootIndex::of(&roots.positions, &roots.face_normals)?;
    let Some(first) = roots.positions.first() else {
        return Ok(None);
    };
    let (low, high) = roots
        .positions
        .iter()
        .fold((*first, *first), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
    let across = low.as_dvec3().distance(high.as_dvec3());
    // The search radius grows until a pair is found or all roots were visited.
    let likely = across / (roots.positions.len() as f64).sqrt();
    let mut radius = f64::from(roots.spacing).clamp(1e-3 * likely, across);
    loop {
        let mut least2 = f64::INFINITY;
        for (number, (p, &face_normal)) in
            roots.positions.iter().zip(&roots.face_normals).enumerate()
        {
            let p = p.as_dvec3();
            index.visit(p, radius.min(least2.sqrt()), |other, root, normal| {
                if other != number && same_side(normal, face_normal) {
                    least2 = least2.min(root.distance_squared(p));
                }
            });
        }
        if least2.is_finite() || radius >= across {
            return Ok(least2.is_finite().then(|| least2.sqrt()));
        }
        radius = (1.5 * radius).min(across);
    }
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
pub(super) fn coverage(
    scalp: &Scalp,
    roots: &Roots,
    metric: Metric,
) -> Result<Coverage, SampleError> {
    if !(metric.radius.is_finite() && metric.radius > 0.0) {
        let spacing = metric.radius as f32;
        return Err(SampleError::Spacing { spacing });
    }
    let (low, high) = scalp.bounds();
    let count = u32::try_from(roots.positions.len()).unwrap_or(u32::MAX);
    let mut go_on = |_| ControlFlow::Continue(());
    let mut progress = Progress::new(&mut go_on, work::most(scalp, Amount::Strands(count)));
    let mut search = Search {
        scalp,
        index: RootIndex::of(&roots.positions, &roots.face_normals)?,
        near: Neighbourhood::new(),
        metric,
        across: low.as_dvec3().distance(high.as_dvec3()),
    };
    let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
    let mut widest = None;
    let mut stack = Vec::new();
    for triangle in 0..scalp.triangles().len() as u32 {
        stack.push(Fragment::whole(triangle).place(scalp));
        while let Some(piece) = stack.pop() {
            search.index.work += work::PIECE;
            progress.spend(&mut search.index.work)?;
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
