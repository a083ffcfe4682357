//! The page: one thread, which jobs share with the picture, and files that people give to it.

use super::FileDialog;
use crate::viewer::ViewerError;
use crate::viewer::address::Address;
use crate::viewer::news::{PageNews, WindowNews};
use mohawk::files::KEPT;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;
use web_time::Instant;
use winit::dpi::PhysicalSize;
use winit::event_loop::{ControlFlow, EventLoop, EventLoopBuilder, EventLoopProxy};
use winit::platform::web::{WindowBuilderExtWebSys, WindowExtWebSys};
use winit::window::{Window, WindowBuilder};

/// The time for which a job keeps the page from drawing.
const SLICE: Duration = Duration::from_millis(8);

/// `false`: the browser closes pages.
pub(crate) const CAN_QUIT: bool = false;

/// The help of the panel on saved pictures, which tells where they go.
pub(crate) const PICTURE_HELP: &str =
    "A PNG of the scene as it is seen, without the panel, as a download";

/// The longest time of a frame.
const FRAME: Duration = Duration::from_millis(20);

/// Bytes of the stack of a job.
const STACK: usize = 1 << 20;

type Job = Box<dyn FnOnce()>;
type Answer = Box<dyn FnOnce(Option<PathBuf>)>;

thread_local! {
    static PROXY: RefCell<Option<EventLoopProxy<WindowNews>>> = const { RefCell::new(None) };
    /// News that wait for the end of what runs.
    static NEWS: RefCell<VecDeque<WindowNews>> = const { RefCell::new(VecDeque::new()) };
    static JOBS: RefCell<VecDeque<Job>> = const { RefCell::new(VecDeque::new()) };
    /// `true` while text is typed.
    static TYPES: Cell<bool> = const { Cell::new(false) };
    static ANSWER: RefCell<Option<Answer>> = const { RefCell::new(None) };
    /// The time at which the job that runs got its turn.
    static TURN: Cell<Option<Instant>> = const { Cell::new(None) };
}

#[wasm_bindgen(raw_module = "./host.js")]
unsafe extern "C" {
    /// Runs the jobs that wait, soon.
    #[wasm_bindgen(js_name = startJob)]
    fn start_job();
    /// Delivers the news, soon.
    #[wasm_bindgen(js_name = deliverSoon)]
    fn deliver_soon();
    /// Asks for files with these extensions, which reach [`add_file`] and [`open_file`].
    #[wasm_bindgen(js_name = pickFiles)]
    fn pick_files(extensions: &str);
    /// Keeps a file for the next visit; absent: it is kept no longer.
    fn keep(path: &str, bytes: Option<Vec<u8>>);
    /// Gives a file to the person.
    fn download(path: &str, bytes: &[u8]);
    /// Fetches the files that reach [`provide`], once.
    #[wasm_bindgen(js_name = fetchShipped)]
    fn fetch_shipped();
    /// Puts a link to this page with what it shows into the clipboard.
    #[wasm_bindgen(js_name = copyLink)]
    pub(crate) fn copy_link(address: &str);
    /// Takes the text that people type, from the keyboard of a screen or the clipboard, or does no
    /// longer.
    #[wasm_bindgen(js_name = typeText)]
    fn type_text_in_page(types: bool);
    #[wasm_bindgen(js_name = setTitle)]
    fn set_page_title(title: &str);
    /// Tells the page that the first picture with what is to be seen is drawn.
    #[wasm_bindgen(js_name = pictureStands)]
    pub(crate) fn picture_stands();
    /// Returns `true` if nothing can be drawn until the graphics driver is back.
    #[wasm_bindgen(js_name = isLost)]
    pub(crate) fn is_lost() -> bool;
    /// Tells the page around this one what is shown, as JSON.
    pub(crate) fn report(state: &str);
    /// Says in place of the picture why there is none.
    pub(crate) fn failed(why: &str);
    /// Says what has ended the program, and what to do.
    pub(crate) fn ended(why: &str);
    #[wasm_bindgen(js_name = canvas)]
    fn page_canvas() -> HtmlCanvasElement;
}

