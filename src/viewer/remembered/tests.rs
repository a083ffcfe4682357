//! Memories that are written, read and merged.

use super::*;

fn file(text: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("window.toml");
    fs::write(&file, text).unwrap();
    (folder, file)
}

#[test]
fn the_next_run_finds_what_the_last_one_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep/mohawk/window.toml");
    let (mut memory, mut now) = Memory::open(file.clone());
    assert_eq!(now, Remembered::default());
    memory.keep(&now, true);
    assert!(!file.exists(), "nothing is worth a file yet");
    (now.theme, now.scale, now.place) = (Theme::Light, 1.25, Place::Lab);
    now.window = [640.0, 480.0];
    now.sections.insert("Sky".to_owned(), true);
    for i in 0..12 {
        now.add_recent(Path::new(&format!("/heads/{i}.glb")));
    }
    now.add_recent(Path::new("/heads/9.glb"));
    let lying = HeadSettings {
        turn_deg: 90.0,
        hide: vec!["hat".to_owned()],
        ..HeadSettings::default()
    };
    for i in 0..40 {
        now.keep_model(Path::new(&format!("/heads/{i}.glb")), &lying);
    }
    now.keep_model(Path::new("/heads/38.glb"), &HeadSettings::default());
    memory.keep(&now, false);
    now.head_dragged = true;
    // Soon after, only the end of the run is a reason to write.
    memory.keep(&now, false);
    assert!(!Memory::open(file.clone()).1.head_dragged);
    memory.keep(&now, true);
    let (_, found) = Memory::open(file);
    assert_eq!(found, now);
    assert_eq!(found.models.len(), MAX_MODELS - 1);
    let read = |path: &str, mut head: HeadSettings| {
        found.use_model(Path::new(path), &mut head);
        head
    };
    assert_eq!(read("/heads/39.glb", HeadSettings::default()), lying);
    assert_eq!(
        read("/heads/38.glb", HeadSettings::default()),
        HeadSettings::default()
    );
    let asked = HeadSettings {
        turn_deg: 5.0,
        ..HeadSettings::default()
    };
    assert_eq!(
        read("/heads/39.glb", asked.clone()),
        asked,
        "flags come first"
    );
    assert_eq!(found.recent.len(), MAX_RECENT);
    assert_eq!(
        found.recent[..2],
        ["/heads/9.glb", "/heads/11.glb"].map(PathBuf::from)
    );
}

#[test]
fn two_windows_keep_what_the_other_has_changed() {
    let (_folder, file) = file(b"");
    let [(mut first, mut one), (mut second, mut two)] =
        [(); 2].map(|()| Memory::open(file.clone()));
    one.add_recent(Path::new("/heads/a.glb"));
    one.theme = Theme::Light;
    first.keep(&one, true);
    two.add_recent(Path::new("/heads/b.glb"));
    two.place = Place::Lab;
    second.keep(&two, true);
    let (_, all) = Memory::open(file);
    assert_eq!((all.theme, all.place), (Theme::Light, Place::Lab));
    assert_eq!(
        all.recent,
        ["/heads/b.glb", "/heads/a.glb"].map(PathBuf::from)
    );
}

#[test]
fn a_broken_or_hostile_file_is_ignored_and_stays() {
    let long = "x".repeat(2 << 16);
    for text in [
        &b"theme ="[..],
        b"theme = \"plaid\"",
        b"scale = \"large\"",
        b"\xff\xfe",
        b"recent = 3",
        long.as_bytes(),
    ] {
        let (_folder, file) = file(text);
        let (mut memory, mut read) = Memory::open(file.clone());
        assert_eq!(read, Remembered::default());
        read.theme = Theme::Light;
        memory.keep(&read, true);
        assert_eq!(fs::read(&file).unwrap(), text);
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        Memory::open(folder.path().to_owned()).1,
        Remembered::default()
    );
}

#[test]
fn values_out_of_range_are_left_out_and_the_rest_counts() {
    let text = "theme = \"light\"\nscale = 1e30\nwindow = [1e9, nan]\nfuture = 1\n\
        recent = [\"relative.glb\", \"/a.glb\"]\n[sections]\nSky = true\n";
    let many: String = (0..1000).map(|i| format!("s{i} = true\n")).collect();
    let (_folder, file) = file(format!("{text}{many}").as_bytes());
    let read = Memory::open(file).1;
    assert_eq!((read.theme, read.scale), (Theme::Light, 1.0));
    assert_eq!(read.window, NEW_SIZE);
    assert_eq!(read.recent, [PathBuf::from("/a.glb")]);
    assert_eq!(read.sections.len(), MAX_SECTIONS);
    assert_eq!(read.sections.get("Sky"), Some(&true));
}
