//! Layers: values with a coverage, one over the other above the base of a map. Flattened, they are
//! the map that hair grows from.
//!
//! Each layer is laid "over" what is below it: with the coverage c of a value v there and the
//! opacity o of the layer, the value below becomes `below + (v - below) · c · o`. Values are not
//! multiplied by their coverage, as in PNG.

mod edit;

pub use edit::LayerEdit;

use super::canvas::Canvas;
use super::dab::Dab;
use super::map::{FULL, Map, MapError, MapKind};
use super::undo::MapUndo;
use glam::{Vec3, Vec4};
use rayon::prelude::*;
use std::sync::Arc;

/// The settings of a layer, as a list of layers shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// Different from those of the other layers of the map; one line of 1 to
    /// [`MAX_NAME`](Self::MAX_NAME) characters.
    pub name: String,
    /// The share of it that is seen, 0 to 1.
    pub opacity: f32,
    /// `false`: nothing of it is seen.
    pub on: bool,
}

impl LayerSettings {
    /// The largest number of characters of a name.
    pub const MAX_NAME: usize = 40;

    /// Returns the settings of a new layer, which is seen.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            opacity: 1.0,
            on: true,
        }
    }

    /// Checks the name and the opacity.
    pub(crate) fn check(&self) -> Result<(), LayerError> {
        let name = || self.name.chars().take(Self::MAX_NAME).collect();
        let length = 1..=Self::MAX_NAME;
        if !length.contains(&self.name.chars().count()) || self.name.contains(char::is_control) {
            return Err(LayerError::Name(name()));
        }
        let is_share = (0.0..=1.0).contains(&self.opacity);
        let problem = || LayerError::Opacity(name(), self.opacity);
        is_share.then_some(()).ok_or_else(problem)
    }
}

/// A layer of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name, opacity and switch.
    pub settings: LayerSettings,
    /// Its values and their coverage.
    pub(crate) map: Arc<Map>,
}

impl Layer {
    /// Returns the factor from a coverage as stored to the share that is seen, 0 to 1.
    fn share(&self) -> f32 {
        let opacity = if self.settings.on {
            self.settings.opacity
        } else {
            0.0
        };
        opacity / f32::from(FULL)
    }

    /// Returns its value at an index in stored numbers, and in w how much of it is seen, 0 to 1.
    fn seen(&self, index: usize) -> Vec4 {
        let stored = self.map.stored(index).unwrap_or_default();
        let covered = f32::from(self.map.coverage(index));
        Vec3::from(stored.map(f32::from)).extend(covered * self.share())
    }
}

/// A map with the layers above it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayeredMap {
    base: Arc<Map>,
    /// The layers from the lowest to the highest.
    layers: Vec<Layer>,
}

impl LayeredMap {
    /// The largest number of layers above the base.
    pub const MAX_LAYERS: usize = 16;
    /// The most memory that the layers may take, bytes.
    pub const MAX_BYTES: usize = 512 << 20;

    /// Returns a map without layers.
    pub fn new(base: Arc<Map>) -> Self {
        let layers = Vec::new();
        Self { base, layers }
    }

    /// Returns the map below all layers.
    pub fn base(&self) -> &Arc<Map> {
        &self.base
    }

