//! The background work on the style (settings, undo, maps) and on the skin: its distance field, and
//! follicles where it is bald. Planting takes seconds; other brushes go on meanwhile.

use crate::viewer::app::App;
use crate::viewer::background::{BackgroundTask, Change, Progress, ShownHair, Stopped, StyleJob};
use crate::viewer::input::action::LabOverlay;
use crate::viewer::styling::{StylerSlot, fill, wants_bald};
use mohawk::groom::GroomSettings;
use mohawk::roots::RootSettings;
use mohawk::sim::{Sdf, SdfError, SdfSettings};
use mohawk::style::{FillSide, Follicles, Styler};
use mohawk::{Config, Head};
use std::{ops::ControlFlow, sync::Arc};
use web_time::{Duration, Instant};

/// On a head with more follicles, bald skin takes so long that it is planted only for a tool that
/// may need it.
const EAGER: usize = 20_000;

/// Hair that takes longer than this to grow is drafted while a slider is dragged, seconds.
const SLOW_SECS: f32 = 0.04;
/// The time in which a draft grows, seconds, and the least share of the hair in it.
const DRAFT_SECS: f32 = 0.016;
const LEAST_DRAFT: f32 = 0.1;
/// The time without changes after which all hair grows.
const PAUSE: Duration = Duration::from_millis(120);

