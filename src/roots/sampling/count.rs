//! Finds the spacing for a wanted number of strands.

use super::at_spacing::at_spacing;
use super::maximal::{self, smallest_by_rounding};
use crate::roots::packing::bulk;
use crate::roots::progress::Progress;
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::Scalp;

/// Counts up to this are found by trial.
const SMALL: u32 = 1500;
/// Larger counts start from a trial of this size, which is cheap and measures the edge term well
/// enough.
const TRIAL: u32 = 700;

/// The dependence of the count on the spacing: `bulk / r² + edge / r + 1`.
///
/// A maximal set on a plane without edges follows the first term. Roots at an edge have no
/// competitors beyond it, so a scalp with edges, or a thin, curved or folded one, takes more, by
/// about its edge length over r. A trial measures `edge`.
struct CountLaw {
    /// The roots per spacing² ((`packing`)) times the area.
    bulk: f64,
    edge: f64,
}

impl CountLaw {
    /// Returns the spacing that should give `count` roots, at least 2.
    fn spacing(&self, count: u32) -> f64 {
        let (a, b, c) = (self.bulk, self.edge, f64::from(count) - 1.0);
        // Solves a/r² + b/r = c without cancellation.
        (b + (b * b + 4.0 * a * c).sqrt()) / (2.0 * c)
    }

    /// Updates the edge term from a set, wholly (`share` 1) or in part, since counts scatter.
    fn learn(&mut self, spacing: f64, count: usize, share: f64) {
        let edge = (count as f64 - 1.0 - self.bulk / (spacing * spacing)) * spacing;
        self.edge += share * (edge - self.edge);
    }

    /// Updates from a few darts where the area says too little. Needles and cards take many times
    /// the roots of their area, and a set at such a spacing would take minutes.
    fn pilot(
        &mut self,
        scalp: &Scalp,
        count: u32,
        seed: u64,
        progress: &mut Progress,
    ) -> Result<(), SampleError> {
        for _ in 0..PILOTS {
            let spacing = self.spacing(count);
            let darts = count.saturating_mul(2 * CROWDED);
            let landed = maximal::pilot(scalp, spacing, darts, seed, progress)?;
            if landed <= (CROWDED * count) as usize {
                break;
            }
            self.learn(1.25 * spacing, count as usize, 1.0);
        }
        Ok(())
    }
}

/// The factor on the wanted count from which a spacing is far too small.
const CROWDED: u32 = 2;
/// The number of spacings tried with darts, each a quarter larger than the one before.
const PILOTS: u32 = 64;
/// The number of sets tried where the law does not hold.
const HALVINGS: u32 = 8;

/// Returns a set of about `count` roots (1 to [`crate::roots::MAX_STRANDS`]) by a method that takes a
/// spacing.
pub(crate) fn sample(
    scalp: &Scalp,
    strands: u32,
    settings: &RootSettings,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let (seed, method) = (settings.seed, settings.method);
    let at = |spacing: f64, progress: &mut Progress| {
        at_spacing(scalp, spacing as f32, seed, method, progress)
    };
    if strands == 1 {
        let (low, high) = scalp.bounds();
        let across = low.as_dvec3().distance(high.as_dvec3());
        let spacing = across.max(smallest_by_rounding(scalp));
        return at(1.01 * spacing, progress);
    }
    let mut law = CountLaw {
        bulk: bulk(scalp, method),
        edge: 0.0,
    };
    law.pilot(scalp, strands.min(SMALL), seed, progress)?;
    let trials = if strands <= SMALL {
        8
    } else {
        let share = (TRIAL as f32 / strands as f32).min(0.3);
        progress.section(0.0, share);
        let roots = at(law.spacing(TRIAL), progress)?;
        law.learn(roots.spacing.into(), roots.positions.len(), 1.0);
        progress.section(share, 0.98);
        8
    };

    // Small counts scatter, so the best of a few is taken.
    let mut best: Option<(u32, Roots)> = None;
    // The largest spacing that gave too many roots, and the smallest that gave too few.
    let (mut small, mut large) = (0.0_f64, f64::INFINITY);
    for trial in 0..trials + HALVINGS {
        let off = best.as_ref().map_or(u32::MAX, |(off, _)| *off);
        // The law holds to 2 % on all kinds of scalps.
        if off <= strands / 100 || trial >= trials && off <= (strands / 50).max(2) {
            break;
        }
        let spacing = if trial < trials {
            law.spacing(strands)
        } else if small == 0.0 {
            0.8 * large
        } else if large.is_infinite() {
            1.25 * small
        } else {
            (small * large).sqrt()
        };
        if strands <= SMALL {
            let share = |trial: u32| (trial as f32 / trials as f32).min(1.0);
            progress.section(share(trial), share(trial + 1));
        }
        let roots = match at(spacing, progress) {
            // An inexact set is better than none.
            Err(SampleError::Uneven) if best.is_some() => break,
            sampled => sampled?,
        };
        let count = roots.positions.len();
        law.learn(
            roots.spacing.into(),
            count,
            if trial == 0 { 1.0 } else { 0.5 },
        );
        if count as u32 > strands {
            small = small.max(spacing);
        } else {
            large = large.min(spacing);
        }
        let off = (count as u32).abs_diff(strands);
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, roots));
        }
    }
    let (_, roots) = best.ok_or(SampleError::Cancelled)?;
    progress.section(0.0, 1.0);
    progress.tell(1.0)?;
    Ok(roots)
}
