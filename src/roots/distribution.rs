//! Measures of how evenly roots are spread, for teachers and researchers.
//!
//! Every measure works on any set of roots, however it was made, and follows the side rule of
//! `docs/roots.md`: only roots whose faces look to the same side are neighbours. Formulas,
//! sources and limits: `docs/distribution.md`. Lengths are decimetres.

mod cells;
mod neighbours;
mod pairs;
mod spectrum;
mod square;

pub use cells::{Cell, CellCounts, EXPECTED_PER_CELL, cell_counts, equal_area_cells};
pub use neighbours::{
    HISTOGRAM_BINS, HISTOGRAM_WIDTH, Nearest, bond_order, closest, min_distance, nearest_distances,
};
pub use pairs::{PAIR_BINS, PAIR_WIDTH, PairBin, PairCorrelation};
pub use spectrum::{Ring, Spectrum, spectrum};
pub use square::unit_square;

use super::measures::{coverage, relative_radius};
use super::work::{Progress, Result};
use super::{Roots, SampleError, index::RootIndex, metric::Metric};
use crate::scalp::Scalp;
use glam::Vec3;
use serde::Serialize;
use std::ops::ControlFlow;

/// Measures of how evenly roots are spread over a scalp. Measures that do not exist for so few
/// roots are `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of roots N.
    pub count: usize,
    /// Area A of the scalp, square decimetres.
    pub area: f64,
    /// Distances to the nearest root.
    pub nearest: Nearest,
    /// The [`relative_radius`] of the smallest of them.
    pub relative_radius: Option<f64>,
    /// χ² of the counts in cells of equal area. `None` also if needles cross too many cells.
    pub cells: Option<CellCounts>,
    /// Mean over the roots of [`bond_order`].
    pub bond_order: Option<f64>,
    /// The scalp point that is farthest from its roots. `None` also if finding it would take too
    /// long ([`SampleError::Uneven`]) or some face has no root on its side.
    pub largest_gap: Option<LargestGap>,
    /// The number of pairs at each distance, relative to random points.
    pub pair_correlation: Option<PairCorrelation>,
}

/// The scalp point that is farthest from its roots.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LargestGap {
    /// The triangle it lies on.
    pub triangle: u32,
    /// The position, head space.
    pub position: Vec3,
    /// The distance to the nearest root on its side, decimetres.
    pub radius: f64,
    /// No point of the scalp is farther from its roots than this, decimetres.
    pub radius_upper_bound: f64,
}

/// Measures a set of roots, however it was made. Its `spacing` is not used.
///
/// `progress` receives the finished share in [0, 1] and may cancel, though not within the last
/// steps, cells and gap. Takes about 7 µs per root and a fifth of a second for any set; on
/// needles and for heaps some seconds more.
///
/// # Errors
///
/// [`SampleError::Index`] for positions or face normals that are not finite, or more than 1,000
/// roots at one place; [`SampleError::Cancelled`].
pub fn analyse(
    scalp: &Scalp,
    roots: &Roots,
    progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<Distribution, SampleError> {
    let mut progress = Progress::new(progress, 0);
    let (count, area) = (roots.positions.len(), scalp.area());
    progress.tell(0.0)?;
    let mut index = checked_index(roots)?;
    let distances = progress.part(0.05, 0.2, |part| neighbours::distances(&mut index, part))?;
    let nearest = Nearest::of(&distances, area);
    let bond_order = progress.part(0.2, 0.4, |part| {
        neighbours::mean_bond_order(&mut index, part)
    })?;
    let pair_correlation =
        progress.part(0.4, 0.6, |part| pairs::correlation(scalp, &mut index, part))?;
    drop(index);
    progress.tell(0.6)?;
    let cells = match equal_area_cells(scalp, roots) {
        Err(SampleError::Uneven) => None,
        cells => cell_counts(&cells?),
    };
    progress.tell(0.7)?;
    let largest_gap = largest_gap(scalp, roots);
    progress.tell(1.0)?;
    Ok(Distribution {
        count,
        area,
        relative_radius: nearest.min.map(|d| relative_radius(d, count, area)),
        nearest,
        cells,
        bond_order,
        largest_gap,
        pair_correlation,
    })
}

/// Returns the mean spacing √(A/N), decimetres, which is the side of the square that each root has
/// to itself.
fn mean_spacing(area: f64, count: usize) -> f64 {
    (area / count as f64).sqrt()
}

/// Returns the index of a set that may come from elsewhere.
fn checked_index(roots: &Roots) -> Result<RootIndex> {
    check(roots)?;
    RootIndex::of(&roots.positions, &roots.face_normals)
}

/// Checks that all positions and face normals of a set exist and are finite.
fn check(roots: &Roots) -> Result<()> {
    let (positions, normals) = (&roots.positions, &roots.face_normals);
    // A root without a side would search the whole set for neighbours.
    let sideless = |n: &Vec3| !n.is_finite() || *n == Vec3::ZERO;
    let (root, reason) = if positions.len() != normals.len() {
        let root = positions.len().min(normals.len());
        (root, "it has no face normal, or no position")
    } else if let Some(root) = positions.iter().position(|p| !p.is_finite()) {
        (root, "its position is not finite")
    } else if let Some(root) = normals.iter().position(sideless) {
        (root, "its face normal is not a direction")
    } else {
        return Ok(());
    };
    let reason = reason.into();
    Err(SampleError::Index { root, reason })
}

/// Returns the largest gap. Step and tolerance of its search fit the number of roots, as the
/// spacing of a set made elsewhere may be anything.
fn largest_gap(scalp: &Scalp, roots: &Roots) -> Option<LargestGap> {
    let spacing = f64::from(mean_spacing(scalp.area(), roots.positions.len()) as f32);
    let metric = Metric {
        radius: spacing,
        scaled: false,
    };
    let coverage = coverage(scalp, roots, metric).ok()?;
    coverage.gap.map(|gap| LargestGap {
        triangle: gap.point.triangle,
        position: gap.position,
        radius: gap.radius,
        radius_upper_bound: coverage.ratio_upper_bound * spacing,
    })
}
