//! Maximal Poisson-disk sampling at a given spacing, at once or level by level.

use super::filler::{CRACK, Filler};
use crate::roots::coverage::metric::Metric;
use crate::roots::packing::PACKING;
use crate::roots::progress::Progress;
use crate::roots::settings::MAX_STRANDS;
use crate::roots::{Method, Roots, SampleError};
use crate::scalp::Scalp;

/// The number of darts per spacing² before gaps are filled. More darts would mostly miss; fewer
/// leave more work to the gaps, which cost more.
const FIRST_DARTS: f64 = 1.1;

/// The number of darts of a tight set, which cost more. With far fewer, roots would trace the
/// borders of fragments.
const TIGHT_FIRST_DARTS: f64 = 0.7;

/// The number of candidates per root of a tight set.
const TIGHT_CANDIDATES: u32 = 32;

/// The width of cracks allowed at all levels but the last, in spacings.
const LEVEL_CRACK: f64 = 1e-3;

/// Returns the smallest spacing that needs at most [`MAX_STRANDS`] by area.
pub(crate) fn smallest_by_count(scalp: &Scalp) -> f64 {
    (PACKING * scalp.area() / f64::from(MAX_STRANDS)).sqrt()
}

/// Returns the smallest spacing that the f32 coordinates of the scalp resolve. The rounding of a
/// position, at most 0.87 epsilon of the largest coordinate, must stay below the tolerance of the
/// coverage.
pub(crate) fn smallest_by_rounding(scalp: &Scalp) -> f64 {
    let (low, high) = scalp.bounds();
    let largest = low.abs().max(high.abs()).max_element();
    1200.0 * f64::from(f32::EPSILON) * f64::from(largest)
}

/// Returns a maximal set for a spacing, by one of the methods that make such sets.
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
        // Ranks are shuffled, because density leaves out roots by rank.
        filler.shuffle();
    }
    progress.work_left = filler.index.work.left();
    progress.tell(1.0)?;
    Ok(filler.finish(spacing))
}

/// Returns a progressive set beside that of `others`, whose roots it keeps off. Together both sets
/// are maximal on both scalps.
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

/// Fills decreasing spacings, each until it is maximal, and ranks the roots of each level after
/// those of the levels before, farthest first.
///
/// A prefix that ends in the level of spacing r contains the whole level before it. No point is
/// therefore farther than 2^¼ r from its roots, and no two of them are closer than r.
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
    // The work of a level is proportional to its roots: half of that of two levels later.
    let shrink = 2.0_f64.sqrt().recip();
    filler.remember();
    // One root nearly fills the first level. Without it, every triangle would be examined.
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

/// Returns how many of some darts land. That is at most the number of roots of the spacing, and far
/// cheaper to compute.
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
