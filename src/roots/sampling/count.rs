//! Finds the spacing for a wanted number of strands.

use super::{Sampling, filler::GUARD, simple::RandomPoints};
use crate::roots::work::{Progress, Result};
use crate::roots::{Roots, SampleError};

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
    /// [`Sampling::bulk`].
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
}

/// The factor on the wanted count from which a spacing is far too small.
const CROWDED: u32 = 2;
/// The number of spacings tried with darts, each a quarter larger than the one before.
const DART_TRIALS: u32 = 64;
/// The number of sets tried at spacings of the law.
const TRIALS: u32 = 8;
/// The number of sets tried where the law does not hold.
const HALVINGS: u32 = 8;

/// Returns a set of about `strands` roots (1 to [`crate::roots::MAX_STRANDS`]).
pub fn sample(on: &Sampling, strands: u32, progress: &mut Progress) -> Result<Roots> {
    if strands == 1 {
        let (low, high) = on.scalp.bounds();
        let across = low.as_dvec3().distance(high.as_dvec3());
        let spacing = 1.01 * across.max(on.smallest_by_rounding());
        return on.at_spacing(spacing as f32, strands, progress);
    }
    let mut law = CountLaw {
        bulk: on.bulk(),
        edge: 0.0,
    };
    // A few darts tell more than the area of needles and cards, which take many times the roots of
    // their area. A set at such a spacing would take minutes.
    let few = strands.min(SMALL);
    for _ in 0..DART_TRIALS {
        let spacing = law.spacing(few);
        let darts = few.saturating_mul(2 * CROWDED);
        let mut points = RandomPoints::new(on.scalp, true, on.seed);
        let radius = spacing * (1.0 + GUARD);
        let hits = progress.part(0.0, 0.0, |part| points.throw(darts.into(), radius, part))?;
        if hits.len() <= (CROWDED * few) as usize {
            break;
        }
        law.learn(1.25 * spacing, few as usize, 1.0);
    }
    let is_small = strands <= SMALL;
    let mut first = 0.0;
    if !is_small {
        first = (f64::from(TRIAL) / f64::from(strands)).min(0.3);
        let spacing = law.spacing(TRIAL) as f32;
        let roots = progress.part(0.0, first, |part| on.at_spacing(spacing, strands, part))?;
        law.learn(roots.spacing.into(), roots.positions.len(), 1.0);
    }

    // Small counts scatter, so the best of a few is taken.
    let mut best: Option<(u32, Roots)> = None;
    // The largest spacing that gave too many roots, and the smallest that gave too few.
    let (mut small, mut large) = (0.0_f64, f64::INFINITY);
    for trial in 0..TRIALS + HALVINGS {
        let off = best.as_ref().map_or(u32::MAX, |(off, _)| *off);
        // The law holds to 2 % on all kinds of scalps.
        if off <= strands / 100 || trial >= TRIALS && off <= (strands / 50).max(2) {
            break;
        }
        let spacing = if trial < TRIALS {
            law.spacing(strands)
        } else if small == 0.0 {
            0.8 * large
        } else if large.is_infinite() {
            1.25 * small
        } else {
            (small * large).sqrt()
        };
        let share = |trial: u32| (f64::from(trial) / f64::from(TRIALS)).min(1.0);
        let (from, to) = match is_small {
            true => (share(trial), share(trial + 1)),
            false => (first, 0.98),
        };
        let roots = match progress.part(from, to, |part| {
            on.at_spacing(spacing as f32, strands, part)
        }) {
            // An inexact set is better than none.
            Err(SampleError::Uneven) if best.is_some() => break,
            sampled => sampled?,
        };
        let count = roots.positions.len() as u32;
        let share = if trial == 0 { 1.0 } else { 0.5 };
        law.learn(roots.spacing.into(), count as usize, share);
        if count > strands {
            small = small.max(spacing);
        } else {
            large = large.min(spacing);
        }
        let off = count.abs_diff(strands);
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, roots));
        }
    }
    best.map(|(_, roots)| roots).ok_or(SampleError::Cancelled)
}
