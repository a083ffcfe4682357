//! Strokes on maps, and maps that are replaced. `fill` fills them.

use super::Styler;
use crate::head::Part;
use crate::maps::{
    Canvas, Dab, LayerError, LayeredMap, Layout, Map, MapError, MapKind, MapUndo, Place, UvLayout,
    value_of_direction,
};
use crate::roots::SampleError;
use crate::scalp::{NearestFinder, Scalp};
use crate::settings::MOST_ELEMENTS;
use crate::style::contents::{Change, Style};
use crate::style::follicles::Progress;
use crate::style::stroke_file::{PaintValue, PaintWord, Stroke, Tool};
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::f32::consts::FRAC_1_SQRT_2 as DIAGONAL;
use std::sync::Arc;

/// Texels along a side of a map that is painted and was not loaded.
pub(in crate::style) const RESOLUTION: u32 = 1024;
/// Largest number of values of a density map that is compared with the model's own paint: larger
/// maps show its edge well enough, and take long to compare.
const MAX_COMPARED: usize = (RESOLUTION * RESOLUTION) as usize;
/// Fewest texels along each side of a density map that is compared with the model's own paint:
/// smaller maps do not show where paint is at all.
const LEAST_COMPARED: u32 = 64;
/// Largest distance from the skin of values beyond the borders of UV islands, texels.
const REACH_TEXELS: f32 = 0.75;

/// Four directions of unit length, beside their opposites.
const AROUND: [Vec2; 4] = [
    Vec2::X,
    Vec2::Y,
    Vec2::splat(DIAGONAL),
    Vec2::new(DIAGONAL, -DIAGONAL),
];

/// The value of strokes that take coverage of a layer away.
const ERASE: PaintValue = PaintValue::Word(PaintWord::Erase);

/// An error of painting a map.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// Roots of bald skin could not be sampled.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The map does not fit the model.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The layers of a map do not allow it.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// The part that hair grows on, of this name, has no usable UVs.
    #[error(
        "{0:?} has no usable UVs, so there is no flat layout of it to paint on: paint on the head \
         itself, or unwrap the model"
    )]
    NoUvs(String),
    /// There are no guides that a brush could change.
    #[error("there are no guides yet: draw some, or take them from hair")]
    NoGuides,
    /// There are as many guides as a modifier can have.
    #[error("a modifier has at most {MOST_ELEMENTS} guides: delete some, or add another modifier")]
    ManyGuides,
    /// The stack has no room for the modifier that hair follows guides by.
    #[error("the stack is full: remove a modifier")]
    FullStack,
    /// The stack has no parting that a side could be of.
    #[error(
        "the stack has no modifier that parts hair: add \"part\" to it, or fill the left or right half"
    )]
    NoParting,
}

/// A stroke on a map that has not ended.
pub(super) struct Painting {
    /// The map, and the number of its layer; `None`: the base.
    painted: (MapKind, Option<usize>),
    /// The value that is mixed in; `None` smooths.
    value: Option<PaintValue>,
    undo: MapUndo,
    /// If the map or its layer was created for this stroke: what there was before.
    before: Option<Option<LayeredMap>>,
    /// The UV layout that is painted on, instead of the head.
    pub(super) sheet: Option<UvSheet>,
    /// The place of the brush in the last step.
    last: Option<Vec3>,
}

impl Painting {
    /// Paints a dab at the brush.
    pub(super) fn step(
        &mut self,
        brush: &Stroke,
        ball: (Vec3, f32),
        style: &mut Style,
        canvas: &Canvas,
    ) {
        let (centre, radius) = ball;
        let last = self.last.replace(centre);
        let value = match self.value {
            Some(PaintValue::Word(PaintWord::Along)) => {
                let way = last.and_then(|last| (centre - last).try_normalize());
                let Some(way) = way else { return };
                Some(value_of_direction(way))
            }
            Some(ERASE) => Some([0.0; 3]),
            value => value.and_then(PaintValue::rgb),
        };
        let dab = Dab {
            centre,
            radius,
            strength: brush.strength,
            falloff: brush.falloff,
            value,
            mirror: brush.mirror,
        };
        let dab = (&dab, self.value == Some(ERASE));
        style.dab(self.painted, canvas, dab, &mut self.undo);
    }

