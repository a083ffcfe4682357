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

    /// Returns the size in memory, bytes.
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
    /// The number of the current state, and the largest one so far.
    state: u64,
    last_state: u64,
    /// `true` if the last entry is a change of settings, and nothing was undone since.
    open: bool,
}

impl<C> Default for History<C> {
    fn default() -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            state: 0,
            last_state: 0,
            open: false,
        }
    }
}

impl<C: Change> History<C> {
    /// Records a change of settings. With `merges` it replaces the last entry, which is
    /// [undone temporarily](Self::toggle_last), and leads back to the state before that.
    pub(crate) fn push_settings(&mut self, name: impl Into<String>, changes: Vec<C>, merges: bool) {
        if merges && let Some(last) = self.done.pop_back() {
            self.state = last.state;
        }
        self.push(name, changes);
        self.open = true;
    }

    /// Records changes. What was undone before can no longer be redone.
    pub(crate) fn push(&mut self, name: impl Into<String>, changes: Vec<C>) {
        self.undone.clear();
        self.last_state += 1;
        self.done.push_back(Entry {
            name: name.into(),
            changes,
            state: std::mem::replace(&mut self.state, self.last_state),
        });
        self.open = false;
        while self.done.len() > 1 && self.bytes() > MAX_BYTES {
            self.done.pop_front();
        }
    }

    /// Forgets everything that can be undone or redone; the state stays.
    pub(crate) fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
        self.open = false;
    }

    /// Undoes the last entry temporarily, without moving it to what can be redone, or redoes it.
    pub(crate) fn toggle_last(&mut self, of: &mut C::Of) {
        if let Some(entry) = self.done.back_mut() {
            entry.swap(of, false); // its changes do not depend on their order
        }
    }

    /// Returns `true` if the last entry is a change of settings, and nothing was undone since.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Restores [`is_open`](Self::is_open) after an undo that was taken back.
    pub(crate) fn reopen(&mut self, open: bool) {
        self.open = open;
    }

    /// Returns the changes that an undo would take back, or that a redo (`forward`) would do again.
    pub(crate) fn next(&self, forward: bool) -> &[C] {
        (self.next_entry(forward)).map_or(&[], |entry| &entry.changes)
    }

    fn next_entry(&self, forward: bool) -> Option<&Entry<C>> {
        match forward {
            true => self.undone.last(),
            false => self.done.back(),
        }
    }

    /// Undoes the last entry, or redoes (`forward`) the one that was undone last. Returns its name;
    /// `None` if there is none.
    pub(crate) fn step(&mut self, of: &mut C::Of, forward: bool) -> Option<String> {
        let mut entry = match forward {
            true => self.undone.pop()?,
            false => self.done.pop_back()?,
        };
        self.open = false;
        entry.swap(of, forward);
        std::mem::swap(&mut entry.state, &mut self.state);
        let name = entry.name.clone();
        match forward {
            true => self.done.push_back(entry),
            false => self.undone.push(entry),
        }
        Some(name)
    }

    /// Returns the number of the current state, 0 at first. Every change leads to a new number;
    /// undo and redo lead back to the number that the state had.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Returns the name of the entry that an undo would take back, or that a redo (`forward`) would
    /// do again.
    pub fn next_name(&self, forward: bool) -> Option<&str> {
        self.next_entry(forward).map(|entry| entry.name.as_str())
    }

    /// Returns the number of entries that can be undone.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Returns `true` if nothing can be undone.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Returns the number of entries that can be redone.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Returns the size in memory, bytes.
    pub fn bytes(&self) -> usize {
        let entries = self.done.iter().chain(&self.undone);
        entries.map(Entry::bytes).sum()
    }
}

#[cfg(test)]
mod tests;
