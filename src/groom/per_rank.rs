//! Random values that belong to ranks.

use crate::roots::Roots;

/// Draws a value for every rank of the full set and returns those of the roots that are there, so
/// that a strand keeps its values when others come or go.
pub(super) fn draw_per_rank<T>(roots: &Roots, mut draw: impl FnMut() -> T) -> Vec<T> {
    let mut ranks = roots.ranks.iter().peekable();
    let mut drawn = Vec::with_capacity(roots.ranks.len());
    for rank in 0..roots.full_count as u32 {
        let value = draw();
        if ranks.next_if_eq(&&rank).is_some() {
            drawn.push(value);
        }
    }
    drawn
}
