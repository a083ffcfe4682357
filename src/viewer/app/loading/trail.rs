//! Styles on other models, which undo and redo lead back to.
//!
//! A preset on another model begins another session. The one before it is kept whole, with its
//! history: undo reaches it after the first change of the new one, and redo leads on from its last.

use super::{Pending, Purpose};
use crate::viewer::app::App;
use crate::viewer::background::{LoadedHead, ShownHair};
use crate::viewer::presets::Session;
use crate::viewer::styling::StylerSlot;
use mohawk::Config;
use mohawk::head::{HeadSettings, Model};
use mohawk::style::Measured;
use std::path::PathBuf;
use web_time::SystemTime;

/// The number of sessions that are kept before the one that is shown, and after it. Each has a head,
/// its hair and a history.
const MAX: usize = 4;

/// The sessions before and after the one that is shown; the nearest are last.
#[derive(Default)]
pub(crate) struct Trail {
    before: Vec<Left>,
    after: Vec<Left>,
}

/// A session that is not shown.
struct Left {
    loaded: LoadedHead,
    /// The settings as last saved.
    saved_settings: Config,
    /// The file, and the state that is in it.
    file: (Option<PathBuf>, Option<u64>),
    presets: Session,
    /// The state of the session before it from which redo leads to it.
    from: u64,
}

impl App {
    /// Keeps the session that is shown, because a preset on another model takes its place.
    pub(super) fn remember_session(&mut self) {
        let left = self.leave(0);
        let trail = &mut self.loading.trail;
        trail.after.clear();
        trail.before.extend(left);
        if trail.before.len() > MAX {
            trail.before.remove(0);
        }
    }

    /// Undoes a change of models, or redoes it (`forward`), if that is the next thing. Returns whether
    /// it was.
    pub(in crate::viewer::app) fn travel(&mut self, forward: bool) -> bool {
        let StylerSlot::Ready(styler) = &self.styling.styler else {
            return false;
        };
        let history = styler.history();
        let is_end = match forward {
            true => history.undone() == 0,
            false => history.is_empty(),
        };
        let is_away = self.loading.pending.is_some() || self.loading.stash.is_some();
        if !is_end || is_away || self.subject.is_headless() {
            return false;
        }
        let state = history.state();
        let trail = &mut self.loading.trail;
        let next = match forward {
            true => trail.after.pop_if(|left| left.from == state),
            false => trail.before.pop(),
        };
        let Some(next) = next else {
            return false;
        };
        let from = next.loaded.styler.as_ref();
        let from = from.map_or(0, |styler| styler.history().state());
        let here = self.leave(from);
        let trail = &mut self.loading.trail;
        match forward {
            true => trail.before.extend(here),
            false => trail.after.extend(here),
        }
        let pending = Pending::new(next.loaded.source.clone(), Purpose::Back);
        self.loading.pending = Some(pending);
        self.show_head(next.loaded);
        let (path, saved) = next.file;
        self.document.set_file(path.as_deref(), saved);
        self.presets.session = next.presets;
        self.settings.saved = next.saved_settings;
        if let Some(base) = self.presets.base() {
            self.settings.set_started(base.clone());
        }
        let scene = self.presets.session.scene.clone();
        self.follow_preset_scene(scene);
        let word = if forward { "redo" } else { "undo" };
        let model = self.styling.model.name().into_owned();
        self.overlay.notice(format!("{word}: back on {model}"));
        true
    }

    /// Returns what is known of the head of a shipped model, with the settings that it was read with.
    pub(in crate::viewer::app) fn measured(
        &self,
        model: &Model,
    ) -> Option<(HeadSettings, Measured)> {
        if !matches!(model, Model::Shipped(_)) {
            return None; // Its file may have changed.
        }
        let trail = &self.loading.trail;
        let mut left = trail.before.iter().chain(&trail.after);
        let left = left.find(|left| left.loaded.model.is_same(model));
        if let Some(LoadedHead {
            settings, styler, ..
        }) = left.map(|left| &left.loaded)
        {
            return Some((settings.clone(), styler.as_ref()?.measured()));
        }
        let mut known = self.presets.measured.iter();
        let (_, settings, measured) = known.find(|(of, ..)| of.is_same(model))?;
        Some((settings.clone(), measured.clone()))
    }

    /// Returns how many changes can be undone and redone.
    pub(crate) fn undo_counts(&self) -> [usize; 2] {
        let Some(styler) = self.styling.styler.ready() else {
            return [0; 2];
        };
        let (history, trail) = (styler.history(), &self.loading.trail);
        let leads = |left: &Left| left.from == history.state();
        let is_next = history.undone() == 0 && trail.after.last().is_some_and(leads);
        let after = if is_next { trail.after.len() } else { 0 };
        [history.len() + trail.before.len(), history.undone() + after]
    }

    /// Takes the session that is shown away; `None`: no hair grows.
    fn leave(&mut self, from: u64) -> Option<Left> {
        let StylerSlot::Ready(styler) = std::mem::take(&mut self.styling.styler) else {
            return None;
        };
        Some(Left {
            saved_settings: self.settings.saved.clone(),
            file: self.document.file(),
            presets: std::mem::take(&mut self.presets.session),
            from,
            loaded: LoadedHead {
                source: self.loading.source.clone(),
                model: self.styling.model.clone(),
                settings: self.loading.head_settings.clone(),
                since: SystemTime::now(),
                head: styler.head().clone(),
                rays: self.subject.rays.clone(),
                hair: Some(ShownHair::of(&styler)),
                styler: Some(styler),
                keeps_style: false,
                takes_over: true,
                problem: None,
                preset: None,
                card: self.styling.card.clone(),
                notice: None,
            },
        })
    }
}
