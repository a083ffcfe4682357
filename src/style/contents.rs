//! The content of a style, and the changes of it that can be undone.

use crate::config::Config;
use crate::history;
use crate::maps::{Canvas, Dab, LayeredMap, Map, MapKind, MapUndo};
use crate::roots::RootSettings;
use crate::style::selection::Selection;
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that makes the hair of a head: what is saved, and what undo restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Every setting.
    pub config: Config,
    /// Values over the skin that settings are multiplied by. The density map replaces the model's
    /// own paint.
    pub maps: BTreeMap<MapKind, Arc<Map>>,
    /// Those of them that have layers: `maps` has what all their layers give together.
    pub layered: BTreeMap<MapKind, LayeredMap>,
    /// Changes to single strands.
    pub edits: Edits,
}

impl Style {
    /// Returns `true` if there are neither maps nor edits, only settings.
    pub fn is_plain(&self) -> bool {
        self.maps.is_empty() && self.edits.is_empty()
    }

    /// Returns a map with its layers; `None` if it does not exist.
    pub fn layered_map(&self, kind: MapKind) -> Option<LayeredMap> {
        let plain = || Some(LayeredMap::new(self.maps.get(&kind)?.clone()));
        self.layered.get(&kind).cloned().or_else(plain)
    }

    /// Takes a map with its layers from another style for the same head.
    pub fn take_map(&mut self, other: &Style, kind: MapKind) {
        self.put_map(kind, other.layered_map(kind));
    }

    /// Sets a map and its layers, or removes it. Returns those before.
    pub(super) fn put_map(&mut self, kind: MapKind, map: Option<LayeredMap>) -> Option<LayeredMap> {
        let old = self.layered_map(kind);
        self.layered.remove(&kind);
        match map {
            None => _ = self.maps.remove(&kind),
            Some(map) => {
                self.maps.insert(kind, map.flattened());
                if !map.layers().is_empty() {
                    self.layered.insert(kind, map);
                }
            }
        }
        old
    }

    /// Touches a map or a layer of it with a brush, or with `true` takes coverage away. `undo` undoes
    /// the whole stroke.
    pub(super) fn dab(
        &mut self,
        (kind, layer): (MapKind, Option<usize>),
        canvas: &Canvas,
        dab: (&Dab, bool),
        undo: &mut MapUndo,
    ) {
        let Some(map) = self.maps.get_mut(&kind).map(Arc::make_mut) else {
            return;
        };
        match self.layered.get_mut(&kind) {
            None => _ = map.dab(canvas, dab.0, undo),
            Some(layered) => layered.dab(layer, canvas, dab, undo, map),
        }
    }

    /// Swaps what a stroke changed with what was there before.
    pub(super) fn swap_painted(
        &mut self,
        (kind, layer): (MapKind, Option<usize>),
        undo: &mut MapUndo,
    ) {
        let Some(map) = self.maps.get_mut(&kind).map(Arc::make_mut) else {
            return;
        };
        match self.layered.get_mut(&kind) {
            None => undo.swap(map),
            Some(layered) => layered.swap(layer, undo, map),
        }
    }

    /// Returns the source of the roots of its hair.
    pub fn root_source(&self) -> RootSource {
        RootSource {
            settings: self.config.roots.clone(),
            own: self.edits.roots.clone(),
        }
    }

    /// Returns `true` if hair could grow where the model is bald.
    pub fn needs_bald(&self) -> bool {
        self.maps.contains_key(&MapKind::Density)
            || !self.edits.planted.is_empty()
            || self.edits.roots.is_some()
    }
}

/// The source of the roots of hair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RootSource {
    /// The settings by which they are sampled.
    pub settings: RootSettings,
    /// The roots of hair that was read from a file, which are not sampled.
    pub own: Option<Arc<[Vec3]>>,
}

