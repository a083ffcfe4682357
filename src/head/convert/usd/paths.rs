//! The table of paths of the binary format of USD.

use super::refused;
use crate::head::error::Result;

/// The index of what there is not.
pub const NONE: u32 = u32::MAX;

/// A path: an element of another, or an attribute of a prim.
#[derive(Clone, Copy)]
pub struct Place {
    pub parent: u32,
    /// The number of its name; negative for attributes.
    pub token: i32,
}

/// Fills the places of paths, and returns the order in which they were met: each has a child, which
/// follows it, or a next one of the same parent, whose distance `jumps` tells, or both.
pub fn decode(
    numbers: &[u32],
    elements: &[u32],
    jumps: &[u32],
    places: &mut [Place],
) -> Result<Vec<u32>> {
    let mut order = Vec::with_capacity(numbers.len());
    let mut was_met = vec![false; numbers.len()];
    let mut open = vec![(0_usize, NONE)];
    let wrong = || refused("has paths in no order");
    while let Some((mut at, mut parent)) = open.pop() {
        loop {
            match was_met.get_mut(at) {
                Some(met) if !*met => *met = true,
                // An empty file has none.
                None if numbers.is_empty() => break,
                _ => return Err(wrong()),
            }
            let path = numbers[at];
            let Some(place) = places.get_mut(path as usize) else {
                return Err(refused("has a path whose number is out of range"));
            };
            *place = Place {
                parent,
                token: elements[at] as i32,
            };
            order.push(path);
            let jump = jumps[at] as i32;
            let next = (jump > 0).then(|| at + jump as usize);
            let (has_child, has_next) = (jump > 0 || jump == -1, jump >= 0);
            if has_child {
                open.extend(next.map(|next| (next, parent)));
                parent = path;
            } else if !has_next {
                break;
            }
            // Nothing is beside the root.
            if parent == NONE {
                return Err(wrong());
            }
            at += 1;
        }
    }
    Ok(order)
}