    /// Returns the layers, from the lowest to the highest.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the number of the layer with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut layers = self.layers.iter();
        layers.position(|layer| layer.settings.name == name)
    }

    /// Returns the map that all layers give together: the base itself if there are none.
    pub fn flattened(&self) -> Arc<Map> {
        if self.layers.is_empty() {
            return self.base.clone();
        }
        let mut flat = (*self.base).clone();
        let channels = flat.channels();
        let values = flat.values.par_chunks_exact_mut(channels).enumerate();
        values.for_each(|(index, value)| value.copy_from_slice(&self.value(index)[..channels]));
        Arc::new(flat)
    }

    /// Returns the value of all layers together at an index, in stored numbers.
    fn value(&self, index: usize) -> [u16; 3] {
        let base = self.base.stored(index).unwrap_or_default().map(f32::from);
        let over = |below: Vec3, layer: &Layer| {
            let seen = layer.seen(index);
            below + (seen.truncate() - below) * seen.w
        };
        let value = self.layers.iter().fold(Vec3::from(base), over);
        value.to_array().map(|number| (number + 0.5) as u16)
    }

    /// Returns the map of a layer by its number, or the base.
    fn map_mut(&mut self, layer: Option<usize>) -> &mut Map {
        let layer = layer.and_then(|number| self.layers.get_mut(number));
        Arc::make_mut(layer.map_or(&mut self.base, |layer| &mut layer.map))
    }

    /// Touches a layer with a brush, or with `erases` takes coverage away. `undo` undoes the whole
    /// stroke. `flat`, the [flattened](Self::flattened) map, follows.
    pub(crate) fn dab(
        &mut self,
        layer: Option<usize>,
        canvas: &Canvas,
        (dab, erases): (&Dab, bool),
        undo: &mut MapUndo,
        flat: &mut Map,
    ) {
        let mut changed = Vec::new();
        let coverage = if erases { 0.0 } else { f32::from(FULL) };
        let tell = |index| changed.push(index);
        (self.map_mut(layer)).dab_telling(canvas, dab, coverage, undo, tell);
        for index in changed {
            flat.put(index, self.value(index));
        }
    }

    /// Swaps what a stroke changed of a layer with what was there before. `flat` follows.
    pub(crate) fn swap(&mut self, layer: Option<usize>, undo: &mut MapUndo, flat: &mut Map) {
        undo.swap(self.map_mut(layer));
        for &index in undo.texels() {
            flat.put(index as usize, self.value(index as usize));
        }
    }

    /// Ends a stroke on a layer, as [`MapUndo::finish`].
    pub(crate) fn finish(&self, layer: Option<usize>, undo: &mut MapUndo) {
        let layer = layer.and_then(|number| self.layers.get(number));
        undo.finish(layer.map_or(&self.base, |layer| &layer.map));
    }

    /// Sets all values of a layer, which then covers all below it, or of the base. Without a value
    /// the layer covers nothing, and the base is as unpainted skin.
    pub(crate) fn fill(
        &mut self,
        layer: Option<usize>,
        value: Option<[f32; 3]>,
    ) -> Result<(), MapError> {
        let kind = self.base.kind;
        let filled = Map::uniform(self.base.layout, kind, value.unwrap_or(kind.neutral()))?;
        let coverage = value.map_or(0, |_| FULL);
        *self.map_mut(layer) = match layer {
            Some(_) => filled.with_coverage(coverage),
            None => filled,
        };
        Ok(())
    }

    /// Mixes a value into a layer, or into the base, by the weights of values by their index; without a
    /// value, coverage is taken away.
    pub(crate) fn mix(
        &mut self,
        layer: Option<usize>,
        value: Option<[f32; 3]>,
        weights: impl Iterator<Item = (usize, f32)>,
    ) {
        let map = self.map_mut(layer);
        for (index, weight) in weights.filter(|(_, weight)| *weight > 0.0) {
            map.mix(index, value, weight);
        }
    }

    /// Size in memory, bytes, of which others that have the same maps count their share.
    pub(crate) fn bytes(&self) -> usize {
        let maps = self.layers.iter().map(|layer| &layer.map);
        let bytes = |map: &Arc<Map>| size_of_val(map.values()) / Arc::strong_count(map);
        maps.chain([&self.base]).map(bytes).sum()
    }
}

/// A change of layers that cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LayerError {
    /// No layer of the map has this name.
    #[error("the {0} map has no layer {1:?}")]
    Missing(MapKind, String),
    /// The name is no name of a layer.
    #[error("{0:?} cannot be the name of a layer: choose one line of 1 to 40 characters")]
    Name(String),
    /// Another layer of the map has the name.
    #[error("the {0} map has a layer {1:?} already: choose another name")]
    Taken(MapKind, String),
    /// The opacity of the layer of this name is out of range.
    #[error("the opacity of the layer {0:?} is {1}; it must be 0 to 1")]
    Opacity(String, f32),
    /// There are too many layers.
    #[error("the {0} map has more than 16 layers: merge or delete some")]
    TooMany(MapKind),
    /// The layers take more memory than they may.
    #[error("the layers of the {0} map take more than 512 MiB: merge some, or use a smaller map")]
    TooLarge(MapKind),
    /// The layer has more or fewer values than its map.
    #[error("the layer {0:?} has not as many values across and down as its map")]
    Size(String),
    /// The layer that is to be painted on is switched off.
    #[error("the layer {0:?} is switched off: switch it on to paint on it")]
    Off(String),
}

#[cfg(test)]
mod tests;