#[allow(unsafe_code)] // The functions take and give nothing.
#[link(wasm_import_module = "./jobs.js")]
unsafe extern "C" {
    /// Suspends the job that runs, if the browser can do that, until the page has drawn.
    #[link_name = "pause"]
    safe fn pause();
    /// Suspends the job that runs, if the browser can do that, until the graphics driver has done what
    /// it was given.
    #[link_name = "settle"]
    safe fn settle();
}

/// Sends news to the window.
#[derive(Clone)]
pub(crate) struct Wake;

impl Wake {
    pub(crate) fn new(event_loop: &EventLoop<WindowNews>) -> Self {
        PROXY.set(Some(event_loop.create_proxy()));
        Self
    }

    pub(crate) fn send(&self, news: WindowNews) {
        NEWS.with_borrow_mut(|waiting| waiting.push_back(news));
        deliver_soon();
    }
}

/// Delivers the news that wait. The page calls this when nothing else runs.
#[wasm_bindgen]
pub fn deliver() {
    while let Some(news) = NEWS.with_borrow_mut(VecDeque::pop_front) {
        PROXY.with_borrow(|proxy| {
            // A page that is left needs no news.
            proxy.as_ref().map(|proxy| proxy.send_event(news));
        });
    }
}

/// Runs a job soon, in turns with the picture.
pub(crate) fn spawn(job: impl FnOnce() + 'static) {
    JOBS.with_borrow_mut(|jobs| jobs.push_back(Box::new(job)));
    start_job();
}

/// Runs the job that waits longest. The page calls this on a stack for jobs.
#[wasm_bindgen]
pub fn run_job() {
    if let Some(job) = JOBS.with_borrow_mut(VecDeque::pop_front) {
        TURN.set(Some(Instant::now()));
        job();
        TURN.set(None);
    }
}

/// Returns the top of a new stack for jobs, which is kept.
#[wasm_bindgen]
pub fn new_stack() -> *const u8 {
    let stack = Box::leak(vec![0u128; STACK / 16].into_boxed_slice());
    stack.as_ptr_range().end.cast()
}

/// Gives memory that is free back to the system. A page cannot.
pub(crate) fn give_memory_back() {}

/// Lets the page draw if the job that runs has kept it from that for long enough.
pub(crate) fn give_way() {
    let is_over = TURN.get().is_some_and(|since| since.elapsed() > SLICE);
    if is_over {
        TURN.set(None);
        pause();
        TURN.set(Some(Instant::now()));
    }
}

/// Lets the page draw until the graphics driver has done what the job gave it.
pub(crate) fn give_way_to_driver() {
    TURN.set(None);
    settle();
    TURN.set(Some(Instant::now()));
}

/// Work beside other work: it is done when it begins.
pub(crate) struct Beside<T>(T);

impl<T> Beside<T> {
    pub(crate) fn begin(work: impl FnOnce() -> T) -> Self {
        Self(work())
    }

    pub(crate) fn is_finished(&self) -> bool {
        true
    }

    pub(crate) fn join(self) -> Option<T> {
        Some(self.0)
    }
}

/// Returns `true` if files that ship with the program are still to come, and fetches them then. The
/// window is told when they are there.
pub(crate) fn awaits_shipped() -> bool {
    let awaits = !mohawk::files::are_here();
    if awaits {
        fetch_shipped();
    }
    awaits
}

/// Takes the files that were fetched; absent: they could not be.
///
/// # Errors
///
/// They are damaged.
#[wasm_bindgen]
pub fn provide(archive: Option<Vec<u8>>) -> Result<(), String> {
    let taken = archive.map(mohawk::files::provide).transpose();
    let is_here = taken.as_ref().is_ok_and(Option::is_some);
    Wake.send(WindowNews::Page(PageNews::Shipped(is_here)));
    taken.map(|_| ()).map_err(|error| error.to_string())
}

