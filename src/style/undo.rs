//! Settings, undo and redo.

use super::history::{Change, History};
use super::styler::Styler;
use super::{Follicles, Style};
use crate::config::Config;
use crate::roots::SampleError;
use std::ops::ControlFlow;

impl Styler {
    /// Other settings, which can be undone.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`], where roots are to be others; then nothing changes.
    pub fn set_config(
        &mut self,
        config: Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if config == self.style.config {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.style.config, config);
        if let Err(error) = self.follow_roots(&old, progress) {
            self.style.config = old;
            return Err(error);
        }
        self.history
            .push("settings", vec![Change::Config(Box::new(old))]);
        self.grow();
        Ok(())
    }

    /// Samples roots where those of `old` settings were others.
    fn follow_roots(
        &mut self,
        old: &Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if old.roots != self.style.config.roots {
            let roots = &self.style.config.roots;
            if let Some(follicles) = Follicles::of_head(&self.head, roots, progress)? {
                self.follicles = follicles;
            }
        }
        match self.style.needs_bald() {
            true => self.add_bald(progress),
            false => Ok(()),
        }
    }

    /// Takes back what was done last, and says what it was. `None`: there was nothing.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn undo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(progress, History::undo)
    }

    /// Does again what was undone last, and says what it was. `None`: there was nothing.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn redo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(progress, History::redo)
    }

    fn back_or_forth(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
        go: fn(&mut History, &mut Style) -> Option<String>,
    ) -> Result<Option<String>, SampleError> {
        self.cancel();
        let old = self.style.config.clone();
        let Some(name) = go(&mut self.history, &mut self.style) else {
            return Ok(None);
        };
        self.follow_roots(&old, progress)?;
        self.grow();
        Ok(Some(name))
    }
}
