//! Settings that are changed, or overridden for a while.

use super::state::{Override, Styler};
use crate::config::Config;
use crate::roots::{RootSettings, SampleError};
use crate::style::change::Change;
use crate::style::contents::Style;
use crate::style::edits::Edits;
use crate::style::follicles::Follicles;
use crate::style::progress::Progress;
use crate::style::transfer_edits;

/// The effect of a change of settings on the hair.
enum Effect {
    Keeps,
    Regrows,
    /// The hair grows on other roots, to which edits were transferred.
    Moves,
}

impl Styler {
    /// Changes the user's settings, which can be undone. With `merge` the change is one thing to
    /// undo with the last one, if that was a change of settings and nothing was undone since: for
    /// sliders that are dragged. An override of settings ends, and a stroke in progress is
    /// cancelled.
    ///
    /// If the roots change, edits are transferred to the new ones near them; undo brings back the
    /// old ones. Hair is grown anew only if the roots or the way that it grows change.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`] and [`Follicles::add_bald`], if the roots are to change; nothing
    /// has changed then.
    pub fn set_config(
        &mut self,
        config: Config,
        merge: bool,
        progress: Progress,
    ) -> Result<(), SampleError> {
        if self.active_override.is_none() && config == self.style.config {
            return Ok(());
        }
        self.cancel();
        let shown = self.style.config.clone();
        self.swap_override();
        let merges = merge && self.history.is_open();
        let effect = if config == self.style.config {
            Ok(Effect::Keeps)
        } else if config.roots == self.style.config.roots {
            Ok(self.set_all_but_roots(config, merges))
        } else {
            self.set_with_roots(config, merges, progress)
        };
        match effect {
            Err(error) => {
                self.swap_override();
                return Err(error);
            }
            Ok(_) => self.active_override = None,
        }
        match effect? {
            Effect::Keeps => self.grow_if_changed(&shown),
            Effect::Regrows => self.grow(),
            Effect::Moves => {
                self.grow();
                self.depenetrate(true);
            }
        }
        Ok(())
    }

    fn set_all_but_roots(&mut self, config: Config, merges: bool) -> Effect {
        let old = std::mem::replace(&mut self.style.config, config);
        let regrows = old.groom != self.style.config.groom;
        if merges {
            self.history.fold();
        } else {
            let old = vec![Change::Config(Box::new(old))];
            self.history.push_settings(old);
            self.previous_follicles = None;
        }
        match regrows {
            true => Effect::Regrows,
            false => Effect::Keeps,
        }
    }

    fn set_with_roots(
        &mut self,
        config: Config,
        merges: bool,
        progress: Progress,
    ) -> Result<Effect, SampleError> {
        // During a drag, edits are transferred from where they were at first.
        if merges {
            self.swap_last();
        }
        let moved = match config.roots == self.style.config.roots {
            true => Ok(None),
            false => self.transferred(&config.roots, progress).map(Some),
        };
        if merges && moved.is_err() {
            self.swap_last();
        }
        let moved = moved?;
        let old = std::mem::replace(&mut self.style.config, config);
        let mut changes = vec![Change::Config(Box::new(old))];
        self.previous_follicles = moved.map(|(follicles, edits)| {
            let edits = std::mem::replace(&mut self.style.edits, edits);
            changes.push(Change::Edits(Box::new(edits)));
            std::mem::replace(&mut self.follicles, follicles)
        });
        match merges {
            true => self.history.fold_to(changes),
            false => self.history.push_settings(changes),
        }
        Ok(match self.previous_follicles {
            Some(_) => Effect::Moves,
            None => Effect::Regrows,
        })
    }

    /// Swaps the last change and its follicles with what was there before.
    fn swap_last(&mut self) {
        self.history.swap_last(&mut self.style);
        if let Some(previous) = &mut self.previous_follicles {
            std::mem::swap(previous, &mut self.follicles);
        }
    }

