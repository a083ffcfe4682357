//! The 2D doll, brushed with a real mouse.

use crate::closing::close;
use crate::dropping::drop_file;
use crate::picture::Picture;
use crate::program::{Program, command};
use std::fs;
use std::path::Path;

/// Where the panel begins.
const PANEL: usize = 992;
/// The title of a window with the usual doll.
const GIRL: &str = "mohawk – girl – 1,200 hairs";
/// On the hair at the left side of the face, and on the wallpaper.
const HAIR: (i32, i32) = (390, 400);
const WALL: (i32, i32) = (100, 700);

fn open(args: &[&str]) -> Program {
    open_in(tempfile::tempdir().unwrap(), args)
}

fn open_in(folder: tempfile::TempDir, args: &[&str]) -> Program {
    let program = Program::open_plain(folder, &[&["doll"], args].concat());
    program.until_title(|title| title.ends_with(" hairs"));
    seen(&program);
    program
}

/// The page when all is done, with the pointer at a place of its own.
fn seen(program: &Program) -> Picture {
    program.point((1270, 790));
    program.settled().part(0..PANEL, 0..660)
}

/// Drags the tool in hand and waits for what has come of it.
fn stroked(program: &Program, from: (i32, i32), by: (i32, i32)) -> Picture {
    let before = program.logged(&["stroke:"]).len();
    program.pull("1", from, by);
    program.release("1");
    program.until("the stroke", |p| {
        (p.logged(&["stroke:"]).len() > before).then_some(())
    });
    seen(program)
}

