//! The positions of a map's values on the skin, and the search for those near a point.

mod raster;

pub use raster::Place;

use super::map::{Layout, MAX_SIDE, MAX_VERTICES};
use super::uv_layout::skin_area;
use crate::bvh::bounds;
use crate::head::Part;
use glam::{DVec3, Vec3};

/// Side of a cell in texels. A cell has some dozens of places, so that few are visited in vain.
const TEXELS_PER_CELL: f64 = 6.0;
/// Tolerance of the visited range of cells against rounding, as a share of the radius.
const SLACK: f64 = 1e-5;
/// Number of cells that there may be, even if there are fewer places.
const MIN_CELL_LIMIT: f64 = 4096.0;

/// The positions of a map's values on the skin of a part.
///
/// Every value that is used to sample a point of the skin has a place. Where UVs overlap, as
/// mirrored ones do, a value has up to four places. A place takes 16 bytes.
#[derive(Clone, Debug)]
pub struct Canvas {
    layout: Layout,
    texel_size: f32,
    /// Places in the order of the cells of a regular grid; x is the fastest axis.
    places: Vec<Place>,
    /// `true` for each place whose value has other places too. Empty if no value has.
    shared: Vec<bool>,
    /// The start of the places of each cell, and the end of the last cell.
    starts: Vec<u32>,
    /// The lower corner of the grid, the side of a cell, and the number of cells along each axis.
    low: DVec3,
    cell: f64,
    cells: [usize; 3],
}

impl Canvas {
    /// Returns the canvas of a part in the layout of [`layout_of`](Self::layout_of).
    pub fn of_part(part: &Part, resolution: u32) -> Canvas {
        Canvas::with_layout(part, Canvas::layout_of(part, resolution))
    }

    /// Returns the layout of a square picture over the UVs of a part, `resolution` values wide
    /// (clamped to 1 to [`MAX_SIDE`]), or of its vertices if it has no UVs.
    pub fn layout_of(part: &Part, resolution: u32) -> Layout {
        let side = resolution.clamp(1, MAX_SIDE);
        let picture = Layout::Picture {
            width: side,
            height: side,
        };
        let vertices = Layout::Vertices(part.positions.len().min(MAX_VERTICES as usize) as u32);
        part.uvs.as_ref().map_or(vertices, |_| picture)
    }

    /// Returns the canvas of maps with a layout. A picture over a part without UVs has no places.
    ///
    /// UVs beyond 0 to 1 tile. Triangles whose UVs are not finite, or that cover the picture many
    /// times over, have no places.
    pub fn with_layout(part: &Part, layout: Layout) -> Canvas {
        match layout {
            Layout::Picture { width, height } => {
                let size = [width, height].map(|side| side.min(MAX_SIDE));
                let (places, texel_size) = raster::places(part, size);
                Canvas::of_places(layout, places, texel_size)
            }
            Layout::Vertices(count) => {
                let finite = |place: &Place| place.position.is_finite();
                let vertices = part.positions.iter().zip(0..count);
                let places = vertices.map(|(&position, texel)| Place { texel, position });
                let area = |&corners| skin_area(part, corners);
                let areas = part.triangles.iter().filter_map(area);
                let size = (areas.sum::<f64>() / f64::from(count.max(1))).sqrt() as f32;
                Canvas::of_places(layout, places.filter(finite).collect(), size)
            }
        }
    }

