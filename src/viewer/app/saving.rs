//! What is saved, what is not, and what a session that broke off has left.

use super::App;
use super::reload::Pending;
use crate::viewer::background::autosave_worker::AutosaveWorker;
use crate::viewer::background::loader::{HeadSource, Kept, Order};
use crate::viewer::files::output::{free_settings_name, free_style_name, shown};
use crate::viewer::input::action::Recovery;
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use mohawk::config::Config;
use mohawk::style::{Model, Saved, Style, Styler};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A style whose head is not shown just now: a scene has one of its own.
pub(super) struct Stash {
    pub(super) source: HeadSource,
    kept: Kept,
    model: Model,
    pub(super) file: Option<PathBuf>,
    pub(super) name: String,
    pub(super) unsaved: bool,
}

impl App {
    /// Quits, or asks first if that would lose something.
    pub(crate) fn ask_to_quit(&mut self) {
        let unsaved = self.is_unsaved() && self.snapshot_job.is_none();
        self.overlay.asks_to_quit = unsaved;
        self.quit = !unsaved;
    }

    /// Is there something that quitting would lose?
    pub(super) fn is_unsaved(&mut self) -> bool {
        if let Some(stash) = &self.stash {
            return stash.unsaved || self.user_settings() != self.saved;
        }
        let is_styled = self.is_styled();
        match self.styling.bench.here() {
            Some(styler) if is_styled => styler.state() != self.styling.saved,
            _ => self.user_settings() != self.saved || is_styled,
        }
    }

    /// Is there more than settings: a style, or one that was?
    pub(super) fn is_styled(&self) -> bool {
        let here = self.styling.bench.here();
        let styling = &self.styling;
        let is_away = matches!(styling.bench, Bench::Away) && styling.sent_styled;
        let is_here = here.is_some_and(|styler| !styler.style().is_plain());
        styling.file.is_some() || is_here || is_away
    }

    /// Saves the style, or where there is nothing but settings, these: where they came from, else
    /// in a new file; true if that worked.
    pub(super) fn save(&mut self) -> bool {
        match self.is_styled() || self.stash.is_some() {
            true => {
                let stash = self.stash.as_ref();
                let file = stash.map_or(&self.styling.file, |stash| &stash.file);
                let path = file.clone().unwrap_or_else(free_style_name);
                self.save_style(path)
            }
            false => self.save_settings(),
        }
    }

    /// Saves the style under the name that was typed.
    pub(super) fn save_style_as(&mut self) -> bool {
        let name = self.styling.name.trim();
        if name.is_empty() {
            return self.save();
        }
        let mut path = PathBuf::from(name);
        if path.extension().is_none() && !path.is_dir() {
            path.set_extension("mohawk");
        }
        self.save_style(path)
    }

    fn save_style(&mut self, path: PathBuf) -> bool {
        // What was changed last is part of it.
        self.follow_settings();
        let own = self.user_settings();
        let saved = match (&self.stash, self.styling.bench.here()) {
            (Some(stash), _) => Saved {
                style: Style {
                    config: own.clone(),
                    ..stash.kept.style.clone()
                },
                model: stash.model.clone(),
                roots: stash.kept.roots.clone(),
            },
            (None, Some(styler)) if !styler.is_brushing() => self.to_save(styler, own.clone()),
            _ => {
                let text = "One moment: hair is still growing, then save again";
                self.overlay.say(MessageKind::Notice, text);
                return false;
            }
        };
        match saved.save(&path) {
            Ok(()) => {
                self.saved = own;
                self.autosave.clear();
                let place = shown(&path);
                let name = path.display().to_string();
                match (&mut self.stash, self.styling.bench.here()) {
                    (Some(stash), _) => {
                        (stash.unsaved, stash.name, stash.file) = (false, name, Some(path));
                    }
                    (None, here) => {
                        self.styling.saved = here.map_or(0, Styler::state);
                        (self.styling.name, self.styling.file) = (name, Some(path));
                    }
                }
                self.overlay
                    .say(MessageKind::Notice, format!("Saved {place}"));
                self.overlay.asks_to_quit = false;
                self.retitle();
                true
            }
            Err(error) => {
                self.overlay.say(MessageKind::Error, error.to_string());
                false
            }
        }
    }

    fn to_save(&self, styler: &Styler, config: Config) -> Saved {
        let own = styler.user_style();
        // What is not at work yet must not part edits from their roots.
        let roots = own.config.roots.clone();
        let config = Config { roots, ..config };
        Saved {
            style: Style { config, ..own },
            model: self.styling.model.clone(),
            roots: styler.edited_roots(),
        }
    }