    /// Ends the stroke. Returns its name and what undoes it; `None` if nothing was painted. A map
    /// that was created for it is then removed: it would be unsaved, with nothing to undo.
    pub(super) fn end(mut self, style: &mut Style) -> Option<(&'static str, Change)> {
        let (kind, layer) = self.painted;
        match style.layered.get(&kind) {
            Some(layered) => layered.finish(layer, &mut self.undo),
            None => self.undo.finish(style.maps.get(&kind)?),
        }
        if self.undo.is_empty() {
            self.cancel(style);
            return None;
        }
        let name = match self.value {
            Some(ERASE) => "erase",
            _ => "paint",
        };
        let change = match self.before {
            Some(before) => Change::WholeMap(kind, before),
            None => Change::Map(self.painted, self.undo),
        };
        Some((name, change))
    }

    /// Takes back what was painted.
    pub(super) fn cancel(mut self, style: &mut Style) {
        if let Some(before) = self.before {
            style.put_map(self.painted.0, before);
        } else if !self.undo.is_empty() {
            // A map that is shared would be copied.
            style.swap_painted(self.painted, &mut self.undo);
        }
    }
}

/// A picture of the unit square of a UV layout, u right and v down.
pub(in crate::style) struct UvSheet {
    pub(in crate::style) layout: Arc<UvLayout>,
    /// Width and height, pixels.
    pub(in crate::style) size: Vec2,
}

impl UvSheet {
    /// Returns the skin under a pixel, and the radius there of a brush whose radius is in pixels.
    /// `None` if there is no skin, or beyond the picture.
    ///
    /// The radius on the skin is twice the median distance to half of the brush's circle, in the
    /// directions of eight that have skin. A single triangle may be a sliver, and says little.
    pub(in crate::style) fn ball(&self, part: &Part, at: Vec2, radius: f32) -> Option<(Vec3, f32)> {
        let within = at.min_element() >= 0.0 && at.cmplt(self.size).all();
        let (middle, scale) = within.then(|| self.layout.find(part, at / self.size))??;
        let distance = |way: Vec2| {
            let way = way * (0.5 * radius);
            let (found, _) = self.layout.find(part, (at + way) / self.size)?;
            Some(2.0 * found.distance(middle))
        };
        let ways = AROUND.into_iter().flat_map(|way| [way, -way]);
        let mut distances: Vec<f32> = ways.filter_map(distance).collect();
        distances.sort_by(f32::total_cmp);
        // Of a picture that is not square, the geometric mean of both sides.
        let side = self.size.element_product().sqrt();
        let radius = match distances.get(distances.len() / 2) {
            Some(&median) if distances.len() > 3 => median,
            _ => radius / side * scale,
        };
        Some((middle, radius))
    }
}

impl Styler {
    /// Prepares a stroke on a map. The map and the layer are created if they do not exist.
    pub(super) fn painting(
        &mut self,
        kind: MapKind,
        stroke: &Stroke,
        size: [u32; 2],
        progress: Progress,
    ) -> Result<Painting, PaintError> {
        let mut sheet = None;
        if stroke.flat {
            let Some(layout) = self.uv_layout() else {
                let part = self.part().name.chars().take(80).collect();
                return Err(PaintError::NoUvs(part));
            };
            let size = Vec2::from(size.map(|side| side as f32));
            sheet = Some(UvSheet { layout, size });
        }
        let (map, layer, is_new) = self.map_with_layer(kind, stroke.layer.as_deref(), progress)?;
        check_shown(&map, layer)?;
        let before = is_new.then(|| self.style.put_map(kind, Some(map)));
        let paints = stroke.tool == Tool::Paint;
        let value = paints.then(|| stroke.value.unwrap_or(PaintValue::Grey(0.0)));
        Ok(Painting {
            painted: (kind, layer),
            value,
            undo: MapUndo::default(),
            before,
            sheet,
            last: None,
        })
    }

