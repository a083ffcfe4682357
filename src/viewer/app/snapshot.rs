//! The smoke test: a picture some time after the head is there, then the end.

use crate::viewer::{Snapshot, ViewerError};
use std::path::Path;
use std::time::{Duration, Instant};

/// A picture to take, and why it cannot be.
pub(crate) struct SnapshotJob {
    snapshot: Snapshot,
    /// Known once the head is on the screen.
    due: Option<Instant>,
    /// Why there is nothing to take a picture of.
    problem: Option<String>,
}

impl SnapshotJob {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            due: None,
            problem: None,
        }
    }

    /// The head is on the screen: the clock runs.
    pub(crate) fn start(&mut self, now: Instant) {
        let delay = Duration::try_from_secs_f64(self.snapshot.delay_secs).unwrap_or_default();
        self.due = Some(now + delay);
    }

    /// When the picture is to be taken.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Where the picture goes, if it is to be taken by now.
    pub(crate) fn due_at(&self, now: Instant) -> Option<&Path> {
        let due = self.due.is_some_and(|due| due <= now);
        due.then_some(self.snapshot.path.as_path())
    }

    /// There is nothing worth a picture.
    pub(crate) fn fail(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }

    /// Why the window closes without a picture.
    pub(crate) fn failure(self) -> ViewerError {
        match self.problem {
            Some(problem) => ViewerError::Head(problem),
            None => ViewerError::Closed {
                path: self.snapshot.path,
            },
        }
    }
}
