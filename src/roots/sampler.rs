//! Maximal Poisson-disk sampling at a given spacing, at once or level by level.

use super::choose::PACKING;
use super::filler::{CRACK, Filler};
use super::metric::Metric;
use super::progress::Progress;
use super::settings::MAX_STRANDS;
use super::{Method, Roots, SampleError};
use crate::scalp::Scalp;

/// Darts before gaps are filled, per area of spacing²: more of them would mostly miss, and
/// fewer leave work to the gaps, which cost more.
const FIRST_DARTS: f64 = 1.1;

/// The same for a tight set, whose darts cost more; with far fewer, roots would trace where
/// fragments end.
const TIGHT_FIRST_DARTS: f64 = 0.7;

/// How many points a tight set picks each root from.
const TIGHT_CANDIDATES: u32 = 32;

/// What the cracks of levels but the last may be wide, in spacings.
const LEVEL_CRACK: f64 = 1e-3;

/// The smallest spacing that needs no more than [`MAX_STRANDS`] by the area.
pub(crate) fn smallest_by_count(scalp: &Scalp) -> f64 {
    (PACKING * scalp.area() / f64::from(MAX_STRANDS)).sqrt()
}

/// The smallest spacing that the scalp's f32 coordinates resolve: the rounding of
/// a position, at most 0.87 epsilon of the largest coordinate, must stay below the
/// tolerance of the coverage.
pub(crate) fn smallest_by_rounding(scalp: &Scalp) -> f64 {
    let (low, high) = scalp.bounds();
    let largest = low.abs().max(high.abs()).max_element();
    1200.0 * f64::from(f32::EPSILON) * f64::from(largest)
}

/// A maximal set for a spacing: one of the methods that make such sets.
pub(crate) fn sample(
    scalp: &Scalp,
    spacing: f32,
    seed: u64,
    method: Method,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    if !(spacing.is_finite() && spacing > 0.0) {
        return Err(SampleError::Spacing { spacing });
    }
    let smallest = smallest_by_rounding(scalp);
    if f64::from(spacing) < smallest {
        return Err(SampleError::too_fine(spacing, smallest));
    }
    let metric = Metric {
        radius: spacing.into(),
        scaled: method == Method::Variable,
    };
    let (candidates, first_darts) = match method {
        Method::Tight => (TIGHT_CANDIDATES, TIGHT_FIRST_DARTS),
        _ => (1, FIRST_DARTS),
    };
    let mut filler = Filler::new(scalp, metric, seed, candidates, progress.work_left);
    if method == Method::Progressive {
        fill_by_levels(&mut filler, scalp, spacing, progress)?;
    } else {
        filler.first_darts(first_darts, &mut |done| progress.step(0.25 * done))?;
        filler.fill(CRACK, &mut |done| progress.step(0.25 + 0.75 * done))?;
        // Ranks in no order of place: density leaves out roots by rank.
        filler.shuffle();
    }
    progress.work_left = filler.index.work.left();
    progress.tell(1.0)?;
    Ok(filler.finish(spacing))
}

/// A progressive set at a spacing, on a scalp beside that of `others`, whose roots it keeps off:
/// both together are maximal on both scalps together.
pub(crate) fn beside(
    scalp: &Scalp,
    spacing: f32,
    seed: u64,
    others: &Roots,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let metric = Metric {
        radius: spacing.into(),
        scaled: false,
    };
    let mut filler = Filler::new(scalp, metric, seed, 1, progress.work_left);
    filler.keep_off(others)?;
    fill_by_levels(&mut filler, scalp, spacing, progress)?;
    progress.tell(1.0)?;
    Ok(filler.finish(spacing))
}

/// Fills ever smaller spacings, each to the last gap, and ranks the roots of each level after
/// those of the levels before, farthest first.
///
/// A prefix that ends within the level of spacing r holds all of the level before it, so no
/// point is farther than 2^¼ r from one of its roots, and none of those are closer than r.
fn fill_by_levels(
    filler: &mut Filler,
    scalp: &Scalp,
    spacing: f32,
    progress: &mut Progress,
) -> Result<(), SampleError> {
    let (low, high) = scalp.bounds();
    let across = low.as_dvec3().distance(high.as_dvec3());
    let step = 2.0_f64.sqrt().sqrt();
    let mut radii = vec![f64::from(spacing)];
    while let Some(&last) = radii.last()
        && last < across
    {
        radii.push(last * step);
    }
    // A level takes work in proportion to its roots: half of what comes two levels later.
    let shrink = 2.0_f64.sqrt().recip();
    filler.remember();
    // One root nearly fills the first level; without it, each triangle would be looked at as
    // if it could have one.
    filler.darts(1, &mut |_| progress.step(0.0))?;
    let mut done = shrink.powi(radii.len() as i32);
    for (level, &radius) in radii.iter().enumerate().rev() {
        let first = filler.points.len();
        filler.set_radius(radius);
        let share = shrink.powi(level as i32);
        let crack = if level == 0 { CRACK } else { LEVEL_CRACK };
        let (from, to) = (done, share.max(done));
        filler.fill(crack, &mut |part| progress.step(from + part * (to - from)))?;
        done = to;
        filler.farthest_first(first, step * radius)?;
    }
    Ok(())
}

/// How many of so many darts land: no more roots than the spacing really gives, and far
/// cheaper to know.
pub(crate) fn pilot(
    scalp: &Scalp,
    spacing: f64,
    darts: u32,
    seed: u64,
    progress: &mut Progress,
) -> Result<usize, SampleError> {
    let metric = Metric {
        radius: spacing,
        scaled: false,
    };
    let mut filler = Filler::new(scalp, metric, seed, 1, progress.work_left);
    filler.darts(darts, &mut |_| progress.step(0.0))?;
    progress.work_left = filler.index.work.left();
    Ok(filler.points.len())
}