/// Asks for files; the first of them is the answer, and the others lie beside it.
pub(crate) fn ask_for_file(dialog: FileDialog, answer: impl FnOnce(Option<PathBuf>) + 'static) {
    let extensions = dialog.kinds.iter().flat_map(|(_, extensions)| extensions);
    let extensions: Vec<String> = extensions.map(|end| format!(".{end}")).collect();
    ANSWER.set(Some(Box::new(answer)));
    pick_files(&extensions.join(","));
}

/// Takes a file that was dropped or picked.
#[wasm_bindgen]
pub fn add_file(path: &str, bytes: Vec<u8>) {
    mohawk::files::disk::add(Path::new(path), bytes);
}

/// Opens a file that was added; absent: none was picked.
#[wasm_bindgen]
pub fn open_file(path: Option<String>) {
    let path = path.map(PathBuf::from);
    match (ANSWER.take(), path) {
        (Some(answer), path) => answer(path),
        (None, Some(path)) => Wake.send(WindowNews::Page(PageNews::Dropped(path))),
        (None, None) => {}
    }
}

/// Tells the window that files hover over the page, or do no longer.
#[wasm_bindgen]
pub fn hover(hovers: bool) {
    Wake.send(WindowNews::Page(PageNews::Hovered(hovers)));
}

/// Tells the window that the page has another size.
#[wasm_bindgen]
pub fn resized() {
    Wake.send(WindowNews::Page(PageNews::Room));
}

/// Tells the window that the page is left, perhaps for good.
#[wasm_bindgen]
pub fn leave() {
    Wake.send(WindowNews::Page(PageNews::Leaving));
    deliver();
}

/// Shows what the page around this one asks for, by the parts of an address.
#[wasm_bindgen]
pub fn ask(address: &str) {
    let address = Address::read(address);
    Wake.send(WindowNews::Page(PageNews::Asked(address)));
}

/// Takes the text that people type, or does no longer. The page shows the keyboard of the screen.
pub(crate) fn type_text(types: bool) {
    if TYPES.replace(types) != types {
        type_text_in_page(types);
    }
}

/// Returns the event loop of the page.
pub(crate) fn event_loop() -> Result<EventLoop<WindowNews>, ViewerError> {
    Ok(EventLoopBuilder::<WindowNews>::with_user_event().build())
}

/// Puts the window into the canvas of the page.
pub(crate) fn placed(window: WindowBuilder) -> WindowBuilder {
    window.with_canvas(Some(page_canvas())).with_focusable(true)
}

/// Sets the title of the page.
pub(crate) fn set_title(_: &Window, title: &str) {
    set_page_title(title);
}

/// Gives the canvas as many pixels as the screen has where it is.
pub(crate) fn fit(window: &Window) {
    let canvas = window.canvas();
    let Some(around) = canvas.parent_element() else {
        return;
    };
    let scale = window.scale_factor();
    let pixels = |side: i32| ((f64::from(side) * scale).round() as u32).max(1);
    let size = PhysicalSize::new(
        pixels(around.client_width()),
        pixels(around.client_height()),
    );
    if window.inner_size() != size {
        window.set_inner_size(size);
    }
}

/// Waits for events until a time.
pub(crate) fn wait_until(at: Instant) -> ControlFlow {
    let wait = at.saturating_duration_since(Instant::now());
    match wait < FRAME {
        // The page is asked for its next picture, in step with the screen.
        true => ControlFlow::Poll,
        false => ControlFlow::WaitUntil(instant::Instant::now() + wait),
    }
}

/// Takes a file that the program has written: it is kept for the next visit, or downloaded.
pub(crate) fn written(path: &Path, bytes: Option<&[u8]>) {
    let name = path.display().to_string();
    match (path.starts_with(KEPT), bytes) {
        (true, bytes) => keep(&name, bytes.map(<[u8]>::to_vec)),
        (false, Some(bytes)) => download(&name, bytes),
        (false, None) => {}
    }
}