    /// Returns the UV layout of the part that hair grows on; computed once. `None`: the part has no
    /// usable UVs.
    pub(in crate::style) fn uv_layout(&mut self) -> Option<Arc<UvLayout>> {
        if self.uv_layout.is_none() {
            self.uv_layout = UvLayout::of_part(self.part()).map(Arc::new);
        }
        self.uv_layout.clone()
    }

    /// Replaces a map and its layers.
    ///
    /// # Errors
    ///
    /// [`PaintError`], if the map does not fit the model.
    pub fn set_map(&mut self, map: Map, progress: Progress) -> Result<(), PaintError> {
        map.check_fits(self.part())?;
        self.prepare_follicles(map.kind(), progress)?;
        self.canvas = None;
        self.replace_map("map", LayeredMap::new(Arc::new(map)));
        Ok(())
    }

    pub(super) fn replace_map(&mut self, name: &str, map: LayeredMap) {
        let kind = map.base().kind();
        let old = self.style.put_map(kind, Some(map));
        self.commit(name, vec![Change::WholeMap(kind, old)], false, None);
    }

    /// Prepares a change of a map. Returns the layout of the map, or for one that does not exist
    /// that of new maps.
    pub(super) fn prepare_map(
        &mut self,
        kind: MapKind,
        progress: Progress,
    ) -> Result<Layout, PaintError> {
        self.prepare_follicles(kind, progress)?;
        let layout = self.style.maps.get(&kind).map(|map| map.layout());
        let layout = layout.unwrap_or_else(|| Canvas::layout_of(self.part(), RESOLUTION));
        Ok(self.prepare_canvas(layout))
    }

    /// Prepares an edit. Density maps need the follicles of bald skin.
    fn prepare_follicles(&mut self, kind: MapKind, progress: Progress) -> Result<(), PaintError> {
        self.prepare_edit();
        if kind == MapKind::Density {
            (self.follicles).add_bald(&self.style.config.roots, progress)?;
        }
        Ok(())
    }

    /// Ensures that there is a canvas with this layout. Returns its layout, which may be smaller.
    fn prepare_canvas(&mut self, layout: Layout) -> Layout {
        let fits = |canvas: &Canvas| canvas.layout() == layout;
        let canvas = self.canvas.take().filter(fits);
        let canvas = canvas.unwrap_or_else(|| Canvas::with_layout(self.part(), layout));
        self.canvas.insert(canvas).layout()
    }

    /// Updates the map of the model's own paint, which the density map is compared with.
    pub(super) fn update_model_density(&mut self) {
        let map = self.style.maps.get(&MapKind::Density);
        // Without a map it is not used, and may be again.
        let Some(layout) = map.map(|map| map.layout()) else {
            return;
        };
        let shows_paint = match layout {
            Layout::Picture { width, height } => width.min(height) >= LEAST_COMPARED,
            Layout::Vertices(_) => true,
        };
        let is_compared = shows_paint && layout.values() <= MAX_COMPARED;
        let layout = is_compared.then_some(layout);
        if self.model_density.as_ref().map(|map| map.layout()) != layout {
            self.model_density = layout.and_then(|layout| {
                self.prepare_canvas(layout);
                self.painted_density(layout).ok().map(Arc::new)
            });
        }
    }

    /// Returns the model's own paint as a density map.
    pub(super) fn painted_density(&self, layout: Layout) -> Result<Map, PaintError> {
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

/// Checks that a layer that changes is switched on.
pub(super) fn check_shown(map: &LayeredMap, layer: Option<usize>) -> Result<(), PaintError> {
    let layer = layer.and_then(|layer| map.layers().get(layer));
    match layer.filter(|layer| !layer.settings.on) {
        Some(layer) => Err(LayerError::Off(layer.settings.name.clone()).into()),
        None => Ok(()),
    }
}