    /// Returns a canvas of `places`, given in the order of their values.
    fn of_places(layout: Layout, places: Vec<Place>, texel_size: f32) -> Canvas {
        let (low, high) = bounds(places.iter().map(|place| place.position));
        let (low, extent) = match places.is_empty() {
            true => (DVec3::ZERO, DVec3::ZERO),
            false => (low.as_dvec3(), high.as_dvec3() - low.as_dvec3()),
        };
        let max_cells = MIN_CELL_LIMIT.max(places.len() as f64);
        let smallest = (extent.max_element() / 1024.0).max(1e-30);
        let mut cell = (TEXELS_PER_CELL * f64::from(texel_size)).max(smallest);
        let counts = |cell: f64| (extent / cell).floor() + 1.0;
        while counts(cell).element_product() > max_cells {
            cell *= 1.25;
        }
        let mut canvas = Canvas {
            layout,
            texel_size,
            places: Vec::new(),
            shared: Vec::new(),
            starts: Vec::new(),
            low,
            cell,
            cells: counts(cell).to_array().map(|count| count as usize),
        };
        let cell_of = |place: &Place| {
            let [x, y, z] = canvas.cell(place.position.as_dvec3());
            ((z * canvas.cells[1] + y) * canvas.cells[0] + x) as u32
        };
        let cell_of: Vec<u32> = places.iter().map(cell_of).collect();
        let mut starts = vec![0_u32; canvas.cells.iter().product::<usize>() + 1];
        for &cell in &cell_of {
            starts[cell as usize + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; places.len()];
        for (at, &cell) in cell_of.iter().enumerate() {
            order[next[cell as usize] as usize] = at as u32;
            next[cell as usize] += 1;
        }
        let texel = |at: usize| places.get(at).map(|place| place.texel);
        let is_shared = |&at: &u32| {
            let at = at as usize;
            texel(at) == texel(at.wrapping_sub(1)) || texel(at) == texel(at + 1)
        };
        if order.iter().any(is_shared) {
            canvas.shared = order.iter().map(is_shared).collect();
        }
        canvas.starts = starts;
        canvas.places = order.iter().map(|&at| places[at as usize]).collect();
        canvas
    }

    /// Returns the layout of the maps that the canvas is for.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns all places, in an order that keeps neighbours on the skin near each other.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the mean distance between neighbouring values on the skin, decimetres.
    pub fn texel_size(&self) -> f32 {
        self.texel_size
    }

    /// Returns `true` if the value of a place has other places too.
    pub(super) fn is_shared(&self, place: usize) -> bool {
        self.shared.get(place).is_some_and(|&shared| shared)
    }

    /// Returns the cell of a point along each axis, clamped to the grid.
    fn cell(&self, p: DVec3) -> [usize; 3] {
        let at = ((p - self.low) / self.cell).to_array();
        // Casts saturate, and turn NaN into 0.
        std::array::from_fn(|axis| (at[axis] as usize).min(self.cells[axis] - 1))
    }

    /// Calls `found` with the index of each place within a radius (decimetres, finite) of a point,
    /// and the place, always in the same order.
    pub(super) fn visit(&self, centre: Vec3, radius: f32, mut found: impl FnMut(usize, &Place)) {
        let (middle, reach) = (centre.as_dvec3(), f64::from(radius) * (1.0 + SLACK));
        let [_, y0, z0] = self.cell(middle - reach);
        let [_, y1, z1] = self.cell(middle + reach);
        for z in z0..=z1 {
            for y in y0..=y1 {
                // The remaining reach along x in this row of cells.
                let away = [y, z].map(|index| index as f64 * self.cell);
                let gap = |low: f64, at: f64, first: f64| {
                    (low + first - at)
                        .max(at - low - first - self.cell)
                        .max(0.0)
                };
                let dy = gap(self.low.y, middle.y, away[0]);
                let dz = gap(self.low.z, middle.z, away[1]);
                let left = reach * reach - dy * dy - dz * dz;
                if left < 0.0 {
                    continue;
                }
                let half = DVec3::X * (left.sqrt() + SLACK * self.cell);
                let row = (z * self.cells[1] + y) * self.cells[0];
                let [first, ..] = self.cell(middle - half);
                let [last, ..] = self.cell(middle + half);
                let range = self.starts[row + first] as usize..self.starts[row + last + 1] as usize;
                for (at, place) in range.clone().zip(&self.places[range]) {
                    if place.position.distance_squared(centre) <= radius * radius {
                        found(at, place);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
