//! Loads heads, and puts the one that has been loaded in the place of the one that is shown.

use super::App;
use super::presets::scene_of;
use super::reload::message;
use crate::viewer::background::{HeadSource, LoadRequest, LoadedHead, has_style, head_name};
use crate::viewer::loading::trail::Trail;
use crate::viewer::loading::{Loading, Pending, Purpose, Stash, begin};
use crate::viewer::styling::StylerSlot;
use mohawk::Config;
use mohawk::head::HeadSettings;
use mohawk::presets::Preset;
use mohawk::sim::Scene;
use mohawk::style::{Saved, Style, Styler};
use std::path::Path;
use std::rc::Rc;

/// Advice for a head that has no hair, besides painting it in another program.
const PAINT_HERE: &str = "Or paint hair here: press B, choose Paint and drag over the head. Strands \
                          (Look, Length and fullness) are counted over all of its skin then: raise \
                          them for thicker hair.";

impl App {
    /// Loads a head, and cancels the work on the style of the last one.
    pub(super) fn load_head(&mut self, purpose: Purpose, request: LoadRequest) {
        let pending = Pending::new(request.source.clone(), purpose);
        self.loading.pending = Some(pending);
        self.loading.style.cancel();
        self.loading.uploaded = None;
        begin(&mut self.loading.head, &self.wake, request);
    }

    /// Loads a head that the user has not chosen anew. The head keeps its style; the style of the
    /// head that is shown is stashed until that head comes back.
    pub(super) fn load_kept(&mut self, source: HeadSource, config: Config, purpose: Purpose) {
        let is_own = !self.shows_head_of_scene();
        // Without a stash, a file with a style would bring its own back, whatever replaced it.
        let is_kept = self.is_styled() || self.loading.source.as_deref().is_some_and(has_style);
        if is_own && is_kept && self.loading.stash.is_none() {
            self.loading.stash = self.styling.styler.ready().map(|styler| Stash {
                source: self.loading.source.clone(),
                saved: self.saved(styler),
                path: self.document.path.clone(),
                preset: self.presets.chosen().map(|(name, _)| name.to_owned()),
                is_saved: self.document.is_saved(styler.history().state())
                    || self.is_preset(styler, &styler.user_style().config),
            });
        }
        let stash = self.loading.stash.as_ref();
        let stash = stash.filter(|stash| stash.source == source);
        let request = LoadRequest {
            kept: stash.map(|stash| Box::new(stash.saved.clone())),
            source,
            config,
            ..LoadRequest::default()
        };
        self.load_head(purpose, request);
    }

    /// Reads the file of the head again, as the settings say now, and remembers how.
    pub(super) fn read_model(&mut self) {
        if !self.may_load_again() {
            return; // It is asked again.
        }
        self.panel.model_changed = false;
        let head = self.settings.user().head;
        self.keep_model(&head);
        let (source, config) = (self.loading.source.clone(), self.settings.config.clone());
        self.load_kept(source, config, Purpose::Read);
    }

    /// Remembers how the file of the head is read, unless a style says that.
    fn keep_model(&mut self, head: &HeadSettings) {
        let source = self.loading.source.as_deref();
        if let Some(path) = source.filter(|path| !Saved::is_named(path)) {
            self.remembered.keep_model(path, head);
            self.settings.set_model(head);
        }
    }

    /// Goes back to how the head that is shown was read, after one has failed to load that the user has
    /// asked for.
    fn restore_model(&mut self, failed: &Purpose) {
        let before = self.loading.model_before.take();
        match failed {
            _ if !self.loading.has_shown => {}
            Purpose::Chosen => _ = before.map(|head| self.settings.set_model(&head)),
            // A scene may have the head read in another way.
            Purpose::Read if self.scenes.active.is_none() => {
                let head = self.loading.head_settings.clone();
                self.settings.restore_model(&head);
                self.keep_model(&head);
            }
            _ => {}
        }
    }

    /// Loads a head that replaces the one that is shown.
    pub(super) fn load_other(&mut self, path: &Path) {
        // Each file has its own way of being read.
        let mut head = self.settings.model();
        self.remembered.use_model(path, &mut head);
        self.loading.model_before = Some(self.settings.user().head);
        self.settings.set_model(&head);
        let request = LoadRequest {
            source: Some(path.to_owned()),
            config: self.settings.user(),
            own_settings: true,
            shown: Some((
                self.styling.model.clone(),
                self.loading.head_settings.clone(),
            )),
            ..LoadRequest::default()
        };
        self.load_head(Purpose::Chosen, request);
    }

