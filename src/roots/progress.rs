//! Telling the caller how far the work is, and hearing whether to stop.

use super::SampleError;
use std::ops::ControlFlow;

/// A part of the whole progress, handed down to a part of the work.
pub(crate) struct Progress<'a> {
    tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>,
    from: f32,
    to: f32,
    steps: u32,
    /// What the whole work may still take, in [`super::work`]'s units.
    pub(crate) work_left: u64,
    told: f32,
}

impl<'a> Progress<'a> {
    /// The whole of it, 0 to 1, with at most so much work.
    pub(crate) fn new(tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>, work_left: u64) -> Self {
        Progress {
            tell,
            from: 0.0,
            to: 1.0,
            steps: 0,
            work_left,
            told: 0.0,
        }
    }

    /// From here on, shares of 0 to 1 mean `from` to `to` of the whole.
    pub(crate) fn section(&mut self, from: f32, to: f32) {
        (self.from, self.to) = (from, to);
    }

    /// One small step of work is done, `share` (0 to 1) of the section with it.
    ///
    /// The caller hears of every 256th: a step takes microseconds, so that is
    /// often enough to cancel at once and too seldom to cost anything.
    pub(crate) fn step(&mut self, share: f64) -> Result<(), SampleError> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps % 256 == 1 {
            return self.tell(share);
        }
        Ok(())
    }

    /// As `step`, but the caller hears of it for certain; never of less than before.
    pub(crate) fn tell(&mut self, share: f64) -> Result<(), SampleError> {
        let whole = self.from + (self.to - self.from) * share.clamp(0.0, 1.0) as f32;
        self.told = self.told.max(whole);
        match (self.tell)(self.told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SampleError::Cancelled),
        }
    }
}
