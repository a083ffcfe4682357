//! The ways out.

use crate::program::{Program, scene};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask};

/// Does what a click on the window's cross does.
fn close(program: &Program) {
    let (protocols, delete) = (
        program.desk.atom("WM_PROTOCOLS"),
        program.desk.atom("WM_DELETE_WINDOW"),
    );
    let window = program.window_id();
    let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
    let x = &program.desk.x;
    x.send_event(false, window, EventMask::NO_EVENT, message)
        .unwrap();
    x.flush().unwrap();
}

#[test]
fn closing_with_nothing_unsaved_ends_the_program() {
    let mut program = Program::start();
    close(&program);
    assert_eq!(program.until_ended().code(), Some(0));
}

#[test]
fn closing_with_changed_settings_asks_first() {
    let mut program = Program::at_rest();
    let changed = scene(&program.after_key("ctrl+2"));
    let ask = |program: &Program| {
        close(program);
        program.until_seen("a question", |seen| scene(seen).buttons(3).is_some());
        scene(&program.settled()).buttons(3).unwrap()
    };

    ask(&program);
    let stayed = scene(&program.after_key("Escape"));
    assert!(program.is_running());
    assert!(stayed == changed, "Esc takes the question away");

    let buttons = ask(&program);
    assert!(
        (buttons[1].0 - 480).abs() < 60,
        "in the middle of the scene: {buttons:?}"
    );
    program.click(buttons[2]);
    program.until_seen("no question", |seen| scene(seen) == changed);
    assert!(program.is_running(), "the third button stays");

    let buttons = ask(&program);
    program.click(buttons[1]);
    assert_eq!(program.until_ended().code(), Some(0));
}