/// The curve of a strand that a brush has touched.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Points relative to the root, head space, decimetres; the first is 0.
    pub points: Arc<[Vec3]>,
    /// The length of the strand without the edit, decimetres. If settings or maps change that
    /// length, the curve is scaled with it.
    pub grown: f32,
}

impl Curve {
    /// Size in memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.points.len() * size_of::<Vec3>() + size_of::<Self>() + 2 * size_of::<usize>()
    }
}

/// Differences from what settings and maps grow, and what is selected for more of them, by follicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits {
    /// Strands that were combed, cut, curled and so on.
    pub curves: BTreeMap<u32, Curve>,
    /// Hair that was planted (`true`) or removed (`false`).
    pub planted: BTreeMap<u32, bool>,
    /// The strands on which brushes act.
    pub selection: Selection,
    /// The roots of hair that was read from a file, head space; `None` if roots are sampled.
    pub roots: Option<Arc<[Vec3]>>,
}

impl Edits {
    /// Returns `true` if there are no differences, and all hair is selected.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
            && self.planted.is_empty()
            && self.selection.is_all()
            && self.roots.is_none()
    }

    /// Size in memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        let curves = self.curves.values().map(Curve::bytes);
        size_of::<Self>()
            + curves.sum::<usize>()
            + self.curves.len() * size_of::<u32>()
            + self.planted.len() * size_of::<(u32, bool)>()
            + size_of_val(self.selection.values())
            + self.roots.as_deref().map_or(0, size_of_val)
    }
}

/// The undo history of a style.
pub type History = history::History<Change>;

/// A change of a style, as the values before it. Swapped with those of the style it undoes the
/// change; swapped again, it redoes it.
#[derive(Debug)]
pub enum Change {
    /// Curves of strands, by follicle.
    Curves(Vec<(u32, Option<Curve>)>),
    /// Hair that was planted or removed, by follicle.
    Planted(Vec<(u32, Option<bool>)>),
    /// The selection.
    Selection(Selection),
    /// Values of a map, or of its layer with this number.
    Map((MapKind, Option<usize>), MapUndo),
    /// A whole map with its layers, or its absence.
    WholeMap(MapKind, Option<LayeredMap>),
    /// All settings.
    Config(Box<Config>),
    /// All edits, which belong to other roots.
    Edits(Box<Edits>),
}

impl history::Change for Change {
    type Of = Style;

    fn swap(&mut self, style: &mut Style) {
        match self {
            Change::Curves(curves) => exchange(&mut style.edits.curves, curves),
            Change::Planted(planted) => exchange(&mut style.edits.planted, planted),
            Change::Selection(selection) => {
                std::mem::swap(selection, &mut style.edits.selection);
            }
            Change::Map(painted, undo) => style.swap_painted(*painted, undo),
            Change::WholeMap(kind, map) => *map = style.put_map(*kind, map.take()),
            Change::Config(config) => std::mem::swap(&mut **config, &mut style.config),
            Change::Edits(edits) => std::mem::swap(&mut **edits, &mut style.edits),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Change::Curves(curves) => {
                let old = curves.iter().filter_map(|(_, curve)| curve.as_ref());
                size_of_val(&curves[..]) + old.map(Curve::bytes).sum::<usize>()
            }
            Change::Planted(planted) => size_of_val(&planted[..]),
            Change::Selection(selection) => size_of_val(selection.values()),
            Change::Map(_, undo) => undo.bytes(),
            Change::WholeMap(_, map) => map.as_ref().map_or(0, LayeredMap::bytes),
            Change::Config(config) => size_of::<Config>() + config.groom.guide_bytes(),
            Change::Edits(edits) => edits.bytes(),
        }
    }
}

/// Sets or removes these entries, and puts those before in their place.
fn exchange<K: Ord + Copy, V>(map: &mut BTreeMap<K, V>, entries: &mut [(K, Option<V>)]) {
    for (key, value) in entries {
        *value = match value.take() {
            Some(value) => map.insert(*key, value),
            None => map.remove(key),
        };
    }
}
