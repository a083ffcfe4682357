//! Sampling: chooses roots by a method, for a number of roots or a spacing.
//!
//! `count` finds the spacing for a wanted number of roots. Maximal sets are made by the `filler`,
//! others by the methods of `simple`.

mod count;
mod filler;
pub(super) mod simple;

use super::coverage::metric::Metric;
use super::method::{Sampling, rounded_up};
use super::work::Progress;
use super::{Amount, Method, Roots, SampleError};
use filler::{CRACK, Filler};

/// The number of darts per spacing² before gaps are filled. More darts would mostly miss; fewer
/// leave more work to the gaps, which cost more.
const FIRST_DARTS: f64 = 1.1;

/// The number of darts of a tight set, which cost more. With far fewer, roots would trace the
/// borders of fragments.
const TIGHT_FIRST_DARTS: f64 = 0.7;

/// The number of candidates per root of a tight set.
const TIGHT_CANDIDATES: u32 = 32;

/// Returns a set of an amount that has been checked.
pub(crate) fn sample(
    on: &Sampling,
    amount: Amount,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    match amount {
        Amount::Strands(strands) => match on.method {
            Method::Uniform | Method::Elimination => {
                let spacing = (on.bulk() / f64::from(strands)).sqrt() as f32;
                numbered(on, strands, spacing, progress)
            }
            _ => count::sample(on, strands, progress, |spacing, progress| {
                at_spacing(on, spacing as f32, progress)
            }),
        },
        Amount::Spacing(spacing) => {
            let by_count = on.smallest_by_count();
            if by_count < on.smallest_by_rounding() {
                on.check_resolution(spacing)?;
            } else if f64::from(spacing) < by_count {
                let smallest = rounded_up(by_count);
                return Err(SampleError::TooMany { spacing, smallest });
            }
            at_spacing(on, spacing, progress)
        }
    }
}

/// Returns a set for a finite spacing above 0. Methods that take a count make as many roots as a
/// maximal set of that spacing has.
fn at_spacing(on: &Sampling, spacing: f32, progress: &mut Progress) -> Result<Roots, SampleError> {
    match on.method {
        Method::Progressive | Method::Maximal | Method::Tight | Method::Variable => {
            maximal(on, spacing, progress)
        }
        Method::Darts => simple::darts(on, spacing, true, progress),
        Method::Reference => simple::darts(on, spacing, false, progress),
        Method::Uniform | Method::Elimination => {
            let count = on.bulk() / f64::from(spacing).powi(2);
            numbered(on, (count as u32).max(1), spacing, progress)
        }
    }
}

/// Returns a set of `count` roots, for methods that take a count.
fn numbered(
    on: &Sampling,
    count: u32,
    spacing: f32,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    match on.method {
        Method::Elimination => simple::eliminate(on, count, spacing, progress),
        _ => simple::uniform(on, count, spacing, progress),
    }
}

/// Returns a maximal set for a spacing, by one of the methods that make such sets.
fn maximal(on: &Sampling, spacing: f32, progress: &mut Progress) -> Result<Roots, SampleError> {
    on.check_resolution(spacing)?;
    let metric = Metric {
        radius: spacing.into(),
        scaled: on.method == Method::Variable,
    };
    let (candidates, first_darts) = match on.method {
        Method::Tight => (TIGHT_CANDIDATES, TIGHT_FIRST_DARTS),
        _ => (1, FIRST_DARTS),
    };
    let mut filler = Filler::new(on, metric, candidates);
    if on.method == Method::Progressive {
        filler.fill_by_levels(spacing, progress)?;
    } else {
        progress.part(0.0, 0.25, |part| filler.first_darts(first_darts, part))?;
        progress.part(0.25, 1.0, |part| filler.fill(CRACK, part))?;
        // Ranks are shuffled, because density leaves out roots by rank.
        filler.shuffle();
    }
    progress.tell(1.0)?;
    Ok(filler.finish(spacing))
}

/// Returns a progressive set beside that of `others`, whose roots it keeps off. Together both sets
/// are maximal on both scalps.
pub(crate) fn beside(
    on: &Sampling,
    spacing: f32,
    others: &Roots,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let metric = Metric {
        radius: spacing.into(),
        scaled: false,
    };
    let mut filler = Filler::new(on, metric, 1);
    filler.keep_off(others)?;
    filler.fill_by_levels(spacing, progress)?;
    progress.tell(1.0)?;
    Ok(filler.finish(spacing))
}
