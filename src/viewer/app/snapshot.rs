//! A picture that is taken some time after the head is shown, and ends the program.

use crate::viewer::{Snapshot, ViewerError};
use std::path::Path;
use std::time::{Duration, Instant};

/// A picture to take before the window closes.
pub(crate) struct SnapshotJob {
    snapshot: Snapshot,
    /// Known once the head is on the screen.
    due: Option<Instant>,
    /// The reason why there is nothing to take a picture of.
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

    /// Starts the delay: the head is on the screen.
    pub(crate) fn start(&mut self, now: Instant) {
        let delay = Duration::try_from_secs_f64(self.snapshot.delay_secs).unwrap_or_default();
        self.due = Some(now + delay);
    }

    /// Returns when the picture is to be taken.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Returns the file of the picture, if it is due.
    pub(crate) fn due_at(&self, now: Instant) -> Option<&Path> {
        let due = self.due.is_some_and(|due| due <= now);
        due.then_some(self.snapshot.path.as_path())
    }

    /// Records that there is nothing to take a picture of.
    pub(crate) fn fail(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }

    /// Returns the error of a window that closes without a picture.
    pub(crate) fn failure(self) -> ViewerError {
        match self.problem {
            Some(problem) => ViewerError::Head(problem),
            None => ViewerError::Closed {
                path: self.snapshot.path,
            },
        }
    }
}
