//! `mohawk man`

use crate::common::program::*;
use std::collections::BTreeSet;
use std::{fs, path::Path, process::Command};

/// Returns the commands that `mohawk --help` lists.
fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let rows = listed.lines().take_while(|row| !row.is_empty());
    let names = rows.filter_map(|row| row.split_whitespace().next());
    let commands: Vec<String> = names
        .filter(|name| *name != "help")
        .map(Into::into)
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    commands
}

fn pages(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn the_program_and_every_command_have_a_page() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stdout(&["man", folder.path().to_str().unwrap()]), "");
    let expected = commands().into_iter().map(|c| format!("mohawk-{c}.1"));
    let expected: BTreeSet<_> = expected.chain(["mohawk.1".into()]).collect();
    assert_eq!(pages(folder.path()), expected);
    for name in expected {
        let page = fs::read_to_string(folder.path().join(&name)).unwrap();
        let title = format!(".TH {} 1", name.trim_end_matches(".1"));
        assert!(page.contains(&title), "{name}: {page}");
        let sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"];
        for section in sections {
            assert_mentions(&page, &[&format!(".SH {section}\n")]);
        }
    }
}

/// `man` reads the pages without complaint, and keeps the lines of examples.
#[test]
fn man_shows_the_pages() {
    if Command::new("man").arg("--version").output().is_err() {
        eprintln!("skipped: there is no program man here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", folder.path().to_str().unwrap()]);
    for name in pages(folder.path()) {
        let mut man = Command::new("man");
        man.args(["--warnings", "-l"])
            .arg(folder.path().join(&name));
        man.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "110");
        let shown = man.output().unwrap();
        let complaints = String::from_utf8_lossy(&shown.stderr);
        assert!(
            shown.status.success() && complaints.is_empty(),
            "{name}: {complaints}"
        );
        let text = String::from_utf8_lossy(&shown.stdout);
        if name == "mohawk-render.1" {
            let example = "mohawk render -o ear.png --yaw 80 --target 0.8,0,0 --distance 3\n";
            assert_mentions(
                &text,
                &["User Commands", "EXAMPLES", example, "--resolution"],
            );
        }
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/man1");
    let error = refused(1, &["man", missing.to_str().unwrap()]);
    assert_mentions(&error, &["no/man1", "mkdir -p"]);
    assert_mentions(&refused(2, &["man"]), &["FOLDER"]);
}
