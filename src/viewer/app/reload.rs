//! Files that changed on disk: the head again, the settings again, and all else as it was.

use super::App;
use super::scene::Next;
use crate::file_watcher::Watcher;
use crate::viewer::background::loader::HeadSource;
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use crate::viewer::{Options, Watch};
use mohawk::config::Config;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A head that is being loaded.
pub(super) struct Pending {
    pub(super) source: HeadSource,
    since: SystemTime,
    /// It is shown already, or was to be: nothing but its file has changed.
    pub(super) again: bool,
    /// It stops no scene: nobody has asked for it just now.
    pub(super) quiet: bool,
    /// The scene that begins with it.
    pub(super) next: Option<Box<Next>>,
}

impl Pending {
    pub(super) fn new(source: HeadSource) -> Self {
        Self {
            source,
            since: SystemTime::now(),
            again: false,
            quiet: false,
            next: None,
        }
    }

    /// One that nobody has asked for just now.
    pub(super) fn quiet(source: HeadSource) -> Self {
        Self {
            quiet: true,
            ..Self::new(source)
        }
    }

    /// One that a scene waits for.
    pub(super) fn of_scene(source: HeadSource, next: Next) -> Self {
        Self {
            next: Some(Box::new(next)),
            ..Self::new(source)
        }
    }
}

/// What is watched for changes.
pub(crate) struct Watched {
    watcher: Watcher,
    watch: Watch,
    config_path: Option<PathBuf>,
    /// The settings as last read: what people have changed differs from these.
    base: Config,
    /// Why the settings could not be read again.
    told: Option<String>,
    /// A head that was asked for and could not be loaded.
    failed: Option<PathBuf>,
    /// The head on screen, or the one that failed, has changed and is to be loaded again.
    stale: bool,
}

impl Watched {
    /// Watches the settings and the head that are about to be loaded.
    pub(crate) fn new(watcher: Watcher, watch: Watch, options: &Options) -> Self {
        let files = options.config_path.iter().chain(&options.head).cloned();
        watcher.set_files(files.collect(), SystemTime::now());
        Self {
            watcher,
            watch,
            config_path: options.config_path.clone(),
            base: options.config.clone(),
            told: None,
            failed: None,
            stale: false,
        }
    }
}

impl App {
    /// Loads again what has changed.
    pub(crate) fn files_changed(&mut self, files: &[PathBuf]) {
        let Some(watched) = &mut self.watched else {
            return;
        };
        let is_config = |file: &PathBuf| watched.config_path.as_ref() == Some(file);
        let scene = self.opened.as_ref().and_then(|scene| scene.file());
        let is_scene = |file: &PathBuf| scene == Some(file.as_path());
        watched.stale |= files.iter().any(|file| !is_config(file) && !is_scene(file));
        let (config, scene) = (files.iter().any(is_config), files.iter().any(is_scene));
        if config {
            self.reload_config();
        }
        if scene {
            self.reload_scene();
        }
        self.reload_what_is_stale();
        self.follow_settings();
    }

    /// Loads the head again if it has changed, and if no other is on its way.
    pub(super) fn reload_what_is_stale(&mut self) {
        let Some(watched) = self.watched.as_mut().filter(|watched| watched.stale) else {
            return;
        };
        // What is away comes back first: the head must not lose its style.
        let is_away = matches!(self.styling.bench, Bench::Away);
        if self.pending.is_some() || is_away {
            return;
        }
        watched.stale = false;
        let failed = watched.failed.clone().map(HeadSource::File);
        let source = failed.unwrap_or_else(|| self.source.clone());
        self.load_from_again(source);
    }

    /// Loads the head that is shown once more.
    pub(super) fn load_again(&mut self) {
        self.load_from_again(self.source.clone());
    }

    fn load_from_again(&mut self, source: HeadSource) {
        self.pending = Some(Pending {
            again: true,
            ..Pending::new(source.clone())
        });
        let order = self.order(source, self.config.clone());
        self.loader.load(order);
    }

    /// Watches the files of the head that has just been loaded.
    pub(super) fn watch_shown(&mut self, since: SystemTime) {
        if let Some(watched) = &mut self.watched {
            // The shipped head stands in for one that failed.
            if matches!(self.source, HeadSource::File(_)) {
                watched.failed = None;
            }
        }
        self.watch_files(since);
    }

    /// Watches what could not be loaded: the next change tries again.
    pub(super) fn watch_failed(&mut self, pending: Pending) {
        if let (Some(watched), HeadSource::File(path)) = (&mut self.watched, pending.source) {
            watched.failed = Some(path);
        }
        self.watch_files(pending.since);
    }

    pub(super) fn watch_files(&self, since: SystemTime) {
        let Some(watched) = &self.watched else { return };
        let mut files: Vec<PathBuf> = watched.config_path.iter().cloned().collect();
        let scene = self.opened.as_ref().and_then(|scene| scene.file());
        files.extend(scene.map(Path::to_owned));
        files.extend(self.subject.head.iter().flat_map(|head| head.files.clone()));
        if let Some(path) = &watched.failed {
            files.push(path.clone());
            // It may lack a buffer beside it; nobody knows which.
            files.extend(path.parent().map(folder));
        }
        watched.watcher.set_files(files, since);
    }

    /// Takes the settings file's new values where people have not changed them.
    fn reload_config(&mut self) {
        let own = self.user_settings();
        let Some(watched) = &mut self.watched else {
            return;
        };
        if let Some(told) = watched.told.take() {
            self.overlay.unsay(&told);
        }
        let merged = (watched.watch.read_config)().and_then(|new| {
            let merged = Config::merged(&watched.base, &own, &new)?;
            Ok((new, merged))
        });
        let (new, merged) = match merged {
            Ok(merged) => merged,
            Err(error) => {
                let text = format!("{error:#}");
                watched.told = Some(text.clone());
                return self.overlay.say(MessageKind::Error, text);
            }
        };
        if new == watched.base {
            return; // Written by ourselves, or as it was.
        }
        watched.base = new.clone();
        let name = watched.config_path.as_deref().map(file_name);
        let head_before = self.config.head.clone();
        self.started = new.clone();
        self.saved = new;
        self.set_own(merged);
        if let Some(watched) = &mut self.watched {
            watched.stale |= self.config.head != head_before;
        }
        self.subject.apply(&self.config);
        let text = format!("Reloaded {}", name.unwrap_or_default());
        self.overlay.say(MessageKind::Notice, text);
    }

    /// The settings file holds what is on screen; the file's next change is one from here.
    pub(super) fn config_saved(&mut self) {
        if let Some(watched) = &mut self.watched {
            // Flags lie over the file: reading it again is not always what was written.
            let read = (watched.watch.read_config)();
            watched.base = read.unwrap_or_else(|_| self.config.clone());
        }
    }
}

/// What to say when a head is there again.
pub(super) fn told(source: &HeadSource) -> String {
    match source {
        HeadSource::File(path) => format!("Reloaded {}", file_name(path)),
        HeadSource::Shipped => format!("Reloaded {source}"),
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The folder of a path that names none is the current one.
fn folder(parent: &Path) -> PathBuf {
    if parent.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        parent.to_owned()
    }
}
