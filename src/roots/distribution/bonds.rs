//! Bond-orientational order: how much the six nearest roots look like a hexagon.

use super::neighbours::same_side_neighbours;
use crate::roots::coverage::index::RootIndex;
use crate::roots::{Roots, SampleError};
use glam::DVec2;

/// Neighbours in a hexagonal lattice.
const BONDS: usize = 6;

/// The mean is taken over at most so many roots (its error is then below 0.001).
const MOST: usize = 100_000;

/// |ψ₆| of each root, 0 to 1: 1 where its six nearest neighbours on its side make a regular
/// hexagon (Nelson and Halperin 1979); `None` where there are no six, or one of them lies
/// straight above. In the order of the roots.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite, or more than 32
/// roots at one place.
pub fn bond_order(roots: &Roots) -> Result<Vec<Option<f64>>, SampleError> {
    let mut index = super::checked_index(roots)?;
    let mut found = Vec::new();
    let all = 0..roots.positions.len();
    Ok(all
        .map(|root| of_root(&mut index, root, &mut found))
        .collect())
}

/// The mean over the roots that have one, or over evenly many of them.
pub(super) fn mean(
    roots: &Roots,
    index: &mut RootIndex,
    mut step: impl FnMut(f64) -> Result<(), SampleError>,
) -> Result<Option<f64>, SampleError> {
    let count = roots.positions.len();
    let mut found = Vec::new();
    let (mut sum, mut number) = (0.0, 0);
    for root in (0..count).step_by(count.div_ceil(MOST).max(1)) {
        step(root as f64 / count as f64)?;
        if let Some(order) = of_root(index, root, &mut found) {
            sum += order;
            number += 1;
        }
    }
    Ok((number > 0).then(|| sum / f64::from(number)))
}

fn of_root(index: &mut RootIndex, root: usize, found: &mut Vec<(f64, glam::DVec3)>) -> Option<f64> {
    same_side_neighbours(index, root, BONDS, found);
    if found.len() < BONDS {
        return None;
    }
    let (p, face_normal) = index.at(root);
    let (x, y) = face_normal
        .as_dvec3()
        .try_normalize()?
        .any_orthonormal_pair();
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
