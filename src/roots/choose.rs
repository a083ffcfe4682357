//! Chooses the method and the number of roots from the settings.

use super::progress::Progress;
use super::sampler::{smallest_by_count, smallest_by_rounding};
use super::{
    Amount, LEAST_DENSITY, Method, RootSettings, Roots, SampleError, baselines, count, elimination,
    sampler,
};
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

/// Returns the set that the settings ask for. Their amount has been checked.
pub(crate) fn sample(
    scalp: &Scalp,
    settings: &RootSettings,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let (seed, method) = (settings.seed, settings.method);
    let by_number = matches!(method, Method::Uniform | Method::Elimination);
    match settings.amount {
        Amount::Strands(strands) if by_number => {
            let spacing = (bulk(scalp, method) / f64::from(strands)).sqrt() as f32;
            numbered(scalp, strands, spacing, seed, method, progress)
        }
        Amount::Strands(strands) => count::sample(scalp, strands, settings, progress),
        Amount::Spacing(spacing) => {
            let (by_count, by_rounding) = (smallest_by_count(scalp), smallest_by_rounding(scalp));
            if f64::from(spacing) < by_count.max(by_rounding) {
                return Err(match by_count < by_rounding {
                    true => SampleError::too_fine(spacing, by_rounding),
                    false => SampleError::too_many(spacing, by_count),
                });
            }
            at_spacing(scalp, spacing, seed, method, progress)
        }
    }
}

/// Returns a set for a finite spacing above 0. Methods that take a count make as many roots as a
/// maximal set of that spacing has.
pub(crate) fn at_spacing(
    scalp: &Scalp,
    spacing: f32,
    seed: u64,
    method: Method,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    match method {
        Method::Progressive | Method::Maximal | Method::Tight | Method::Variable => {
            sampler::sample(scalp, spacing, seed, method, progress)
        }
        Method::Darts => baselines::darts(scalp, spacing, seed, true, progress),
        Method::Reference => baselines::darts(scalp, spacing, seed, false, progress),
        Method::Uniform | Method::Elimination => {
            let count = bulk(scalp, method) / f64::from(spacing).powi(2);
            numbered(
                scalp,
                (count as u32).max(1),
                spacing,
                seed,
                method,
                progress,
            )
        }
    }
}

fn numbered(
    scalp: &Scalp,
    count: u32,
    spacing: f32,
    seed: u64,
    method: Method,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    match method {
        Method::Elimination => elimination::eliminate(scalp, count, spacing, seed, progress),
        _ => baselines::uniform(scalp, count, spacing, seed, progress),
    }
}
