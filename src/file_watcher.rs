//! Watches files that other programs write, and reports those that have changed and are complete.
//!
//! A thread looks at the files ten times a second. A look takes microseconds, and it notices what
//! the notifications of operating systems miss: network drives, links, and folders that are
//! created, moved or replaced.

use mohawk::files::disk;
use mohawk::style::Saved;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use web_time::{Duration, Instant, SystemTime};

/// The time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(100);
/// Files are complete when none of them has changed for this long.
const QUIET: Duration = Duration::from_millis(150);

/// Watches files on a thread of its own until it is dropped.
pub(crate) struct Watcher {
    /// The files to watch, and the time since which new ones count as changed.
    files: Sender<(Vec<PathBuf>, SystemTime)>,
}

impl Watcher {
    /// Starts to watch, at first no file. The thread calls `changed` with the files that have
    /// changed, as they were named in [`Watcher::set_files`].
    pub(crate) fn new(changed: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let (files, incoming) = channel();
        std::thread::spawn(move || watch(&incoming, changed));
        Self { files }
    }

    /// Watches these files from now on and no others. A folder stands for the glTF buffers
    /// (`.bin`) and the styles (`.mohawk`) in it, and that of a style for the style's files. Files
    /// that were not watched before and were written after `since`, which is the time when the
    /// caller began to read them, count as changed.
    pub(crate) fn set_files(&self, files: Vec<PathBuf>, since: SystemTime) {
        // The thread lives as long as this sender.
        let _ = self.files.send((files, since));
    }
}

/// The path of a file, the time when it was written, and its length.
type FileState = (PathBuf, Option<SystemTime>, u64);

/// The state of a watched file or folder, and the time of its last change that was not reported.
type Watched = (Vec<FileState>, Option<Instant>);

