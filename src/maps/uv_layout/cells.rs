//! The triangles near a point of the unit square: a list for each cell of a regular grid.

use crate::maps::uv_triangle::UvTriangle;
use glam::DVec2;
use std::ops::{Range, RangeInclusive};

/// Cells along a side, a power of two.
const SIDES: RangeInclusive<usize> = 8..=512;
/// Longest list of a cell; triangles beyond it overlap others anyway.
const MAX_LIST: u32 = 4096;
/// Largest number of entries of all lists: at least, and per triangle. Cells become larger until
/// the lists fit.
const MAX_ENTRIES: [usize; 2] = [4 << 20, 8];

/// Lists of triangles per cell, rows first, each in the order of the triangles.
#[derive(Debug)]
pub(super) struct Cells {
    side: usize,
    /// The start of the list of each cell, and the end of the last one.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Cells {
    /// Lists triangles, given with their numbers.
    pub(super) fn of<I: Iterator<Item = (u32, UvTriangle)>>(triangles: impl Fn() -> I) -> Self {
        let count = triangles().count();
        let few = |side: &usize| side.is_power_of_two() && side * side <= 2 * count;
        let mut side = SIDES.rev().find(few).unwrap_or(*SIDES.start());
        let max_entries = MAX_ENTRIES[0].max(MAX_ENTRIES[1] * count);
        let entries = |side| -> usize {
            let cells = |triangle| cell_box(&triangle, side).map(|range| range.len());
            triangles()
                .map(|(_, triangle)| cells(triangle))
                .map(|[rows, columns]| rows * columns)
                .sum()
        };
        while side > 1 && entries(side) > max_entries {
            side /= 2;
        }
        let mut starts = vec![0; side * side + 1];
        for cell in triangles().flat_map(|(_, triangle)| cells(&triangle, side)) {
            starts[cell + 1] = MAX_LIST.min(starts[cell + 1] + 1);
        }
        for cell in 0..side * side {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[side * side] as usize];
        for (number, triangle) in triangles() {
            for cell in cells(&triangle, side) {
                if next[cell] < starts[cell + 1] {
                    list[next[cell] as usize] = number;
                    next[cell] += 1;
                }
            }
        }
        Self {
            side,
            starts,
            triangles: list,
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        (self.starts.len() + self.triangles.len()) * size_of::<u32>()
    }

    /// Returns the triangles that may contain a point whose coordinates are 0 to below 1.
    pub(super) fn at(&self, p: DVec2) -> &[u32] {
        let index = |x: f64| ((x * self.side as f64) as usize).min(self.side - 1);
        let cell = index(p.y) * self.side + index(p.x);
        &self.triangles[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// The rows and columns of cells that the bounding box of a triangle touches; those beyond the
/// square wrap around.
fn cell_box(triangle: &UvTriangle, side: usize) -> [Range<usize>; 2] {
    let [low, high] = triangle
        .bounds()
        .map(|corner| (corner * side as f64).floor());
    // The box begins in the first tile, or just before it. Wrapped around, more than all cells
    // would be listed twice.
    let range = |low: f64, high: f64| {
        let first = (low as i64).rem_euclid(side as i64) as usize;
        first..first + ((high - low) as usize + 1).min(side)
    };
    [range(low.y, high.y), range(low.x, high.x)]
}

/// The cells of that box.
fn cells(triangle: &UvTriangle, side: usize) -> impl Iterator<Item = usize> + use<> {
    let [rows, columns] = cell_box(triangle, side);
    rows.flat_map(move |row| {
        let row = row % side * side;
        columns.clone().map(move |column| row + column % side)
    })
}
