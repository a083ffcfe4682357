//! The results of background work: heads that replace others, and styles.

use super::reload;
use crate::viewer::app::App;
use crate::viewer::app::loading::Purpose;
use crate::viewer::background::{HeadSource, LoadRequest, LoadedHead};
use crate::viewer::styling::StylerSlot;
use mohawk::config::Config;
use mohawk::sim::Scene;
use mohawk::style::Saved;
use std::rc::Rc;

/// Advice for a head that has no hair, besides painting it in another program.
const PAINT_HERE: &str = "Or paint hair here: press B, choose Paint and drag over the head. Strands \
                          (Settings, Roots) are counted over all of its skin then: raise them for \
                          thicker hair.";

impl App {
    /// Takes the heads that have been loaded, and the styles that have been worked on.
    pub(crate) fn take_loaded(&mut self) {
        loop {
            // Styles come first: they may be of the last head.
            let taken = if let Some(done) = self.loading.style.poll() {
                done.map(|(styler, done)| self.take_styled(styler, done))
            } else if let Some(done) = self.loading.head.poll() {
                done.map(|loaded| self.show_head(*loaded))
            } else {
                return;
            };
            if let Err(why) = taken {
                self.loading_failed(why);
            }
            self.reload_what_is_stale();
            self.follow_settings();
            self.retitle();
        }
    }

    fn loading_failed(&mut self, why: String) {
        if self.fails_snapshot(&why) {
            return;
        }
        self.overlay.error(why);
        if let Some(pending) = self.loading.pending.take() {
            self.watch_failed(pending);
        }
        self.loading.recovering = None;
        // Its head is still shown.
        let loading = &mut self.loading;
        loading
            .stash
            .take_if(|stash| stash.source == loading.source);
        if self.subject.head.is_none() && !self.loading.fell_back {
            // An error over a head beats an error over nothing.
            self.loading.fell_back = true;
            let request = LoadRequest {
                source: HeadSource::Shipped,
                config: Config::default(),
                own_settings: false,
                kept: None,
            };
            self.load_head(Purpose::Chosen, request);
        }
    }

    /// Ends a snapshot job that has nothing to show. Returns whether there is one.
    fn fails_snapshot(&mut self, why: &str) -> bool {
        if let Some(snapshot) = &mut self.snapshot_job {
            snapshot.problem.get_or_insert(why.to_owned());
            self.quit = true;
        }
        self.snapshot_job.is_some()
    }

    fn show_head(&mut self, mut loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let pending = self.loading.pending.take();
        let purpose = pending.map_or(Purpose::Chosen, |pending| pending.purpose);
        let first = self.subject.head.is_none();
        if !first {
            self.overlay.clear_messages();
        }
        match purpose {
            Purpose::Again => self.overlay.notice(reload::message(&loaded.source)),
            Purpose::Scene(_) => {}
            // The scene goes on in front of the head.
            Purpose::Quiet if self.scenes.active.is_some() => {}
            // The first thing a newcomer sees is hair that moves.
            Purpose::Chosen | Purpose::Quiet if first => {
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
        // A style may have hair on a head that has no paint.
        let is_bald = (loaded.hair.as_ref()).is_none_or(|hair| hair.groom.is_empty());
        if let Some(advice) = loaded.head.paint_advice().filter(|_| is_bald) {
            if self.fails_snapshot(&format!("{}: {advice}", loaded.source)) {
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
            if self.fails_snapshot(&format!("{}: {problem}", loaded.source)) {
                return;
            }
            self.overlay.error(problem);
        }
        let triangles: usize = (loaded.head.parts.iter())
            .map(|part| part.triangles.len())
            .sum();
        let strands = loaded.hair.as_ref().map_or(0, |hair| hair.groom.len());
        let name = &loaded.head.name;
        tracing::info!("loaded {name}: {triangles} triangles, {strands} strands");
        self.take_style(&mut loaded);
        self.loading.source = loaded.source;
        self.loading.head_settings = loaded.settings;
        self.skin.forget();
        self.bald.forget();
        self.subject.show(loaded.head);
        self.subject.set_hair(loaded.hair);
        self.styling.revision += 1;
        self.watch_shown(loaded.since);
        if let Purpose::Scene(next) = purpose {
            self.begin(*next);
        }
        self.finish_recovery();
    }

    /// Takes the style of a head that replaces another, or that is loaded again.
    fn take_style(&mut self, loaded: &mut LoadedHead) {
        let styling = &mut self.styling;
        (styling.stroke, styling.after_planting) = (None, None);
        styling.refused = None;
        styling.styler = match loaded.styler.take() {
            Some(styler) => StylerSlot::Ready(styler),
            None => StylerSlot::Empty,
        };
        styling.model = std::mem::take(&mut loaded.model);
        if loaded.keeps_style
            && let Some(stash) = self.loading.stash.take()
        {
            // A new session numbers its states anew.
            match stash.is_saved {
                true => self.document.set_saved(stash.path.as_deref(), 0),
                false => self.document.set_unsaved(stash.path.as_deref()),
            }
            self.document.name = stash.name;
            return;
        }
        let path = match &loaded.source {
            HeadSource::File(path) if Saved::is_named(path) => Some(path.as_path()),
            _ => None,
        };
        self.document.set_saved(path, 0);
        if self.loading.stash.is_none() {
            self.document.clear_autosave();
        }
        let styler = self.styling.styler.ready().filter(|_| loaded.takes_over);
        if let Some(config) = styler.map(|styler| styler.style().config.clone()) {
            self.settings.set_loaded(config.clone());
            self.set_user_settings(config);
            self.subject.apply(&self.settings.config);
        }
    }
}
