//! The state of `--watch`: the files, and the settings that were last read from them.

use crate::file_watcher::Watcher;
use crate::viewer::{Options, ReadConfig};
use mohawk::Config;
use std::path::PathBuf;
use web_time::SystemTime;

/// The files that are watched for changes.
pub(crate) struct Watched {
    pub(crate) watcher: Watcher,
    pub(crate) read_config: ReadConfig,
    pub(crate) config_path: Option<PathBuf>,
    /// The settings as last read: the user's changes are relative to these.
    pub(crate) base: Config,
    /// The message about settings that could not be read.
    pub(crate) error: Option<String>,
    /// The head that was asked for and could not be loaded.
    pub(crate) failed: Option<PathBuf>,
    /// `true` if the head on screen, or the one that failed, is to be loaded again.
    pub(crate) stale: bool,
}

impl Watched {
    /// Watches the settings and the head that are about to be loaded.
    pub(crate) fn new(watcher: Watcher, read_config: ReadConfig, options: &Options) -> Self {
        let files = options.config_path.iter().chain(&options.head).cloned();
        watcher.set_files(files.collect(), SystemTime::now());
        Self {
            watcher,
            read_config,
            config_path: options.config_path.clone(),
            base: options.config.clone(),
            error: None,
            failed: None,
            stale: false,
        }
    }
}
