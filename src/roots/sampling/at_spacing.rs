//! Samples at a spacing, with any method.

use super::{baselines, elimination, maximal};
use crate::roots::packing::bulk;
use crate::roots::progress::Progress;
use crate::roots::{Method, Roots, SampleError};
use crate::scalp::Scalp;

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
            maximal::sample(scalp, spacing, seed, method, progress)
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

/// Returns a set of `count` roots, for methods that take a count.
pub(crate) fn numbered(
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
