//! Progress reports, and cancellation.

use super::SampleError;
use std::ops::ControlFlow;

/// A section of the whole progress, for a part of the work.
pub(crate) struct Progress<'a> {
    tell: &'a mut dyn FnMut(f32) -> ControlFlow<()>,
    from: f32,
    to: f32,
    steps: u32,
    /// The remaining work, in the units of [`super::work`].
    pub(crate) work_left: u64,
    told: f32,
}

impl<'a> Progress<'a> {
    /// The whole progress, 0 to 1, with a limit of work.
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

    /// Maps the progress of the following work, 0 to 1, to `from` to `to` of the whole.
    pub(crate) fn section(&mut self, from: f32, to: f32) {
        (self.from, self.to) = (from, to);
    }

    /// Reports a small step of work; `share` (0 to 1) of the section is done.
    ///
    /// Only every 256th step is reported. A step takes microseconds, so cancellation is prompt and
    /// the cost negligible.
    pub(crate) fn step(&mut self, share: f64) -> Result<(), SampleError> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps % 256 == 1 {
            return self.tell(share);
        }
        Ok(())
    }

    /// Reports like `step`, but always, and never less than before.
    pub(crate) fn tell(&mut self, share: f64) -> Result<(), SampleError> {
        let whole = self.from + (self.to - self.from) * share.clamp(0.0, 1.0) as f32;
        self.told = self.told.max(whole);
        match (self.tell)(self.told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SampleError::Cancelled),
        }
    }
}
