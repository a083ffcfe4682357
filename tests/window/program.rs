//! The program under test: its window, its log, its rest.

use crate::desk::{Desk, SCREEN};
use crate::picture::Picture;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use x11rb::protocol::xproto::{ConnectionExt, Window};

/// How long anything may take on a slow machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);
/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(40);
/// So many looks in a row must see the same before the program counts as at rest.
const LOOKS_AT_REST: usize = 5;

/// Points in a new window: on the forehead, and on the sky left of it.
pub const HEAD: (i32, i32) = (480, 300);
pub const SKY: (i32, i32) = (90, 160);

/// The tab of the place "Motion" in a new window.
pub const MOTION: (i32, i32) = (1082, 72);
/// The button of the menu of files.
pub const FILES: (i32, i32) = (1048, 43);
/// What the program remembers between runs, in the folder of a test.
pub const STATE: &str = ".state/mohawk/window.toml";

/// Hair as wanted by most tests: few strands, and stiff, so that it is soon at rest.
pub const STIFF: &str = "version = 1\n[sim.spring]\nstiffness = 90.0\ndamping = 18.0\n";

/// A running program on a desk of its own, in an empty folder.
pub struct Program {
    pub desk: Desk,
    pub folder: Arc<tempfile::TempDir>,
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
    window: Window,
}

impl Program {
    /// Starts it and waits for the head that ships with it.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// The same with settings in `hair.toml`.
    fn start_with(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let args = match settings {
            "" => &[][..],
            _ => &["--config", "hair.toml"],
        };
        std::fs::write(folder.path().join("hair.toml"), settings).unwrap();
        Self::start_in(folder, args)
    }

    /// Starts it in a folder of files and waits for a head called `head`.
    fn start_in(folder: impl Into<Arc<tempfile::TempDir>>, args: &[&str]) -> Self {
        let program = Self::open_in(folder, args);
        program.until_shown("head", 800);
        program
    }

    /// Starts it on a head in a folder of files and waits for its window.
    pub fn open_in(folder: impl Into<Arc<tempfile::TempDir>>, args: &[&str]) -> Self {
        Self::open_plain(folder, &[args, &["--strands", "800"]].concat())
    }

    /// Starts it in a folder of files, with nothing but these arguments, and waits for its window.
    pub fn open_plain(folder: impl Into<Arc<tempfile::TempDir>>, args: &[&str]) -> Self {
        Self::open_with(folder, args, &[])
    }

