//! The results of the loader: heads that replace others, styles that are back.

use super::reload;
use crate::viewer::app::App;
use crate::viewer::app::loading::Pending;
use crate::viewer::background::{HeadSource, LoadRequest, Loaded, LoadedHead};
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
    /// Takes the results of the loader.
    pub(crate) fn take_loaded(&mut self) {
        while let Some(loaded) = self.loading.loader.poll() {
            match loaded {
                Loaded::Failed(why) => self.loading_failed(why),
                Loaded::Style((styler, done)) => self.take_styled(styler, done),
                Loaded::Head(loaded) => self.show_head(*loaded),
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
            let pending = Pending::new(HeadSource::Shipped);
            self.loading.load(pending, request);
        }
    }

    /// Ends a snapshot job that has nothing to show. Returns whether there is one.
    fn fails_snapshot(&mut self, why: &str) -> bool {
        if let Some(snapshot) = &mut self.snapshot_job {
            snapshot.fail(why.to_owned());
            self.quit = true;
        }
        self.snapshot_job.is_some()
    }

    fn show_head(&mut self, mut loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let pending = self.loading.pending.take();
        let (again, quiet) = (pending.as_ref()).map_or((false, false), |p| (p.again, p.quiet));
        let next = pending.and_then(|pending| pending.next);
        let first = self.subject.head.is_none();
        if !first {
            self.overlay.clear_messages();
        }
        if again {
            self.overlay.notice(reload::message(&loaded.source));
        } else if next.is_some() || (quiet && self.scenes.is_active()) {
            // A scene begins, or goes on in front of the head.
        } else if first {
            // The first thing a newcomer sees is hair that moves.
            self.playback
                .motion
                .play(Rc::new(Scene::Swing.into()), now, true);
        } else {
            self.end_scene();
            self.rest();
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
        if let Some(next) = next {
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
