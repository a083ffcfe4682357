use super::*;
use crate::config::Config;
use crate::style::{Model, Saved, Style};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where the session of another process is to be.
const ELSEWHERE: &str = "MOHAWK_TEST_AUTOSAVE";

fn saved(length: f32) -> Saved {
    let mut config = Config::default();
    config.groom.length = length;
    Saved {
        style: Style::of(config),
        ..Saved::default()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "folder.lock")
        .collect();
    names.sort();
    names
}

/// A style that a session has left which no longer runs.
fn leave(folder: &Path, process: u32, age: u64) -> PathBuf {
    let session = Session::new(folder, Saved::EXTENSION, process, 0);
    saved(0.5).save(&session.copy()).unwrap();
    File::create(session.lock()).unwrap();
    let file = File::options().write(true).open(session.copy()).unwrap();
    let when = SystemTime::now() - Duration::from_secs(age);
    file.set_modified(when).unwrap();
    session.copy()
}

#[test]
fn a_clean_end_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("state/mohawk/autosave");
    let autosave = Autosave::<Saved>::begin(&deep).unwrap();
    assert!(LeftBehind::all::<Saved>(&deep).is_empty());
    let file = Path::new("mine.mohawk");
    autosave.save(&saved(0.5), Some(file)).unwrap();
    assert_eq!(names(&deep).len(), 3);
    autosave.clear();
    assert_eq!(names(&deep).len(), 1);
    autosave.clear();
    autosave.save(&saved(0.5), Some(file)).unwrap();
    autosave.save(&saved(0.6), None).unwrap();
    assert_eq!(names(&deep).len(), 2);
    // It runs: nobody's to take.
    assert!(LeftBehind::all::<Saved>(&deep).is_empty());
    assert_eq!(names(&deep).len(), 2);
    drop(autosave);
    assert_eq!(names(&deep).len(), 0);
}

#[test]
fn it_may_be_used_by_other_threads() {
    let folder = tempfile::tempdir().unwrap();
    let autosave = Autosave::<Saved>::begin(folder.path()).unwrap();
    std::thread::scope(|scope| {
        for i in 0..4 {
            let autosave = &autosave;
            scope.spawn(move || autosave.save(&saved(0.1 * (i + 1) as f32), None).unwrap());
        }
    });
    Saved::open(&autosave.session.copy()).unwrap();
    assert_eq!(names(folder.path()).len(), 2);
}

/// The session of [`a_killed_session_leaves_its_style`]: does nothing unless asked.
#[test]
fn a_session_that_does_not_end() {
    let Some(folder) = std::env::var_os(ELSEWHERE) else {
        return;
    };
    let autosave = Autosave::<Saved>::begin(Path::new(&folder)).unwrap();
    let mut saved = saved(0.625);
    saved.model = Model::File("heads/mine.glb".into());
    autosave
        .save(&saved, Some(Path::new("mine.mohawk")))
        .unwrap();
    println!("\nsaved");
    // Until it is killed, or its parent is.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    std::process::exit(1);
}

#[test]
fn a_killed_session_leaves_its_style() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let runner = std::env::var("MOHAWK_RUNNER").unwrap_or_default();
    let program = std::env::current_exe().unwrap();
    let mut words = runner
        .split_whitespace()
        .map(PathBuf::from)
        .chain([program]);
    let mut child = Command::new(words.next().unwrap())
        .args(words)
        .args(["--exact", "autosave::tests::a_session_that_does_not_end"])
        .arg("--nocapture")
        .env(ELSEWHERE, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "saved"));

    let mine = Autosave::<Saved>::begin(folder).unwrap();
    assert!(LeftBehind::all::<Saved>(folder).is_empty(), "both run");
    child.kill().unwrap();
    child.wait().unwrap();
    mine.save(&saved(0.25), None).unwrap();

    let mut all = LeftBehind::all::<Saved>(folder);
    assert_eq!(all.len(), 1);
    let left = all.remove(0);
    assert_eq!(left.of, Some(path::absolute("mine.mohawk").unwrap()));
    let read = Saved::open(&left.file).unwrap();
    assert_eq!(read.style, saved(0.625).style);
    let model = path::absolute("heads/mine.glb").unwrap();
    assert_eq!(read.model, Model::File(model));
    left.discard();
    assert!(LeftBehind::all::<Saved>(folder).is_empty());
    assert_eq!(names(folder).len(), 2, "mine");
}