/// Plants bald skin beside a style's follicles.
#[derive(Default)]
pub(crate) struct BaldSkin {
    pub(crate) task: BackgroundTask<Follicles>,
    /// The settings of the roots that the task plants.
    planting: Option<RootSettings>,
    /// Settings with which planting failed, and why.
    failed: Option<(RootSettings, String)>,
}

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
            self.overlay.remove_message(&advice);
        }
        self.subject.set_hair(Some(hair));
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
        let (config, state) = (styler.style().config.clone(), styler.history().state());
        self.styling.styler = StylerSlot::Ready(styler);
        self.styling.asked = None;
        let filled = self.styling.filling.take();
        match done {
            Ok(change) => {
                self.take_hair(change.hair);
                match (&mut self.styling.recording, filled) {
                    (Some(recording), Some(stroke)) => recording.add(stroke, state),
                    (Some(recording), None) => recording.redo(state),
                    (None, _) => {}
                }
                if let Some(message) = change.message {
                    self.overlay.notice(message);
                }
                if change.takes_settings {
                    let view = self.settings.config.view.clone();
                    self.set_user_settings(config);
                    self.subject.apply(&self.settings.config);
                    if !self.subject.is_headless() {
                        self.view.follow(&view, &self.settings.config.view);
                    }
                    self.took_preset(state, change.is_preset);
                }
            }
            Err(Stopped::Cancelled) => {}
            Err(Stopped::Failed(why)) if self.presets.asked.is_some() => self.overlay.error(why),
            Err(Stopped::Failed(why)) => {
                self.styling.refused = Some(Box::new(self.settings.config.clone()));
                // The stroke would ask for the same again and again.
                self.styling.stroke = None;
                self.overlay.error(why);
            }
        }
        self.presets.asked = None;
        self.follow_settings();
        self.take_queued_preset();
        if matches!(self.styling.styler, StylerSlot::Ready(_))
            && let Some(job) = self.styling.waiting.pop_front()
        {
            match job {
                StyleJob::Undo | StyleJob::Redo => self.undo(job),
                _ => self.start_after_planting(job),
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
        let job = match self.settings.are_overridden() {
            true => StyleJob::Override(config),
            false => {
                let merge = std::mem::replace(&mut self.styling.merging, self.pointer.pressed);
                StyleJob::Settings {
                    config,
                    merge,
                    share,
                }
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

    /// Undoes or redoes the last change.
    pub(crate) fn undo(&mut self, job: StyleJob) {
        if self.styling.stroke.is_some() {
            return self
                .overlay
                .notice("Please wait: the last stroke is still being applied");
        }
        self.follow_settings();
        if matches!(self.styling.styler, StylerSlot::Working) {
            self.styling.waiting.push_back(job);
            return;
        }
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
        self.follow_settings();
        self.start_style_job(StyleJob::Guides(modifier, count));
    }

    /// Fills the selected map, or one side, with the selected value.
    pub(crate) fn fill_map(&mut self, side: Option<FillSide>) {
        let hand = &self.styling.hand;
        let Some(value) = hand.value().rgb() else {
            return self
                .overlay
                .notice("Choose one direction to fill the map with");
        };
        let (stroke, map) = (fill(hand, side), hand.map);
        let layer = stroke.layer.clone();
        self.styling.filling = Some(stroke);
        self.start_after_planting(StyleJob::Fill(map, layer, value, side));
    }

    /// Bakes the field as soon as hair collides with it or an overlay shows it, and takes the
    /// result.
    pub(crate) fn update_skin(&mut self) {
        match self.skin.poll() {
            Some(Ok(field)) => self.subject.set_field(Ok(field)),
            Some(Err(why)) => {
                let text = format!("Hair collides with an ellipsoid, not with the skin: {why}");
                self.overlay.notice(text);
                self.subject.set_field(Err(why));
            }
            None => {}
        }
        let subject = &self.subject;
        let is_cut = self.lab.switches.is_on(LabOverlay::Field) && subject.shown_head().is_some();
        let wanted = subject.needs_field() || is_cut;
        // A head without paint has no hair that could collide, until it is styled.
        let wanted = (wanted && subject.has_skin()) || self.styling.on;
        let is_asked_for = self.skin.progress().is_some() || subject.field().is_some();
        if is_asked_for || !wanted || !self.loading.has_shown {
            return;
        }
        // A style whose shape depends on the skin has measured it already.
        let styler = self.styling.styler.ready();
        let is_shown = |head: &Arc<Head>| {
            subject
                .head
                .as_ref()
                .is_some_and(|of| Arc::ptr_eq(of, head))
        };
        let styler = styler.filter(|styler| is_shown(styler.head()));
        if let Some(field) = styler.and_then(Styler::field).cloned() {
            return self.subject.set_field(Ok(field));
        }
        if let Some(head) = &subject.head {
            let head = mohawk::style::with_skin(head);
            let bake = move |progress: Progress| bake(&head, progress);
            (self.skin).begin(&self.wake, "Measuring the skin", bake);
        }
    }

    /// Plants bald skin as soon as a brush is in hand, and takes the result.
    pub(crate) fn update_bald_skin(&mut self) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return; // Its roots may be others when it comes back.
        };
        let bald = &mut self.bald;
        let roots = &styler.style().config.roots;
        if bald.planting.as_ref().is_some_and(|of| of != roots) {
            *bald = BaldSkin::default();
        }
        if styler.is_brushing() {
            return;
        }
        let done = bald.task.poll();
        if done.is_some() {
            bald.planting = None;
        }
        match done {
            // Follicles of other roots are refused, and planted again below.
            Some(Ok(whole)) => _ = styler.take_follicles(whole),
            Some(Err(why)) => bald.failed = Some((styler.style().config.roots.clone(), why)),
            None => {}
        }
        if styler.follicles().are_whole() {
            if let Some(job) = self.styling.after_planting.take() {
                self.start_style_job(job);
            }
            return;
        }
        let stroke = self.styling.stroke.as_ref();
        let awaited = self.styling.after_planting.is_some()
            || stroke.is_some_and(|stroke| stroke.waits_for_bald(styler));
        let roots = &styler.style().config.roots;
        if let Some((_, why)) = bald.failed.as_ref().filter(|(of, _)| of == roots) {
            if awaited {
                // Otherwise it would never end.
                (self.styling.stroke, self.styling.after_planting) = (None, None);
                self.styling.filling = None;
                self.overlay
                    .error(format!("No hair can grow on bald skin: {why}"));
            }
            return;
        }
        let hand = &self.styling.hand;
        let likely = wants_bald(&hand.stroke(1.0)) || styler.follicles().len() <= EAGER;
        if bald.planting.is_none() && (awaited || (self.styling.on && likely)) {
            let mut follicles = styler.follicles().clone();
            let roots = roots.clone();
            bald.planting = Some(roots.clone());
            let plant = move |progress: Progress| {
                follicles.add_bald(&roots, progress)?;
                Ok(follicles)
            };
            (bald.task).begin(&self.wake, "Planting bald skin", plant);
        }
    }

    /// Returns `true` if something waits for bald skin, so that the progress of planting it
    /// matters.
    pub(crate) fn awaits_bald_skin(&self) -> bool {
        let styling = &self.styling;
        let ongoing = styling.stroke.as_ref();
        (styling.on && wants_bald(&styling.hand.stroke(1.0)))
            || styling.after_planting.is_some()
            || ongoing.is_some_and(|ongoing| wants_bald(&ongoing.stroke))
    }

    /// Starts a job on the style, after bald skin is planted if the job needs it: within the job,
    /// planting would begin anew.
    pub(crate) fn start_after_planting(&mut self, job: StyleJob) {
        let here = self.styling.styler.ready();
        let waits = here.is_some_and(|styler| !styler.follicles().are_whole());
        match waits && job.wants_bald() {
            true => self.styling.after_planting = Some(job),
            false => self.start_style_job(job),
        }
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

/// Bakes on threads of its own: those that rayon shares carry the simulation, which goes on.
fn bake(head: &Head, progress: Progress) -> Result<Arc<Sdf>, Stopped> {
    let settings = SdfSettings::default();
    let threads = rayon::ThreadPoolBuilder::new().build();
    let baked = match threads {
        Ok(threads) => threads.install(|| Sdf::bake(head, &settings, progress)),
        // Without more threads, this one does it.
        Err(_) => Sdf::bake(head, &settings, progress),
    };
    match baked {
        Err(SdfError::Cancelled) => Err(Stopped::Cancelled),
        baked => baked
            .map(Arc::new)
            .map_err(|error| Stopped::Failed(error.to_string())),
    }
}
