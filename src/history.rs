//! Undo and redo, with a limit of memory.

use std::collections::VecDeque;

/// Largest size of a history in memory, bytes.
pub const MAX_BYTES: usize = 512 << 20;

/// One change, as what was there before.
pub trait Change {
    /// The type that changes.
    type Of;

    /// Undoes the change, and becomes what redoes it.
    fn swap(&mut self, of: &mut Self::Of);

    /// Size in memory, bytes.
    fn bytes(&self) -> usize;
}

/// The changes that one undo reverts.
#[derive(Debug)]
struct Entry<C> {
    name: String,
    changes: Vec<C>,
    /// The state before it, or after it once it is undone.
    state: u64,
}

impl<C: Change> Entry<C> {
    fn swap(&mut self, of: &mut C::Of, forward: bool) {
        match forward {
            true => self.changes.iter_mut().for_each(|change| change.swap(of)),
            false => (self.changes.iter_mut().rev()).for_each(|change| change.swap(of)),
        }
    }

    fn bytes(&self) -> usize {
        self.name.len() + self.changes.iter().map(C::bytes).sum::<usize>()
    }
}

/// The changes that can be undone and redone. Beyond [`MAX_BYTES`] the oldest entries are
/// forgotten, but never the last one.
#[derive(Debug)]
pub struct History<C> {
    done: VecDeque<Entry<C>>,
    undone: Vec<Entry<C>>,
    forgotten: usize,
    /// The number of the current state, and the largest one so far.
    state: u64,
    last_state: u64,
    /// Whether the last entry is a change of settings, and nothing was undone since.
    open: bool,
}

impl<C> Default for History<C> {
    fn default() -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            forgotten: 0,
            state: 0,
            last_state: 0,
            open: false,
        }
    }
}

impl<C: Change> History<C> {
    /// Records a change of settings. Further ones can be [folded](Self::fold_to) into it.
    pub(crate) fn push_settings(&mut self, changes: Vec<C>) {
        self.push("settings", changes);
        self.open = true;
    }

    /// Records changes. What was undone before can no longer be redone.
    pub(crate) fn push(&mut self, name: impl Into<String>, changes: Vec<C>) {
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
        while self.done.len() > 1 && self.bytes() > MAX_BYTES {
            self.done.pop_front();
            self.forgotten += 1;
        }
    }

    /// Forgets everything that can be undone or redone; the state stays.
    pub(crate) fn clear(&mut self) {
        self.forgotten += self.done.len();
        self.done.clear();
        self.undone.clear();
        self.open = false;
    }

    /// Undoes the last entry temporarily, without moving it to what can be redone, or redoes it.
    pub(crate) fn swap_last(&mut self, of: &mut C::Of) {
        if let Some(entry) = self.done.back_mut() {
            entry.swap(of, false); // its changes do not depend on their order
        }
    }

    /// Replaces the changes of the last entry, which is [undone temporarily](Self::swap_last), by
    /// those of both.
    pub(crate) fn fold_to(&mut self, changes: Vec<C>) {
        if let Some(entry) = self.done.back_mut() {
            entry.changes = changes;
        }
        self.enter_new_state();
        self.forget();
    }

    /// Whether the last entry is a change of settings, and nothing was undone since.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Restores [`is_open`](Self::is_open) after an undo that was taken back.
    pub(crate) fn reopen(&mut self, open: bool) {
        self.open = open;
    }

    fn enter_new_state(&mut self) {
        self.last_state += 1;
        self.state = self.last_state;
    }

    /// The changes that an undo would take back; `None` if there are none.
    pub(crate) fn last_done(&self) -> Option<&[C]> {
        self.done.back().map(|entry| &entry.changes[..])
    }

    /// The changes that a redo would do again; `None` if there are none.
    pub(crate) fn last_undone(&self) -> Option<&[C]> {
        self.undone.last().map(|entry| &entry.changes[..])
    }

    /// Undoes the last entry, and returns its name; `None` if there is none.
    pub(crate) fn undo(&mut self, of: &mut C::Of) -> Option<String> {
        let mut entry = self.done.pop_back()?;
        self.swap(&mut entry, of, false);
        let name = entry.name.clone();
        self.undone.push(entry);
        Some(name)
    }

    /// Redoes the entry that was undone last, and returns its name; `None` if there is none.
    pub(crate) fn redo(&mut self, of: &mut C::Of) -> Option<String> {
        let mut entry = self.undone.pop()?;
        self.swap(&mut entry, of, true);
        let name = entry.name.clone();
        self.done.push_back(entry);
        Some(name)
    }

    fn swap(&mut self, entry: &mut Entry<C>, of: &mut C::Of, forward: bool) {
        self.open = false;
        entry.swap(of, forward);
        std::mem::swap(&mut entry.state, &mut self.state);
    }

    /// The number of the current state, 0 at first. Every change leads to a new number; undo and
    /// redo lead back to the number that the state had.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// The number of entries that can be undone.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether nothing can be undone.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// The number of entries that can be redone.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// The number of entries that were forgotten.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Size in memory, bytes.
    pub fn bytes(&self) -> usize {
        let entries = self.done.iter().chain(&self.undone);
        entries.map(Entry::bytes).sum()
    }
}

#[cfg(test)]
mod tests;
