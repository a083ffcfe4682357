//! Strokes on maps over the part's UV layout.

use super::state::Styler;
use crate::maps::{MapKind, UvLayout};
use crate::style::brush::Brush;
use crate::style::paint::{Paint, PaintError, UvSheet};
use crate::style::progress::Progress;
use crate::style::view::check_size;
use glam::Vec2;
use std::sync::Arc;

impl Styler {
    /// The UV layout of the part that hair grows on; computed once. `None`: the part has no usable
    /// UVs.
    pub fn uv_layout(&mut self) -> Option<Arc<UvLayout>> {
        if self.uv_layout.is_none() {
            self.uv_layout = UvLayout::of_part(self.part()).map(Arc::new);
        }
        self.uv_layout.clone()
    }

    /// Begins a stroke on a map, as [`begin_map`](Self::begin_map), over a picture of the part's UV
    /// layout: `size` (width, height) pixels that show the whole unit square. Then
    /// [`move_to`](Self::move_to) takes pixels of that picture.
    ///
    /// The brush paints around the skin under its middle, as on the head, with the radius that it
    /// has there, so that both sides of a UV seam get the same. Where there is no skin, it does
    /// nothing.
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
        progress: Progress,
    ) -> Result<(), PaintError> {
        check_size(size)?;
        let Some(layout) = self.uv_layout() else {
            let part = self.part().name.chars().take(80).collect();
            return Err(PaintError::NoUvs { part });
        };
        let painting = self.painting(kind, paint, progress)?;
        let size = Vec2::from(size.map(|side| side as f32));
        let sheet = UvSheet { layout, size };
        self.begin_painting(brush, None, Some(sheet), painting);
        Ok(())
    }
}
