//! Undo and redo: what was changed, within a bound of memory.

use std::collections::VecDeque;

/// Memory of all that can be undone or redone, bytes.
pub const MOST_BYTES: usize = 512 << 20;

/// One thing that was changed, as what it takes to change it back.
pub trait Change {
    /// What it is a change of.
    type Of;

    /// Changes it back, and becomes what it takes to do it again.
    fn swap(&mut self, of: &mut Self::Of);

    /// Memory, bytes.
    fn bytes(&self) -> usize;
}

/// What one press of a key takes back.
#[derive(Debug)]
struct Entry<C> {
    name: String,
    changes: Vec<C>,
    /// The state on the other side of it: of what was done the one before, of what was undone the
    /// one after.
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

/// What can be undone and redone. Takes [`MOST_BYTES`] at most: then the oldest is forgotten, but
/// never the last one.
#[derive(Debug)]
pub struct History<C> {
    done: VecDeque<Entry<C>>,
    undone: Vec<Entry<C>>,
    forgotten: usize,
    /// Which state the style is in, and the last number that was given to one.
    state: u64,
    last_state: u64,
    /// The last thing done was settings, and nothing was undone since.
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
    /// Remembers settings that were changed: what they were. More of them may be
    /// [folded](Self::fold) into it.
    pub(crate) fn push_settings(&mut self, changes: Vec<C>) {
        self.push("settings", changes);
        self.open = true;
    }

    /// Remembers what was done; what was undone before can no longer be redone.
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
        while self.done.len() > 1 && self.bytes() > MOST_BYTES {
            self.done.pop_front();
            self.forgotten += 1;
        }
    }

    /// Nothing can be undone or redone any more; the state is as it is.
    pub(crate) fn clear(&mut self) {
        self.forgotten += self.done.len();
        self.done.clear();
        self.undone.clear();
        self.open = false;
    }

    /// What was done last, taken back for a while without being undone, or the other way.
    pub(crate) fn swap_last(&mut self, of: &mut C::Of) {
        if let Some(entry) = self.done.back_mut() {
            entry.swap(of, false); // settings and edits: in either order
        }
    }

    /// As [`fold`](Self::fold), while what was done last is taken back: what is to be undone of
    /// both.
    pub(crate) fn fold_to(&mut self, changes: Vec<C>) {
        if let Some(entry) = self.done.back_mut() {
            entry.changes = changes;
        }
        self.enter_new_state();
        self.forget();
    }

    /// Settings were changed once more, and that is one thing to undo with the time before, which
    /// is to be [open](Self::is_open).
    pub(crate) fn fold(&mut self) {
        self.enter_new_state();
    }

    /// Was settings the last thing that was done, and nothing undone since?
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// After an undo that was taken back.
    pub(crate) fn reopen(&mut self, open: bool) {
        self.open = open;
    }

    fn enter_new_state(&mut self) {
        self.last_state += 1;
        self.state = self.last_state;
    }

    /// What an undo would take back; `None`: there is nothing.
    pub(crate) fn last_done(&self) -> Option<&[C]> {
        self.done.back().map(|entry| &entry.changes[..])
    }

    /// What a redo would do again; `None`: there is nothing.
    pub(crate) fn last_undone(&self) -> Option<&[C]> {
        self.undone.last().map(|entry| &entry.changes[..])
    }

    /// Takes back what was done last, and says what it was. `None`: there is nothing.
    pub(crate) fn undo(&mut self, of: &mut C::Of) -> Option<String> {
        let mut entry = self.done.pop_back()?;
        self.swap(&mut entry, of, false);
        let name = entry.name.clone();
        self.undone.push(entry);
        Some(name)
    }

    /// Does again what was undone last, and says what it was. `None`: there is nothing.
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

    /// The number of the state that things are in, 0 at first. Whatever is done leads to a number
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
