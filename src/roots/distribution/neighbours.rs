//! The few nearest roots on the same side, however unevenly roots lie.

use crate::roots::coverage::index::{RootIndex, same_side};
use glam::DVec3;
use std::num::NonZeroUsize;

/// Roots asked for beyond the wanted ones and the root itself: spares the second question
/// where a few lie on the other side.
const SPARE: usize = 2;

/// The factor on the number of neighbours to find when too few of them were on the same side.
const WIDEN: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Fills `found` with squared distance and position of the `wanted` roots that are nearest to
/// a root on its side, nearest first; fewer if there are no more.
///
/// Asks for a number and not for a radius, as no radius suits a set that is dense here and
/// thin there. Roots on other sides in between cost little on the whole: the balls that
/// reach to the nearest root (of one side) overlap in no more than a fixed number.
pub(super) fn same_side_neighbours(
    index: &mut RootIndex,
    root: usize,
    wanted: usize,
    found: &mut Vec<(f64, DVec3)>,
) {
    let (p, side) = index.at(root);
    let mut ask = NonZeroUsize::MIN.saturating_add(wanted + SPARE);
    loop {
        found.clear();
        index.visit_nearest(p, ask, |other, position, normal| {
            if other != root && same_side(normal, side) {
                found.push((position.distance_squared(p), position));
            }
        });
        if found.len() >= wanted || ask.get() >= index.len() {
            break;
        }
        ask = ask.saturating_mul(WIDEN);
    }
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(wanted);
}
