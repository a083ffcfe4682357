//! Undo and redo: what strokes and settings changed, within a bound of memory.

use super::Style;
use super::edits::{Curve, Edits};
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
    /// All edits: their numbers are those of other roots.
    Edits(Box<Edits>),
}

impl Change {
    /// Would hair be other hair after a swap?
    fn regrows(&self, style: &Style) -> bool {
        match self {
            Change::Config(config) => {
                config.roots != style.config.roots || config.groom != style.config.groom
            }
            _ => true,
        }
    }

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

/// What one press of a key takes back.
#[derive(Debug)]
struct Entry {
    name: String,
    changes: Vec<Change>,
    /// The state on the other side of it: of what was done the one before, of what was undone the
    /// one after.
    state: u64,
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

    fn regrows(&self, style: &Style) -> bool {
        self.changes.iter().any(|change| change.regrows(style))
    }

    fn bytes(&self) -> usize {
        self.name.len() + self.changes.iter().map(Change::bytes).sum::<usize>()
    }
}

/// What was undone or done again.
pub(super) struct Swapped {
    pub(super) name: String,
    /// Hair is to be grown anew.
    pub(super) regrows: bool,
    /// Settings became others.
    pub(super) is_settings: bool,
}

/// What can be undone and redone. Takes [`MOST_BYTES`] at most: then the oldest is forgotten, but
/// never the last one.
#[derive(Debug, Default)]
pub struct History {
    done: VecDeque<Entry>,
    undone: Vec<Entry>,
    forgotten: usize,
    /// Which state the style is in, and the last number that was given to one.
    state: u64,
    last_state: u64,
    /// The last thing done was settings, and nothing was undone since.
    open: bool,
}

impl History {
    /// Remembers settings that were changed: what they were. More of them may be
    /// [folded](Self::fold) into it.
    pub(super) fn push_settings(&mut self, changes: Vec<Change>) {
        self.push("settings", changes);
        self.open = true;
    }

    /// Remembers what was done; what was undone before can no longer be redone.
    pub(super) fn push(&mut self, name: impl Into<String>, changes: Vec<Change>) {
        self.undone.clear();
        self.done.push_back(Entry {
            name: name.into(),
            changes,
            state: self.state,
        });
        self.enter_new_state();
        self.open = false;
        self.forget();
    }

    fn forget(&mut self) {
        while self.done.len() > 1 && self.bytes() > MOST_BYTES {
            self.done.pop_front();
            self.forgotten += 1;
        }
    }

    /// Nothing can be undone or redone any more; the state is as it is.
    pub(super) fn clear(&mut self) {
        self.forgotten += self.done.len();
        self.done.clear();
        self.undone.clear();
        self.open = false;
    }

    /// What was done last, taken back for a while without being undone, or the other way.
    pub(super) fn swap_last(&mut self, style: &mut Style) {
        if let Some(entry) = self.done.back_mut() {
            entry.swap(style, false); // settings and edits: in either order
        }
    }

    /// As [`fold`](Self::fold), while what was done last is taken back: what is to be undone of
    /// both.
    pub(super) fn fold_to(&mut self, changes: Vec<Change>) {
        if let Some(entry) = self.done.back_mut() {
            entry.changes = changes;
        }
        self.enter_new_state();
        self.forget();
    }

    /// Settings were changed once more, and that is one thing to undo with the time before, which
    /// is to be [open](Self::is_open).
    pub(super) fn fold(&mut self) {
        self.enter_new_state();
    }

    /// Was settings the last thing that was done, and nothing undone since?
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// After an undo that was taken back.
    pub(super) fn reopen(&mut self, open: bool) {
        self.open = open;
    }

    fn enter_new_state(&mut self) {
        self.last_state += 1;
        self.state = self.last_state;
    }

    /// Takes back what was done last, and says what it was. `None`: there is nothing.
    pub(super) fn undo(&mut self, style: &mut Style) -> Option<Swapped> {
        let mut entry = self.done.pop_back()?;
        let swapped = self.swap(&mut entry, style, false);
        self.undone.push(entry);
        Some(swapped)
    }

    /// Does again what was undone last, and says what it was. `None`: there is nothing.
    pub(super) fn redo(&mut self, style: &mut Style) -> Option<Swapped> {
        let mut entry = self.undone.pop()?;
        let swapped = self.swap(&mut entry, style, true);
        self.done.push_back(entry);
        Some(swapped)
    }

    fn swap(&mut self, entry: &mut Entry, style: &mut Style, forward: bool) -> Swapped {
        self.open = false;
        let regrows = entry.regrows(style);
        entry.swap(style, forward);
        std::mem::swap(&mut entry.state, &mut self.state);
        Swapped {
            name: entry.name.clone(),
            regrows,
            is_settings: (entry.changes.iter()).any(|c| matches!(c, Change::Config(_))),
        }
    }

    /// The number of the state that the style is in, 0 at first. Whatever is done leads to a number
    /// that there never was; undo and redo lead back to the one that the state had.
    pub fn state(&self) -> u64 {
        self.state
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

#[cfg(test)]
mod tests;
