//! The pair correlation function: pairs at each distance, relative to random points.

use super::mean_spacing;
use crate::roots::index::{RootIndex, same_side};
use crate::roots::work::{Progress, Result};
use crate::{roots::sampling::simple::RandomPoints, scalp::Scalp};
use glam::{DVec3, Vec3};
use serde::Serialize;

/// The width of a bin in √(A/N).
pub const PAIR_WIDTH: f64 = 0.1;

/// The number of bins. The last ends at 4 √(A/N).
pub const PAIR_BINS: usize = 40;

/// The largest numbers of roots and of random points that are centres of shells. Each has 50 roots
/// in reach and 0.6 in the shell at √(A/N), so the noise there is below 1 %.
const CENTRES: usize = 50_000;
const RANDOM: usize = 100_000;

/// The number of roots seen from all centres together at which counting ends early. In a heap on a
/// large scalp all roots are in reach of each.
const MOST_SEEN: usize = 20_000_000;

/// The seed of the random points.
const SEED: u64 = 0x9A17;

/// The pair correlation function g.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairCorrelation {
    /// √(A/N), decimetres.
    pub unit: f64,
    /// The bins by rising distance from 0, each [`PAIR_WIDTH`] units wide.
    pub bins: Vec<PairBin>,
}

/// One bin of g.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairBin {
    /// The middle of the bin in units of √(A/N).
    pub distance: f64,
    /// The number of pairs relative to random points. `None` if the scalp has no two points that
    /// far apart, or too few to be found.
    pub g: Option<f64>,
}

/// Returns the pair correlation function of the roots of an index; `None` for fewer than two.
///
/// g = (mean number of other roots in a shell around a root / (N − 1)) / (mean number of
/// roots in a shell around a random point of the scalp / N). The latter is also the number of
/// random points around the roots, so edges, curvature and folds weigh in both alike.
pub fn correlation(
    scalp: &Scalp,
    index: &mut RootIndex,
    progress: &mut Progress,
) -> Result<Option<PairCorrelation>> {
    let count = index.len();
    if count < 2 {
        return Ok(None);
    }
    let unit = mean_spacing(scalp.area(), count);
    let mut points = RandomPoints::new(scalp, true, SEED);
    let around_roots = in_shells(index, unit, count.min(CENTRES), |index, centre| {
        progress.step(0.3 * centre as f64 / CENTRES as f64)?;
        let root = match count > CENTRES {
            true => points.random.below(count),
            false => centre,
        };
        let (p, side) = index.at(root);
        Ok((p, side, Some(root)))
    })?;
    let around_points = in_shells(index, unit, RANDOM, |_, number| {
        progress.step(0.3 + 0.7 * number as f64 / RANDOM as f64)?;
        let (triangle, (u, v)) = points.next_place();
        let p = scalp.plane(triangle).at(u, v);
        Ok((p, scalp.face_normal(triangle), None))
    })?;
    let bins = (0..PAIR_BINS).map(|bin| {
        let expected = around_points[bin] / count as f64;
        PairBin {
            distance: (bin as f64 + 0.5) * PAIR_WIDTH,
            g: (expected > 0.0).then(|| around_roots[bin] / (count - 1) as f64 / expected),
        }
    });
    Ok(Some(PairCorrelation {
        unit,
        bins: bins.collect(),
    }))
}

/// Returns the mean number of roots in each shell around some centres. `centre` returns the place
/// of one, its side, and the root that is not counted there.
fn in_shells(
    index: &mut RootIndex,
    unit: f64,
    centres: usize,
    mut centre: impl FnMut(&RootIndex, usize) -> Result<(DVec3, Vec3, Option<usize>)>,
) -> Result<[f64; PAIR_BINS]> {
    let width = PAIR_WIDTH * unit;
    let reach = width * PAIR_BINS as f64;
    let (mut seen, mut done, mut counts) = (0, 0, [0_usize; PAIR_BINS]);
    while done < centres && seen <= MOST_SEEN {
        let (p, side, except) = centre(index, done)?;
        done += 1;
        index.visit(p, reach, |root, position, normal| {
            seen += 1;
            if Some(root) != except && same_side(normal, side) {
                let bin = position.distance(p) / width;
                if let Some(count) = counts.get_mut(bin as usize) {
                    *count += 1;
                }
            }
        });
    }
    Ok(counts.map(|count| count as f64 / done as f64))
}
