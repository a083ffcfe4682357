//! The number of roots that a scalp takes at a spacing.

use super::{LEAST_DENSITY, Method};
use crate::scalp::Scalp;

/// The density of maximal sets: N = PACKING · area / spacing² on a closed surface.
pub(crate) const PACKING: f64 = 0.7010;

/// The density of any method that takes a spacing, measured.
pub(crate) fn packing(method: Method) -> f64 {
    match method {
        Method::Progressive => 0.6732,
        Method::Tight => 0.7413,
        Method::Darts | Method::Reference => 0.5972,
        Method::Maximal | Method::Variable | Method::Uniform | Method::Elimination => PACKING,
    }
}

/// Returns the number of roots on a scalp without borders at spacing 1.
pub(crate) fn bulk(scalp: &Scalp, method: Method) -> f64 {
    let area = match method {
        Method::Variable => effective_area(scalp),
        _ => scalp.area(),
    };
    packing(method) * area
}

/// Returns the integral of the density over the scalp, the mean of the corners on each triangle.
/// Densities below [`LEAST_DENSITY`] count as that.
fn effective_area(scalp: &Scalp) -> f64 {
    let areas = scalp.triangle_areas().iter().enumerate();
    areas
        .map(|(triangle, area)| {
            let corners = scalp.corner_densities(triangle as u32);
            let sum: f64 = corners
                .map(|d| f64::from(d).max(LEAST_DENSITY))
                .iter()
                .sum();
            area * sum / 3.0
        })
        .sum()
}
