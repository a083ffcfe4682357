//! The recording of strokes for a stroke file.

/// Strokes, each with the state of the history that it has led to.
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

    /// Undoes the stroke that has led to a state.
    pub(crate) fn undo(&mut self, state: u64) {
        let last = self.done.pop_if(|(of, _)| *of == state);
        self.undone.extend(last);
    }

    /// Redoes the stroke that leads to a state.
    pub(crate) fn redo(&mut self, state: u64) {
        let last = self.undone.pop_if(|(of, _)| *of == state);
        self.done.extend(last);
    }

    /// Returns the number of strokes.
    pub(crate) fn len(&self) -> usize {
        self.done.len()
    }

    /// Returns the strokes in order.
    pub(crate) fn strokes(&self) -> impl Iterator<Item = &S> {
        self.done.iter().map(|(_, stroke)| stroke)
    }
}
