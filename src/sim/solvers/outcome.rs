//! The outcome of an advance.

/// The outcome of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether every strand has come to rest and stays there while the head does. (The head may
    /// still be moving.)
    pub settled: bool,
    /// Number of strands that were not finite and have been put back to rest.
    pub reset_strands: u64,
}

impl Outcome {
    /// The outcome of no strands.
    pub fn nothing() -> Self {
        Self {
            settled: true,
            reset_strands: 0,
        }
    }

    /// Combines the outcomes of two sets of strands.
    pub fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled & other.settled,
            reset_strands: self.reset_strands + other.reset_strands,
        }
    }
}
