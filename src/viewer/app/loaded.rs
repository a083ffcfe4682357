//! What comes from the loading thread: heads that take the place of others, styles that are back.

use super::{App, reload};
use crate::viewer::background::loader::{HeadSource, Loaded, LoadedHead, Order};
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use mohawk::config::Config;
use mohawk::sim::Scene;
use mohawk::style::Saved;
use std::rc::Rc;

/// What helps with a head that has no hair, besides painting it elsewhere.
const PAINT_HERE: &str = "Or paint hair here: press B, choose Paint and drag over the head. Strands \
                          (Settings, Roots) are counted over all of its skin then: raise them for \
                          thicker hair.";

impl App {
    /// Takes what the loading thread has finished.
    pub(crate) fn take_loaded(&mut self) {
        while let Some(loaded) = self.loader.poll() {
            match loaded {
                Loaded::Failed(why) => self.loading_failed(why),
                Loaded::Styled(styler, done) => self.take_styled(styler, done),
                Loaded::Head(loaded) => self.show_head(*loaded),
            }
            self.reload_what_is_stale();
            self.follow_settings();
            self.retitle();
        }
    }

    fn loading_failed(&mut self, why: String) {
        if self.fails_smoke(&why) {
            return;
        }
        self.overlay.say(MessageKind::Error, why);
        if let Some(pending) = self.pending.take() {
            self.watch_failed(pending);
        }
        self.recovering = None;
        // It is still shown.
        self.stash.take_if(|stash| stash.source == self.source);
        if self.subject.head.is_none() && !self.fell_back {
            // An error over a head beats an error over nothing.
            self.fell_back = true;
            self.pending = Some(super::reload::Pending::new(HeadSource::Shipped));
            self.loader.load(Order {
                source: HeadSource::Shipped,
                config: Config::default(),
                own_settings: false,
                kept: None,
            });
        }
    }

    /// Ends a smoke test that has nothing to show; false: there is none.
    fn fails_smoke(&mut self, why: &str) -> bool {
        if let Some(snapshot) = &mut self.snapshot_job {
            snapshot.fail(why.to_owned());
            self.quit = true;
        }
        self.snapshot_job.is_some()
    }

    fn show_head(&mut self, mut loaded: LoadedHead) {
        let now = self.subject.sim().time_secs();
        let pending = self.pending.take();
        let (again, quiet) = (pending.as_ref()).map_or((false, false), |p| (p.again, p.quiet));
        let next = pending.and_then(|pending| pending.next);
        let first = self.subject.head.is_none();
        if !first {
            self.overlay.clear_messages();
        }
        if again {
            self.overlay
                .say(MessageKind::Notice, reload::told(&loaded.source));
        } else if next.is_some() || (quiet && self.active_scene.is_some()) {
            // A scene begins, or goes on in front of the head.
        } else if first {
            // The first thing a newcomer sees is hair that moves.
            self.motion.play(Rc::new(Scene::Swing.into()), now, true);
        } else {
            self.end_scene();
            self.rest();
        }
        for warning in loaded.head.warnings_beside_advice() {
            self.overlay.say(MessageKind::Notice, warning);
        }
        // A style may have hair on a head that has no paint.
        let is_bald = (loaded.worn.as_ref()).is_none_or(|worn| worn.groom.is_empty());
        if let Some(advice) = loaded.head.paint_advice().filter(|_| is_bald) {
            if self.fails_smoke(&format!("{}: {advice}", loaded.source)) {
                return;
            }
            let advice = match loaded.styler {
                Some(_) => format!("{advice} {PAINT_HERE}"),
                None => advice,
            };
            self.overlay.say(MessageKind::Advice, advice.as_str());
            self.styling.advised = Some(advice);
        }
        if let Some(problem) = loaded.problem.take() {
            if self.fails_smoke(&format!("{}: {problem}", loaded.source)) {
                return;
            }
            self.overlay.say(MessageKind::Error, problem);
        }
        let triangles: usize = (loaded.head.parts.iter())
            .map(|part| part.triangles.len())
            .sum();
        let strands = loaded.worn.as_ref().map_or(0, |hair| hair.groom.len());
        let name = &loaded.head.name;
        tracing::info!("loaded {name}: {triangles} triangles, {strands} strands");
        self.take_style(&mut loaded);
        self.source = loaded.source;
        self.head_settings = loaded.settings;
        self.forget_field();
        self.planter.forget();
        self.subject.show(loaded.head);
        self.subject.wear(loaded.worn);
        self.painted += 1;
        self.watch_shown(loaded.since);
        if let Some(next) = next {
            self.begin(*next);
        }
        let source = self.source.clone();
        self.recovered(&source);
    }

    /// Takes the style of a head that takes the place of another, or is there again.
    fn take_style(&mut self, loaded: &mut LoadedHead) {
        let styling = &mut self.styling;
        (styling.stroke, styling.after_planting) = (None, None);
        styling.refused = None;
        styling.own = None;
        styling.bench = match loaded.styler.take() {
            Some(styler) => Bench::Here(styler),
            None => Bench::Empty,
        };
        styling.model = std::mem::take(&mut loaded.model);
        if loaded.keeps_style
            && let Some(stash) = self.stash.take()
        {
            // States are counted anew, and what was unsaved still is.
            styling.saved = if stash.unsaved { u64::MAX } else { 0 };
            (styling.file, styling.name) = (stash.file, stash.name);
            return;
        }
        styling.saved = 0;
        styling.file = match &loaded.source {
            HeadSource::File(path) if Saved::is_named(path) => Some(path.clone()),
            _ => None,
        };
        let name = styling.file.as_ref().map(|file| file.display().to_string());
        styling.name = name.unwrap_or_default();
        if self.stash.is_none() {
            self.autosave.clear();
        }
        if loaded.takes_over {
            let taken = self
                .styling
                .bench
                .here()
                .map(|styler| styler.style().config.clone());
            if let Some(config) = taken {
                (self.started, self.saved) = (config.clone(), config.clone());
                self.set_own(config);
                self.subject.apply(&self.config);
            }
        }
    }
}
