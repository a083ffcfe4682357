//! The selection: how much brushes act on each strand.

use super::strands::Strands;
use crate::groom::GroomSettings;
use crate::roots::RootIndex;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Distance along the skin over which the selection grows, shrinks or becomes soft, decimetres.
const REACH: f64 = 0.12;
/// The least reach in spacings of the roots, for sparse hair.
const REACH_SPACINGS: f64 = 2.0;
/// The number of cells of the grid in the reach.
const CELLS: f64 = 4.0;

crate::choices! {
    /// A way to change the selection.
    pub enum SelectBy: "way to select" = Strand {
        /// The strands under the brush
        Strand = "strand",
        /// The strands under the brush, with all that the groom gathers with them
        Clump = "clump",
        /// All hair: brushes act everywhere
        All = "all",
        /// No hair
        None = "none",
        /// Hair that was not selected
        Invert = "invert",
        /// Selected hair, and the hair around it
        Grow = "grow",
        /// Selected hair, without its edge
        Shrink = "shrink",
        /// Selected hair, with a soft edge
        Soften = "soften",
        /// Hair where the first mask map is bright
        Mask1 = "mask1",
        /// Hair where the second mask map is bright
        Mask2 = "mask2",
        /// Hair where the third mask map is bright
        Mask3 = "mask3",
        /// Hair where the fourth mask map is bright
        Mask4 = "mask4",
    }
}

impl SelectBy {
    /// Returns `true` if it is done by strokes.
    pub fn is_brush(self) -> bool {
        matches!(self, Self::Strand | Self::Clump)
    }
}

/// The share by which each strand is selected, 0 to 1, by follicle. By default all hair is.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    values: Vec<f32>,
    /// The share of follicles beyond them, such as those of bald skin before it has any.
    rest: f32,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            rest: 1.0,
        }
    }
}

impl Selection {
    /// Returns a selection with these values, and `rest` for follicles beyond them. All are cut off at 0
    /// and 1. If all values are 1, all hair is selected.
    pub fn new(mut values: Vec<f32>, rest: f32) -> Self {
        let in_range = |value: f32| match value.is_nan() {
            true => 0.0,
            false => value.clamp(0.0, 1.0),
        };
        values
            .iter_mut()
            .for_each(|value| *value = in_range(*value));
        match values.iter().all(|&value| value >= 1.0) {
            true => Self::default(),
            false => Self {
                values,
                rest: in_range(rest),
            },
        }
    }

    /// Returns `true` if all hair is selected.
    pub fn is_all(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the values by follicle; empty if all hair is selected.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns the share of follicles beyond the values.
    pub fn rest(&self) -> f32 {
        self.rest
    }

    /// Returns how much the strand of a follicle is selected.
    #[inline]
    pub fn of(&self, follicle: u32) -> f32 {
        let value = self.values.get(follicle as usize);
        value.copied().unwrap_or(self.rest)
    }

    /// Returns the values of this number of follicles.
    pub(super) fn spread(&self, follicles: usize) -> Vec<f32> {
        (0..follicles as u32).map(|f| self.of(f)).collect()
    }

    /// Selects follicles fully. Of hair that is all selected, nothing changes.
    pub(super) fn add(&mut self, follicles: impl Iterator<Item = u32>) {
        if self.is_all() {
            return;
        }
        for follicle in follicles {
            let needed = follicle as usize + 1;
            if self.values.len() < needed {
                self.values.resize(needed, self.rest);
            }
            self.values[follicle as usize] = 1.0;
        }
    }
}

/// A change of what is selected by the roots around each strand: to the largest value, to the least,
/// or to the weighted mean. Roots in one cell of a grid count at their mean position, as there may
/// be thousands in reach of each other.
pub(super) struct Around<'a> {
    pub(super) strands: &'a Strands,
    /// The spacing of the roots, decimetres.
    pub(super) spacing: f32,
    pub(super) by: SelectBy,
}

/// The strands in a cell.
struct Cell {
    middle: DVec3,
    normal: Vec3,
    strands: Vec<usize>,
    sum: f64,
    most: f32,
    least: f32,
}