    /// Returns the follicles of other roots, with the current edits transferred to them.
    fn transferred(
        &self,
        roots: &RootSettings,
        progress: Progress,
    ) -> Result<(Follicles, Edits), SampleError> {
        let follicles = self.follicles_for(&self.style.config.roots, roots, progress)?;
        let follicles = follicles.unwrap_or_else(|| self.follicles.clone());
        let (skin, old) = (self.skin(), &self.follicles);
        let edits = transfer_edits::transfer(&self.style, skin, old, &follicles, roots, progress)?;
        Ok((follicles, edits))
    }

    /// Shows other settings for a while, as a scene does while it plays: this cannot be undone, and
    /// the [state](Self::state) stays. Passing the user's settings ends the override. A stroke in
    /// progress is cancelled.
    ///
    /// [`style`](Self::style) has the overriding settings, [`user_style`](Self::user_style) the
    /// user's. [Setting](Self::set_config), undoing or redoing settings ends the override. If
    /// `config.roots` differ from the user's, edits are transferred to them as by
    /// [`set_config`](Self::set_config); such an override is also ended by strokes, maps, and any
    /// undo or redo.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config); nothing has changed then.
    pub fn override_config(
        &mut self,
        config: Config,
        progress: Progress,
    ) -> Result<(), SampleError> {
        if config == self.style.config {
            return Ok(());
        }
        self.cancel();
        let shown = self.style.config.clone();
        self.swap_override();
        match self.new_override(config, progress) {
            Ok(new) => self.active_override = new,
            Err(error) => {
                self.swap_override();
                return Err(error);
            }
        }
        self.swap_override();
        self.grow_if_changed(&shown);
        if shown.roots != self.style.config.roots && self.overrides_roots() {
            self.depenetrate(true);
        }
        Ok(())
    }

    /// Returns a new override; `None` if these are the user's settings, which are swapped in.
    fn new_override(
        &mut self,
        config: Config,
        progress: Progress,
    ) -> Result<Option<Override>, SampleError> {
        if config == self.style.config {
            return Ok(None);
        }
        let roots = match &mut self.active_override {
            _ if config.roots == self.style.config.roots => None,
            Some(old) if config.roots == old.config.roots => old.roots.take(),
            _ => Some(self.transferred(&config.roots, progress)?),
        };
        Ok(Some(Override { config, roots }))
    }

    /// The style to save: with the user's settings.
    pub fn user_style(&self) -> Style {
        let mut style = self.style.clone();
        if let Some(user) = &self.active_override {
            style.config = user.config.clone();
            if let Some((_, edits)) = &user.roots {
                style.edits = edits.clone();
            }
        }
        style
    }

    /// Whether settings are [overridden](Self::override_config).
    pub fn is_overridden(&self) -> bool {
        self.active_override.is_some()
    }

    /// Whether overriding settings have other roots.
    pub(super) fn overrides_roots(&self) -> bool {
        (self.active_override.as_ref()).is_some_and(|it| it.roots.is_some())
    }

    /// Swaps overriding settings with the user's.
    pub(super) fn swap_override(&mut self) {
        if let Some(other) = &mut self.active_override {
            std::mem::swap(&mut other.config, &mut self.style.config);
            if let Some((follicles, edits)) = &mut other.roots {
                std::mem::swap(follicles, &mut self.follicles);
                std::mem::swap(edits, &mut self.style.edits);
            }
        }
    }

    /// Cancels a stroke in progress, and ends an override of roots, before the user's hair changes.
    pub(super) fn prepare_edit(&mut self) {
        self.cancel();
        if self.overrides_roots() {
            self.swap_override();
            self.active_override = None;
            self.grow();
        }
    }

    /// Grows hair if the settings that it was grown with differ in what matters to it.
    pub(super) fn grow_if_changed(&mut self, shown: &Config) {
        let now = &self.style.config;
        if shown.groom != now.groom || shown.roots != now.roots {
            self.grow();
        }
    }

    /// Returns follicles for settings of roots, where those of the other settings do not fit.
    pub(super) fn follicles_for(
        &self,
        from: &RootSettings,
        to: &RootSettings,
        progress: Progress,
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
            follicles.add_bald(to, progress)?;
        }
        Ok(Some(follicles))
    }
}

#[cfg(test)]
mod tests;
