//! What came of an advance: strands that have settled, strands that broke.

/// What came of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Every strand has come to rest and stays there while the head does. (The head may still be
    /// moving.)
    pub settled: bool,
    /// Strands that were not finite and have been put back to rest.
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

    /// That of two lots of strands together.
    pub fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled & other.settled,
            reset_strands: self.reset_strands + other.reset_strands,
        }
    }
}
