//! Measures of the nearest neighbours: their distances, and how hexagonal they lie.

use crate::roots::index::{RootIndex, same_side};
use crate::roots::measures::relative_radius;
use crate::roots::work::{Progress, Result};
use crate::roots::{Roots, SampleError};
use glam::{DVec2, DVec3};
use serde::Serialize;
use std::{num::NonZeroUsize, ops::ControlFlow};

/// The width of a bin of [`Nearest::histogram`], in r_max = 2 √(A / (2 √3 N)).
pub const HISTOGRAM_WIDTH: f64 = 0.05;

/// The number of bins. The last ends at 2 r_max, which random points exceed once in two million.
pub const HISTOGRAM_BINS: usize = 40;

/// The number of neighbours in a hexagonal lattice.
const BONDS: usize = 6;

/// The largest number of roots of which the mean bond order is taken. Its error is then below
/// 0.001.
const MOST_BONDED: usize = 100_000;

/// The number of roots to find beyond the wanted ones and the root itself, which spares a second
/// query if a few are on the other side.
const SPARE: usize = 2;

/// The factor on the number of roots to find if too few of them were on the same side.
const WIDEN: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Distances of the roots to the nearest root on their side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Nearest {
    /// The smallest distance, decimetres; `None` if no two roots are on a side.
    pub min: Option<f64>,
    /// The mean of the distances, decimetres, over the roots that have one.
    pub mean: Option<f64>,
    /// The number of roots per bin, from 0 by [`HISTOGRAM_WIDTH`].
    pub histogram: Vec<usize>,
    /// The number of roots beyond the last bin, or alone on their side.
    pub beyond: usize,
}

impl Nearest {
    /// Summarises the distances of the roots on a scalp of that area.
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
            min: closest(distances),
            mean: (number > 0).then(|| known().sum::<f64>() / number as f64),
            histogram,
            beyond,
        }
    }
}

/// Returns the distance of each root to the nearest root on its side, decimetres; infinite if it is
/// alone. Takes about 2 µs per root.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite, or more than
/// 1,000 roots at one place.
pub fn nearest_distances(roots: &Roots) -> Result<Vec<f64>, SampleError> {
    let mut go_on = |_| ControlFlow::Continue(());
    let progress = &mut Progress::new(&mut go_on, 0);
    distances(&mut super::checked_index(roots)?, progress)
}

/// Returns the smallest distance of two roots whose faces look to the same side, decimetres; `None`
/// without such a pair.
///
/// # Errors
///
/// The errors of [`nearest_distances`].
pub fn min_distance(roots: &Roots) -> Result<Option<f64>, SampleError> {
    Ok(closest(&nearest_distances(roots)?))
}

/// Returns the smallest of some distances; `None` if all are infinite.
pub fn closest(distances: &[f64]) -> Option<f64> {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    least.is_finite().then_some(least)
}

/// Returns the nearest distances of all roots of an index.
pub fn distances(index: &mut RootIndex, progress: &mut Progress) -> Result<Vec<f64>> {
    let (count, mut found) = (index.len(), Vec::new());
    let distances = (0..count).map(|root| {
        progress.step(root as f64 / count as f64)?;
        find_nearest(index, root, 1, &mut found);
        let nearest = found.first();
        Ok(nearest.map_or(f64::INFINITY, |(distance2, _)| distance2.sqrt()))
    });
    distances.collect()
}

/// Returns |ψ₆| of each root, 0 to 1: 1 if its six nearest neighbours on its side make a regular
/// hexagon (Nelson and Halperin 1979); `None` if there are no six, or one of them lies straight
/// above.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite, or more than
/// 1,000 roots at one place.
pub fn bond_order(roots: &Roots) -> Result<Vec<Option<f64>>, SampleError> {
    let mut index = super::checked_index(roots)?;
    let mut found = Vec::new();
    let orders = (0..index.len()).map(|root| bond_order_of(&mut index, root, &mut found));
    Ok(orders.collect())
}

/// Returns the mean bond order of the roots of an index, or of evenly many of them.
pub fn mean_bond_order(index: &mut RootIndex, progress: &mut Progress) -> Result<Option<f64>> {
    let (count, mut found) = (index.len(), Vec::new());
    let (mut sum, mut number) = (0.0, 0);
    for root in (0..count).step_by(count.div_ceil(MOST_BONDED).max(1)) {
        progress.step(root as f64 / count as f64)?;
        if let Some(order) = bond_order_of(index, root, &mut found) {
            sum += order;
            number += 1;
        }
    }
    Ok((number > 0).then(|| sum / f64::from(number)))
}

fn bond_order_of(index: &mut RootIndex, root: usize, found: &mut Vec<(f64, DVec3)>) -> Option<f64> {
    find_nearest(index, root, BONDS, found);
    if found.len() < BONDS {
        return None;
    }
    let (p, face_normal) = index.at(root);
    let face_normal = face_normal.as_dvec3().try_normalize()?;
    let (x, y) = face_normal.any_orthonormal_pair();
    let mut sum = DVec2::ZERO;
    for (_, neighbour) in &*found {
        let bond = *neighbour - p;
        // e^{iθ} is the unit bond itself as a complex number; its sixth power needs no angle.
        let first = DVec2::new(bond.dot(x), bond.dot(y)).try_normalize()?;
        let third = first.rotate(first).rotate(first);
        sum += third.rotate(third);
    }
    Some(sum.length() / BONDS as f64)
}

/// Replaces `found` by squared distance and position of the `wanted` roots that are nearest to a
/// root on its side, nearest first; fewer if there are no more.
///
/// It searches for a number and not within a radius, as no radius suits a set that is dense here
/// and thin there. Roots on other sides in between cost little on the whole: the balls that reach
/// to the nearest root (of one side) overlap in no more than a fixed number.
fn find_nearest(index: &mut RootIndex, root: usize, wanted: usize, found: &mut Vec<(f64, DVec3)>) {
    let (p, side) = index.at(root);
    let mut count = NonZeroUsize::MIN.saturating_add(wanted + SPARE);
    loop {
        found.clear();
        index.visit_nearest(p, count, |other, position, normal| {
            if other != root && same_side(normal, side) {
                found.push((position.distance_squared(p), position));
            }
        });
        if found.len() >= wanted || count.get() >= index.len() {
            break;
        }
        count = count.saturating_mul(WIDEN);
    }
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(wanted);
}