/// Looks at the files until the sender of `incoming` is gone.
fn watch(incoming: &Receiver<(Vec<PathBuf>, SystemTime)>, changed: impl Fn(Vec<PathBuf>)) {
    let mut files: BTreeMap<PathBuf, Watched> = BTreeMap::new();
    loop {
        match incoming.recv_timeout(INTERVAL) {
            Ok((named, since)) => {
                let mut before = std::mem::take(&mut files);
                for file in BTreeSet::from_iter(named) {
                    let known = before.remove(&file);
                    let watched = known.unwrap_or_else(|| {
                        let written = disk::metadata(&file).and_then(|meta| meta.modified());
                        let is_newer = written.is_ok_and(|written| written >= since);
                        (state(&file), is_newer.then(Instant::now))
                    });
                    files.insert(file, watched);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        for (file, (before, changed)) in &mut files {
            let state = state(file);
            if *before != state {
                (*before, *changed) = (state, Some(now));
            }
        }
        let last = files.values().filter_map(|(_, changed)| *changed).max();
        if last.is_some_and(|last| now.duration_since(last) >= QUIET) {
            let complete = files.iter_mut();
            let complete = complete.filter_map(|(file, (_, at))| at.take().map(|_| file.clone()));
            changed(complete.collect());
        }
    }
}

/// Returns the state of a file or of the buffers and styles in a folder; empty if it does not exist.
fn state(path: &Path) -> Vec<FileState> {
    let of_file = |path: PathBuf| {
        let meta = disk::metadata(&path).ok()?;
        Some((path, meta.modified().ok(), meta.len()))
    };
    let Ok(entries) = path.read_dir() else {
        return of_file(path.to_owned()).into_iter().collect();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // Other files change too often: messages may be logged to the same folder.
    let is_watched = |path: &PathBuf| {
        let end = path.extension().unwrap_or_default();
        end == "bin" || end == "mohawk"
    };
    let paths = paths.filter(is_watched).chain(Saved::files_of(path));
    let mut states: Vec<_> = paths.filter_map(of_file).collect();
    states.sort();
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::{TempDir, tempdir};

    /// The time that a slow machine may need to notice a change.
    const PATIENCE: Duration = Duration::from_secs(60);

    struct Folder {
        folder: TempDir,
        watcher: Watcher,
        reports: Receiver<Vec<PathBuf>>,
    }

    impl Folder {
        fn new() -> Self {
            let (sender, reports) = channel();
            Self {
                folder: tempdir().unwrap(),
                watcher: Watcher::new(move |files| drop(sender.send(files))),
                reports,
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.path(name), text).unwrap();
        }

        fn rename(&self, from: &str, to: &str) {
            fs::rename(self.path(from), self.path(to)).unwrap();
        }

        /// Watches a file, and returns when it is watched: a new file beside it was reported.
        fn watch(&self, name: &str) {
            self.write("probe", "");
            let files = vec![self.path(name), self.path("probe")];
            self.watcher.set_files(files, SystemTime::UNIX_EPOCH);
            self.until_reported("probe");
        }

        #[track_caller]
        fn until_reported(&self, name: &str) {
            let path = self.path(name);
            let mut reports = std::iter::from_fn(|| self.reports.recv_timeout(PATIENCE).ok());
            assert!(reports.any(|files| files.contains(&path)), "{name}");
        }
    }

    #[test]
    fn a_file_may_be_written_replaced_deleted_and_created() {
        let folder = Folder::new();
        folder.write("a.glb", "one");
        folder.watch("a.glb");
        folder.write("other.txt", "not watched");
        folder.write("a.glb", "three");
        folder.until_reported("a.glb");
        folder.write("new", "by rename");
        folder.rename("new", "a.glb");
        folder.until_reported("a.glb");
        fs::remove_file(folder.path("a.glb")).unwrap();
        folder.until_reported("a.glb");
        folder.write("a.glb", "again");
        folder.until_reported("a.glb");
    }

    #[test]
    fn folders_may_be_created_and_replaced() {
        let folder = Folder::new();
        folder.watch("textures/skin.png");
        fs::create_dir(folder.path("textures")).unwrap();
        folder.write("textures/skin.png", "red");
        folder.until_reported("textures/skin.png");
        // A version control system does this as it checks another version out.
        fs::create_dir(folder.path("other")).unwrap();
        folder.write("other/skin.png", "green");
        folder.rename("textures", "old");
        folder.rename("other", "textures");
        folder.until_reported("textures/skin.png");
        folder.write("textures/skin.png", "transparent");
        folder.until_reported("textures/skin.png");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let folder = Folder::new();
        folder.write("target", "one");
        std::os::unix::fs::symlink("target", folder.path("hair.toml")).unwrap();
        folder.watch("hair.toml");
        folder.write("target", "three");
        folder.until_reported("hair.toml");
    }

    #[test]
    fn a_file_that_was_written_before_it_is_watched_is_reported_once() {
        let folder = Folder::new();
        folder.watch("a.glb");
        folder.write("b.glb", "one");
        let twice = || vec![folder.path("b.glb"); 2];
        let (watcher, then) = (&folder.watcher, SystemTime::UNIX_EPOCH);
        watcher.set_files(twice(), SystemTime::now() + PATIENCE);
        watcher.set_files(twice(), then);
        assert!(folder.reports.recv_timeout(3 * QUIET).is_err(), "known");
        watcher.set_files(vec![], then);
        watcher.set_files(twice(), then);
        folder.until_reported("b.glb");
        assert!(folder.reports.recv_timeout(3 * QUIET).is_err(), "reported");
    }

    #[test]
    fn a_folder_stands_for_its_buffers() {
        let folder = Folder::new();
        fs::create_dir(folder.path("heads")).unwrap();
        folder.watch("heads");
        folder.write("heads/log", "no buffer");
        assert!(folder.reports.recv_timeout(3 * QUIET).is_err());
        folder.write("heads/head.bin", "was missing");
        folder.until_reported("heads");
    }
}
