//! The jobs on the style: settings, undo, maps; and their results.

use crate::viewer::app::App;
use crate::viewer::background::{Change, ShownHair, Stopped, StyleJob};
use crate::viewer::styling::StylerSlot;
use crate::viewer::styling::stroke;
use mohawk::config::Config;
use mohawk::groom::GroomSettings;
use mohawk::roots::RootSettings;
use mohawk::style::Styler;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Returns the settings that decide how hair grows.
fn of_hair(config: &Config) -> (&RootSettings, &GroomSettings) {
    (&config.roots, &config.groom)
}

impl App {
    /// Shows hair that has been grown.
    pub(crate) fn take_hair(&mut self, hair: ShownHair) {
        self.styling.revision += 1;
        if !hair.groom.is_empty()
            && let Some(advice) = self.styling.advised.take()
        {
            self.overlay.unsay(&advice);
        }
        self.subject.set_hair(Some(hair));
        self.retitle();
    }

    /// Starts a job on the style in the background, unless one runs.
    pub(crate) fn start_style_job(&mut self, job: StyleJob) {
        match std::mem::replace(&mut self.styling.styler, StylerSlot::Working) {
            StylerSlot::Ready(mut styler) => {
                let field = self.subject.field().and_then(Result::ok);
                styler.set_field(field.cloned());
                self.styling.sent_styled = !styler.style().is_plain();
                let task = &mut self.loading.style;
                // The session always comes back with the result.
                task.begin(&self.wake, job.name(), move |progress| {
                    let done = job.run(&mut styler, progress).map(Box::new);
                    Ok((styler, done))
                });
            }
            other => self.styling.styler = other,
        }
    }

    /// Takes the style back after a job.
    pub(crate) fn take_styled(&mut self, styler: Box<Styler>, done: Result<Box<Change>, Stopped>) {
        let head = styler.head().clone();
        if !(self.subject.head.as_ref()).is_some_and(|shown| Arc::ptr_eq(shown, &head)) {
            return; // Its head is not shown any more.
        }
        let config = styler.style().config.clone();
        self.styling.styler = StylerSlot::Ready(styler);
        self.styling.asked = None;
        match done {
            Ok(change) => {
                self.take_hair(change.hair);
                self.record_job();
                if let Some(message) = change.message {
                    self.overlay.notice(message);
                }
                if change.takes_settings {
                    self.set_user_settings(config);
                    self.subject.apply(&self.settings.config);
                }
            }
            Err(Stopped::Cancelled) => {}
            Err(Stopped::Failed(why)) => {
                self.styling.refused = Some(Box::new(self.settings.config.clone()));
                // The stroke would ask for the same again and again.
                self.styling.stroke = None;
                self.overlay.error(why);
            }
        }
        self.follow_settings();
    }

    /// Adds a finished job to the recording of strokes, if it is part of it.
    fn record_job(&mut self) {
        let state = self.styling.styler.ready().map(Styler::state);
        let filled = self.styling.filling.take();
        if let (Some(recording), Some(state)) = (&mut self.styling.recording, state) {
            match filled {
                Some(stroke) => recording.add(stroke, state),
                None => recording.redo(state),
            }
        }
    }

    /// Applies the settings in use to the style, if the style has others.
    pub(crate) fn follow_settings(&mut self) {
        if self.loading.pending.is_some() || self.styling.stroke.is_some() {
            return;
        }
        let config = &self.settings.config;
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return self.try_other_roots();
        };
        let now = &styler.style().config;
        if now == config || self.styling.refused.as_deref() == Some(config) {
            return;
        }
        self.styling.refused = None;
        let in_background = of_hair(now) != of_hair(config) || styler.is_overridden();
        let config = Box::new(config.clone());
        let asked = in_background.then(|| config.clone());
        let job = match self.settings.are_overridden() {
            true => StyleJob::Override(config),
            false => {
                let merge = std::mem::replace(&mut self.styling.merging, self.pointer.pressed);
                StyleJob::Settings { config, merge }
            }
        };
        if in_background {
            self.styling.asked = asked;
            return self.start_style_job(job);
        }
        // Looks and solvers take no time.
        let go_on = &mut |_| ControlFlow::Continue(());
        if let Err(Stopped::Failed(why)) = job.apply(styler, go_on) {
            self.overlay.error(why);
        }
    }

    /// Loads the head again with other settings, after its roots could not be sampled.
    fn try_other_roots(&mut self) {
        let config = &self.settings.config;
        let is_bald = matches!(self.styling.styler, StylerSlot::Empty) && self.subject.has_skin();
        let refused = self.styling.refused.as_deref();
        if !is_bald || refused.is_some_and(|refused| of_hair(refused) == of_hair(config)) {
            return;
        }
        let was_refused = refused.is_some();
        self.styling.refused = Some(Box::new(config.clone()));
        if was_refused {
            self.load_again(self.loading.source.clone());
        }
    }

    /// Cancels the job on the style if it applies settings that are not wanted any more.
    pub(crate) fn cancel_outdated_job(&mut self) {
        if matches!(self.styling.styler, StylerSlot::Working) && self.loading.pending.is_none() {
            let config = &self.settings.config;
            let outdated = self.styling.asked.take_if(|asked| **asked != *config);
            if outdated.is_some() {
                self.loading.style.cancel();
            }
        }
    }

    /// Undoes or redoes the last change.
    pub(crate) fn undo(&mut self, job: StyleJob) {
        if self.styling.stroke.is_some() || matches!(self.styling.styler, StylerSlot::Working) {
            return self.overlay.notice("One moment: hair is still growing");
        }
        self.follow_settings();
        let state = self.styling.styler.ready().map(Styler::state);
        let recording = &mut self.styling.recording;
        if let (StyleJob::Undo, Some(recording), Some(state)) = (&job, recording, state) {
            recording.undo(state);
        }
        self.start_style_job(job);
    }

    /// Fills the selected map with the selected value.
    pub(crate) fn fill_map(&mut self) {
        let hand = &self.styling.hand;
        let Some(value) = hand.value().rgb() else {
            return self.notice("Choose one direction to fill the map with");
        };
        let (stroke, map) = (stroke::fill(hand), hand.map);
        self.styling.filling = Some(stroke);
        self.start_after_planting(StyleJob::Fill(map, value));
    }
}
