//! Strokes on maps.

use super::brush::Brush;
use super::camera::{CameraError, View};
use super::history::Change;
use super::{Style, Styler};
use crate::maps::{
    Canvas, Dab, Layout, Map, MapError, MapKind, MapUndo, Place, Tool, value_of_direction,
};
use crate::roots::SampleError;
use crate::scalp::{Nearest, Scalp};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Texels along a side of a map that is painted and was not loaded.
pub const RESOLUTION: u32 = 1024;

/// Most values of maps that the model's own paint is compared with: finer ones tell its edge well
/// enough, and are many to compare.
const COARSE: usize = (RESOLUTION * RESOLUTION) as usize;

/// How far from skin values beyond the borders of UV islands may be, texels.
const REACH_TEXELS: f32 = 0.75;

/// What a stroke on a map does to its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// Mixes them towards this one, each number 0 to 1; grey maps use the first.
    Value([f32; 3]),
    /// Mixes them towards the way that the brush goes on the skin: for direction maps. A tap goes
    /// nowhere, and paints nothing.
    Along,
    /// Mixes them towards the mean of those around.
    Smooth,
}

/// A stroke on a map that has not ended.
pub(super) struct Painting {
    kind: MapKind,
    paint: Paint,
    /// Where the brush was last.
    last: Option<Vec3>,
    touched: MapUndo,
    /// There was no map before.
    is_new: bool,
}

/// Why a map cannot be painted.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// Roots of bald skin could not be sampled.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The map does not fit the model.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A picture that shows nothing.
    #[error(transparent)]
    Picture(#[from] CameraError),
    /// The model has no UVs, or none that are of use.
    #[error(
        "{part:?} has no usable UVs, so there is no flat layout of it to paint on: paint on the \
         head itself, or unwrap the model"
    )]
    NoUvs {
        /// The part that hair grows on.
        part: String,
    },
}

/// Where a brush is on the skin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Head space, decimetres.
    pub(super) centre: Vec3,
    /// Of the brush, decimetres.
    pub(super) radius: f32,
}