    fn save_settings(&mut self) -> bool {
        let own = self.user_settings();
        let path = self.config_path.clone().unwrap_or_else(free_settings_name);
        let place = shown(&path);
        match own.save(&path) {
            Ok(()) => {
                self.saved = own;
                self.config_path = Some(path);
                self.config_saved();
                self.autosave.clear();
                let text = format!("Saved {place}: use it with mohawk --config");
                self.overlay.say(MessageKind::Notice, text);
                true
            }
            Err(error) => {
                let error = anyhow::Error::from(error);
                self.overlay.say(MessageKind::Error, format!("{error:#}"));
                false
            }
        }
    }

    /// Keeps what is unsaved where a crash does not reach it.
    pub(crate) fn keep_style(&mut self) {
        if let Some(problem) = self.autosave.problem() {
            let text = format!("The unsaved style could not be kept: {problem}");
            self.overlay.say(MessageKind::Notice, text);
        }
        let due = self.keep_due();
        if due.is_none_or(|due| due > Instant::now()) || self.styling.stroke.is_some() {
            return;
        }
        let own = self.user_settings();
        if let Some(styler) = self.styling.bench.here() {
            let (state, saved) = (styler.state(), self.to_save(styler, own));
            self.autosave.keep(state, saved, self.styling.file.clone());
        }
    }

    /// When it is to be kept next.
    pub(crate) fn keep_due(&self) -> Option<Instant> {
        let styler = self.styling.bench.here()?;
        let state = styler.state();
        // Settings alone can be set again.
        let unsaved = state != self.styling.saved && self.is_styled();
        unsaved.then(|| self.autosave.due(state)).flatten()
    }

    /// Offers what a session that broke off has left.
    pub(super) fn offer_left(&mut self) {
        if self.snapshot_job.is_none() {
            self.left = AutosaveWorker::<Saved>::left_behind();
            self.overlay.left = self.left.first().map(|left| {
                let name = left.of.as_deref().map(shown);
                let ago = left.saved.elapsed().unwrap_or_default();
                (name, ago)
            });
        }
    }

    /// What to do with it.
    pub(super) fn recover(&mut self, what: Recovery) {
        self.overlay.left = None;
        if self.left.is_empty() {
            return;
        }
        let left = self.left.remove(0);
        match what {
            Recovery::Later => {}
            Recovery::Delete => left.discard(),
            Recovery::Open => {
                let file = left.file.clone();
                self.recovering = Some(left);
                self.load(&file);
            }
        }
    }

    /// The head of a style that was left behind is there: it is unsaved, under its old name.
    pub(super) fn recovered(&mut self, source: &HeadSource) {
        let HeadSource::File(path) = source else {
            return;
        };
        let Some(left) = self.recovering.take_if(|left| left.file == *path) else {
            return;
        };
        self.styling.file = left.of.clone().filter(|of| Saved::is_named(of));
        self.styling.name = self
            .styling
            .file
            .as_deref()
            .map(name_of)
            .unwrap_or_default();
        // No state is saved.
        self.styling.saved = u64::MAX;
        self.keep_style();
        // It goes only when this session has it.
        if self.autosave.flush() {
            left.discard();
        }
        self.overlay
            .say(MessageKind::Notice, "Here is what was not saved");
        self.retitle();
    }

    /// An order for a head that people have not chosen anew: it keeps what it wears, and what the
    /// head wears that is shown now waits until that comes back.
    pub(super) fn order(&mut self, source: HeadSource, config: Config) -> Order {
        if self.is_styled() && self.stash.is_none() {
            self.stash = self.styling.bench.here().map(|styler| Stash {
                source: self.source.clone(),
                kept: Kept {
                    style: styler.user_style(),
                    roots: styler.edited_roots(),
                },
                model: self.styling.model.clone(),
                file: self.styling.file.clone(),
                name: self.styling.name.clone(),
                unsaved: styler.state() != self.styling.saved,
            });
        }
        let stash = self.stash.as_ref().filter(|stash| stash.source == source);
        Order {
            kept: stash.map(|stash| Box::new(stash.kept.clone())),
            source,
            config,
            own_settings: false,
        }
    }

    /// Loads a head that takes the place of the one that is shown.
    pub(super) fn load_other(&mut self, path: &Path) {
        let source = HeadSource::File(path.to_owned());
        self.pending = Some(Pending::new(source.clone()));
        let config = self.user_settings();
        self.loader.load(Order {
            source,
            config,
            own_settings: true,
            kept: None,
        });
    }
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}
