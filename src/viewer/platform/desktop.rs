//! The desktop: threads, and the file dialogs of the system.

use super::FileDialog;
use crate::viewer::ViewerError;
use crate::viewer::news::WindowNews;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Instant;
use winit::event_loop::{ControlFlow, EventLoop, EventLoopBuilder, EventLoopProxy};
#[cfg(target_os = "linux")]
use winit::platform::wayland::WindowBuilderExtWayland;
use winit::window::{Window, WindowBuilder};

/// Sends news to the window, from any thread.
#[derive(Clone)]
pub(crate) struct Wake(EventLoopProxy<WindowNews>);

impl Wake {
    pub(crate) fn new(event_loop: &EventLoop<WindowNews>) -> Self {
        Self(event_loop.create_proxy())
    }

    pub(crate) fn send(&self, news: WindowNews) {
        // The window may be closing; then nobody needs the news.
        _ = self.0.send_event(news);
    }
}

/// `true`: the program can end itself.
pub(crate) const CAN_QUIT: bool = true;

/// The help of the panel on saved pictures, which tells where they go.
pub(crate) const PICTURE_HELP: &str =
    "A PNG of the scene as it is seen, without the panel, in the current folder";

/// Runs a job on a thread of its own.
pub(crate) fn spawn(job: impl FnOnce() + Send + 'static) {
    thread::spawn(job);
}

/// Gives memory that is free back to the system. The allocator of Linux keeps what loading took, a
/// tenth of all that the window needs.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)] // Takes the allocator's own locks, and moves nothing that is in use.
pub(crate) fn give_memory_back() {
    unsafe extern "C" {
        fn malloc_trim(kept_bytes: usize) -> std::ffi::c_int;
    }
    unsafe { malloc_trim(0) };
}

/// Gives memory that is free back to the system, which other allocators do by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_memory_back() {}

/// Lets the window draw while a job runs on its thread. Here no job does.
pub(crate) fn give_way() {}

/// Work beside other work, on a thread.
pub(crate) struct Beside<T>(JoinHandle<T>);

impl<T: Send + 'static> Beside<T> {
    pub(crate) fn begin(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(thread::spawn(work))
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the result; `None`: it ended in a panic.
    pub(crate) fn join(self) -> Option<T> {
        self.0.join().ok()
    }
}

/// Asks for a file, and waits for the answer.
pub(crate) fn ask_for_file(
    dialog: FileDialog,
    answer: impl FnOnce(Option<PathBuf>) + Send + 'static,
) {
    let mut asked = rfd::FileDialog::new().set_title(dialog.title);
    for (name, extensions) in dialog.kinds {
        asked = asked.add_filter(name, &extensions);
    }
    thread::spawn(move || answer(asked.pick_file()));
}

/// winit 0.28 panics where there is no display; people get an error instead.
pub(crate) fn event_loop() -> Result<EventLoop<WindowNews>, ViewerError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built =
        std::panic::catch_unwind(|| EventLoopBuilder::<WindowNews>::with_user_event().build());
    std::panic::set_hook(hook);
    built.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("no X11 or Wayland display answered");
        ViewerError::NoDisplay(text.to_owned())
    })
}

/// Returns the window that is built, as it is on a desktop: Wayland and X find its entry and its icon
/// by the name of `packaging/linux/mohawk.desktop`.
pub(crate) fn placed(window: WindowBuilder) -> WindowBuilder {
    #[cfg(target_os = "linux")]
    let window = WindowBuilderExtWayland::with_name(window, "mohawk", "mohawk");
    window
}

/// Sets the title of the window.
pub(crate) fn set_title(window: &Window, title: &str) {
    window.set_title(title);
}

/// Fits the window into what is around it. A desktop does that itself.
pub(crate) fn fit(_: &Window) {}

/// Waits for events until a time.
pub(crate) fn wait_until(at: Instant) -> ControlFlow {
    ControlFlow::WaitUntil(at)
}

/// Takes the text that people type, or does no longer. A desktop needs no keyboard on the screen.
pub(crate) fn type_text(_: bool) {}

/// Returns `true` if files that ship with the program are still to come. Here none are.
pub(crate) fn awaits_shipped() -> bool {
    false
}
