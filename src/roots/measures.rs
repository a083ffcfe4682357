//! Measures of a set of roots.

pub(super) mod certificate;

use super::{Roots, SampleError};
use crate::roots::coverage::index::{RootIndex, same_side};
use crate::roots::measures::certificate::{Coverage, certify};
use crate::scalp::Scalp;

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
