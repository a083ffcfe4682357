//! Saving settings and styles, the autosave, and the recovery of a crashed session's style.

use super::App;
use crate::numbers::grouped;
#[cfg(target_arch = "wasm32")]
use crate::viewer::address::Address;
use crate::viewer::input::action::{Action, ExportedHair, SaveAs};
use crate::viewer::panel_state::SaveForm;
use crate::viewer::paths::{free_name, shown, start_of_name};
use crate::viewer::platform;
use crate::viewer::styling::{NO_SCALP, StylerSlot};
use mohawk::Config;
use mohawk::head::Model;
#[cfg(target_arch = "wasm32")]
use mohawk::presets::Preset;
use mohawk::strands::Form;
use mohawk::style::{Saved, Styler};
use std::path::{Path, PathBuf};
use web_time::Instant;

impl App {
    /// Copies an address at which a page shows the same.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn copy_link(&mut self) {
        // Other browsers have no presets of the user's.
        let name = self.presets.chosen().map(|(name, _)| name);
        let preset = Preset::shipped().find(|preset| Some(preset.name()) == name);
        // The style may have begun with settings of an address, which the preset has not.
        let own = preset.as_ref().and_then(|preset| preset.open().ok());
        let base = own.map(|saved| saved.style.config).unwrap_or_default();
        let settings = self.settings.user().differences(&base);
        let settings = match settings {
            Ok(settings) => settings,
            Err(error) => return self.overlay.error(error.to_string()),
        };
        let mut address = Address::default();
        if let Some(preset) = &preset {
            address.add("preset", preset.name());
        }
        for (key, value) in &settings {
            address.add(key, value);
        }
        if let Some(scene) = (self.playback.motion.playing()).and_then(|setup| setup.scene()) {
            address.add("scene", scene.name());
        }
        if let Some(solver) = self.subject.simulations.beside() {
            address.add("split", solver.name());
        }
        if self.statistics.graphs.shown {
            address.add("graphs", "");
        }
        platform::page::copy_link(&address.text());
        // Maps and brushed strands are in files only.
        let notice = match self.is_unsaved() {
            true => "Copied the link. It has the settings, not what was painted or brushed",
            false => "Copied the link",
        };
        self.overlay.notice(notice);
    }

    /// Quits. Asks first if that would lose changes.
    pub(crate) fn ask_to_quit(&mut self) {
        if !platform::CAN_QUIT {
            return;
        }
        // The answer to an earlier question counts no more.
        if let Some(awaited) = &mut self.styling.saves {
            awaited.then.take_if(|then| matches!(then, Action::Quit));
        }
        let unsaved = self.is_unsaved() && self.snapshot.is_none();
        self.overlay.asks_to_quit = unsaved;
        self.quit = !unsaved;
    }

    /// Returns `true` if quitting would lose changes.
    pub(crate) fn is_unsaved(&mut self) -> bool {
        if let Some(stash) = &self.loading.stash {
            return !stash.is_saved || !self.settings.are_saved();
        }
        let stroke = self.styling.stroke.as_ref();
        if stroke.is_some_and(|stroke| !stroke.selects()) || !self.styling.waiting.is_empty() {
            return true;
        }
        if let Some(asked) = &self.presets.asked {
            return !asked.is_clean;
        }
        let user = self.settings.user();
        let styler = self.styling.styler.ready();
        if styler.is_some_and(|styler| self.is_preset(styler, &user)) {
            return false;
        }
        let is_styled = self.is_styled();
        let are_saved = self.settings.are_saved();
        match self.styling.styler.ready() {
            // A scene or a job may keep settings from the style.
            Some(styler) if is_styled => {
                let is_behind = !are_saved && user != *styler.user_config();
                is_behind || !self.document.is_saved(styler.history().state())
            }
            _ => is_styled || !are_saved,
        }
    }

    /// Returns `true` if the style with these settings is a preset, and in no other file.
    pub(super) fn is_preset(&self, styler: &Styler, config: &Config) -> bool {
        let state = styler.history().state();
        self.document.path.is_none() && self.presets.is_clean(state, config)
    }

    /// Returns `true` if the style has edits, is in a file, or is on another head than the one that
    /// ships with the program, and only a style says so.
    pub(super) fn is_styled(&self) -> bool {
        let styling = &self.styling;
        let changed = match &styling.styler {
            StylerSlot::Empty => false,
            StylerSlot::Ready(styler) => !styler.style().is_plain(),
            StylerSlot::Working => styling.sent_styled,
        };
        // Heads are their own sources; styles name theirs.
        let is_elsewhere = || self.loading.source.as_deref().is_none_or(Saved::is_named);
        let is_other = styling.model != Model::default() && is_elsewhere();
        self.document.path.is_some() || changed || is_other
    }

    /// Opens the form that asks for a name to save something under.
    pub(super) fn ask_to_save(&mut self, what: SaveAs) {
        let own = match (&self.document.path, &self.settings.path) {
            (Some(path), _) => Some(path.clone()),
            (None, Some(path)) if self.saves_settings() => Some(path.clone()),
            _ => None,
        };
        let own = own.filter(|_| what == SaveAs::Style);
        let name = own.map_or(String::new(), |path| path.display().to_string());
        self.panel.shown = true;
        self.panel.saving = Some(SaveForm {
            what,
            name,
            hair: ExportedHair::default(),
            about: String::new(),
            was_shown: false,
        });
    }

    /// Saves the hair of the view that is looked at as strands.
    pub(super) fn export_hair(&mut self, path: &Path, hair: ExportedHair) {
        let is_away = matches!(self.styling.styler, StylerSlot::Working);
        let is_draft = is_away || self.styling.is_behind() || self.subject.hair_share() < 1.0;
        if is_draft && !self.subject.is_headless() {
            let text = "Hair is still growing. Export it again in a moment";
            return self.overlay.notice(text);
        }
        let strands = self.subject.exported(&self.settings.config, hair);
        match strands.save(path, Form::default(), None) {
            Ok(()) => {
                self.panel.saving = None;
                let (count, place) = (grouped(strands.len()), shown(path));
                self.overlay
                    .notice(format!("Saved {count} strands as {place}"));
            }
            Err(error) => self.overlay.error(error.to_string()),
        }
    }

    /// Returns `true` if there is nothing to save but settings.
    fn saves_settings(&self) -> bool {
        !self.is_styled() && self.loading.stash.is_none()
    }

    /// Returns what [`save`](Self::save) writes, for people.
    pub(crate) fn what_is_saved(&self) -> String {
        let (what, path) = match self.saves_settings() {
            true => ("settings", self.settings_file()),
            false => ("style", self.document.path.clone()),
        };
        match path {
            Some(path) => format!("Save the {what} in {}", path.display()),
            None => format!("Save the {what} in a new file"),
        }
    }

    /// Returns the file of the settings, unless they are now those of another preset.
    fn settings_file(&self) -> Option<PathBuf> {
        let origin = self.presets.file_origin();
        let own = self.settings.path.clone();
        own.filter(|_| origin == self.presets.session.settings_origin)
    }

    /// Saves the style under a name; without one in the file that it came from, or in a new one. If
    /// there is nothing else, or the name ends in `.toml`, the settings are saved. Returns whether that
    /// worked.
    pub(super) fn save(&mut self, named: Option<PathBuf>) -> bool {
        // The manifest of a style that is a folder names the style.
        let is_toml = |path: &PathBuf| {
            let end = path.extension().unwrap_or_default();
            end.eq_ignore_ascii_case("toml") && Saved::files_of(path).is_empty()
        };
        let names_settings = named.as_ref().is_some_and(is_toml);
        if !names_settings && self.styling.is_behind() {
            return self.save_later(named);
        }
        if names_settings || named.is_none() && self.saves_settings() {
            return self.save_settings(named);
        }
        let stash = self.loading.stash.as_ref();
        let own = stash.map_or(&self.document.path, |stash| &stash.path);
        let preset = match stash {
            Some(stash) => stash.preset.as_deref(),
            None => self.presets.chosen().map(|(name, _)| name),
        };
        let path = named.clone().or_else(|| own.clone());
        let source = match stash.map_or(&self.styling.model, |stash| &stash.saved.model) {
            Model::File(model) => model.to_str(),
            _ => preset,
        };
        let path = path.unwrap_or_else(|| free_name(start_of_name(source), "mohawk"));
        // The last changes are part of the style.
        self.follow_settings();
        let config = self.settings.user();
        let saved = match (&self.loading.stash, self.styling.styler.ready()) {
            (Some(stash), _) => with_settings(stash.saved.clone(), config.clone()),
            (None, Some(styler)) if !styler.is_brushing() => self.to_save(styler, config.clone()),
            _ if matches!(self.styling.styler, StylerSlot::Empty) => {
                self.overlay.notice(NO_SCALP);
                return false;
            }
            _ => return self.save_later(named),
        };
        if let Err(error) = saved.save(&path) {
            self.overlay.error(error.to_string());
            return false;
        }
        // A head that is being read in another way is not saved so.
        let head = saved.style.config.head.clone();
        self.settings.saved = Config { head, ..config };
        self.document.clear_autosave();
        if Saved::is_named(&path) {
            self.remembered.add_recent(&path);
        }
        self.overlay
            .notice(format!("Saved the style as {}", shown(&path)));
        match &mut self.loading.stash {
            Some(stash) => {
                (stash.is_saved, stash.path, stash.saved) = (true, Some(path), saved);
            }
            None => {
                let styler = self.styling.styler.ready();
                let state = styler.map_or(0, |styler| styler.history().state());
                self.document.set_file(Some(&path), Some(state));
            }
        }
        self.overlay.asks_to_quit = false;
        true
    }

    /// Returns the user's style with its own settings.
    pub(super) fn saved(&self, styler: &Styler) -> Saved {
        let mut style = styler.user_style();
        // Other ways to read the head may have failed.
        let own = self.settings.overridden_model();
        let head = own.unwrap_or(&self.loading.head_settings);
        style.config.head.clone_from(head);
        Saved {
            style,
            model: self.styling.model.clone(),
            roots: styler.edited_roots(),
            card: self.styling.card.clone(),
            strands: None,
        }
    }

    /// Returns the user's style with the settings in use.
    pub(super) fn to_save(&self, styler: &Styler, config: Config) -> Saved {
        with_settings(self.saved(styler), config)
    }

    fn save_settings(&mut self, named: Option<PathBuf>) -> bool {
        let config = self.settings.user();
        let path = named.or_else(|| self.settings_file());
        let path = path.unwrap_or_else(|| free_name("mohawk", "toml"));
        if let Err(error) = config.save(&path) {
            let error = anyhow::Error::from(error);
            self.overlay.error(format!("{error:#}"));
            return false;
        }
        self.settings.saved = config;
        let place = shown(&path);
        self.settings.path = Some(path);
        self.presets.session.settings_origin = self.presets.file_origin();
        self.config_saved();
        if self.saves_settings() {
            // Else it is that of a style.
            self.document.clear_autosave();
        }
        self.overlay.notice(format!(
            "Saved the settings as {place}: mohawk --config takes them"
        ));
        true
    }

    /// Autosaves the style when that is due, and deletes the autosave of a state that was left for a
    /// saved one. `leaves`: the program ends, and the last changes are due at once.
    pub(crate) fn autosave(&mut self, leaves: bool) {
        self.document.report_autosave(&mut self.overlay);
        let due = self.autosave_due();
        if due.is_none_or(|due| !leaves && due > Instant::now()) {
            return;
        }
        let config = self.settings.user();
        let Some(styler) = self.styling.styler.ready() else {
            return;
        };
        if self.is_kept(styler) {
            return self.document.clear_autosave();
        }
        let (state, saved) = (styler.history().state(), self.to_save(styler, config));
        self.document.autosave(state, saved);
    }

    /// Returns when the autosave is due. Settings alone are not autosaved, nor is half a stroke.
    pub(crate) fn autosave_due(&self) -> Option<Instant> {
        let styler = self.styling.styler.ready();
        let styler = styler.filter(|_| self.styling.stroke.is_none())?;
        let is_kept = self.is_kept(styler);
        // The autosave may be that of the style that waits for its head.
        if self.loading.stash.is_some() || !is_kept && !self.is_styled() {
            return None;
        }
        let state = styler.history().state();
        self.document.autosave_due((!is_kept).then_some(state))
    }

    /// Returns `true` if the style is in a file or is a preset.
    fn is_kept(&self, styler: &Styler) -> bool {
        let is_preset = self.is_preset(styler, styler.user_config());
        self.document.is_saved(styler.history().state()) || is_preset
    }

    /// Opens the offered style, or deletes it.
    pub(super) fn recover(&mut self, open: bool) {
        let Some(left) = self.overlay.left.take() else {
            return;
        };
        if !open {
            left.discard();
        } else {
            let file = left.file.clone();
            self.loading.recovering = Some(left);
            self.load(&file);
        }
    }

    /// The head of a recovered style is shown: the style has its old name, and is unsaved.
    pub(super) fn finish_recovery(&mut self) {
        let (shown, recovering) = (&self.loading.source, &mut self.loading.recovering);
        let Some(left) = recovering.take_if(|left| Some(&left.file) == shown.as_ref()) else {
            return;
        };
        let path = left.source.clone().filter(|of| Saved::is_named(of));
        self.document.set_file(path.as_deref(), None);
        self.presets.began_unsaved();
        let config = self.settings.user();
        if let Some(styler) = self.styling.styler.ready() {
            let (state, saved) = (styler.history().state(), self.to_save(styler, config));
            self.document.recovered(left, state, saved);
        }
        self.overlay.notice("Opened the unsaved style");
    }
}

/// Returns a style with the settings in use. Edits belong to roots on a head: settings of either that
/// are not applied yet must not be saved.
fn with_settings(mut saved: Saved, config: Config) -> Saved {
    let own = std::mem::replace(&mut saved.style.config, config);
    (saved.style.config.roots, saved.style.config.head) = (own.roots, own.head);
    saved
}