impl Around<'_> {
    /// Returns the new value of each strand.
    ///
    /// A root at the distance d counts in a mean by (1 − (d / reach)²)².
    pub(super) fn changed(&self, values: &[f32]) -> Vec<f32> {
        let reach = REACH.max(REACH_SPACINGS * f64::from(self.spacing));
        let side = reach / CELLS;
        let cells = self.cells(values, side);
        let mut index = RootIndex::default();
        // A cell that the index refuses changes nothing around it.
        let mut add = |cell: &Cell| index.add(cell.middle.as_vec3(), cell.normal).is_ok();
        let indexed: Vec<&Cell> = cells.iter().filter(|&cell| add(cell)).collect();
        let near = cells.iter().map(|cell| {
            let mut near = Vec::new();
            // The diagonal of a cell reaches beyond its middle.
            index.visit(cell.middle, reach + 2.0 * side, |i, _, _| near.push(i));
            // The index gives no fixed order, and sums of floats depend on it.
            near.sort_unstable();
            near
        });
        let near: Vec<Vec<usize>> = near.collect();
        let changed = cells.par_iter().zip(&near).flat_map_iter(|(cell, near)| {
            cell.strands.iter().map(|&strand| {
                let near = near.iter().map(|&cell| indexed[cell]);
                (strand, self.value(strand, values, reach, near))
            })
        });
        let mut new = values.to_vec();
        for (strand, value) in changed.collect::<Vec<_>>() {
            new[strand] = value;
        }
        new
    }

    /// Returns the strands in the cells of a grid.
    fn cells(&self, values: &[f32], side: f64) -> Vec<Cell> {
        let roots = &self.strands.roots;
        let key = |i: usize| {
            let place = (roots[i].as_dvec3() / side).floor();
            place.to_array().map(|x| x as i64)
        };
        let mut order: Vec<([i64; 3], usize)> = (0..roots.len()).map(|i| (key(i), i)).collect();
        order.par_sort_unstable();
        let groups = order.chunk_by(|(a, _), (b, _)| a == b);
        let cell = |group: &[([i64; 3], usize)]| {
            let strands: Vec<usize> = group.iter().map(|(_, strand)| *strand).collect();
            let each = || strands.iter().map(|&strand| values[strand]);
            let middle: DVec3 = strands.iter().map(|&i| roots[i].as_dvec3()).sum();
            Cell {
                middle: middle / strands.len() as f64,
                normal: strands.iter().map(|&i| self.strands.normals[i]).sum(),
                sum: each().map(f64::from).sum(),
                most: each().fold(0.0, f32::max),
                least: each().fold(1.0, f32::min),
                strands,
            }
        };
        groups.map(cell).collect()
    }

    /// Returns the new value of a strand with these cells around.
    fn value<'a>(
        &self,
        strand: usize,
        values: &[f32],
        reach: f64,
        near: impl Iterator<Item = &'a Cell>,
    ) -> f32 {
        let (root, normal) = (self.strands.roots[strand], self.strands.normals[strand]);
        let (mut sum, mut weights) = (0.0, 0.0);
        let [mut most, mut least] = [values[strand]; 2];
        for cell in near {
            let share = root.as_dvec3().distance(cell.middle) / reach;
            if share >= 1.0 || normal.dot(cell.normal) <= 0.0 {
                continue;
            }
            let weight = (1.0 - share * share).powi(2);
            sum += weight * cell.sum;
            weights += weight * cell.strands.len() as f64;
            (most, least) = (most.max(cell.most), least.min(cell.least));
        }
        match self.by {
            SelectBy::Grow => most,
            SelectBy::Shrink => least,
            _ if weights > 0.0 => (sum / weights) as f32,
            _ => values[strand],
        }
    }
}

/// Returns a number for each strand that those share that a groom gathers with it: the clump in
/// its widest level of clumps. Strands without clumps have their own.
pub(super) fn clumps(strands: &Strands, settings: &GroomSettings) -> Vec<u32> {
    match settings.widest_clump() {
        Some(size) => crate::groom::locks(&strands.roots, &strands.normals, size),
        None => (0..strands.len() as u32).collect(),
    }
}
