//! Follicles of one head for other sources of roots, so that going back to these takes no time.

use crate::style::contents::RootSource;
use crate::style::follicles::Follicles;

/// The largest number of follicles that are kept, about 100 MB.
const MAX: usize = 2_000_000;

/// Follicles by the source of their roots, the last used at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptFollicles(Vec<(RootSource, Follicles)>);

impl KeptFollicles {
    /// Keeps follicles. Those of bald skin stay if they are known already.
    pub(super) fn keep(&mut self, source: &RootSource, follicles: &Follicles) {
        let known = self.take(source);
        let known = known.filter(|known| known.are_whole() && !follicles.are_whole());
        let kept = known.unwrap_or_else(|| follicles.clone());
        self.0.push((source.clone(), kept));
        let mut count: usize = self.0.iter().map(|(_, kept)| kept.len()).sum();
        while count > MAX && self.0.len() > 1 {
            count -= self.0.remove(0).1.len();
        }
    }

    /// Returns the follicles of a source, and keeps them no longer.
    pub(super) fn take(&mut self, source: &RootSource) -> Option<Follicles> {
        let at = self.0.iter().position(|(known, _)| known == source)?;
        Some(self.0.remove(at).1)
    }
}