    /// The same with more variables of its environment.
    pub fn open_with(
        folder: impl Into<Arc<tempfile::TempDir>>,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let folder = folder.into();
        let state = folder.path().join(STATE);
        if !state.exists() {
            // Nobody needs to be told what to do first, and pictures are compared.
            std::fs::create_dir_all(state.parent().unwrap()).unwrap();
            std::fs::write(&state, "head_dragged = true\n").unwrap();
        }
        let desk = Desk::new();
        let mut child = command(args)
            .arg("--verbose")
            .current_dir(folder.path())
            .env("DISPLAY", &desk.display)
            .env("XDG_STATE_HOME", folder.path().join(".state"))
            .env("XDG_DATA_HOME", folder.path().join(".data"))
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (lines, written) = (BufReader::new(child.stderr.take().unwrap()), log.clone());
        thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                written.lock().unwrap().push(line);
            }
        });
        let mut program = Program {
            desk,
            folder,
            child,
            log,
            window: 0,
        };
        program.window = program.until("a window", |p| {
            let (window, _) = p.desk.find("mohawk")?;
            p.desk.is_viewable(window).then_some(window)
        });
        let window = program.window.to_string();
        // Without a window manager nobody else gives it the keyboard.
        program.xdotool(&["windowfocus", "--sync", &window]);
        program
    }

    /// Starts it with stiff hair and cuts its greeting short.
    pub fn at_rest() -> Self {
        Self::start_with(STIFF).put_to_rest()
    }

    /// The same in a folder of files, which gets a `hair.toml`.
    pub fn at_rest_in(folder: tempfile::TempDir, args: &[&str]) -> Self {
        std::fs::write(folder.path().join("hair.toml"), STIFF).unwrap();
        let args = [args, &["--config", "hair.toml"]].concat();
        Self::start_in(folder, &args).put_to_rest()
    }

    /// Starts the program once more, in the same folder.
    pub fn again(&self, args: &[&str]) -> Self {
        Self::open_in(self.folder.clone(), args)
    }

    /// Ends it as a crash does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn put_to_rest(self) -> Self {
        self.key("r");
        self.settled();
        self
    }

    /// Polls until `condition` gives something.
    #[track_caller]
    pub fn until<T>(&self, what: &str, condition: impl FnMut(&Self) -> Option<T>) -> T {
        self.patient(condition).unwrap_or_else(|| {
            panic!("waited {PATIENCE:?} in vain for {what}");
        })
    }

    fn patient<T>(&self, mut condition: impl FnMut(&Self) -> Option<T>) -> Option<T> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let found = condition(self);
            if found.is_some() {
                return found;
            }
            sleep(PAUSE);
        }
        None
    }

    /// Polls the title.
    #[track_caller]
    pub fn until_title(&self, is_right: impl Fn(&str) -> bool) {
        self.until("the right title", |p| is_right(&p.title()?).then_some(()));
    }

    /// Waits until the title names this head with about so many strands: counts scatter.
    #[track_caller]
    pub fn until_shown(&self, head: &str, strands: u32) {
        self.until_title(|title| {
            let named = title.strip_prefix(&format!("mohawk – {head} – "));
            let count = named.and_then(|rest| rest.strip_suffix(" strands"));
            let count: Option<u32> = count.and_then(|count| count.replace(',', "").parse().ok());
            count.is_some_and(|count| count.abs_diff(strands) <= strands / 50)
        });
    }

    pub fn title(&self) -> Option<String> {
        self.desk.find("mohawk").map(|(_, title)| title)
    }

    /// Waits for a line in the log that has all these parts.
    #[track_caller]
    pub fn until_logged(&self, parts: &[&str]) -> String {
        let is_it = |line: &&String| parts.iter().all(|part| line.contains(part));
        let what = format!("a line with {parts:?} in the log");
        self.until(&what, |p| p.log.lock().unwrap().iter().find(is_it).cloned())
    }

    /// The lines in the log that have all these parts.
    pub fn logged(&self, parts: &[&str]) -> Vec<String> {
        let log = self.log.lock().unwrap();
        let is_it = |line: &&String| parts.iter().all(|part| line.contains(part));
        log.iter().filter(is_it).cloned().collect()
    }

    /// Polls pictures.
    #[track_caller]
    pub fn until_seen(&self, what: &str, is_it: impl Fn(&Picture) -> bool) -> Picture {
        self.until(what, |p| Some(p.picture()).filter(&is_it))
    }

    /// Waits until nothing moves and nothing is computed any more.
    #[track_caller]
    pub fn settled(&self) -> Picture {
        self.settled_watching(|_| {})
    }

    /// The same; `watch` sees every picture on the way.
    #[track_caller]
    pub fn settled_watching(&self, mut watch: impl FnMut(&Picture)) -> Picture {
        let (mut last, mut looks) = (None, 0);
        self.until("rest", |p| {
            let awake = p.is_awake();
            let now = (p.cpu_ticks(), p.picture());
            watch(&now.1);
            let same = last.as_ref() == Some(&now);
            looks = if same && !awake { looks + 1 } else { 0 };
            last = Some(now);
            (looks >= LOOKS_AT_REST).then(|| last.take().unwrap().1)
        })
    }

    /// Processor time used so far, in hundredths of a second.
    pub fn cpu_ticks(&self) -> u64 {
        let stat = self.process_file("stat");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
        fields[12].parse::<u64>().unwrap() + fields[13].parse::<u64>().unwrap()
    }

    /// Does one of its threads run, or want to?
    fn is_awake(&self) -> bool {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let states = tasks.filter_map(|task| {
            let stat = std::fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
            stat.rsplit(") ").next()?.chars().next()
        });
        states.into_iter().any(|state| state != 'S')
    }

    fn process_file(&self, name: &str) -> String {
        let path = PathBuf::from(format!("/proc/{}", self.child.id())).join(name);
        std::fs::read_to_string(path).expect("the program is gone")
    }

    /// What the window shows.
    pub fn picture(&self) -> Picture {
        let asked = self.desk.x.get_geometry(self.window).unwrap();
        let size = asked.reply().expect("the window is gone");
        self.desk.picture(size.width, size.height)
    }

    pub fn xdotool(&self, args: &[&str]) {
        self.desk.xdotool(args);
    }

    /// Does something to the window itself, as `xdotool windowunmap`.
    pub fn window(&self, command: &str, args: &[&str]) {
        let window = self.window.to_string();
        self.xdotool(&[&[command, &window], args].concat());
    }

    pub fn window_id(&self) -> Window {
        self.window
    }

    /// Taps a key, as `ctrl+s`.
    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    pub fn point(&self, (x, y): (i32, i32)) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    pub fn click(&self, at: (i32, i32)) {
        self.point(at);
        self.xdotool(&["click", "1"]);
    }

    /// Opens the menu of files, and gives the place of its field for a path.
    pub fn path_field(&self) -> (i32, i32) {
        self.click(FILES);
        self.until("the field for a path", |p| {
            let below = p.settled().part(0..1280, 52..800);
            below.field().map(|(x, y)| (x, y + 52))
        })
    }

    /// Presses a button at `from` and pulls it by `by`; does not let go.
    pub fn pull(&self, button: &str, from: (i32, i32), by: (i32, i32)) {
        self.point(from);
        self.xdotool(&["mousedown", button]);
        self.carry(from, by);
    }

    /// Moves the mouse as hands do: not in one leap.
    pub fn carry(&self, from: (i32, i32), by: (i32, i32)) {
        const STEPS: i32 = 8;
        let steps = (1..=STEPS).flat_map(|i| {
            let place = |start: i32, by: i32| (start + by * i / STEPS).to_string();
            let place = [place(from.0, by.0), place(from.1, by.1)];
            ["mousemove".to_owned()].into_iter().chain(place)
        });
        let steps: Vec<String> = steps.collect();
        self.xdotool(&steps.iter().map(String::as_str).collect::<Vec<_>>());
    }

    pub fn release(&self, button: &str) {
        self.xdotool(&["mouseup", button]);
    }

    /// A whole drag; returns what is seen when all is at rest.
    pub fn dragged(&self, button: &str, from: (i32, i32), by: (i32, i32)) -> Picture {
        self.pull(button, from, by);
        self.release(button);
        self.settled()
    }

    /// Taps a key and returns what is seen when all is at rest.
    pub fn after_key(&self, key: &str) -> Picture {
        self.key(key);
        self.settled()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for the program to end by itself.
    #[track_caller]
    pub fn until_ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            sleep(PAUSE);
        }
        panic!("waited {PATIENCE:?} in vain for the program to end");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("  it ended with: {:?}", self.child.try_wait());
            for line in self.log.lock().unwrap().iter() {
                eprintln!("  it said: {line}");
            }
            let name = thread::current().name().unwrap_or("test").replace(':', "-");
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
            if self.desk.picture(SCREEN.0, SCREEN.1).save(&path).is_ok() {
                eprintln!("  the screen: {}", path.display());
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, away from the desk and settings of whoever runs the tests.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mohawk"));
    command.args(args).stdin(Stdio::null());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

/// The part of a new window's picture that shows the scene.
pub fn scene(picture: &Picture) -> Picture {
    assert_eq!((picture.width, picture.height()), (1280, 800));
    picture.part(0..960, 0..800)
}

/// A strip of the scene that only the sky is in, with wires.
pub fn sky(picture: &Picture) -> Picture {
    picture.part(0..200, 0..600)
}
