//! The panel as a screen reader gets it: over AT-SPI, on a bus of the test's own.

use crate::program::Program;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The object of a bus that all programs are under, and that of one program.
const ROOT: &str = "/org/a11y/atspi/accessible/root";

/// The roles of widgets on the bus: `ATSPI_ROLE_BUTTON` and `ATSPI_ROLE_SLIDER`.
const BUTTON: &str = "uint32 43";
const SLIDER: &str = "uint32 51";

/// A session bus, and that of screen readers beside it.
struct Buses {
    daemon: Child,
    session: String,
    readers: String,
    _folder: tempfile::TempDir,
}

/// A widget: the program that has it on the bus of screen readers, and its object there.
struct Widget(String, String);

impl Buses {
    fn new() -> Self {
        // Sockets of its own, and nothing that the desktop of whoever runs the test would find.
        let folder = tempfile::tempdir().unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("XDG_CONFIG_HOME", folder.path())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is missing: run script/setup --tests");
        let mut session = String::new();
        let told = BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut session);
        assert!(told.is_ok_and(|n| n > 0), "dbus-daemon ends at once");
        let mut buses = Buses {
            daemon,
            _folder: folder,
            session: session.trim().to_owned(),
            readers: String::new(),
        };
        let bus = ["org.a11y.Bus", "/org/a11y/bus"];
        let told = call(&buses.session, bus, &["org.a11y.Bus.GetAddress"]).unwrap();
        buses.readers = quoted(&told)[0].to_owned();
        // Programs make no tree until somebody listens.
        let set = "org.freedesktop.DBus.Properties.Set";
        let listens = [set, "org.a11y.Status", "IsEnabled", "<true>"];
        call(&buses.session, bus, &listens).unwrap();
        buses
    }

    fn ask(&self, Widget(program, object): &Widget, args: &[&str]) -> Option<String> {
        call(&self.readers, [program, object], args)
    }

    fn get(&self, widget: &Widget, interface: &str, property: &str) -> Option<String> {
        let get = "org.freedesktop.DBus.Properties.Get";
        self.ask(widget, &[get, interface, property])
    }

    fn children(&self, widget: &Widget) -> Vec<Widget> {
        let told = self.ask(widget, &["org.a11y.atspi.Accessible.GetChildren"]);
        let told = told.unwrap_or_default();
        let texts = quoted(&told);
        let widget = |pair: &[&str]| Widget(pair[0].to_owned(), pair[1].to_owned());
        texts.chunks_exact(2).map(widget).collect()
    }

    /// Finds a widget by its role and its name.
    fn find(&self, role: &str, name: &str) -> Option<Widget> {
        let desk = Widget("org.a11y.atspi.Registry".to_owned(), ROOT.to_owned());
        let mut left = vec![desk];
        while let Some(widget) = left.pop() {
            let is_named = self.get(&widget, "org.a11y.atspi.Accessible", "Name");
            if is_named.is_some_and(|told| quoted(&told).contains(&name)) {
                let told = self.ask(&widget, &["org.a11y.atspi.Accessible.GetRole"]);
                if told.is_some_and(|told| told.contains(role)) {
                    return Some(widget);
                }
            }
            left.extend(self.children(&widget));
        }
        None
    }
}

impl Drop for Buses {
    fn drop(&mut self) {
        // All that it has started leaves with it.
        _ = self.daemon.kill();
        _ = self.daemon.wait();
    }
}

/// Calls a method of an object, and returns the answer as text.
fn call(address: &str, [name, object]: [&str; 2], args: &[&str]) -> Option<String> {
    let told = Command::new("gdbus")
        .args(["call", "--address", address, "--dest", name])
        .args(["--object-path", object, "--method"])
        .args(args)
        .output()
        .expect("gdbus is missing: run script/setup --tests");
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    told.status.success().then_some(text)
}

/// Returns what stands between single quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('\'').skip(1).step_by(2).collect()
}

#[test]
fn a_screen_reader_reads_the_panel_and_works_it() {
    let buses = Buses::new();
    let folder = tempfile::tempdir().unwrap();
    let session = [("DBUS_SESSION_BUS_ADDRESS", &*buses.session)];
    let program = Program::open_with(folder, &["--strands", "800"], &session);
    program.until_shown("head", 800);
    let find = |role: &str, name: &str| program.until(name, |_| buses.find(role, name));

    let strands = find(SLIDER, "Strands");
    let about = buses.get(&strands, "org.a11y.atspi.Accessible", "Description");
    assert!(about.is_some_and(|about| about.contains("strands")));
    let set = "org.freedesktop.DBus.Properties.Set";
    let value = [set, "org.a11y.atspi.Value", "CurrentValue", "<1200.0>"];
    buses.ask(&strands, &value).unwrap();
    program.until_shown("head", 1200);

    // A button that shows a sign alone has a name too.
    let hides = find(BUTTON, "Hide the panel (N)");
    let press = ["org.a11y.atspi.Action.DoAction", "0"];
    buses.ask(&hides, &press).unwrap();
    program.until("a panel that is gone", |_| {
        buses.find(SLIDER, "Strands").is_none().then_some(())
    });
}
