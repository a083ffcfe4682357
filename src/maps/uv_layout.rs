//! The UV layout of a part: which point of the skin lies at a point of its texture.

#[cfg(test)]
mod tests;

use super::uv_triangle::{UvTriangle, skin_area};
use crate::head::Part;
use glam::{DVec2, DVec3, Vec2, Vec3};
use std::ops::{Range, RangeInclusive};

/// Largest ratio between the scale of a triangle and that of the whole part: UVs of slivers say
/// little.
const MAX_STRETCH: f64 = 16.0;
/// Cells along a side, a power of two.
const SIDES: RangeInclusive<usize> = 8..=512;
/// Longest list of a cell; triangles beyond it overlap others anyway.
const MAX_LIST: u32 = 4096;
/// Largest number of entries of all lists: at least, and per triangle. Cells become larger until
/// the lists fit.
const MAX_ENTRIES: [usize; 2] = [4 << 20, 8];

/// The UV layout of a part, for looking up points of the skin.
///
/// UVs beyond 0 to 1 tile, as maps do. Left out are triangles that have no area in UV space or
/// whose UVs are unusable, and all but the first 4,096 triangles that meet at one point. Methods
/// that take a part need the part that the layout was made of; with another one they find nothing,
/// or a wrong point.
#[derive(Debug)]
pub(crate) struct UvLayout {
    /// Decimetres per unit of UV, the mean over the whole skin.
    scale: f64,
    /// Cells along each side of a grid over the unit square.
    side: usize,
    /// The start of the list of triangles of each cell, rows first, and the end of the last one.
    starts: Vec<u32>,
    /// The triangles that touch each cell, in the order of the part.
    lists: Vec<u32>,
}

/// A point of the skin that was found by its UV.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UvPoint {
    /// The point, head space, decimetres.
    pub(crate) position: Vec3,
    /// Decimetres per unit of UV around it: the square root of the triangle's area on the skin over
    /// its area in UV space. At most 16 times larger or smaller than the mean over the part.
    pub(crate) scale: f32,
}

impl UvLayout {
    /// Returns the layout of a part; `None` if it has no usable UVs.
    pub(crate) fn of_part(part: &Part) -> Option<Self> {
        let (mut on_skin, mut in_uv, mut count) = (0.0, 0.0, 0);
        for (number, triangle) in uv_triangles(part) {
            on_skin += skin_area(part, part.triangles[number as usize]).unwrap_or(0.0);
            in_uv += triangle.area();
            count += 1;
        }
        let scale = f64::sqrt(on_skin / in_uv);
        if !scale.is_finite() {
            return None;
        }
        let few = |side: &usize| side.is_power_of_two() && side * side <= 2 * count;
        let mut side = SIDES.rev().find(few).unwrap_or(*SIDES.start());
        let max_entries = MAX_ENTRIES[0].max(MAX_ENTRIES[1] * count);
        let entries = |side| {
            let boxes = uv_triangles(part).map(|(_, triangle)| cell_box(&triangle, side));
            boxes
                .map(|[rows, columns]| rows.len() * columns.len())
                .sum::<usize>()
        };
        while side > 1 && entries(side) > max_entries {
            side /= 2;
        }
        let mut starts = vec![0; side * side + 1];
        for cell in uv_triangles(part).flat_map(|(_, triangle)| cells(&triangle, side)) {
            starts[cell + 1] = MAX_LIST.min(starts[cell + 1] + 1);
        }
        for cell in 0..side * side {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut lists = vec![0; starts[side * side] as usize];
        for (number, triangle) in uv_triangles(part) {
            for cell in cells(&triangle, side) {
                if next[cell] < starts[cell + 1] {
                    lists[next[cell] as usize] = number;
                    next[cell] += 1;
                }
            }
        }
        Some(Self {
            scale,
            side,
            starts,
            lists,
        })
    }

    /// Returns the point of the skin at a UV: u goes right and v down, as in glTF, and the unit
    /// square tiles. Of triangles that overlap, the first one of the part that contains the UV
    /// counts, or else the first one whose border the UV lies on but for rounding. `None` if there
    /// is no skin.
    pub(crate) fn find(&self, part: &Part, uv: Vec2) -> Option<UvPoint> {
        if !uv.is_finite() {
            return None;
        }
        let uvs = part.uvs.as_ref()?;
        let p = uv.as_dvec2().to_array().map(wrap_to_unit).into();
        let mut found = None;
        for &number in self.triangles_at(p) {
            let corners = *part.triangles.get(number as usize)?;
            let triangle = UvTriangle::of(uvs, corners)?;
            match triangle.weights_in_tiles(p) {
                Some((weights, true)) => {
                    found = Some((corners, triangle, weights));
                    break;
                }
                Some((weights, false)) => found = found.or(Some((corners, triangle, weights))),
                None => {}
            }
        }
        let (corners, triangle, weights) = found?;
        let mut position = DVec3::ZERO;
        for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
            position += part.positions.get(corner as usize)?.as_dvec3() * weight;
        }
        let scale = (skin_area(part, corners)? / triangle.area()).sqrt();
        let scale = scale.clamp(self.scale / MAX_STRETCH, self.scale * MAX_STRETCH);
        position.is_finite().then(|| UvPoint {
            position: position.as_vec3(),
            scale: scale as f32,
        })
    }

    /// Returns the triangles that may contain a point whose coordinates are 0 to below 1.
    fn triangles_at(&self, p: DVec2) -> &[u32] {
        let index = |x: f64| ((x * self.side as f64) as usize).min(self.side - 1);
        let cell = index(p.y) * self.side + index(p.x);
        &self.lists[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// The rows and columns of cells that the bounding box of a triangle touches; those beyond the
/// square wrap around.
fn cell_box(triangle: &UvTriangle, side: usize) -> [Range<usize>; 2] {
    let bounds = triangle.bounds();
    let [low, high] = bounds.map(|corner| (corner * side as f64).floor());
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

/// Returns the copies of each usable triangle, with its index into [`Part::triangles`], that reach
/// into the unit square: one, or one per tile that the triangle spans.
#[cfg(feature = "render")]
pub(crate) fn triangles_in_unit_square(part: &Part) -> impl Iterator<Item = (u32, [DVec2; 3])> {
    uv_triangles(part).flat_map(|(number, triangle)| {
        let moved = move |tile| (number, triangle.corners.map(|corner| corner - tile));
        triangle.tiles().map(moved)
    })
}

/// The usable triangles of a part, with their indices into [`Part::triangles`].
fn uv_triangles(part: &Part) -> impl Iterator<Item = (u32, UvTriangle)> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    let triangle = |&corners| UvTriangle::of(uvs, corners);
    let numbered = (0..).zip(part.triangles.iter().map(triangle));
    numbered.filter_map(|(number, triangle)| Some((number, triangle?)))
}

/// Returns a coordinate wrapped to 0 to below 1.
fn wrap_to_unit(x: f64) -> f64 {
    let wrapped = x.rem_euclid(1.0);
    // Slightly negative numbers are rounded to 1.
    if wrapped < 1.0 { wrapped } else { 0.0 }
}
