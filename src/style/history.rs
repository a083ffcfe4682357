//! Undo and redo: what strokes and settings changed, within a bound of memory.

use super::Style;
use super::edits::Curve;
use crate::config::Config;
use crate::maps::{Map, MapKind, Touched};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Memory of all that can be undone or redone, bytes.
pub const MOST_BYTES: usize = 512 << 20;

/// One thing that was changed, as what it takes to change it back. Undoing it turns it into what it
/// takes to do it again.
#[derive(Debug)]
pub(super) enum Change {
    Curves(Vec<(u32, Option<Curve>)>),
    Planted(Vec<(u32, Option<bool>)>),
    /// Parts of a map that was there before.
    Map(MapKind, Touched),
    /// A whole map, or that there was none.
    WholeMap(MapKind, Option<Arc<Map>>),
    Config(Box<Config>),
}

impl Change {
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
        }
    }
}

fn exchange<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    }
}

/// What one press of a key takes back.
#[derive(Debug)]
struct Entry {
    name: String,
    changes: Vec<Change>,
}

impl Entry {
    fn swap(&mut self, style: &mut Style, forward: bool) {
        match forward {
            true => self
                .changes
                .iter_mut()
                .for_each(|change| change.swap(style)),
            false => (self.changes.iter_mut().rev()).for_each(|change| change.swap(style)),
        }
    }

    fn bytes(&self) -> usize {
        self.name.len() + self.changes.iter().map(Change::bytes).sum::<usize>()
    }
}

/// What can be undone and redone. Takes [`MOST_BYTES`] at most: then the oldest is forgotten, but
/// never the last one.
#[derive(Debug, Default)]
pub struct History {
    done: VecDeque<Entry>,
    undone: Vec<Entry>,
    forgotten: usize,
}

impl History {
    /// Remembers what was done; what was undone before can no longer be redone.
    pub(super) fn push(&mut self, name: impl Into<String>, changes: Vec<Change>) {
        self.undone.clear();
        self.done.push_back(Entry {
            name: name.into(),
            changes,
        });
        while self.done.len() > 1 && self.bytes() > MOST_BYTES {
            self.done.pop_front();
            self.forgotten += 1;
        }
    }

    /// Takes back what was done last, and says what it was. `None`: there is nothing.
    pub(super) fn undo(&mut self, style: &mut Style) -> Option<String> {
        let mut entry = self.done.pop_back()?;
        entry.swap(style, false);
        let name = entry.name.clone();
        self.undone.push(entry);
        Some(name)
    }

    /// Does again what was undone last, and says what it was. `None`: there is nothing.
    pub(super) fn redo(&mut self, style: &mut Style) -> Option<String> {
        let mut entry = self.undone.pop()?;
        entry.swap(style, true);
        let name = entry.name.clone();
        self.done.push_back(entry);
        Some(name)
    }

    /// How much can be undone.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Nothing can be undone.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// How much can be redone.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// How much could be undone once and had to be forgotten.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Memory, bytes.
    pub fn bytes(&self) -> usize {
        let entries = self.done.iter().chain(&self.undone);
        entries.map(Entry::bytes).sum()
    }
}
