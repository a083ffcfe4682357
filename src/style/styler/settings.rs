//! Settings that are changed, or overridden for a while; undo and redo.

use super::{Override, Styler};
use crate::config::Config;
use crate::roots::{RootSettings, SampleError};
use crate::style::contents::{Change, Edits, RootSource, Style};
use crate::style::follicles::{Follicles, Progress};
use crate::style::transfer_edits;

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
    /// The errors of [`Follicles::of_head`] and [`Follicles::add_bald`], if the roots are to
    /// change; nothing has changed then.
    pub fn set_config(
        &mut self,
        config: Config,
        merge: bool,
        progress: Progress,
    ) -> Result<(), SampleError> {
        if self.active_override.is_none() && config == self.style.config {
            self.grow_if_changed(&config);
            return Ok(());
        }
        self.cancel();
        let shown = self.style.config.clone();
        self.swap_override();
        if config == self.style.config {
            self.active_override = None;
            self.grow_if_changed(&shown);
            return Ok(());
        }
        // During a drag, edits are transferred from where they were at first.
        let merges = merge && self.history.is_open();
        if merges {
            self.toggle_last();
        }
        let moved = match config.roots == self.style.config.roots {
            true => Ok(None),
            false => self.transferred(&config.roots, progress).map(Some),
        };
        let moved = moved.inspect_err(|_| {
            if merges {
                self.toggle_last();
            }
            self.swap_override();
        })?;
        self.active_override = None;
        let old = std::mem::replace(&mut self.style.config, config);
        let name = self.style.config.changed_since(&old);
        let mut changes = vec![Change::Config(Box::new(old))];
        self.previous_follicles = moved.map(|(follicles, edits)| {
            let edits = std::mem::replace(&mut self.style.edits, edits);
            changes.push(Change::Edits(Box::new(edits)));
            std::mem::replace(&mut self.follicles, follicles)
        });
        self.history.push_settings(name, changes, merges);
        match self.previous_follicles.is_some() {
            true => {
                self.grow();
                self.depenetrate(true, None);
            }
            false => self.grow_if_changed(&shown),
        }
        Ok(())
    }

    /// Swaps the last change and its follicles with those before it.
    fn toggle_last(&mut self) {
        self.history.toggle_last(&mut self.style);
        if let Some(previous) = &mut self.previous_follicles {
            std::mem::swap(previous, &mut self.follicles);
        }
    }

    /// Returns the follicles of other roots, with the current edits transferred to them.
    fn transferred(
        &mut self,
        roots: &RootSettings,
        progress: Progress,
    ) -> Result<(Follicles, Edits), SampleError> {
        let (own, needs_bald) = (self.style.root_source(), self.style.needs_bald());
        let sampled = RootSource {
            settings: roots.clone(),
            own: None,
        };
        let follicles = self.follicles_for(&own, &sampled, needs_bald, progress)?;
        let follicles = follicles.unwrap_or_else(|| self.follicles.clone());
        let (skin, old) = (self.skin(), &self.follicles);
        let edits = transfer_edits::transfer(&self.style, skin, old, &follicles, roots, progress)?;
        Ok((follicles, edits))
    }

    /// Shows other settings for a while, as a scene does while it plays: this cannot be undone, and
    /// the [state](crate::style::History::state) stays. Passing the user's settings ends the
    /// override. A stroke in progress is cancelled.
    ///
    /// [`style`](Self::style) has the overriding settings, [`user_style`](Self::user_style) the
    /// user's. [Setting](Self::set_config), undoing or redoing settings ends the override. If
    /// `config.roots` differ from the user's, edits are transferred to them as by
    /// [`set_config`](Self::set_config); such an override is also ended by strokes, maps, and any
    /// undo or redo.
    ///
    /// # Errors
    ///
    /// The errors of [`set_config`](Self::set_config); nothing has changed then.
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
        let roots = match &mut self.active_override {
            _ if config.roots == self.style.config.roots => Ok(None),
            Some(old) if config.roots == old.config.roots => Ok(old.roots.take()),
            _ => self.transferred(&config.roots, progress).map(Some),
        };
        let roots = roots.inspect_err(|_| self.swap_override())?;
        self.active_override = None;
        if config != self.style.config {
            self.active_override = Some(Override { config, roots });
            self.swap_override();
        }
        self.grow_if_changed(&shown);
        if shown.roots != self.style.config.roots && self.overrides_roots() {
            self.depenetrate(true, None);
        }
        Ok(())
    }

    /// Takes the settings that are shown as an [override](Self::override_config) of the user's: the style
    /// was opened with those of a scene. Other roots than the user's stay the style's own.
    pub fn count_as_override(&mut self, user: &Config) {
        let is_own = self.active_override.is_some() || *user == self.style.config;
        if !is_own && user.roots == self.style.config.roots {
            self.active_override = Some(Override {
                config: user.clone(),
                roots: None,
            });
        }
    }

    /// Returns the style to save: with the user's settings.
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

    /// Returns the settings of [`user_style`](Self::user_style).
    pub fn user_config(&self) -> &Config {
        let user = self.active_override.as_ref();
        user.map_or(&self.style.config, |user| &user.config)
    }

    /// Returns `true` while settings are [overridden](Self::override_config).
    pub fn is_overridden(&self) -> bool {
        self.active_override.is_some()
    }

    /// Returns `true` while overriding settings have other roots.
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

    /// Grows all hair in place of a draft.
    pub(super) fn end_draft(&mut self) {
        if self.draft().is_some() {
            self.set_share(1.0);
            self.grow();
        }
    }

    /// Cancels a stroke in progress, and ends a draft and an override of roots, before the user's hair
    /// changes.
    pub(super) fn prepare_edit(&mut self) {
        self.cancel();
        self.end_draft();
        if self.overrides_roots() {
            self.end_override();
        }
    }

    /// Shows the user's settings again.
    pub(super) fn end_override(&mut self) {
        if self.active_override.is_some() {
            self.swap_override();
            self.active_override = None;
            self.grow();
        }
    }

    /// Grows hair if the settings that it was grown with, or its share, differ in what matters to
    /// it.
    pub(super) fn grow_if_changed(&mut self, shown: &Config) {
        let now = &self.style.config;
        let is_other_share = self.growth.share != self.growth.grown;
        if is_other_share || shown.groom != now.groom || shown.roots != now.roots {
            self.grow();
        }
    }

    /// Returns follicles for a source of roots, where those of the source `from`, which are in use,
    /// do not fit. They are kept: the next time, no root has to be sampled.
    pub(super) fn follicles_for(
        &mut self,
        from: &RootSource,
        to: &RootSource,
        needs_bald: bool,
        progress: Progress,
    ) -> Result<Option<Follicles>, SampleError> {
        let lacks_bald = needs_bald && !self.follicles.are_whole();
        if from == to && !lacks_bald {
            return Ok(None);
        }
        self.kept_follicles.keep(from, &self.follicles);
        let head = &self.head;
        let found = (self.kept_follicles).take_or_sample(head, to, needs_bald, progress)?;
        if let Some(follicles) = &found {
            self.kept_follicles.keep(to, follicles);
        }
        Ok(found)
    }

    /// Undoes the last change, and returns its name; `None` if there is none. A stroke in progress
    /// is cancelled. An override of settings may end ([`override_config`](Self::override_config)).
    ///
    /// # Errors
    ///
    /// The errors of [`set_config`](Self::set_config), if the roots change; nothing has changed
    /// then.
    pub fn undo(&mut self, progress: Progress) -> Result<Option<String>, SampleError> {
        self.step_history(false, progress)
    }

    /// Redoes the change that was undone last, and returns its name; `None` if there is none. A
    /// stroke in progress is cancelled.
    ///
    /// # Errors
    ///
    /// The errors of [`undo`](Self::undo).
    pub fn redo(&mut self, progress: Progress) -> Result<Option<String>, SampleError> {
        self.step_history(true, progress)
    }

    fn step_history(
        &mut self,
        forward: bool,
        progress: Progress,
    ) -> Result<Option<String>, SampleError> {
        self.cancel();
        let was_open = self.history.is_open();
        let shown = self.style.config.clone();
        self.swap_override();
        let old = self.style.root_source();
        let changes = self.history.next(forward);
        let is_config = |change: &Change| matches!(change, Change::Config(_));
        let has_config = changes.iter().any(is_config);
        // The selection does not change hair.
        let is_selection = |change: &Change| matches!(change, Change::Selection(_));
        let grows_none = |change: &Change| is_config(change) || is_selection(change);
        let has_others = !changes.iter().all(grows_none);
        let Some(name) = self.history.step(&mut self.style, forward) else {
            self.swap_override();
            return Ok(None);
        };
        let (now, needs_bald) = (self.style.root_source(), self.style.needs_bald());
        let follicles = self.follicles_for(&old, &now, needs_bald, progress);
        let follicles = follicles.inspect_err(|_| {
            self.history.step(&mut self.style, !forward);
            self.history.reopen(was_open);
            self.swap_override();
        })?;
        match has_config || self.overrides_roots() {
            true => self.active_override = None,
            false => self.swap_override(),
        }
        self.previous_follicles = None;
        let has_other_follicles = follicles.is_some();
        if let Some(follicles) = follicles {
            self.follicles = follicles;
        }
        match has_others || has_other_follicles {
            true => self.grow(),
            false => self.grow_if_changed(&shown),
        }
        Ok(Some(name))
    }
}