/// What `mohawk doll --json` says of files in a folder.
fn told(folder: &Path, args: &[&str]) -> serde_json::Value {
    let output = command(&[&["doll"], args, &["--json"]].concat())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn brushed_hair_follows_and_is_undone_and_redone() {
    let program = open(&[]);
    assert_eq!(program.title().unwrap(), GIRL);
    let grown = seen(&program);
    // The hair answers while the button is down, and the circle shows where.
    program.pull("1", HAIR, (-200, 60));
    program.until_seen("hair that follows", |picture| {
        picture.part(0..PANEL, 0..660).difference(&grown) > 0.5
    });
    program.release("1");
    program.until_logged(&["stroke: comb, changed hair"]);
    let combed = seen(&program);
    assert!(
        combed.difference(&grown) > 0.3,
        "{}",
        combed.difference(&grown)
    );
    program.key("ctrl+z");
    assert!(seen(&program).difference(&grown) < 0.01);
    program.key("ctrl+shift+z");
    assert!(seen(&program).difference(&combed) < 0.01);

    // A cancelled stroke never was, and one beside the hair is nothing to undo.
    program.pull("1", HAIR, (100, 100));
    program.key("Escape");
    program.release("1");
    assert!(seen(&program).difference(&combed) < 0.01);
    stroked(&program, WALL, (60, -60));
    program.until_logged(&["stroke: comb, touched nothing"]);
    program.key("ctrl+z");
    assert!(seen(&program).difference(&grown) < 0.01);
}

#[test]
fn nothing_is_computed_while_nobody_does_anything() {
    let program = open(&["--hairs", "5000", "--figure", "lion"]);
    let before = program.cpu_ticks();
    stroked(&program, (420, 480), (60, 150));
    // At rest is who has used no processor for a while.
    assert!(program.cpu_ticks() > before);
    program.settled();
}

#[test]
fn tools_have_keys_and_clips_come_and_go() {
    let program = open(&[]);
    let grown = seen(&program);
    program.key("4");
    let tied = stroked(&program, HAIR, (0, 0));
    program.until_logged(&["stroke: clip, changed hair, 1 clips"]);
    assert!(tied.difference(&grown) > 0.1);
    // Clicked on, it comes off; hair that it held hangs where it was let go.
    stroked(&program, HAIR, (0, 0));
    program.until_logged(&["stroke: clip, changed hair, 0 clips"]);
    program.key("2");
    stroked(&program, HAIR, (150, 0));
    program.until_logged(&["stroke: cut, changed hair"]);
    program.key("3");
    stroked(&program, (600, 330), (0, 150));
    program.until_logged(&["stroke: color, changed hair"]);
    program.key("5");
    stroked(&program, (600, 330), (0, 150));
    program.until_logged(&["stroke: reset, changed hair"]);
    program.key("r");
    assert!(seen(&program).difference(&grown) < 0.01);
}

#[test]
fn a_doll_is_saved_recorded_and_found_again() {
    let mut program = open(&[]);
    let folder = program.folder.clone();
    program.key("ctrl+r");
    program.until_logged(&["Recording strokes"]);
    program.settled();
    let combed = stroked(&program, HAIR, (-150, 80));
    program.key("bracketright");
    stroked(&program, (620, 300), (120, 120));
    program.key("ctrl+z");
    program.until_logged(&["undo: comb"]);
    program.key("ctrl+r");
    program.until_logged(&["Saved 1 stroke as"]);
    program.key("ctrl+s");
    program.until_logged(&["Saved", "mohawk.doll"]);
    program.key("p");
    program.until_logged(&["Saved", "mohawk-0001.png"]);
    let picture = image::open(folder.path().join("mohawk-0001.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1600, 1200));

    // Recorded strokes do what the hand did.
    let saved = told(folder.path(), &["mohawk.doll"]);
    let again = told(folder.path(), &["--strokes", "mohawk-0001.json"]);
    assert_eq!(saved, again);
    assert_ne!(saved, told(folder.path(), &[]));

    // Saved, it is closed without a question.
    close(&program.desk, program.window_id());
    assert!(program.until_ended().success());
    let again = Program::open_plain(folder, &["doll", "mohawk.doll"]);
    again.until_title(|title| title == "mohawk – mohawk.doll – 1,200 hairs");
    assert!(seen(&again).difference(&combed) < 0.01);
}

#[test]
fn unsaved_hair_is_asked_for_and_outlives_a_crash() {
    let mut program = open(&[]);
    let combed = stroked(&program, HAIR, (-150, 80));
    close(&program.desk, program.window_id());
    // It asks, and stays.
    let asking = program.settled();
    assert!(asking.part(0..PANEL, 0..660).difference(&combed) > 0.1);
    assert!(program.is_running());
    program.key("Escape");
    program.until_logged(&["autosaved"]);
    program.kill();
    let again = Program::open_plain(program.folder.clone(), &["doll"]);
    again.until_title(|title| title.ends_with(" hairs"));
    let page = |p: &Picture| p.part(0..PANEL, 0..800);
    again.until_seen("a question", |p| page(p).buttons(3).is_some());
    let buttons = page(&again.picture()).buttons(3).unwrap();
    again.click(buttons[0]);
    again.until_logged(&["Opened the unsaved doll"]);
    assert!(seen(&again).difference(&combed) < 0.01);
}

/// Away from the doll, its hair is kept from crashes, and asked for before it is lost.
#[test]
fn a_doll_behind_the_head_is_not_lost_with_the_window() {
    let mut program = Program::at_rest();
    program.until_title(|title| title.contains("head"));
    let head = program.title().unwrap();
    program.key("p");
    program.until_title(|title| title == GIRL);
    stroked(&program, HAIR, (-150, 80));
    stroked(&program, HAIR, (-100, 120));
    program.key("Escape");
    program.until_title(|title| title == head);
    // The first stroke is kept at once, the second one seconds later.
    program.until("the copy", |p| {
        (p.logged(&["autosaved"]).len() > 1).then_some(())
    });
    let asks = |program: &Program| {
        close(&program.desk, program.window_id());
        program.until_title(|title| title == GIRL);
        let page = |p: &Picture| p.part(0..PANEL, 0..800);
        program.until_seen("a question", |p| page(p).buttons(3).is_some());
        page(&program.picture()).buttons(3).unwrap()
    };
    asks(&program);
    // Who stays is asked again.
    program.key("Escape");
    program.settled();
    assert!(program.is_running());
    program.key("Escape");
    program.until_title(|title| title == head);
    let buttons = asks(&program);
    program.click(buttons[1]);
    assert!(program.until_ended().success());
}

#[test]
fn a_dropped_doll_is_opened_and_a_damaged_one_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = command(&[
        "doll", "--figure", "troll", "--hairs", "500", "-o", "tom.doll",
    ])
    .current_dir(folder.path())
    .output()
    .unwrap();
    assert!(output.status.success());
    fs::write(folder.path().join("bad.doll"), "{}").unwrap();
    let program = open_in(folder, &[]);
    drop_file(&program, &program.folder.path().join("bad.doll"));
    program.until_logged(&["bad.doll is not a doll that can be opened"]);
    drop_file(&program, &program.folder.path().join("tom.doll"));
    program.until_title(|title| title == "mohawk – tom.doll – 500 hairs");
}

#[test]
fn the_doll_is_reached_from_the_head_and_left_again() {
    let program = Program::at_rest();
    program.until_title(|title| title.contains("head"));
    let head = program.title().unwrap();
    program.key("p");
    program.until_title(|title| title == GIRL);
    stroked(&program, HAIR, (-150, 80));
    program.key("Escape");
    program.until_title(|title| title == head);
    program.settled();
    program.key("p");
    program.until_title(|title| title == GIRL);
    let combed = seen(&program);
    program.key("ctrl+z");
    assert!(
        seen(&program).difference(&combed) > 0.1,
        "the doll waited as it was"
    );
}
