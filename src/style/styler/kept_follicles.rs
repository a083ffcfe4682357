//! Follicles of one head for other sources of roots, so that going back to these takes no time.

use crate::head::Head;
use crate::roots::SampleError;
use crate::style::contents::RootSource;
use crate::style::follicles::{Follicles, Progress};

/// The largest number of follicles that are kept, about 100 MB.
const MAX: usize = 2_000_000;
/// The share of painted skin in the work of sampling follicles, where bald skin has them too.
const PAINTED: f32 = 0.1;

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

    /// Returns the follicles of a source, with those of bald skin if they are needed. They are sampled
    /// unless they are kept, and kept no longer. `None` without skin.
    pub(super) fn take_or_sample(
        &mut self,
        head: &Head,
        source: &RootSource,
        needs_bald: bool,
        progress: Progress,
    ) -> Result<Option<Follicles>, SampleError> {
        let painted = if needs_bald { PAINTED } else { 1.0 };
        let found = match self.take(source) {
            Some(kept) => Some(kept),
            None => Follicles::of_source(head, source, &mut |done| progress(painted * done))?,
        };
        let Some(mut follicles) = found else {
            return Ok(None);
        };
        if needs_bald {
            let tell = &mut |done| progress(painted + (1.0 - painted) * done);
            let added = follicles.add_bald(&source.settings, tell);
            added.inspect_err(|_| self.keep(source, &follicles))?;
        }
        Ok(Some(follicles))
    }
}
