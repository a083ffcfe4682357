//! Strokes that are recorded, so that a file does them again.

/// Strokes with the state of the history that each has led to.
pub(crate) struct Recording<S> {
    done: Vec<(u64, S)>,
    undone: Vec<(u64, S)>,
}

impl<S> Default for Recording<S> {
    fn default() -> Self {
        Self {
            done: Vec::new(),
            undone: Vec::new(),
        }
    }
}

impl<S> Recording<S> {
    /// Adds a stroke that has led to a state.
    pub(crate) fn add(&mut self, stroke: S, state: u64) {
        self.undone.clear();
        self.done.push((state, stroke));
    }

    /// What has led to this state is being undone.
    pub(crate) fn undo(&mut self, state: u64) {
        let last = self.done.pop_if(|(of, _)| *of == state);
        self.undone.extend(last);
    }

    /// This state is there again.
    pub(crate) fn redo(&mut self, state: u64) {
        let last = self.undone.pop_if(|(of, _)| *of == state);
        self.done.extend(last);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.done.len()
    }

    /// One after the other.
    pub(crate) fn strokes(&self) -> impl Iterator<Item = &S> {
        self.done.iter().map(|(_, stroke)| stroke)
    }
}
