//! The background work on the style: settings, undo and maps.

use crate::viewer::app::App;
use crate::viewer::background::{Change, ShownHair, Stopped, StyleJob};
use crate::viewer::input::Drag;
use crate::viewer::styling::{OWN_HEAD, STILL_LOADING, StylerSlot, fill};
use mohawk::Config;
use mohawk::groom::GroomSettings;
use mohawk::roots::RootSettings;
use mohawk::style::{FillSide, Styler};
use std::ops::ControlFlow;
use web_time::{Duration, Instant};

/// Hair that takes longer than this to grow is drafted while a slider is dragged, seconds.
const SLOW_SECS: f32 = 0.04;
/// The time in which a draft grows, seconds.
const DRAFT_SECS: f32 = 0.016;
/// The least share of the hair that is in a draft.
const LEAST_DRAFT: f32 = 0.1;
/// The time without changes after which all hair grows.
const PAUSE: Duration = Duration::from_millis(120);

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
            self.overlay.messages.remove(&advice);
        }
        self.subject.set_hair(Some(hair));
    }

    /// Starts a job on the style in the background, or lets it wait for the one that runs.
    pub(crate) fn start_style_job(&mut self, job: StyleJob) {
        match std::mem::replace(&mut self.styling.styler, StylerSlot::Working) {
            StylerSlot::Ready(mut styler) => {
                let field = self.subject.field().and_then(Result::ok);
                styler.set_field(field.cloned());
                self.styling.sent = Some(Box::new(self.settings.user()));
                self.styling.sent_styled = !styler.style().is_plain() || job.edits();
                let task = &mut self.loading.style;
                // The session always comes back with the result.
                task.begin(&self.wake, job.name(), move |progress| {
                    let done = job.run(&mut styler, progress).map(Box::new);
                    Ok((styler, done))
                });
            }
            StylerSlot::Working => self.styling.waiting.push_back(job),
            StylerSlot::Empty => self.styling.styler = StylerSlot::Empty,
        }
    }

    /// Takes the style back after a job.
    pub(crate) fn take_styled(&mut self, styler: Box<Styler>, done: Result<Box<Change>, Stopped>) {
        if !self.subject.shows(styler.head()) {
            return; // Its head is not shown any more.
        }
        let (config, state) = (styler.user_config().clone(), styler.history().state());
        self.styling.styler = StylerSlot::Ready(styler);
        let applied_settings = self.styling.asked.take().is_some();
        let sent = self.styling.sent.take();
        let reverts = std::mem::take(&mut self.styling.reverts);
        let (is_done, is_cancelled) = (done.is_ok(), matches!(done, Err(Stopped::Cancelled)));
        let mut undoes = reverts && (is_done || is_cancelled && self.styling.continues);
        let own = Box::new(config.clone());
        // A job that was cancelled has made no step that the next one could continue.
        let merging = self.styling.sent_merging.take().filter(|_| done.is_err());
        self.styling.merging = merging.unwrap_or(self.styling.merging);
        match done {
            Ok(change) => {
                self.take_hair(change.hair);
                match (&mut self.styling.recording, change.filled) {
                    (Some(recording), Some(stroke)) => recording.add(*stroke, state),
                    (Some(recording), None) => recording.redo(state),
                    (None, _) => {}
                }
                if let Some(message) = change.message {
                    self.overlay.notice(message);
                }
                if change.takes_settings {
                    let view = self.settings.config.view.clone();
                    self.keep_changes(sent, config);
                    if !self.subject.is_headless() {
                        self.view.follow(&view, &self.settings.config.view);
                    }
                    self.took_preset(state, change.is_preset, &own);
                }
            }
            Err(Stopped::Cancelled) if reverts => {
                // Settings of a scene are no step of the user's.
                undoes |= self.settings.user() == config;
                self.keep_changes(sent, config);
            }
            Err(Stopped::Cancelled) => {}
            Err(Stopped::Failed(why)) if self.presets.asked.is_some() => self.overlay.error(why),
            Err(Stopped::Failed(why)) => {
                let config = &self.settings.config;
                self.styling.refused = applied_settings.then(|| Box::new(config.clone()));
                // The stroke would ask for the same again and again.
                self.styling.stroke = None;
                self.overlay.error(why);
            }
        }
        self.presets.asked = None;
        // The job was to be reverted, but its step exists: the job ended before it was stopped, or
        // continued a step that the drag had made before.
        if undoes {
            self.start_style_job(StyleJob::Undo);
            self.styling.sent = Some(own);
        }
        self.follow_settings();
        self.take_queued_preset();
        self.start_waiting();
    }

    /// Takes `config`, the settings in which a job left the style. What the user has changed since
    /// `sent`, the settings at its start, stays.
    fn keep_changes(&mut self, sent: Option<Box<Config>>, config: Config) {
        let user = self.settings.user();
        let changed = sent.filter(|sent| **sent != user);
        let merged = changed.and_then(|sent| Config::merged(&sent, &user, &config).ok());
        self.set_user_settings(merged.unwrap_or(config));
        self.subject.apply(&self.settings.config);
    }

    /// Starts a job on the style after those that wait.
    pub(crate) fn queue_style_job(&mut self, job: StyleJob) {
        if self.refuses_styling() {
            return;
        }
        self.styling.waiting.push_back(job);
        self.start_waiting();
    }

    /// Starts the job that has waited longest, if no other runs. It waits for bald skin if it needs
    /// that: within the job, planting would begin anew.
    pub(crate) fn start_waiting(&mut self) {
        let Some(styler) = self.styling.styler.ready() else {
            return;
        };
        if !styler.follicles().are_whole() && self.styling.waits_for_bald() {
            return;
        }
        // The style that goes on with a head that is loaded has been taken already.
        let front = self.styling.waiting.front();
        if self.loading.goes_on() && front.is_some_and(StyleJob::is_step) {
            return;
        }
        match self.styling.waiting.pop_front() {
            Some(job) if job.is_step() => self.step_history(job),
            Some(job) => self.start_style_job(job),
            None => {}
        }
    }

    /// Applies the settings in use to the style, if the style has others.
    pub(crate) fn follow_settings(&mut self) {
        // A collider that is dragged disturbs no hair.
        let is_held = matches!(self.pointer.drag, Some(Drag::Collider(_)));
        if self.loading.pending.is_some() || self.styling.stroke.is_some() || is_held {
            return;
        }
        let shows_head_of_scene = self.shows_head_of_scene();
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            let is_applied = self.styling.asked.as_deref() == Some(&self.settings.config);
            if is_applied && !self.pointer.pressed {
                self.styling.merging = false;
                self.styling.sent_merging = self.styling.sent_merging.map(|_| false);
            }
            return self.try_other_roots();
        };
        // A style that was opened while a scene plays has the scene's settings.
        if self.settings.are_overridden() && styler.style().config == self.settings.config {
            styler.count_as_override(&self.settings.user());
        }
        let config = &self.settings.config;
        let now = &styler.style().config;
        // A drag may end with a last change.
        self.styling.merging &= self.pointer.pressed || now != config;
        let end = draft_ends(self.styling.drafted, styler);
        let is_due = end.is_some_and(|end| end <= Instant::now());
        if (now == config && !is_due) || self.styling.refused.as_deref() == Some(config) {
            return;
        }
        self.styling.refused = None;
        let in_background = is_due || of_hair(now) != of_hair(config) || styler.is_overridden();
        let drags = self.pointer.pressed && now != config && now.roots == config.roots;
        let moves = self
            .playback
            .motion
            .is_moving(false, self.subject.sim().time_secs());
        let share = match drags && in_background && !moves {
            true => draft_share(styler),
            false => 1.0,
        };
        self.styling.drafted = (share < 1.0).then(Instant::now);
        let config = Box::new(config.clone());
        let asked = in_background.then(|| config.clone());
        // Hair on the head of a scene is no part of the user's style.
        let user = match shows_head_of_scene {
            true => styler.user_config().clone(),
            false => self.settings.user(),
        };
        let is_step = user != *styler.user_config();
        let merge = self.styling.merging;
        self.styling.merging = if is_step { self.pointer.pressed } else { merge };
        let job = match self.settings.are_overridden() {
            true => StyleJob::Override {
                user: Box::new(user),
                config,
                merge,
            },
            false => StyleJob::Settings {
                config,
                merge,
                share,
            },
        };
        if in_background {
            (self.styling.asked, self.styling.sent_merging) = (asked, Some(merge));
            self.styling.continues = merge;
            return self.start_style_job(job);
        }
        // Looks and solvers take no time.
        let go_on = &mut |_| ControlFlow::Continue(());
        if let Err(Stopped::Failed(why)) = job.apply(styler, go_on) {
            self.overlay.error(why);
        }
    }

    /// Returns the time when all hair grows in place of a draft.
    pub(crate) fn draft_ends(&self) -> Option<Instant> {
        draft_ends(self.styling.drafted, self.styling.styler.ready()?)
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

    /// Follows settings that are not those of `before` any more.
    pub(crate) fn settings_changed(&mut self, before: &Config) {
        let now = &self.settings.config;
        if now.look != before.look || now.sim != before.sim {
            self.subject.apply(now);
        }
        self.cancel_outdated_job();
        self.follow_settings();
    }

    /// Sets settings by their keys, without those that are wrong, which are added to `problems`. They
    /// count as saved: the page around this one has them.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn set_settings<'a>(
        &mut self,
        settings: impl Iterator<Item = (&'a str, &'a str)>,
        problems: &mut Vec<String>,
    ) {
        let before = self.settings.config.clone();
        for (key, value) in settings {
            let set = self.settings.config.set(key, value);
            problems.extend(set.err().map(|error| error.to_string()));
        }
        if self.settings.config != before {
            let user = self.settings.user();
            self.panel.model_changed |= user.head != before.head;
            if user.view != before.view && !self.subject.is_headless() {
                self.view.place(&user.view);
            }
            self.settings.set_loaded(user);
            self.settings_changed(&before);
        }
    }

    /// Cancels the job on the style if it applies settings that are not wanted any more.
    fn cancel_outdated_job(&mut self) {
        if matches!(self.styling.styler, StylerSlot::Working) && self.loading.pending.is_none() {
            let config = &self.settings.config;
            let outdated = self.styling.asked.take_if(|asked| **asked != *config);
            if outdated.is_some() {
                self.loading.style.cancel();
            }
        }
    }

    /// Undoes or redoes the last change, which may be one that waits.
    pub(crate) fn undo(&mut self, job: StyleJob) {
        if self.shows_head_of_scene() {
            return self.overlay.notice(OWN_HEAD);
        }
        // The style that goes on with the head has been taken already.
        if self.loading.goes_on() {
            return self.overlay.notice(STILL_LOADING);
        }
        let styling = &mut self.styling;
        let is_last = styling.waiting.is_empty() && styling.stroke.is_none();
        if matches!(job, StyleJob::Undo) && is_last && styling.asked.take().is_some() {
            styling.reverts = true;
            self.loading.style.cancel();
            return self.overlay.notice("undo: a change that had not ended");
        }
        match (&job, self.styling.waiting.back()) {
            (_, None) => self.step_history(job),
            (StyleJob::Undo, Some(last)) if !last.is_step() => {
                self.styling.waiting.pop_back();
                self.overlay.notice("undo: a change that had not begun");
                self.take_queued_preset();
            }
            _ => self.styling.waiting.push_back(job),
        }
    }

    /// Undoes or redoes the last change of the style.
    fn step_history(&mut self, job: StyleJob) {
        if self.awaits_stroke() {
            return;
        }
        self.follow_settings();
        if self.travel(matches!(job, StyleJob::Redo)) {
            return;
        }
        let state = self
            .styling
            .styler
            .ready()
            .map(|styler| styler.history().state());
        let recording = &mut self.styling.recording;
        if let (StyleJob::Undo, Some(recording), Some(state)) = (&job, recording, state) {
            recording.undo(state);
        }
        self.start_style_job(job);
    }

    /// Takes guides from hair.
    pub(crate) fn take_guides(&mut self, modifier: Option<usize>, count: usize) {
        if self.refuses_styling() {
            return;
        }
        self.follow_settings();
        self.start_style_job(StyleJob::Guides(modifier, count));
    }

    /// Fills the selected map, or one side, with the selected value.
    pub(crate) fn fill_map(&mut self, side: Option<FillSide>) {
        let hand = &self.styling.hand;
        if hand.value().rgb().is_none() {
            let text = "Choose one direction to fill the map with";
            return self.overlay.notice(text);
        }
        let stroke = Box::new(fill(hand, side));
        self.queue_style_job(StyleJob::Fill(stroke));
    }
}

/// Returns the share of the hair that grows fast enough for a draft.
pub(super) fn draft_share(styler: &Styler) -> f32 {
    match styler.growth_secs() {
        slow if slow > SLOW_SECS => (DRAFT_SECS / slow).max(LEAST_DRAFT),
        _ => 1.0,
    }
}

/// Returns the time when all hair grows in place of a draft that was asked for at a time.
fn draft_ends(asked: Option<Instant>, styler: &Styler) -> Option<Instant> {
    styler.draft()?;
    Some(asked.map_or_else(Instant::now, |asked| asked + PAUSE))
}
