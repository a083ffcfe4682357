//! Strokes on maps over the part's UV layout.

use super::brush::Brush;
use super::camera::check_size;
use super::paint::{Paint, PaintError, Spot};
use super::styler::Styler;
use crate::head::Part;
use crate::maps::{MapKind, UvLayout, UvPoint};
use glam::Vec2;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Eight ways of unit length.
const AROUND: [[f32; 2]; 8] = {
    const S: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        [1.0, 0.0],
        [S, S],
        [0.0, 1.0],
        [-S, S],
        [-1.0, 0.0],
        [-S, -S],
        [0.0, -1.0],
        [S, -S],
    ]
};

/// A picture of the whole unit square, u right and v down.
pub(super) struct Sheet {
    pub(super) layout: Arc<UvLayout>,
    /// Pixels.
    pub(super) size: Vec2,
}

impl Sheet {
    /// Where a brush is on the skin whose middle is at a pixel and whose radius is in pixels, and
    /// how large there. `None`: no skin there, or beyond the picture.
    pub(super) fn spot(&self, part: &Part, at: Vec2, radius: f32) -> Option<Spot> {
        let within = at.min_element() >= 0.0 && at.cmplt(self.size).all();
        let found = within.then(|| self.layout.find(part, at / self.size))??;
        Some(Spot {
            centre: found.position,
            radius: self.reach(part, at, radius, found),
        })
    }

    /// How far it is on the skin to half the circle of a brush, twice: the median of those of 8
    /// directions that have skin. One triangle alone, which may be a sliver, says little.
    fn reach(&self, part: &Part, at: Vec2, radius: f32, middle: UvPoint) -> f32 {
        let away = |i: u32| {
            let way = Vec2::from_array(AROUND[i as usize]) * (0.5 * radius);
            let found = self.layout.find(part, (at + way) / self.size)?;
            Some(2.0 * found.position.distance(middle.position))
        };
        let mut reaches: Vec<f32> = (0..8).filter_map(away).collect();
        reaches.sort_by(f32::total_cmp);
        // Where the picture is not square, the mean of both sides.
        let side = self.size.element_product().sqrt();
        let by_triangle = radius / side * middle.scale;
        let median = reaches.get(reaches.len() / 2);
        median
            .copied()
            .filter(|_| reaches.len() > 3)
            .unwrap_or(by_triangle)
    }
}

impl Styler {
    /// The UV layout of the part that hair grows on, with its texture; made once. `None`: the part
    /// has no UVs, or none that are of use.
    pub fn uv_layout(&mut self) -> Option<Arc<UvLayout>> {
        if self.uv_layout.is_none() {
            self.uv_layout = UvLayout::of_part(self.part()).map(Arc::new);
        }
        self.uv_layout.clone()
    }

    /// Begins a stroke on a map, as [`begin_map`](Self::begin_map), over a picture of the part's UV
    /// layout that shows the whole unit square with `size` (width, height) pixels. What
    /// [`move_to`](Self::move_to) then takes are pixels of it.
    ///
    /// The brush paints around the skin under its middle, as on the head, with the radius that it
    /// has there, so that both sides of a UV seam get the same. Where no skin is, it does nothing.
    ///
    /// # Errors
    ///
    /// [`PaintError`]; nothing has begun then.
    pub fn begin_flat(
        &mut self,
        kind: MapKind,
        paint: Paint,
        brush: Brush,
        size: [u32; 2],
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), PaintError> {
        check_size(size)?;
        let Some(layout) = self.uv_layout() else {
            let part = self.part().name.chars().take(80).collect();
            return Err(PaintError::NoUvs { part });
        };
        let painting = self.painting(kind, paint, progress)?;
        let [width, height] = size;
        let size = Vec2::new(width as f32, height as f32);
        self.begin_on_sheet(brush, Sheet { layout, size }, painting);
        Ok(())
    }
}
