//! Changes of a style, for undo and redo.

use super::contents::Style;
use super::edits::{Curve, Edits};
use crate::config::Config;
use crate::history;
use crate::maps::{Map, MapKind, MapUndo};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The undo history of a style.
pub type History = history::History<Change>;

/// One change of a style, as what was there before. Swapping it with the style undoes it, and makes
/// it what redoes it.
#[derive(Debug)]
pub enum Change {
    /// Curves of strands, by follicle.
    Curves(Vec<(u32, Option<Curve>)>),
    /// Hair that was planted or removed, by follicle.
    Planted(Vec<(u32, Option<bool>)>),
    /// Values of a map.
    Map(MapKind, MapUndo),
    /// A whole map, or its absence.
    WholeMap(MapKind, Option<Arc<Map>>),
    /// All settings.
    Config(Box<Config>),
    /// All edits, which belong to other roots.
    Edits(Box<Edits>),
}

impl Change {
    /// Whether a swap changes how hair grows.
    pub(super) fn regrows(&self, style: &Style) -> bool {
        match self {
            Change::Config(config) => {
                config.roots != style.config.roots || config.groom != style.config.groom
            }
            _ => true,
        }
    }
}

impl history::Change for Change {
    type Of = Style;

    fn swap(&mut self, style: &mut Style) {
        match self {
            Change::Curves(curves) => {
                for (follicle, curve) in curves {
                    *curve = exchange(&mut style.edits.curves, *follicle, curve.take());
                }
            }
            Change::Planted(planted) => {
                for (follicle, planted) in planted {
                    *planted = exchange(&mut style.edits.planted, *follicle, planted.take());
                }
            }
            Change::Map(kind, undo) => {
                if let Some(map) = style.maps.get_mut(kind) {
                    undo.swap(Arc::make_mut(map));
                }
            }
            Change::WholeMap(kind, map) => {
                *map = exchange(&mut style.maps, *kind, map.take());
            }
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
            Change::Map(_, undo) => undo.bytes(),
            Change::WholeMap(_, map) => map.as_ref().map_or(0, |map| map.bytes()),
            Change::Config(_) => size_of::<Config>(),
            Change::Edits(edits) => edits.bytes(),
        }
    }
}

/// Sets or removes an entry, and returns the one before.
fn exchange<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    }
}
