//! Follicles of one head that were sampled for other settings of roots, so that going back to these
//! takes no time.

use crate::roots::RootSettings;
use crate::style::follicles::Follicles;

/// The largest number of follicles that are kept, about 100 MB.
const MAX: usize = 2_000_000;

/// Follicles by the settings that they were sampled with, the last used at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptFollicles(Vec<(RootSettings, Follicles)>);

impl KeptFollicles {
    /// Keeps follicles. Those of bald skin stay if they are known already.
    pub(super) fn keep(&mut self, settings: &RootSettings, follicles: &Follicles) {
        let known = self.take(settings);
        let known = known.filter(|known| known.are_whole() && !follicles.are_whole());
        let kept = known.unwrap_or_else(|| follicles.clone());
        self.0.push((settings.clone(), kept));
        let mut count: usize = self.0.iter().map(|(_, kept)| kept.len()).sum();
        while count > MAX && self.0.len() > 1 {
            count -= self.0.remove(0).1.len();
        }
    }

    /// Returns the follicles of these settings, and keeps them no longer.
    pub(super) fn take(&mut self, settings: &RootSettings) -> Option<Follicles> {
        let at = self.0.iter().position(|(known, _)| known == settings)?;
        Some(self.0.remove(at).1)
    }
}