#[test]
fn sessions_side_by_side_keep_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = [0, 1].map(|_| Autosave::<Saved>::begin(folder.path()).unwrap());
    a.save(&saved(0.25), None).unwrap();
    b.save(&saved(0.5), None).unwrap();
    assert_ne!(a.session, b.session);
    let read = Saved::open(&a.session.copy()).unwrap();
    assert_eq!(read.style, saved(0.25).style);
    drop(a);
    assert_eq!(names(folder.path()).len(), 2);
    Saved::open(&b.session.copy()).unwrap();
}

#[test]
fn the_newest_come_first_and_the_oldest_go() {
    let folder = tempfile::tempdir().unwrap();
    assert!(LeftBehind::all::<Saved>(&folder.path().join("absent")).is_empty());
    for i in 0..MOST as u32 + 5 {
        leave(folder.path(), i, u64::from(i) * 60);
    }
    // A session that ended before it wrote anything, and files of others.
    File::create(Session::new(folder.path(), Saved::EXTENSION, 1000, 3).lock()).unwrap();
    fs::write(folder.path().join("session-mine.mohawk"), "").unwrap();
    fs::write(folder.path().join(".session-3-0.mohawk.77.part"), "").unwrap();
    let all = LeftBehind::all::<Saved>(folder.path());
    assert_eq!(all.len(), MOST);
    assert!(all.is_sorted_by(|a, b| a.saved > b.saved));
    assert_eq!(
        all[0].file,
        Session::new(folder.path(), Saved::EXTENSION, 0, 0).copy()
    );
    assert_eq!(names(folder.path()).len(), 2 * MOST + 2);
    assert_eq!(LeftBehind::all::<Saved>(folder.path()), all);
    all.into_iter().for_each(LeftBehind::discard);
    assert_eq!(names(folder.path()), ["session-mine.mohawk"]);
}

#[test]
fn what_is_damaged_is_told_of_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = leave(folder.path(), 1, 60);
    fs::write(&file, b"half of it").unwrap();
    fs::write(
        Session::new(folder.path(), Saved::EXTENSION, 1, 0).of(),
        b"\xff\0?",
    )
    .unwrap();
    // A folder is no style.
    fs::create_dir(Session::new(folder.path(), Saved::EXTENSION, 2, 0).copy()).unwrap();
    let mut all = LeftBehind::all::<Saved>(folder.path());
    assert_eq!(all.len(), 1);
    let left = all.remove(0);
    assert_eq!(left.of, None);
    let error = Saved::open(&left.file).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
    left.discard();
    assert!(!file.exists());
}

#[test]
fn folders_that_cannot_be_written_to_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    fs::write(&taken, "").unwrap();
    Autosave::<Saved>::begin(&taken).unwrap_err();
    Autosave::<Saved>::begin(&taken.join("below")).unwrap_err();
    assert!(LeftBehind::all::<Saved>(&taken).is_empty());
    // One that goes away later.
    let gone = folder.path().join("gone");
    let autosave = Autosave::<Saved>::begin(&gone).unwrap();
    fs::remove_dir_all(&gone).unwrap();
    let error = autosave.save(&saved(0.5), None).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    autosave.clear();
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn the_folder_is_where_the_environment_says() {
    let of = |variables: &[(&str, &str)]| {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        };
        folder::of_user(variable).map(|path| path.display().to_string())
    };
    let home = ("HOME", "/home/ann");
    let usual = Some("/home/ann/.local/state/mohawk".to_owned());
    assert_eq!(of(&[home]), usual);
    assert_eq!(of(&[home, ("XDG_STATE_HOME", "relative")]), usual);
    let other = Some("/state/mohawk".to_owned());
    assert_eq!(of(&[home, ("XDG_STATE_HOME", "/state")]), other);
    assert_eq!(of(&[]), None);
}
