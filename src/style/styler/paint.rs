//! Strokes on maps, and maps that are filled or replaced.

use super::state::{StrokeTarget, Styler};
use crate::maps::{Canvas, Layout, Map, MapKind, Place, UvLayout};
use crate::scalp::{NearestFinder, Scalp};
use crate::style::brush::Brush;
use crate::style::contents::Change;
use crate::style::follicles::Progress;
use crate::style::paint::{Paint, PaintError, Painting, RESOLUTION, UvSheet};
use crate::style::view::{View, check_size};
use glam::Vec2;
use rayon::prelude::*;
use std::sync::Arc;

/// Largest number of values of a density map that is compared with the model's own paint: larger
/// maps show its edge well enough, and take long to compare.
const MAX_COMPARED: usize = (RESOLUTION * RESOLUTION) as usize;
/// Largest distance from the skin of values beyond the borders of UV islands, texels.
const REACH_TEXELS: f32 = 0.75;

impl Styler {
    /// Begins a stroke on a map, as the head is seen in a view. A map that does not exist is
    /// created: the density map as the model is painted, others neutral.
    ///
    /// # Errors
    ///
    /// [`PaintError`].
    pub fn begin_map(
        &mut self,
        kind: MapKind,
        paint: Paint,
        brush: Brush,
        view: View,
        progress: Progress,
    ) -> Result<(), PaintError> {
        self.begin_painting((kind, paint, brush), Some(view), None, progress)
    }

    /// Begins a stroke on a map, as [`begin_map`](Self::begin_map), over a picture of the part's UV
    /// layout: `size` (width, height) pixels that show the whole unit square. Then
    /// [`move_to`](Self::move_to) takes pixels of that picture.
    ///
    /// The brush paints around the skin under its middle, as on the head, with its radius there, so
    /// that both sides of a UV seam get the same value. Where there is no skin, it does nothing.
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
        let size = Vec2::from(size.map(|side| side as f32));
        let sheet = UvSheet { layout, size };
        self.begin_painting((kind, paint, brush), None, Some(sheet), progress)
    }

    /// The UV layout of the part that hair grows on; computed once. `None`: the part has no usable
    /// UVs.
    pub(in crate::style) fn uv_layout(&mut self) -> Option<Arc<UvLayout>> {
        if self.uv_layout.is_none() {
            self.uv_layout = UvLayout::of_part(self.part()).map(Arc::new);
        }
        self.uv_layout.clone()
    }

    /// Begins a stroke on a map, over the head as it is seen in a view, or over a UV layout.
    fn begin_painting(
        &mut self,
        (kind, paint, brush): (MapKind, Paint, Brush),
        view: Option<View>,
        sheet: Option<UvSheet>,
        progress: Progress,
    ) -> Result<(), PaintError> {
        let layout = self.prepare_map(kind, progress)?;
        let existing = self.style.maps.get(&kind).cloned();
        let is_new = existing.is_none();
        let before = match existing {
            Some(map) => map,
            None if kind == MapKind::Density => Arc::new(self.painted_density(layout)?),
            None => Arc::new(Map::uniform(layout, kind, kind.neutral())?),
        };
        if is_new && kind == MapKind::Density {
            self.model_density = Some(before.clone());
        }
        self.style.maps.insert(kind, before.clone());
        let painting = Painting {
            kind,
            paint,
            before,
            is_new,
            sheet,
            last: None,
        };
        self.start(brush, view, StrokeTarget::Painting(painting));
        Ok(())
    }

    /// Sets all values of a map.
    ///
    /// # Errors
    ///
    /// [`PaintError`].
    pub fn fill_map(
        &mut self,
        kind: MapKind,
        value: [f32; 3],
        progress: Progress,
    ) -> Result<(), PaintError> {
        let layout = self.prepare_map(kind, progress)?;
        self.replace_map("fill", Map::uniform(layout, kind, value)?);
        Ok(())
    }

    /// Replaces a map.
    ///
    /// # Errors
    ///
    /// [`PaintError`], if the map does not fit the model.
    pub fn set_map(&mut self, map: Map, progress: Progress) -> Result<(), PaintError> {
        map.check_fits(self.part())?;
        self.prepare_follicles(map.kind(), progress)?;
        self.canvas = None;
        self.replace_map("map", map);
        Ok(())
    }

    fn replace_map(&mut self, name: &str, map: Map) {
        let kind = map.kind();
        let old = self.style.maps.insert(kind, Arc::new(map));
        self.commit(name, Change::WholeMap(kind, old));
    }

    /// Prepares a change of a map. Returns the layout of the map, or for one that does not exist
    /// that of the canvas, which fits it.
    fn prepare_map(&mut self, kind: MapKind, progress: Progress) -> Result<Layout, PaintError> {
        self.prepare_follicles(kind, progress)?;
        let layout = self.style.maps.get(&kind).map(|map| map.layout());
        Ok(self.prepare_canvas(layout))
    }

    /// Prepares an edit. Density maps need the follicles of bald skin.
    fn prepare_follicles(&mut self, kind: MapKind, progress: Progress) -> Result<(), PaintError> {
        self.prepare_edit();
        if kind == MapKind::Density {
            self.add_bald(progress)?;
        }
        Ok(())
    }

    /// Ensures that there is a canvas with this layout, or with any. Returns its layout.
    fn prepare_canvas(&mut self, layout: Option<Layout>) -> Layout {
        let fits = |canvas: &&Canvas| layout.is_none_or(|layout| layout == canvas.layout());
        if let Some(canvas) = self.canvas.as_ref().filter(fits) {
            return canvas.layout();
        }
        let canvas = match layout {
            Some(layout) => Canvas::with_layout(self.part(), layout),
            None => Canvas::of_part(self.part(), RESOLUTION),
        };
        self.canvas.insert(canvas).layout()
    }

    /// Updates the map of the model's own paint, which the density map is compared with.
    pub(super) fn update_model_density(&mut self) {
        let map = self.style.maps.get(&MapKind::Density);
        let layout = map.map(|map| map.layout());
        let layout = layout.filter(|layout| layout.values() <= MAX_COMPARED);
        if self.model_density.as_ref().map(|map| map.layout()) != layout {
            self.model_density = layout.and_then(|layout| {
                self.prepare_canvas(Some(layout));
                self.painted_density(layout).ok().map(Arc::new)
            });
        }
    }

    /// Returns the model's own paint as a density map.
    fn painted_density(&self, layout: Layout) -> Result<Map, PaintError> {
        let mut map = Map::uniform(layout, MapKind::Density, [0.0; 3])?;
        let (Some(_), Some(canvas)) = (Scalp::of_head(&self.head), &self.canvas) else {
            return Ok(map);
        };
        // The nearest point of the whole skin counts: values beside the paint are bald.
        let scalp = self.follicles.scalp();
        let nearest = NearestFinder::of(scalp);
        let reach = f64::from(REACH_TEXELS * canvas.texel_size());
        let density = |place: &Place| {
            let (point, _) = nearest.find(place.position, reach, |_| true)?;
            let is_painted = (scalp.corner_densities(point.triangle).iter()).all(|&d| d > 0.0);
            is_painted.then(|| (place.texel, scalp.density(point)))
        };
        let painted: Vec<(u32, f32)> = canvas.places().par_iter().filter_map(density).collect();
        for (texel, density) in painted {
            map.set(texel as usize, [density; 3]);
        }
        Ok(map)
    }
}
