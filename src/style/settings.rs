//! Other settings: to keep, or lent for a while.

use super::history::Change;
use super::styler::Styler;
use super::{Edits, Follicles, Style, transfer_edits};
use crate::config::Config;
use crate::roots::{RootSettings, SampleError};
use std::ops::ControlFlow;

/// Tells how far the work is, and whether to go on.
type Progress<'a> = &'a mut dyn FnMut(f32) -> ControlFlow<()>;

/// The style's own settings while others are lent; the lent ones while the own are looked at.
pub(super) struct Lent {
    config: Config,
    /// Where roots are others too, and what belongs to their numbers.
    roots: Option<(Follicles, Edits)>,
}

/// What settings make of hair.
enum Hair {
    Stays,
    Grows,
    /// On other roots, with edits that were taken over to these.
    Moves,
}

impl Styler {
    /// Other settings of the style's own, which can be undone. With `merge` they are one thing to
    /// undo with the settings before, if nothing else was done and nothing undone since: a slider
    /// that is dragged. A loan of settings ends, a stroke that has not ended is cancelled.
    ///
    /// Where roots become others, edits are taken over to those that are near; undoing it brings
    /// back all that there was. Hair is grown anew only where roots or how it grows change.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`] and [`Follicles::add_bald`], where roots are to be others; then
    /// nothing changes.
    pub fn set_config(
        &mut self,
        config: Config,
        merge: bool,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if self.lent.is_none() && config == self.style.config {
            return Ok(());
        }
        self.cancel();
        let shown = self.style.config.clone();
        self.swap_loan();
        let folds = merge && self.history.is_open();
        let set = match () {
            () if config == self.style.config => Ok(Hair::Stays),
            () if config.roots == self.style.config.roots => {
                Ok(self.set_all_but_roots(config, folds))
            }
            () => self.set_with_roots(config, folds, progress),
        };
        if set.is_err() {
            self.swap_loan();
        } else {
            self.lent = None;
        }
        match set? {
            Hair::Stays => self.grow_unlike(&shown),
            Hair::Grows => self.grow(),
            Hair::Moves => {
                self.grow();
                self.push_out(true);
            }
        }
        Ok(())
    }

    fn set_all_but_roots(&mut self, config: Config, folds: bool) -> Hair {
        let old = std::mem::replace(&mut self.style.config, config);
        let grows = old.groom != self.style.config.groom;
        if folds {
            self.history.fold();
        } else {
            let old = vec![Change::Config(Box::new(old))];
            self.history.push_settings(old);
            self.before = None;
        }
        match grows {
            true => Hair::Grows,
            false => Hair::Stays,
        }
    }

    fn set_with_roots(
        &mut self,
        config: Config,
        folds: bool,
        progress: Progress,
    ) -> Result<Hair, SampleError> {
        // What is dragged there and back is taken over from where it was, once.
        if folds {
            self.swap_last();
        }
        let carried = match config.roots == self.style.config.roots {
            true => Ok(None),
            false => self.carried(&config.roots, progress).map(Some),
        };
        let carried = match carried {
            Ok(carried) => carried,
            Err(error) => {
                if folds {
                    self.swap_last();
                }
                return Err(error);
            }
        };
        let old = std::mem::replace(&mut self.style.config, config);
        let mut changes = vec![Change::Config(Box::new(old))];
        self.before = carried.map(|(follicles, edits)| {
            let edits = std::mem::replace(&mut self.style.edits, edits);
            changes.push(Change::Edits(Box::new(edits)));
            std::mem::replace(&mut self.follicles, follicles)
        });
        match folds {
            true => self.history.fold_to(changes),
            false => self.history.push_settings(changes),
        }
        Ok(match self.before {
            Some(_) => Hair::Moves,
            None => Hair::Grows,
        })
    }

    /// What was done last and is still open, taken back with its follicles, or the other way.
    fn swap_last(&mut self) {
        self.history.swap_last(&mut self.style);
        if let Some(before) = &mut self.before {
            std::mem::swap(before, &mut self.follicles);
        }
    }

    /// Other roots, and the edits of what grows now on them.
    fn carried(
        &self,
        roots: &RootSettings,
        progress: Progress,
    ) -> Result<(Follicles, Edits), SampleError> {
        let follicles = self.follicles_for(&self.style.config.roots, roots, progress)?;
        let follicles = follicles.unwrap_or_else(|| self.follicles.clone());
        let (skin, old) = (self.skin(), &self.follicles);
        let edits = transfer_edits::carry(&self.style, skin, old, &follicles, roots, progress)?;
        Ok((follicles, edits))
    }

