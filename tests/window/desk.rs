//! A screen, a mouse and a keyboard of the test's own.

use crate::picture::Picture;
use std::io::{BufRead, BufReader, ErrorKind};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, AutoRepeatMode, ChangeKeyboardControlAux, ConnectionExt, ImageFormat, MapState,
    Window,
};
use x11rb::rust_connection::RustConnection;

/// Size of the screen: larger than the window, so that the mouse can leave it.
pub const SCREEN: (u16, u16) = (1600, 1000);

/// An X server without a window manager.
pub struct Desk {
    /// What programs find it by.
    pub display: String,
    pub x: RustConnection,
    pub root: Window,
    /// Last: it ends when the connection above is closed.
    _server: Server,
}

/// Ends by itself when its last client leaves, and then tidies up: a server that is killed
/// leaves a stale lock, and two that find it at once may both take its number.
struct Server(Child);

/// One server at a time chooses its number.
static CHOOSING: Mutex<()> = Mutex::new(());

impl Desk {
    /// Starts a server on a display number that nobody uses.
    pub fn new() -> Self {
        let alone = CHOOSING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut server = Command::new("Xvfb");
        server
            .args(["-displayfd", "1", "-nolisten", "tcp", "-terminate"])
            .args(["-screen", "0", &format!("{}x{}x24", SCREEN.0, SCREEN.1)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = Server(started(&mut server, "Xvfb"));
        let mut number = String::new();
        let told = BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number);
        assert!(told.is_ok_and(|n| n > 0), "Xvfb ends at once");
        let display = format!(":{}", number.trim());
        let (x, screen) = x11rb::connect(Some(&display)).expect("cannot reach Xvfb");
        drop(alone);
        // A slow machine must not turn a tap into a held key.
        let once = ChangeKeyboardControlAux::new().auto_repeat_mode(AutoRepeatMode::OFF);
        x.change_keyboard_control(&once).unwrap().check().unwrap();
        let root = x.setup().roots[screen].root;
        Desk {
            display,
            x,
            root,
            _server: server,
        }
    }

    /// Moves the mouse or types; returns when the server has it all.
    pub fn xdotool(&self, args: &[&str]) {
        let mut tool = Command::new("xdotool");
        tool.args(args).env("DISPLAY", &self.display);
        let status = started(&mut tool, "xdotool").wait().unwrap();
        assert!(status.success(), "xdotool {args:?}: {status}");
    }

    pub fn atom(&self, name: &str) -> u32 {
        let cookie = self.x.intern_atom(false, name.as_bytes()).unwrap();
        cookie.reply().unwrap().atom
    }

    /// The title of a window; `None`: it has none, or is gone.
    fn title(&self, window: Window) -> Option<String> {
        let name = self.atom("_NET_WM_NAME");
        let asked = self
            .x
            .get_property(false, window, name, AtomEnum::ANY, 0, 1024);
        let reply = asked.unwrap().reply().ok()?;
        (!reply.value.is_empty()).then(|| String::from_utf8(reply.value).unwrap())
    }

    /// The window whose title starts with the program's name, and its title.
    pub fn find(&self, program: &str) -> Option<(Window, String)> {
        let tree = self.x.query_tree(self.root).unwrap().reply().unwrap();
        let windows = tree.children.into_iter();
        let titled = windows.filter_map(|window| Some((window, self.title(window)?)));
        titled.into_iter().find(|(_, t)| t.starts_with(program))
    }

    /// `true` once a window can get the keyboard.
    pub fn is_viewable(&self, window: Window) -> bool {
        let attributes = self.x.get_window_attributes(window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    }

    /// The top left part of the screen.
    pub fn picture(&self, width: u16, height: u16) -> Picture {
        let (width, height) = (width.min(SCREEN.0), height.min(SCREEN.1));
        let format = ImageFormat::Z_PIXMAP;
        let asked = self
            .x
            .get_image(format, self.root, 0, 0, width, height, !0)
            .unwrap();
        let data = asked.reply().expect("cannot read the screen").data;
        let pixels = data.chunks_exact(4).map(|bgr| [bgr[2], bgr[1], bgr[0]]);
        Picture::new(width.into(), pixels.collect())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline && matches!(self.0.try_wait(), Ok(None)) {
            sleep(Duration::from_millis(10));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn started(command: &mut Command, name: &str) -> Child {
    command.spawn().unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => panic!("{name} is missing; type: script/setup --tests"),
        _ => panic!("cannot start {name}: {error}"),
    })
}
