//! Distances to the nearest root.

use super::neighbours::same_side_neighbours;
use crate::roots::coverage::index::RootIndex;
use crate::roots::measures::relative_radius;
use crate::roots::{Roots, SampleError};
use serde::Serialize;

/// Width of a bin of [`Nearest::histogram`], in r_max = 2 √(A / (2 √3 N)).
pub const HISTOGRAM_WIDTH: f64 = 0.05;

/// Number of bins: the last ends at 2 r_max, which random points exceed once in two million.
pub const HISTOGRAM_BINS: usize = 40;

/// Distances of the roots to the nearest root on their side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Nearest {
    /// The smallest, decimetres; `None`: no two roots are on a side.
    pub min: Option<f64>,
    /// Their mean, decimetres, over the roots that have one.
    pub mean: Option<f64>,
    /// The number of roots per bin, from 0 by [`HISTOGRAM_WIDTH`].
    pub histogram: Vec<usize>,
    /// The number of roots beyond the last bin, or alone on their side.
    pub beyond: usize,
}

/// The distance of each root to the nearest root on its side, decimetres; infinite where it
/// is alone. In the order of the roots. Takes about 2 µs per root.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite, or more than 32
/// roots at one place.
pub fn nearest_distances(roots: &Roots) -> Result<Vec<f64>, SampleError> {
    distances(roots, &mut super::checked_index(roots)?, |_| Ok(()))
}

/// The same with an index of those roots at hand.
pub(super) fn distances(
    roots: &Roots,
    index: &mut RootIndex,
    mut step: impl FnMut(f64) -> Result<(), SampleError>,
) -> Result<Vec<f64>, SampleError> {
    let count = roots.positions.len();
    let mut found = Vec::new();
    (0..count)
        .map(|root| {
            step(root as f64 / count as f64)?;
            same_side_neighbours(index, root, 1, &mut found);
            Ok(found
                .first()
                .map_or(f64::INFINITY, |nearest| nearest.0.sqrt()))
        })
        .collect()
}

impl Nearest {
    /// Sums up the distances of as many roots on a scalp of that area.
    pub(super) fn of(distances: &[f64], area: f64) -> Nearest {
        let known = || distances.iter().filter(|d| d.is_finite());
        let number = known().count();
        let mut histogram = vec![0; HISTOGRAM_BINS];
        let mut beyond = 0;
        for &distance in distances {
            let bin = relative_radius(distance, distances.len(), area) / HISTOGRAM_WIDTH;
            // Casting saturates: infinity is beyond.
            match histogram.get_mut(bin as usize) {
                Some(bin) => *bin += 1,
                None => beyond += 1,
            }
        }
        Nearest {
            min: known().copied().reduce(f64::min),
            mean: (number > 0).then(|| known().sum::<f64>() / number as f64),
            histogram,
            beyond,
        }
    }
}