    /// Puts other settings to work, as a scene does while it plays: there is nothing to undo, and
    /// the style is in the [state](Self::state) that it was in. The loan ends when the style's own
    /// settings are lent. A stroke that has not ended is cancelled.
    ///
    /// [`style`](Self::style) tells of lent settings, [`own_style`](Self::own_style) of the style's
    /// own. To [set](Self::set_config), undo or redo settings ends the loan: who wants it to go on
    /// lends again. While `config.roots` are not the style's own, edits are taken over to them as by
    /// [`set_config`](Self::set_config); such a loan is ended by strokes, maps, and any undo and
    /// redo too.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config); then nothing changes.
    pub fn lend(
        &mut self,
        config: Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if config == self.style.config {
            return Ok(());
        }
        self.cancel();
        let shown = self.style.config.clone();
        self.swap_loan();
        let lent = match self.loan(config, progress) {
            Ok(lent) => lent,
            Err(error) => {
                self.swap_loan();
                return Err(error);
            }
        };
        self.lent = lent;
        self.swap_loan();
        self.grow_unlike(&shown);
        if shown.roots != self.style.config.roots && self.lends_roots() {
            self.push_out(true);
        }
        Ok(())
    }

    /// What it takes to lend settings; `None` of the style's own, which are at work.
    fn loan(&mut self, config: Config, progress: Progress) -> Result<Option<Lent>, SampleError> {
        if config == self.style.config {
            return Ok(None);
        }
        let roots = match &mut self.lent {
            _ if config.roots == self.style.config.roots => None,
            Some(lent) if config.roots == lent.config.roots => lent.roots.take(),
            _ => Some(self.carried(&config.roots, progress)?),
        };
        Ok(Some(Lent { config, roots }))
    }

    /// The style as it is to be saved: without what is lent.
    pub fn own_style(&self) -> Style {
        let mut style = self.style.clone();
        if let Some(lent) = &self.lent {
            style.config = lent.config.clone();
            if let Some((_, edits)) = &lent.roots {
                style.edits = edits.clone();
            }
        }
        style
    }

    /// The follicles of its roots, and its edits.
    pub(super) fn own_edits(&self) -> (&Follicles, &Edits) {
        match &self.lent {
            Some(Lent {
                roots: Some((follicles, edits)),
                ..
            }) => (follicles, edits),
            _ => (&self.follicles, &self.style.edits),
        }
    }

    /// Are roots lent, too?
    pub(super) fn lends_roots(&self) -> bool {
        (self.lent.as_ref()).is_some_and(|lent| lent.roots.is_some())
    }

    /// The style's own settings in place of lent ones, or the other way.
    pub(super) fn swap_loan(&mut self) {
        if let Some(lent) = &mut self.lent {
            std::mem::swap(&mut lent.config, &mut self.style.config);
            if let Some((follicles, edits)) = &mut lent.roots {
                std::mem::swap(follicles, &mut self.follicles);
                std::mem::swap(edits, &mut self.style.edits);
            }
        }
    }

    /// Before something is done to the style's own hair: nothing else is being done to it, and no
    /// roots are lent.
    pub(super) fn make_ready(&mut self) {
        self.cancel();
        if self.lends_roots() {
            self.swap_loan();
            self.lent = None;
            self.grow();
        }
    }

    /// Grows hair, where other settings than these would have grown other hair.
    pub(super) fn grow_unlike(&mut self, shown: &Config) {
        let now = &self.style.config;
        if shown.groom != now.groom || shown.roots != now.roots {
            self.grow();
        }
    }

    /// Follicles for these settings, where those of the other settings will not do.
    pub(super) fn follicles_for(
        &self,
        from: &RootSettings,
        to: &RootSettings,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<Follicles>, SampleError> {
        let needs_bald = self.style.needs_bald();
        let follicles = match from == to {
            true if needs_bald && !self.follicles.are_whole() => Some(self.follicles.clone()),
            true => None,
            false => Follicles::of_head(&self.head, to, progress)?,
        };
        let Some(mut follicles) = follicles else {
            return Ok(None);
        };
        if needs_bald {
            follicles.add_bald(&self.head, to, progress)?;
        }
        Ok(Some(follicles))
    }
}

#[cfg(test)]
mod tests;
