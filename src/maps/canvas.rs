//! The positions of a map's values on the skin.

mod grid;
mod raster;
mod triangle;

pub use grid::Place;

use super::map::{Layout, MAX_SIDE, MAX_VERTICES};
use super::uv_triangle::skin_area;
use crate::head::Part;
use grid::Grid;
use raster::Raster;

/// The positions of a map's values on the skin of a part.
///
/// Every value that is used to sample a point of the skin has a place. Where UVs overlap, as
/// mirrored ones do, a value has up to four places. A place takes 16 bytes.
#[derive(Clone, Debug)]
pub struct Canvas {
    layout: Layout,
    texel_size: f32,
    skipped: usize,
    pub(super) grid: Grid,
    /// `true` for each place, in the order of the grid, whose value has other places too. Empty if
    /// no value has.
    shared: Vec<bool>,
}

impl Canvas {
    /// The canvas of a square picture over the UVs of a part, `resolution` values wide (clamped to
    /// 1 to [`MAX_SIDE`]). The canvas of the part's vertices if it has no UVs.
    pub fn of_part(part: &Part, resolution: u32) -> Canvas {
        let side = resolution.clamp(1, MAX_SIDE);
        let picture = Layout::Picture {
            width: side,
            height: side,
        };
        let vertices = Layout::Vertices(part.positions.len().min(MAX_VERTICES as usize) as u32);
        Canvas::with_layout(part, part.uvs.as_ref().map_or(vertices, |_| picture))
    }

    /// The canvas of maps with a layout. A picture over a part without UVs has no places.
    ///
    /// UVs beyond 0 to 1 tile. Triangles whose UVs are not finite, or that cover the picture many
    /// times over, have no places: see [`Canvas::skipped`].
    pub fn with_layout(part: &Part, layout: Layout) -> Canvas {
        match layout {
            Layout::Picture { width, height } => {
                let raster = Raster::of(part, [width, height].map(|side| side.min(MAX_SIDE)));
                let places = raster.places();
                Canvas::of_places(layout, places, raster.texel_size, raster.skipped)
            }
            Layout::Vertices(count) => {
                let finite = |place: &Place| place.position.is_finite();
                let vertices = part.positions.iter().zip(0..count);
                let places = vertices.map(|(&position, texel)| Place { texel, position });
                let areas = part
                    .triangles
                    .iter()
                    .filter_map(|&corners| skin_area(part, corners));
                let size = (areas.sum::<f64>() / f64::from(count.max(1))).sqrt() as f32;
                Canvas::of_places(layout, places.filter(finite).collect(), size, 0)
            }
        }
    }

    /// A canvas of `places`, given in the order of their values.
    fn of_places(layout: Layout, places: Vec<Place>, texel_size: f32, skipped: usize) -> Canvas {
        let texel = |at: usize| places.get(at).map(|place| place.texel);
        let is_shared = |&at: &u32| {
            let at = at as usize;
            texel(at) == texel(at.wrapping_sub(1)) || texel(at) == texel(at + 1)
        };
        let (grid, order) = Grid::of(&places, texel_size);
        let mut shared: Vec<bool> = order.iter().map(is_shared).collect();
        if !shared.contains(&true) {
            shared = Vec::new();
        }
        Canvas {
            layout,
            texel_size,
            skipped,
            grid,
            shared,
        }
    }

    /// The layout of the maps that the canvas is for.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// All places, in an order that keeps neighbours on the skin near each other.
    pub fn places(&self) -> &[Place] {
        &self.grid.places
    }

    /// The mean distance between neighbouring values on the skin, decimetres.
    pub fn texel_size(&self) -> f32 {
        self.texel_size
    }

    /// The number of triangles without places because of their UVs.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Returns `true` if the value of a place has other places too.
    pub(super) fn is_shared(&self, place: usize) -> bool {
        self.shared.get(place).is_some_and(|&shared| shared)
    }
}

#[cfg(test)]
mod tests;