    /// Takes the heads that have been loaded, and the styles that have been worked on.
    pub(crate) fn take_loaded(&mut self) {
        let early = self.loading.early.as_ref();
        let early = early.and_then(|early| early.try_recv().ok());
        if let Some((head, drawn)) = early.filter(|_| !self.loading.has_shown) {
            self.subject.show(head, None);
            self.reset_camera();
            self.loading.drawing = Some(drawn);
        }
        loop {
            // Styles come first: they may be of the last head.
            let taken = if let Some(done) = self.loading.style.poll() {
                done.map(|(styler, done)| self.take_styled(styler, done))
            } else if let Some(done) = self.loading.head.poll() {
                done.map(|loaded| self.take_head(loaded))
            } else if let Some((loaded, model)) = self.loading.take_uploaded() {
                self.subject.uploaded = Some(model);
                self.show_head(*loaded);
                Ok(())
            } else {
                // These may have waited for a stroke.
                self.save_grown();
                return self.reload_what_is_stale();
            };
            if let Err(why) = taken {
                self.loading_failed(why);
            }
            self.reload_what_is_stale();
            self.follow_settings();
        }
    }

    /// Shows a head. A page uploads it first, in turns with the picture.
    fn take_head(&mut self, loaded: Box<LoadedHead>) {
        #[cfg(target_arch = "wasm32")]
        if !self.subject.shows(&loaded.head) {
            self.loading
                .upload(loaded, self.subject.stage.context(), &self.wake);
            return;
        }
        self.show_head(*loaded);
    }

    fn loading_failed(&mut self, why: String) {
        if self.fails_snapshot(&why) {
            return;
        }
        self.overlay.error(why);
        if let Some(pending) = self.loading.pending.take() {
            self.restore_model(&pending.purpose);
            self.watch_failed(pending);
        }
        self.loading.recovering = None;
        self.presets.queued = None;
        // Its head is still shown.
        let Loading { stash, source, .. } = &mut self.loading;
        stash.take_if(|stash| stash.source == *source);
        if !self.loading.has_shown && !self.loading.fell_back {
            // The shipped head is shown, so that the error is not over an empty window.
            self.loading.fell_back = true;
            self.load_head(Purpose::Chosen, LoadRequest::default());
        }
    }

    /// Ends a snapshot job that has nothing to show. Returns whether there is one.
    fn fails_snapshot(&mut self, why: &str) -> bool {
        if self.snapshot.is_some() {
            self.snapshot_problem.get_or_insert(why.to_owned());
            self.quit = true;
        }
        self.snapshot.is_some()
    }

    pub(super) fn show_head(&mut self, mut loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let pending = self.loading.pending.take();
        let purpose = pending.map_or(Purpose::Chosen, |pending| pending.purpose);
        let first = !std::mem::replace(&mut self.loading.has_shown, true);
        self.loading.leaves_memory = true;
        if !first {
            self.overlay.messages.clear();
        }
        match purpose {
            Purpose::Again | Purpose::Read => self.overlay.notice(message(&loaded.source)),
            Purpose::Scene(_) | Purpose::Preset | Purpose::Back => {}
            // The scene goes on in front of the head.
            Purpose::Quiet if self.scenes.active.is_some() => {}
            // The first thing a newcomer sees is hair that moves.
            // Meadows do not swing.
            Purpose::Chosen | Purpose::Quiet if first && loaded.model.is_head() => {
                let greeting = Rc::new(Scene::Swing.into());
                self.playback.motion.play(greeting, now, true);
            }
            Purpose::Chosen | Purpose::Quiet => {
                self.end_scene();
                self.rest();
            }
        }
        for warning in loaded.head.warnings_beside_advice() {
            self.overlay.notice(warning);
        }
        let source = head_name(&loaded.source);
        // A style may have hair on a head that has no paint.
        let is_bald = (loaded.hair.as_ref()).is_none_or(|hair| hair.groom.is_empty());
        if let Some(advice) = loaded.head.paint_advice().filter(|_| is_bald) {
            if self.fails_snapshot(&format!("{source}: {advice}")) {
                return;
            }
            let advice = match loaded.styler {
                Some(_) => format!("{advice} {PAINT_HERE}"),
                None => advice,
            };
            self.overlay.advice(advice.as_str());
            self.styling.advised = Some(advice);
        }
        if let Some(problem) = loaded.problem.take() {
            if self.fails_snapshot(&format!("{source}: {problem}")) {
                return;
            }
            self.overlay.error(problem);
        }
        let triangles = loaded.head.triangle_count();
        let strands = loaded.hair.as_ref().map_or(0, |hair| hair.groom.len());
        let name = &loaded.head.name;
        let played = self.animation();
        tracing::info!("loaded {name}: {triangles} triangles, {strands} strands");
        let view = self.settings.config.view.clone();
        match purpose {
            Purpose::Preset => {
                self.loading.stash = None;
                self.loading.forget_failed();
                self.remember_session();
            }
            Purpose::Chosen => {
                self.loading.stash = None;
                self.loading.trail = Trail::default();
            }
            _ => {}
        }
        let scene = loaded.preset.as_ref().map(scene_of);
        self.take_style(&mut loaded);
        let is_preset = matches!(purpose, Purpose::Preset);
        if is_preset {
            // The file of settings is that of the style before.
            self.presets.session.settings_origin = None;
        }
        let recovered = self.loading.recovering.as_ref().map(|left| &left.file);
        if let (Purpose::Chosen | Purpose::Quiet, Some(path)) = (&purpose, &loaded.source)
            && Some(path) != recovered
        {
            self.remembered.add_recent(path);
        }
        self.loading.source = loaded.source;
        self.loading.head_settings = loaded.settings;
        (self.skin, self.bald) = Default::default();
        self.subject.show(loaded.head, loaded.rays);
        self.roots_view.forget();
        self.subject.set_hair(loaded.hair);
        // A style may say where it is seen from.
        if first || is_preset || self.settings.config.view != view {
            self.reset_camera();
        }
        self.styling.revision += 1;
        self.watch_shown(loaded.since);
        let is_chosen = matches!(purpose, Purpose::Chosen);
        match (purpose, played) {
            (Purpose::Scene(next), _) => self.begin(*next),
            (Purpose::Chosen | Purpose::Quiet, None)
                if self.scenes.active.is_none() && (first || is_chosen) =>
            {
                let wanted = self.settings.config.head.animation.clone();
                self.play_its_animation(wanted.as_deref());
            }
            // The head may have changed, or be another one.
            (_, Some((place, name))) => {
                self.end_scene();
                self.rest();
                let head = self.subject.head.as_ref();
                let again = head.and_then(|head| head.same_animation(place, &name));
                again
                    .into_iter()
                    .for_each(|animation| self.play_animation(animation));
            }
            _ => {}
        }
        if let Some(scene) = scene {
            self.follow_preset_scene(scene);
        }
        self.finish_recovery();
        self.take_queued_preset();
    }

