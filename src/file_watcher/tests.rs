//! Real files, written in all the ways that programs have.

use super::*;
use std::fs;
use tempfile::{TempDir, tempdir};

/// How long a slow machine may take to notice.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watched {
    folder: TempDir,
    watcher: Watcher,
    told: Receiver<Vec<PathBuf>>,
}

impl Watched {
    fn new() -> Self {
        Self::with(Watcher::new)
    }

    fn looking() -> Self {
        Self::with(|tell| Watcher::with(tell, |_| None))
    }

    fn with(open: impl FnOnce(Box<dyn Fn(Vec<PathBuf>) + Send>) -> Watcher) -> Self {
        let (tell, told) = channel();
        Self {
            folder: tempdir().unwrap(),
            watcher: open(Box::new(move |files| drop(tell.send(files)))),
            told,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Watches these, and returns when they are watched: a probe's change has been told.
    fn watch(&self, names: &[&str]) {
        let probe = self.path("probe");
        let paths = names.iter().map(|name| self.path(name));
        let paths = paths.chain([probe.clone()]).collect();
        self.watcher.set_files(
            paths,
            SystemTime::UNIX_EPOCH + Duration::from_secs(u32::MAX.into()),
        );
        let begun = Instant::now();
        for i in 0.. {
            assert!(begun.elapsed() < PATIENCE, "the probe was not seen");
            fs::write(&probe, format!("{i}")).unwrap();
            if self.told.recv_timeout(Duration::from_millis(700)).is_ok() {
                break;
            }
        }
        // The last write may be told twice.
        while self.told.recv_timeout(Duration::from_millis(700)).is_ok() {}
    }

    #[track_caller]
    fn until_told(&self, name: &str) {
        // On a slow machine one write may be told twice.
        let path = self.path(name);
        let mut told = std::iter::from_fn(|| self.told.recv_timeout(PATIENCE).ok());
        assert!(
            told.any(|files| files.contains(&path)),
            "{name} was not told"
        );
    }
}

#[test]
fn files_are_seen_to_change_in_place_by_rename_and_after_being_gone() {
    for watched in [Watched::new(), Watched::looking()] {
        watched.write("a.glb", "one");
        watched.watch(&["a.glb", "b.bin"]);
        watched.write("other.txt", "nobody asked");
        watched.write("a.glb", "three");
        watched.until_told("a.glb");
        watched.write("new", "by rename");
        fs::rename(watched.path("new"), watched.path("a.glb")).unwrap();
        watched.until_told("a.glb");
        fs::remove_file(watched.path("a.glb")).unwrap();
        watched.until_told("a.glb");
        watched.write("a.glb", "again");
        watched.until_told("a.glb");
        watched.write("b.bin", "was missing");
        watched.until_told("b.bin");
    }
}

#[test]
fn folders_may_come_and_be_replaced() {
    let watched = Watched::new();
    watched.watch(&["textures/skin.png"]);
    fs::create_dir_all(watched.path("textures")).unwrap();
    watched.until_told("textures/skin.png");
    watched.write("textures/skin.png", "red");
    watched.until_told("textures/skin.png");
    // As when another version is checked out.
    fs::create_dir_all(watched.path("other")).unwrap();
    watched.write("other/skin.png", "green");
    fs::rename(watched.path("textures"), watched.path("old")).unwrap();
    watched.until_told("textures/skin.png");
    fs::rename(watched.path("other"), watched.path("textures")).unwrap();
    watched.until_told("textures/skin.png");
    watched.write("textures/skin.png", "blue");
    watched.until_told("textures/skin.png");
}

#[cfg(unix)]
#[test]
fn links_are_followed() {
    let watched = Watched::new();
    fs::create_dir(watched.path("store")).unwrap();
    watched.write("store/hair.toml", "one");
    std::os::unix::fs::symlink("store/hair.toml", watched.path("hair.toml")).unwrap();
    watched.watch(&["hair.toml"]);
    watched.write("store/hair.toml", "two");
    watched.until_told("hair.toml");
}

#[test]
fn files_written_before_they_were_watched_count_if_new() {
    let watched = Watched::new();
    watched.write("a.glb", "one");
    let files = || vec![watched.path("a.glb")];
    watched.watcher.set_files(files(), SystemTime::UNIX_EPOCH);
    watched.until_told("a.glb");
    let twice = [files(), files()].concat();
    watched.watcher.set_files(twice, SystemTime::UNIX_EPOCH);
    watched.write("a.glb", "two");
    watched.until_told("a.glb");
    assert!(
        watched.told.try_recv().is_err(),
        "known files are not told again"
    );
}

#[test]
fn a_folder_stands_for_its_buffers() {
    for watched in [Watched::new(), Watched::looking()] {
        fs::create_dir(watched.path("heads")).unwrap();
        watched.watch(&["heads"]);
        watched.write("heads/log", "nobody asked");
        assert!(watched.told.recv_timeout(2 * POLL).is_err());
        watched.write("heads/head.bin", "was missing");
        watched.until_told("heads");
    }
}
