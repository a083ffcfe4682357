//! Another style in place of the user's, as a preset is chosen: one thing to undo.

use super::Styler;
use super::open::{OpenError, check_roots};
use super::skin_field::beside_skin;
use crate::maps::MapKind;
use crate::roots::RootSettings;
use crate::style::contents::{Change, RootSource};
use crate::style::file::Saved;
use crate::style::follicles::{Follicles, Progress};
use std::collections::BTreeSet;

impl Styler {
    /// Takes the style of another file for the same head in place of the user's: settings, maps and
    /// edits. That is one thing to undo, called `name`. The settings of `[head]` stay. A stroke in
    /// progress is cancelled, and an override of settings ends.
    ///
    /// # Errors
    ///
    /// The errors of [`Styler::open`]; nothing has changed then.
    pub fn replace(
        &mut self,
        saved: Saved,
        name: &str,
        progress: Progress,
    ) -> Result<(), OpenError> {
        self.cancel();
        self.swap_override();
        let replaced = self.replace_users(saved, name, progress);
        match &replaced {
            Ok(()) => self.active_override = None,
            Err(_) => self.swap_override(),
        }
        replaced
    }

    /// Keeps follicles that were sampled elsewhere for other settings of roots, so that a style with
    /// these grows without sampling. Those of another part are not kept.
    pub fn keep_follicles(&mut self, settings: &RootSettings, follicles: &Follicles) {
        if follicles.part() == self.follicles.part() {
            let source = RootSource {
                settings: settings.clone(),
                own: None,
            };
            self.kept_follicles.keep(&source, follicles);
        }
    }

    fn replace_users(
        &mut self,
        saved: Saved,
        name: &str,
        progress: Progress,
    ) -> Result<(), OpenError> {
        let mut new = saved.style;
        new.config.head = self.style.config.head.clone();
        for map in new.maps.values() {
            map.check_fits(self.part())?;
        }
        let (old, needs_bald) = (self.style.root_source(), new.needs_bald());
        let (head, wanted) = (self.head.clone(), self.lacks_field(&new.config));
        let (found, baked) = beside_skin(&head, wanted, progress, |progress| {
            self.follicles_for(&old, &new.root_source(), needs_bald, progress)
        })?;
        self.take_baked(baked);
        check_roots(&saved.roots, found.as_ref().unwrap_or(&self.follicles))?;
        if let Some(found) = found {
            self.follicles = found;
        }
        self.previous_follicles = None;
        let old = std::mem::replace(&mut self.style, new);
        let kinds = old.maps.keys().chain(self.style.maps.keys());
        let kinds: BTreeSet<MapKind> = kinds.copied().collect();
        let map = |kind| Change::WholeMap(kind, old.layered_map(kind));
        let mut changes: Vec<Change> = kinds.into_iter().map(map).collect();
        changes.push(Change::Edits(Box::new(old.edits)));
        changes.push(Change::Config(Box::new(old.config)));
        self.history.push(name, changes);
        self.grow();
        Ok(())
    }
}
