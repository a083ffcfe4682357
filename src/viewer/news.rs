//! News that reach the window from other threads, jobs and the page.

#[cfg(target_arch = "wasm32")]
use crate::viewer::address::Address;
use std::path::PathBuf;
use std::time::Duration;

/// News for the window.
#[derive(Debug)]
pub(crate) enum WindowNews {
    /// A background task has progress or a result.
    BackgroundTask,
    /// Watched files have changed.
    Changed(Vec<PathBuf>),
    /// The file dialog was closed, after this time.
    Picked(Option<PathBuf>, Duration),
    /// A screen reader asks for the interface, or acts on it.
    #[cfg(target_os = "linux")]
    ScreenReader,
    /// The page has something to tell.
    #[cfg(target_arch = "wasm32")]
    Page(PageNews),
}

/// The news of a page.
#[cfg(target_arch = "wasm32")]
#[derive(Debug)]
pub(crate) enum PageNews {
    /// A file was dropped.
    Dropped(PathBuf),
    /// Files hover over the page, or do no longer.
    Hovered(bool),
    /// There is another amount of room for the window.
    Room,
    /// The files that ship with the program are all here, or could not be fetched.
    Shipped(bool),
    /// The page is left, or out of sight.
    Leaving,
    /// The page around this one asks for something.
    Asked(Address),
}
