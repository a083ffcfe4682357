//! Reloads the files that change on disk.

use super::App;
use crate::viewer::background::{HeadSource, head_name};
use crate::viewer::loading::{Pending, Purpose};
use crate::viewer::styling::StylerSlot;
use mohawk::Config;
use mohawk::presets::Preset;
use std::path::{Path, PathBuf};
use web_time::SystemTime;

impl App {
    /// Reloads what has changed.
    pub(crate) fn files_changed(&mut self, files: &[PathBuf]) {
        let Some(watched) = &mut self.loading.watched else {
            return;
        };
        let config = watched.config_path.as_deref();
        let scene = self.scenes.opened_file();
        let has = |path: Option<&Path>| files.iter().any(|file| Some(file.as_path()) == path);
        let presets = Preset::folder();
        let (has_config, has_scene) = (has(config), has(scene));
        let others = [config, scene, presets.as_deref()];
        let of_head = |file: &PathBuf| !others.contains(&Some(file.as_path()));
        watched.stale |= files.iter().any(of_head);
        if has(presets.as_deref()) {
            self.presets.list();
        }
        if has_config {
            self.reload_config();
        }
        if has_scene {
            self.reload_scene();
        }
        self.reload_what_is_stale();
        self.follow_settings();
    }

    /// Returns `true` if no head is on its way, and the one that is shown would lose nothing of its
    /// style: no job has it, and no stroke or job waits.
    pub(super) fn may_load_again(&self) -> bool {
        let is_away = matches!(self.styling.styler, StylerSlot::Working);
        self.loading.pending.is_none() && !is_away && !self.styling.is_behind()
    }

    /// Loads the head again if it has changed, as soon as that may be.
    pub(crate) fn reload_what_is_stale(&mut self) {
        let may_load = self.may_load_again();
        let watched = self.loading.watched.as_mut();
        let Some(watched) = watched.filter(|watched| watched.stale && may_load) else {
            return;
        };
        watched.stale = false;
        let (failed, shown) = (watched.failed.take(), self.loading.source.clone());
        let stash = self.loading.stash.as_ref();
        // A style that waits for its head comes back with it.
        let comes_back = failed == shown || stash.is_some_and(|stash| stash.source == failed);
        let replaces = !self.loading.fell_back || self.is_styled();
        match failed {
            Some(path) if replaces && !comes_back => {
                self.load(&path);
                // The user may be asked first.
                self.watch_files(SystemTime::now());
            }
            failed => self.load_again(failed.or(shown)),
        }
    }

    /// Loads the head that is shown, or the one that failed, again.
    pub(crate) fn load_again(&mut self, source: HeadSource) {
        let config = self.settings.config.clone();
        self.load_kept(source, config, Purpose::Again);
    }

    /// Watches the files of the head that has just been loaded.
    pub(crate) fn watch_shown(&mut self, since: SystemTime) {
        // The shipped head stands in for one that failed.
        if self.loading.source.is_some() {
            self.loading.forget_failed();
        }
        self.watch_files(since);
    }

    /// Watches the head that could not be loaded: its next change loads it again. The head of a
    /// scene comes with the scene only, once another one is shown.
    pub(super) fn watch_failed(&mut self, pending: Pending) {
        let is_of_scene = matches!(&pending.purpose, Purpose::Scene(next) if next.home.is_some());
        let is_kept = !is_of_scene || !self.loading.has_shown;
        if let (Some(watched), Some(path)) = (&mut self.loading.watched, pending.source)
            && is_kept
        {
            watched.failed = Some(path);
        }
        self.watch_files(pending.since);
    }

    pub(crate) fn watch_files(&self, since: SystemTime) {
        let Some(watched) = &self.loading.watched else {
            return;
        };
        let mut files: Vec<PathBuf> = watched.config_path.iter().cloned().collect();
        files.extend(self.scenes.opened_file().map(Path::to_owned));
        files.extend(Preset::folder());
        files.extend(self.subject.head.iter().flat_map(|head| head.files.clone()));
        if let Some(path) = &watched.failed {
            files.push(path.clone());
            // It may lack a file beside it, whose name is unknown. An empty path is
            // the current folder.
            files.extend(path.parent().map(|folder| Path::new(".").join(folder)));
        }
        watched.watcher.set_files(files, since);
    }

    /// Takes the new values of the settings file where the user has not changed them.
    fn reload_config(&mut self) {
        let user = self.settings.user();
        let Some(watched) = &mut self.loading.watched else {
            return;
        };
        if let Some(error) = watched.error.take() {
            self.overlay.messages.remove(&error);
        }
        let merged = (watched.read_config)().and_then(|new| {
            let merged = Config::merged(&watched.base, &user, &new)?;
            Ok((new, merged))
        });
        let (new, merged) = match merged {
            Ok(merged) => merged,
            Err(error) => {
                let text = format!("{error:#}");
                watched.error = Some(text.clone());
                return self.overlay.error(text);
            }
        };
        if new == watched.base {
            return; // Written by this program, or unchanged.
        }
        watched.base = new.clone();
        let message = message(&watched.config_path);
        let head_before = self.settings.config.head.clone();
        self.settings.set_reloaded(new);
        self.set_user_settings(merged);
        if let Some(watched) = &mut self.loading.watched {
            watched.stale |= self.settings.config.head != head_before;
        }
        self.subject.apply(&self.settings.config);
        self.overlay.notice(message);
    }

    /// The settings file has been written: its next change is relative to what it holds now.
    pub(crate) fn config_saved(&mut self) {
        if let Some(watched) = &mut self.loading.watched {
            // Flags override the file: what is read may differ from what was written.
            let read = (watched.read_config)();
            watched.base = read.unwrap_or_else(|_| self.settings.config.clone());
        }
    }
}

/// Returns the message for a file that was loaded again.
pub(super) fn message(source: &HeadSource) -> String {
    let file = source.as_deref().and_then(Path::file_name);
    let name = file.map(|name| name.to_string_lossy().into_owned());
    format!("Reloaded {}", name.unwrap_or_else(|| head_name(source)))
}
