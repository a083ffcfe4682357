//! The grid of nodes of a field.

use super::bricks::{BRICK, BYTES};
use super::settings::{SdfError, SdfSettings};
use glam::{DVec3, Vec3};

/// The smallest size of the skin in cells.
const MIN_CELLS: f64 = 32.0;
/// The allowed sizes of the skin, decimetres; single precision fails for others.
const SIDES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// The largest allowed distance of the skin from the origin, in multiples of its size.
const MAX_OFFSET: f64 = 4096.0;
/// The factor by which cells grow until the field fits its memory.
const COARSER: f64 = 1.01;

/// Nodes within so many cells of the skin are exact.
const FAR_CELLS: f32 = 12.0;

/// Evenly spaced nodes, x fastest, then y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// The first node, head space.
    pub(crate) low: [f32; 3],
    /// The spacing of the nodes, decimetres.
    pub(crate) cell: f32,
    /// The smallest distance from the box around the skin to the sides, decimetres.
    pub(crate) margin: f32,
    /// The number of nodes along each axis, at least 2.
    pub(crate) size: [usize; 3],
}

impl Grid {
    /// Returns the grid around a box.
    pub(crate) fn around(
        (low, high): (Vec3, Vec3),
        settings: &SdfSettings,
    ) -> Result<Self, SdfError> {
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let sides = high - low;
        let side = sides.max_element();
        let farthest = low.abs().max(high.abs()).max_element();
        if !(SIDES.contains(&side) && farthest <= MAX_OFFSET * side) {
            return Err(SdfError::BadSize { side, farthest });
        }
        let margin = f64::from(settings.margin).min(0.5 * side);
        let sides = sides + 2.0 * margin;
        let mut cell = f64::from(settings.cell).min(side / MIN_CELLS);
        // A spare cell keeps the margin in spite of rounding.
        let nodes = |cell: f64| sides.to_array().map(|side| (side / cell).ceil() + 2.0);
        let bytes = |cell: f64| {
            let bricks = nodes(cell).map(|nodes| ((nodes - 1.0) / BRICK as f64).ceil());
            bricks.iter().product::<f64>() * BYTES as f64
        };
        while bytes(cell) > f64::from(settings.most_bytes) {
            cell *= COARSER;
        }
        let cell = cell as f32;
        let size = nodes(f64::from(cell)).map(|n| n as usize);
        let reach = DVec3::from(size.map(|n| (n - 1) as f64)) * f64::from(cell);
        let low = (low + high) * 0.5 - reach * 0.5;
        Ok(Self {
            low: low.as_vec3().to_array(),
            cell,
            margin: margin as f32,
            size,
        })
    }

    /// Returns the distance from the skin up to which nodes are exact. Farther out, blocks take off
    /// at most half a cell.
    pub(crate) fn far(&self) -> f32 {
        self.margin.max(FAR_CELLS * self.cell)
    }

    /// Returns the position of a node.
    pub(crate) fn node(&self, at: [usize; 3]) -> DVec3 {
        Vec3::from(self.low).as_dvec3() + DVec3::from(at.map(|i| i as f64)) * f64::from(self.cell)
    }
}
