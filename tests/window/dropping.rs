//! The other program in a drag and drop: <https://freedesktop.org/wiki/Specifications/XDND>.

use crate::program::{HEAD, Program};
use std::path::Path;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

/// Drags a file onto the head and lets go.
pub fn drop_file(program: &Program, path: &Path) {
    const VERSION: u32 = 5;
    let desk = &program.desk;
    let source = desk.x.generate_id().unwrap();
    let (root, visual) = (desk.root, COPY_FROM_PARENT);
    let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
    desk.x
        .create_window(
            COPY_DEPTH_FROM_PARENT,
            source,
            root,
            0,
            0,
            1,
            1,
            0,
            class,
            visual,
            &aux,
        )
        .unwrap();
    let selection = desk.atom("XdndSelection");
    desk.x
        .set_selection_owner(source, selection, CURRENT_TIME)
        .unwrap();

    let tell = |name: &str, data: [u32; 5]| {
        let target = program.window_id();
        let message = ClientMessageEvent::new(32, target, desk.atom(name), data);
        desk.x
            .send_event(false, target, EventMask::NO_EVENT, message)
            .unwrap();
        desk.x.flush().unwrap();
    };
    let list = desk.atom("text/uri-list");
    let place = (HEAD.0 as u32) << 16 | HEAD.1 as u32;
    let copy = desk.atom("XdndActionCopy");
    tell("XdndEnter", [source, VERSION << 24, list, 0, 0]);
    tell("XdndPosition", [source, 0, place, CURRENT_TIME, copy]);

    let (status, finished) = (desk.atom("XdndStatus"), desk.atom("XdndFinished"));
    let (mut accepted, mut served, mut dropped) = (false, false, false);
    program.until("the end of the drop", |_| {
        while let Some(event) = desk.x.poll_for_event().unwrap() {
            match event {
                Event::SelectionRequest(request) => {
                    serve(program, &request, path);
                    served = true;
                }
                Event::ClientMessage(message) if message.type_ == status => {
                    accepted = message.data.as_data32()[1] & 1 == 1;
                    assert!(accepted, "the drop is refused");
                }
                Event::ClientMessage(message) if message.type_ == finished => return Some(()),
                _ => {}
            }
        }
        if accepted && served && !dropped {
            dropped = true;
            tell("XdndDrop", [source, 0, CURRENT_TIME, 0, 0]);
        }
        None
    });
    desk.x.destroy_window(source).unwrap();
}

/// Hands the path over.
fn serve(program: &Program, request: &SelectionRequestEvent, path: &Path) {
    let x = &program.desk.x;
    let list = format!("file://{}\r\n", escaped(path));
    let (owner, property) = (request.requestor, request.property);
    x.change_property8(
        PropMode::REPLACE,
        owner,
        property,
        request.target,
        list.as_bytes(),
    )
    .unwrap();
    let notice = SelectionNotifyEvent {
        response_type: SELECTION_NOTIFY_EVENT,
        sequence: 0,
        time: request.time,
        requestor: request.requestor,
        selection: request.selection,
        target: request.target,
        property,
    };
    x.send_event(false, owner, EventMask::NO_EVENT, notice)
        .unwrap();
    x.flush().unwrap();
}

fn escaped(path: &Path) -> String {
    let bytes = path.to_str().unwrap().bytes();
    bytes
        .map(|byte| match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
