//! The ways out.

use crate::desk::Desk;
use crate::dropping::drop_file;
use crate::files::shipped;
use crate::program::{Program, SKY, command, scene};
use crate::styling::{HAIR, brushed, with_brush};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, Window};

/// Does what a click on the window's cross does.
pub fn close(desk: &Desk, window: Window) {
    let (protocols, delete) = (desk.atom("WM_PROTOCOLS"), desk.atom("WM_DELETE_WINDOW"));
    let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
    desk.x
        .send_event(false, window, EventMask::NO_EVENT, message)
        .unwrap();
    desk.x.flush().unwrap();
}

#[test]
fn closing_with_nothing_unsaved_ends_the_program() {
    let mut program = Program::start();
    close(&program.desk, program.window_id());
    assert_eq!(program.until_ended().code(), Some(0));
    let mut program = Program::start();
    program.key("ctrl+q");
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn closing_with_changed_settings_asks_first() {
    let mut program = Program::at_rest();
    program.point(SKY);
    let whole = program.after_key("c");
    let changed = scene(&whole);
    program.key("ctrl+q");
    program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
    program.key("Escape");
    program.until_seen("no question", |seen| scene(seen) == changed);
    let ask = |program: &Program| {
        close(&program.desk, program.window_id());
        program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
        scene(&program.settled()).buttons(3).unwrap()
    };

    ask(&program);
    let dimmed = program.picture().difference(&whole);
    assert!(dimmed > 5.0, "{dimmed}");
    // Neither keys nor the mouse reach what is behind it.
    program.key("3");
    program.dragged("1", SKY, (60, 0));
    program.point(SKY);
    let stayed = scene(&program.after_key("Escape"));
    assert!(program.is_running());
    assert!(stayed == changed, "Esc takes the question away");

    let buttons = ask(&program);
    assert!(
        (buttons[1].0 - 640).abs() < 60,
        "in the middle of the window: {buttons:?}"
    );
    program.click(buttons[2]);
    program.until_seen("no question", |seen| scene(seen) == changed);
    assert!(program.is_running(), "the third button stays");

    // The keyboard goes from answer to answer: from the first to the last, and one back.
    ask(&program);
    for key in ["Tab", "Tab", "Left"] {
        program.after_key(key);
    }
    program.key("Return");
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn a_style_that_waits_behind_a_scene_is_asked_for_once() {
    let mut program = with_brush();
    brushed(&program, HAIR, (120, 0));
    let path = |name: &str| program.folder.path().join(name);
    let [own, other, file] = ["own.glb", "other.glb", "own.toml"].map(path);
    std::fs::copy(shipped(), own).unwrap();
    std::fs::copy(shipped(), &other).unwrap();
    std::fs::write(&file, "version = 1\nhead = \"own.glb\"\n").unwrap();
    drop_file(&program, &file);
    program.until_title(|title| title.starts_with("mohawk – own"));

    drop_file(&program, &other);
    // The scene plays on behind the question.
    let asked = program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
    program.click(scene(&asked).buttons(3).unwrap()[1]);
    program.until_title(|title| title.starts_with("mohawk – other"));
    program.key("ctrl+q");
    let status = program.until_ended();
    assert_eq!(
        status.code(),
        Some(0),
        "the other head has no style to lose"
    );
}

#[test]
fn strokes_that_waited_behind_a_scene_are_still_asked_for() {
    let program = with_brush();
    brushed(&program, HAIR, (120, 0));
    let path = |name: &str| program.folder.path().join(name);
    let [own, file] = ["own.glb", "own.toml"].map(path);
    std::fs::copy(shipped(), own).unwrap();
    std::fs::write(&file, "version = 1\nhead = \"own.glb\"\n").unwrap();
    drop_file(&program, &file);
    program.until_title(|title| title.starts_with("mohawk – own"));
    program.key("r");
    program.until_title(|title| !title.starts_with("mohawk – own"));
    program.settled();
    program.key("ctrl+q");
    program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
}

/// Opens a style that is saved.
fn with_style() -> Program {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.mohawk").display().to_string();
    let made = command(&["style", "--strands", "2000", "-o", &path]).status();
    assert!(made.unwrap().success());
    let program = Program::open_in(folder, &["own.mohawk"]);
    program.until_title(|title| title.starts_with("mohawk – own.mohawk"));
    program.settled();
    program
}

#[test]
fn settings_that_change_in_front_of_a_style_that_waits_are_asked_for() {
    let program = with_style();
    let path = |name: &str| program.folder.path().join(name);
    let [other, file] = ["other.glb", "other.toml"].map(path);
    std::fs::copy(shipped(), other).unwrap();
    std::fs::write(&file, "version = 1\nhead = \"other.glb\"\n").unwrap();
    drop_file(&program, &file);
    program.until_title(|title| title.starts_with("mohawk – other"));
    program.key("s");
    program.until_logged(&["solver"]);
    program.key("r");
    program.until_title(|title| title.starts_with("mohawk – own.mohawk"));
    program.settled();
    program.key("ctrl+q");
    program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
}

#[test]
fn settings_that_a_key_changes_beside_a_hidden_panel_are_asked_for() {
    let program = with_style();
    program.after_key("n");
    program.after_key("s");
    program.key("ctrl+q");
    program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
}
