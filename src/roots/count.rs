//! From a wanted number of strands to a spacing.

use super::progress::Progress;
use super::sampler::{self, DENSITY};
use super::{Roots, SampleError};
use crate::scalp::Scalp;

/// Counts up to this are met by trying spacings; larger ones start from a trial
/// with this many, which is cheap beside them.
const TRIAL: u32 = 1500;

/// How the count depends on the spacing: `DENSITY * area / r² + edge / r + 1`.
///
/// A maximal set on a plane without edges follows the first term. Roots by an
/// edge have no competitors beyond it, so a scalp with edges (or thin, curved or
/// folded) takes more: by about its edge length over r. A trial measures `edge`.
struct CountLaw {
    area: f64,
    edge: f64,
}

impl CountLaw {
    /// The spacing that should give so many roots, at least 2.
    fn spacing(&self, count: u32) -> f64 {
        let (a, b, c) = (DENSITY * self.area, self.edge, f64::from(count) - 1.0);
        // a/r² + b/r = c, in the form that does not cancel.
        (b + (b * b + 4.0 * a * c).sqrt()) / (2.0 * c)
    }

    /// Learns the edge term from a set.
    fn learn(&mut self, roots: &Roots) {
        let r = f64::from(roots.spacing);
        self.edge = (roots.positions.len() as f64 - 1.0 - DENSITY * self.area / (r * r)) * r;
    }
}

/// A maximal set of about so many roots (1 to [`super::MAX_STRANDS`]).
pub(crate) fn sample(
    scalp: &Scalp,
    strands: u32,
    seed: u64,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    if strands == 1 {
        let (low, high) = scalp.bounds();
        let across = low.as_dvec3().distance(high.as_dvec3());
        let spacing = across.max(sampler::smallest_by_rounding(scalp));
        return sampler::sample(scalp, (1.01 * spacing) as f32, seed, progress);
    }
    let mut law = CountLaw {
        area: scalp.area(),
        edge: 0.0,
    };
    let trials = if strands <= TRIAL {
        8
    } else {
        let share = (TRIAL as f32 / strands as f32).min(0.3);
        progress.section(0.0, share);
        let spacing = law.spacing(TRIAL) as f32;
        law.learn(&sampler::sample(scalp, spacing, seed, progress)?);
        progress.section(share, 0.98);
        3
    };

    // Small counts scatter and step, so the best of a few is taken.
    let mut best: Option<(u32, Roots)> = None;
    for trial in 0..trials {
        if strands <= TRIAL {
            progress.section(
                trial as f32 / trials as f32,
                (trial + 1) as f32 / trials as f32,
            );
        }
        let roots = sampler::sample(scalp, law.spacing(strands) as f32, seed, progress)?;
        law.learn(&roots);
        let off = (roots.positions.len() as u32).abs_diff(strands);
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, roots));
        }
        if off <= strands / 100 {
            break;
        }
    }
    let (_, roots) = best.ok_or(SampleError::Cancelled)?;
    progress.section(0.0, 1.0);
    progress.tell(1.0)?;
    Ok(roots)
}
