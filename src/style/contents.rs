//! The content of a style, and the changes of it that can be undone.

use crate::config::Config;
use crate::history;
use crate::maps::{Map, MapKind, MapUndo};
use crate::style::selection::Selection;
use glam::Vec3;
use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;

/// Everything that makes the hair of a head: what is saved, and what undo restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Every setting.
    pub config: Config,
    /// Values over the skin that settings are multiplied by. The density map replaces the model's
    /// own paint.
    pub maps: BTreeMap<MapKind, Arc<Map>>,
    /// Changes to single strands.
    pub edits: Edits,
}

impl Style {
    /// Returns `true` if there are neither maps nor edits, only settings.
    pub fn is_plain(&self) -> bool {
        self.maps.is_empty() && self.edits.is_empty()
    }

    /// Returns `true` if hair could grow where the model is bald.
    pub fn needs_bald(&self) -> bool {
        self.maps.contains_key(&MapKind::Density) || !self.edits.planted.is_empty()
    }
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
    /// How much brushes act on each strand.
    pub selection: Selection,
}

impl Edits {
    /// Returns `true` if there are no differences, and all hair is selected.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty() && self.planted.is_empty() && self.selection.is_all()
    }

    /// Size in memory, bytes.
    pub(super) fn bytes(&self) -> usize {
        let curves = self.curves.values().map(Curve::bytes);
        size_of::<Self>()
            + curves.sum::<usize>()
            + self.curves.len() * size_of::<u32>()
            + self.planted.len() * size_of::<(u32, bool)>()
            + size_of_val(self.selection.values())
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
    /// Values of a map.
    Map(MapKind, MapUndo),
    /// A whole map, or its absence.
    WholeMap((MapKind, Option<Arc<Map>>)),
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
            Change::Map(kind, undo) => {
                if let Some(map) = style.maps.get_mut(kind) {
                    undo.swap(Arc::make_mut(map));
                }
            }
            Change::WholeMap(map) => exchange(&mut style.maps, slice::from_mut(map)),
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
            Change::WholeMap((_, map)) => map.as_ref().map_or(0, |map| size_of_val(map.values())),
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
