//! What undo and redo exchange in a style.

use super::Style;
use super::edits::{Curve, Edits};
use crate::config::Config;
use crate::history;
use crate::maps::{Map, MapKind, MapUndo};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What can be undone and redone of a style.
pub type History = history::History<Change>;

/// One thing that was changed, as what it takes to change it back. Undoing it turns it into what it
/// takes to do it again.
#[derive(Debug)]
pub enum Change {
    Curves(Vec<(u32, Option<Curve>)>),
    Planted(Vec<(u32, Option<bool>)>),
    /// Parts of a map that was there before.
    Map(MapKind, MapUndo),
    /// A whole map, or that there was none.
    WholeMap(MapKind, Option<Arc<Map>>),
    Config(Box<Config>),
    /// All edits: their numbers are those of other roots.
    Edits(Box<Edits>),
}

impl Change {
    /// Would hair be other hair after a swap?
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
            Change::Map(kind, touched) => {
                if let Some(map) = style.maps.get_mut(kind) {
                    touched.swap(Arc::make_mut(map));
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
                curves.len() * size_of::<(u32, Option<Curve>)>()
                    + old.map(Curve::bytes).sum::<usize>()
            }
            Change::Planted(planted) => planted.len() * size_of::<(u32, Option<bool>)>(),
            Change::Map(_, touched) => touched.bytes(),
            Change::WholeMap(_, map) => map.as_ref().map_or(0, |map| map.bytes()),
            Change::Config(_) => size_of::<Config>(),
            Change::Edits(edits) => edits.bytes(),
        }
    }
}

fn exchange<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    }
}
