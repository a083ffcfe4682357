//! Sessions that end and sessions that crash.

use super::*;
use crate::config::Config;
use crate::head::Model;
use crate::style::{Saved, Style};
use std::time::Duration;

fn saved(length: f32) -> Saved {
    let mut config = Config::default();
    config.groom.length = length;
    Saved {
        style: Style {
            config,
            ..Style::default()
        },
        ..Saved::default()
    }
}

fn begin(folder: &Path) -> Autosave {
    Autosave::begin::<Saved>(folder).unwrap()
}

fn all(folder: &Path) -> Vec<Recoverable> {
    Recoverable::all(folder, Saved::EXTENSION)
}

/// Returns the number of files and folders in a folder.
fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// Makes a session that crashed: with a style `age` seconds old, and a file that it was just
/// writing.
fn crash(folder: &Path, name: &str, age: u64) -> PathBuf {
    let document = folder.join(name).join("document.mohawk");
    fs::create_dir(folder.join(name)).unwrap();
    saved(0.5).save(&document).unwrap();
    fs::write(document.with_file_name(".document.mohawk.77.part"), "").unwrap();
    let file = fs::File::options().write(true).open(&document);
    let when = SystemTime::now() - Duration::from_secs(age);
    file.unwrap().set_modified(when).unwrap();
    document
}

#[test]
fn a_session_that_ends_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("state/mohawk/autosave");
    let [a, b] = [0.25, 0.5].map(|length| {
        let autosave = begin(&deep);
        for source in [None, Some(Path::new("mine.mohawk"))] {
            autosave.save(&saved(length), source).unwrap();
        }
        autosave
    });
    let length = |autosave: &Autosave| {
        let read = Saved::open(&autosave.file).unwrap();
        read.style.config.groom.length
    };
    assert_eq!((length(&a), length(&b)), (0.25, 0.5));
    assert!(all(&deep).is_empty(), "both run");
    a.clear();
    a.clear();
    assert_eq!(count(a.file.parent().unwrap()), 1, "the lock");
    drop(a);
    assert_eq!((count(&deep), length(&b)), (1, 0.5));
    drop(b);
    assert_eq!(count(&deep), 0);
}

#[test]
fn a_session_that_ends_in_an_error_leaves_its_style() {
    let folder = tempfile::tempdir().unwrap();
    let autosave = begin(folder.path());
    autosave.save(&saved(0.25), None).unwrap();
    autosave.keep();
    drop(autosave);
    assert_eq!(all(folder.path()).len(), 1);
    let path = folder.path().to_owned();
    let panics = std::thread::spawn(move || {
        let autosave = begin(&path);
        autosave.save(&saved(0.5), None).unwrap();
        std::panic::resume_unwind(Box::new(()));
    });
    assert!(panics.join().is_err());
    assert_eq!(all(folder.path()).len(), 2);
}

#[test]
fn a_crashed_session_leaves_its_style_and_the_paths_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let autosave = begin(folder);
    let mut style = saved(0.625);
    style.model = Model::File("heads/mine.glb".into());
    let source = Some(Path::new("mine.mohawk"));
    autosave.save(&style, source).unwrap();
    assert!(all(folder).is_empty(), "it runs");
    let left = crash(folder, "1-1", 60);
    for name in ["document.mohawk", SOURCE] {
        fs::copy(
            autosave.file.with_file_name(name),
            left.with_file_name(name),
        )
        .unwrap();
    }
    let [left] = all(folder).try_into().unwrap();
    let absolute = |path| std::path::absolute(path).unwrap();
    assert_eq!(left.source, Some(absolute("mine.mohawk")));
    let read = Saved::open(&left.file).unwrap();
    assert_eq!(read.style, style.style);
    assert_eq!(read.model, Model::File(absolute("heads/mine.glb")));
    left.discard();
    assert!(all(folder).is_empty());
    assert_eq!(count(folder), 1, "it runs");
}

#[test]
fn the_newest_come_first_and_the_oldest_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(all(&folder.join("absent")).is_empty());
    for i in 0..MAX_CRASHED as u64 + 5 {
        crash(folder, &format!("{i}-3"), i * 60);
    }
    // A session that crashed before it wrote anything, and a folder of somebody else.
    fs::create_dir(folder.join("1000-3")).unwrap();
    fs::create_dir(folder.join("mine")).unwrap();
    let found = all(folder);
    assert_eq!(found.len(), MAX_CRASHED);
    assert!(found.is_sorted_by(|a, b| a.saved > b.saved));
    assert_eq!(found[0].file, folder.join("0-3/document.mohawk"));
    assert_eq!(count(folder), MAX_CRASHED + 1);
    assert_eq!(all(folder), found);
    found.into_iter().for_each(Recoverable::discard);
    assert_eq!(count(folder), 1);
}

#[test]
fn a_damaged_document_is_reported_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let document = crash(folder.path(), "1-1", 60);
    fs::write(&document, b"half of it").unwrap();
    fs::write(document.with_file_name(SOURCE), b"\xff\0?").unwrap();
    let [left] = all(folder.path()).try_into().unwrap();
    assert_eq!(left.source, None);
    let error = Saved::open(&left.file).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
    left.discard();
    assert_eq!(count(folder.path()), 0);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    fs::write(&taken, "").unwrap();
    Autosave::begin::<Saved>(&taken).unwrap_err();
    Autosave::begin::<Saved>(&taken.join("below")).unwrap_err();
    assert!(all(&taken).is_empty());
    // A folder that is deleted later.
    let gone = folder.path().join("gone");
    let autosave = begin(&gone);
    fs::remove_dir_all(&gone).unwrap();
    let error = autosave.save(&saved(0.5), None).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    autosave.clear();
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn the_environment_names_the_folder() {
    let of = |variables: &[(&str, &str)]| {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        };
        user_folder(STATE[0], STATE[1], variable).map(|path| path.display().to_string())
    };
    let home = ("HOME", "/home/ann");
    let usual = Some("/home/ann/.local/state/mohawk".to_owned());
    assert_eq!(of(&[home]), usual);
    assert_eq!(of(&[home, ("XDG_STATE_HOME", "relative")]), usual);
    let other = Some("/state/mohawk".to_owned());
    assert_eq!(of(&[home, ("XDG_STATE_HOME", "/state")]), other);
    assert_eq!(of(&[]), None);
}