impl Styler {
    /// Begins a stroke on a map. One that is not there yet is made: the density map as the model is
    /// painted, others neutral.
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
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), PaintError> {
        let painting = self.painting(kind, paint, progress)?;
        self.begin_painting(brush, view, painting);
        Ok(())
    }

    /// A stroke on a map that is there from now on.
    pub(super) fn painting(
        &mut self,
        kind: MapKind,
        paint: Paint,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Painting, PaintError> {
        Ok(Painting {
            kind,
            paint,
            last: None,
            touched: MapUndo::default(),
            is_new: self.ready_map(kind, progress)?,
        })
    }

    /// Makes all of a map one value.
    ///
    /// # Errors
    ///
    /// [`PaintError`].
    pub fn fill_map(
        &mut self,
        kind: MapKind,
        value: [f32; 3],
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), PaintError> {
        let is_new = self.ready_map(kind, progress)?;
        let mut touched = MapUndo::default();
        if let Some(map) = self.style.maps.get_mut(&kind) {
            Arc::make_mut(map).fill(value, &mut touched);
        }
        let change = match is_new {
            true => Change::WholeMap(kind, None),
            false => Change::Map(kind, touched),
        };
        self.grow_more("fill", change);
        Ok(())
    }

    /// Puts a map in place of what was there.
    ///
    /// # Errors
    ///
    /// [`PaintError`]: one that does not fit the model.
    pub fn set_map(
        &mut self,
        map: Map,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), PaintError> {
        map.check_fits(self.part())?;
        self.make_ready();
        let kind = map.kind();
        if kind == MapKind::Density {
            let roots = &self.style.config.roots;
            self.follicles.add_bald(&self.head, roots, progress)?;
        }
        let old = self.style.maps.insert(kind, Arc::new(map));
        self.canvas = None;
        self.grow_more("map", Change::WholeMap(kind, old));
        Ok(())
    }

    /// Has a map and a canvas that fits it. Was there none before?
    fn ready_map(
        &mut self,
        kind: MapKind,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<bool, PaintError> {
        self.make_ready();
        if kind == MapKind::Density {
            let roots = &self.style.config.roots;
            self.follicles.add_bald(&self.head, roots, progress)?;
        }
        let layout = self.style.maps.get(&kind).map(|map| map.layout());
        let is_there = layout.is_some();
        let layout = self.ready_canvas(layout);
        if is_there {
            return Ok(false);
        }
        let map = match kind {
            MapKind::Density => self.painted_density(layout)?,
            _ => Map::uniform(layout, kind, kind.neutral())?,
        };
        let map = Arc::new(map);
        if kind == MapKind::Density {
            self.own = Some(map.clone());
        }
        self.style.maps.insert(kind, map);
        Ok(true)
    }

    /// Has a canvas with this layout, or any; which one it is.
    fn ready_canvas(&mut self, layout: Option<Layout>) -> Layout {
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

    /// Has the model's own paint at hand, where the density map may be as that is.
    pub(super) fn know_own(&mut self) {
        let map = self.style.maps.get(&MapKind::Density);
        let layout = map.map(|map| map.layout());
        let layout = layout.filter(|layout| layout.values() <= COARSE);
        if self.own.as_ref().map(|own| own.layout()) != layout {
            self.own = layout.and_then(|layout| {
                self.ready_canvas(Some(layout));
                self.painted_density(layout).ok().map(Arc::new)
            });
        }
    }
}

impl Painting {
    /// Paints where the brush is now.
    pub(super) fn step(
        &mut self,
        brush: &Brush,
        spot: Spot,
        style: &mut Style,
        canvas: Option<&Canvas>,
    ) {
        let (Some(map), Some(canvas)) = (style.maps.get_mut(&self.kind), canvas) else {
            return;
        };
        let last = self.last.replace(spot.centre);
        let (tool, value) = match self.paint {
            Paint::Value(value) => (Tool::Set, value),
            Paint::Smooth => (Tool::Smooth, [0.0; 3]),
            Paint::Along => {
                let way = last.and_then(|last| (spot.centre - last).try_normalize());
                let Some(way) = way else { return };
                (Tool::Set, value_of_direction(way))
            }
        };
        let dab = Dab {
            centre: spot.centre,
            radius: spot.radius,
            strength: brush.strength,
            falloff: brush.falloff,
            value,
            tool,
            mirror: brush.mirror,
        };
        Arc::make_mut(map).dab(canvas, &dab, &mut self.touched);
    }

    /// What undoes it; `None` if nothing was painted. Then a map that was made for it goes too: it
    /// would be something to save, with nothing to undo it by.
    pub(super) fn end(mut self, style: &mut Style) -> Option<(&'static str, Change)> {
        if self.touched.is_empty() {
            self.cancel(style);
            return None;
        }
        self.touched.finish();
        let change = match self.is_new {
            true => Change::WholeMap(self.kind, None),
            false => Change::Map(self.kind, self.touched),
        };
        Some(("paint", change))
    }

    /// As if nothing had been painted.
    pub(super) fn cancel(mut self, style: &mut Style) {
        if self.is_new {
            style.maps.remove(&self.kind);
        } else if let Some(map) = style.maps.get_mut(&self.kind) {
            self.touched.finish();
            self.touched.swap(Arc::make_mut(map));
        }
    }
}

impl Styler {
    /// The density map that says what the model's own paint does.
    fn painted_density(&self, layout: Layout) -> Result<Map, PaintError> {
        let kind = MapKind::Density;
        let mut map = Map::uniform(layout, kind, [0.0; 3])?;
        let (Some(_), Some(canvas)) = (Scalp::of_head(&self.head), &self.canvas) else {
            return Ok(map);
        };
        // Of all skin: what is beside the paint is bald, and not what is painted next to it.
        let scalp = self.follicles.scalp();
        let nearest = Nearest::of(scalp);
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
