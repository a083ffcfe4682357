//! Sampling: chooses the method and the number of roots from the settings.
//!
//! `count` finds the spacing for a wanted number of roots, and `at_spacing` samples at a spacing:
//! with `maximal` and the `filler` that it drives, or with a simpler method of `baselines` or
//! `elimination`.

mod at_spacing;
mod baselines;
mod count;
mod elimination;
pub(super) mod filler;
pub(super) mod maximal;

use super::packing::bulk;
use super::progress::Progress;
use super::{Amount, Method, RootSettings, Roots, SampleError};
use crate::scalp::Scalp;
use at_spacing::{at_spacing, numbered};
use maximal::{smallest_by_count, smallest_by_rounding};

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
