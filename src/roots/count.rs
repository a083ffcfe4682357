//! From a wanted number of strands to a spacing.

use super::progress::Progress;
use super::sampler::{self, smallest_by_rounding};
use super::{RootSettings, Roots, SampleError, choose};
use crate::scalp::Scalp;

/// Counts up to this are met by trying spacings.
const SMALL: u32 = 1500;
/// Larger ones start from a trial with this many, which is cheap beside them and tells the
/// edge term well enough.
const TRIAL: u32 = 700;

/// How the count depends on the spacing: `bulk / r² + edge / r + 1`.
///
/// A maximal set on a plane without edges follows the first term. Roots by an
/// edge have no competitors beyond it, so a scalp with edges (or thin, curved or
/// folded) takes more: by about its edge length over r. A trial measures `edge`.
struct CountLaw {
    /// Roots per area of spacing² ([`choose::packing`]) times the area.
    bulk: f64,
    edge: f64,
}

impl CountLaw {
    /// The spacing that should give so many roots, at least 2.
    fn spacing(&self, count: u32) -> f64 {
        let (a, b, c) = (self.bulk, self.edge, f64::from(count) - 1.0);
        // a/r² + b/r = c, in the form that does not cancel.
        (b + (b * b + 4.0 * a * c).sqrt()) / (2.0 * c)
    }

    /// Learns the edge term from a set, wholly (`share` 1) or in part: counts scatter.
    fn learn(&mut self, spacing: f64, count: usize, share: f64) {
        let edge = (count as f64 - 1.0 - self.bulk / (spacing * spacing)) * spacing;
        self.edge += share * (edge - self.edge);
    }

    /// Learns from a few darts where the area tells too little: needles and cards take many
    /// times the roots of their area, and a set at such a spacing would take minutes.
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
            let landed = sampler::pilot(scalp, spacing, darts, seed, progress)?;
            if landed <= (CROWDED * count) as usize {
                break;
            }
            self.learn(1.25 * spacing, count as usize, 1.0);
        }
        Ok(())
    }
}

/// Times the wanted count from which a spacing is far too small.
const CROWDED: u32 = 2;
/// Spacings tried by darts, each a quarter larger than the one before.
const PILOTS: u32 = 64;
/// Sets tried towards and between spacings that are too large and too small, where the law
/// does not hold.
const HALVINGS: u32 = 8;

/// A set of about so many roots (1 to [`super::MAX_STRANDS`]), by a method that takes a spacing.
pub(crate) fn sample(
    scalp: &Scalp,
    strands: u32,
    settings: &RootSettings,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let (seed, method) = (settings.seed, settings.method);
    let at = |spacing: f64, progress: &mut Progress| {
        choose::at_spacing(scalp, spacing as f32, seed, method, progress)
    };
    if strands == 1 {
        let (low, high) = scalp.bounds();
        let across = low.as_dvec3().distance(high.as_dvec3());
        let spacing = across.max(smallest_by_rounding(scalp));
        return at(1.01 * spacing, progress);
    }
    let mut law = CountLaw {
        bulk: choose::bulk(scalp, method),
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

    // Small counts scatter and step, so the best of a few is taken.
    let mut best: Option<(u32, Roots)> = None;
    // The largest spacing seen that gives too many roots, the smallest that gives too few.
    let (mut small, mut large) = (0.0_f64, f64::INFINITY);
    for trial in 0..trials + HALVINGS {
        let off = best.as_ref().map_or(u32::MAX, |(off, _)| *off);
        // What the law promises on scalps of all kinds is 2 %.
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
            // What there is may be off, and is better than nothing.
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
