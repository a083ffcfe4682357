//! Undo and redo between the styles on several models.

use super::App;
use crate::viewer::background::{LoadedHead, ShownHair};
use crate::viewer::loading::trail::Left;
use crate::viewer::loading::{Pending, Purpose};
use crate::viewer::styling::StylerSlot;
use mohawk::head::{HeadSettings, Model};
use mohawk::style::Measured;
use web_time::SystemTime;

impl App {
    /// Keeps the session that is shown, because a preset on another model takes its place.
    pub(super) fn remember_session(&mut self) {
        let left = self.leave(0);
        self.loading.trail.begin_after(left);
    }

    /// Undoes a change of models, or redoes it (`forward`), if that is the next thing. Returns whether
    /// it was.
    pub(super) fn travel(&mut self, forward: bool) -> bool {
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
        let Some(next) = self.loading.trail.take(forward, state) else {
            return false;
        };
        let from = next.loaded.styler.as_ref();
        let from = from.map_or(0, |styler| styler.history().state());
        let here = self.leave(from);
        self.loading.trail.leave(forward, here);
        let pending = Pending::new(next.loaded.source.clone(), Purpose::Back);
        self.loading.pending = Some(pending);
        self.show_head(next.loaded);
        let (path, saved) = next.file;
        self.document.set_file(path.as_deref(), saved);
        self.presets.resume(next.presets);
        self.settings.saved = next.saved_settings;
        if let Some(base) = self.presets.base() {
            self.settings.started = base.clone();
        }
        let scene = self.presets.session.scene.clone();
        self.follow_preset_scene(scene);
        let word = if forward { "redo" } else { "undo" };
        let model = self.styling.model.name().into_owned();
        self.overlay.notice(format!("{word}: back on {model}"));
        true
    }

    /// Returns what is known of the head of a shipped model, with the settings that it was read with.
    pub(super) fn measured(&self, model: &Model) -> Option<(HeadSettings, Measured)> {
        if !matches!(model, Model::Shipped(_)) {
            return None; // Its file may have changed.
        }
        if let Some(kept) = self.loading.trail.on(model) {
            return Some((kept.settings.clone(), kept.styler.as_ref()?.measured()));
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
        let history = styler.history();
        let [before, after] = self.loading.trail.counts(history.state());
        match history.undone() {
            0 => [history.len() + before, after],
            undone => [history.len() + before, undone],
        }
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
