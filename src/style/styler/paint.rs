//! Strokes on maps, and maps that are filled or replaced.

use super::state::Styler;
use crate::maps::{Canvas, Layout, Map, MapKind, MapUndo, Place};
use crate::scalp::{NearestFinder, Scalp};
use crate::style::brush::Brush;
use crate::style::change::Change;
use crate::style::paint::{Paint, PaintError, Painting, RESOLUTION};
use crate::style::progress::Progress;
use crate::style::view::View;
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
        let painting = self.painting(kind, paint, progress)?;
        self.begin_painting(brush, Some(view), None, painting);
        Ok(())
    }

    /// Returns a new stroke on a map, and creates the map if needed.
    pub(super) fn painting(
        &mut self,
        kind: MapKind,
        paint: Paint,
        progress: Progress,
    ) -> Result<Painting, PaintError> {
        let is_new = self.prepare_map(kind, progress)?;
        Ok(Painting::new(kind, paint, is_new))
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
        let is_new = self.prepare_map(kind, progress)?;
        let mut undo = MapUndo::default();
        if let Some(map) = self.style.maps.get_mut(&kind) {
            Arc::make_mut(map).fill(value, &mut undo);
        }
        let change = match is_new {
            true => Change::WholeMap(kind, None),
            false => Change::Map(kind, undo),
        };
        self.commit("fill", change);
        Ok(())
    }

    /// Replaces a map.
    ///
    /// # Errors
    ///
    /// [`PaintError`], if the map does not fit the model.
    pub fn set_map(&mut self, map: Map, progress: Progress) -> Result<(), PaintError> {
        map.check_fits(self.part())?;
        self.prepare_edit();
        let kind = map.kind();
        if kind == MapKind::Density {
            self.add_bald(progress)?;
        }
        let old = self.style.maps.insert(kind, Arc::new(map));
        self.canvas = None;
        self.commit("map", Change::WholeMap(kind, old));
        Ok(())
    }

    /// Makes sure that a map exists, and a canvas that fits it. Returns whether the map is new.
    fn prepare_map(&mut self, kind: MapKind, progress: Progress) -> Result<bool, PaintError> {
        self.prepare_edit();
        if kind == MapKind::Density {
            self.add_bald(progress)?;
        }
        let layout = self.style.maps.get(&kind).map(|map| map.layout());
        let exists = layout.is_some();
        let layout = self.prepare_canvas(layout);
        if exists {
            return Ok(false);
        }
        let map = match kind {
            MapKind::Density => self.painted_density(layout)?,
            _ => Map::uniform(layout, kind, kind.neutral())?,
        };
        let map = Arc::new(map);
        if kind == MapKind::Density {
            self.model_density = Some(map.clone());
        }
        self.style.maps.insert(kind, map);
        Ok(true)
    }

    /// Makes sure that there is a canvas with this layout, or with any. Returns its layout.
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