    /// Takes the style of a head that replaces another, or that is loaded again.
    fn take_style(&mut self, loaded: &mut LoadedHead) {
        // A recording follows one history.
        if self.styling.recording.is_some() {
            self.toggle_strokes();
        }
        let styling = &mut self.styling;
        // A job on the style before does not come back.
        (styling.stroke, styling.asked, styling.refused) = (None, None, None);
        styling.reverts = false;
        if styling.saves.take().is_some() {
            let text = "The style was not saved, as its head was loaded again: save it anew";
            self.overlay.error(text);
        }
        self.presets.asked = None;
        styling.waiting.clear();
        styling.styler = match loaded.styler.take() {
            Some(styler) => StylerSlot::Ready(styler),
            None => StylerSlot::Empty,
        };
        styling.model = std::mem::take(&mut loaded.model);
        styling.card = std::mem::take(&mut loaded.card);
        if let Some(notice) = loaded.notice.take() {
            self.overlay.notice(notice);
        }
        if loaded.keeps_style
            && let Some(stash) = self.loading.stash.take()
        {
            // Settings may have changed since it was set aside.
            let now = self.settings.user();
            let own = Config {
                head: now.head.clone(),
                ..stash.saved.style.config
            };
            let is_saved = stash.is_saved && own == now;
            // A new session numbers its states anew.
            self.document
                .set_file(stash.path.as_deref(), is_saved.then_some(0));
            self.begin_presets(stash.preset);
            if !is_saved {
                self.presets.began_unsaved();
            }
            return;
        }
        let path = loaded.source.as_deref();
        self.document
            .set_file(path.filter(|path| Saved::is_named(path)), Some(0));
        if self.loading.stash.is_none() {
            self.document.clear_autosave();
        }
        let styler = self.styling.styler.ready().filter(|_| loaded.takes_over);
        if let Some(config) = styler.map(|styler| styler.user_style().config) {
            self.settings.set_loaded(config.clone());
            self.set_user_settings(config);
            self.subject.apply(&self.settings.config);
        }
        let is_default = |styler: &Styler| *styler.style() == Style::default();
        let is_first =
            loaded.source.is_none() && self.styling.styler.ready().is_some_and(is_default);
        let preset = loaded
            .preset
            .take()
            .or_else(|| Preset::shipped().next().filter(|_| is_first));
        self.begin_presets(preset.map(|preset| preset.name().to_owned()));
    }

    /// Begins a session with a style that comes from a preset, if there is a name.
    fn begin_presets(&mut self, name: Option<String>) {
        let config = self.settings.user();
        if let Some(name) = &name {
            tracing::info!("preset {name}");
        }
        self.presets.begin(name, config);
    }
}
