//! The window: drag the head and watch its hair follow.
//!
//! | file | what it is about |
//! |---|---|
//! | `window` | events, frames when there is a reason to draw |
//! | `open` | what it takes to have a window |
//! | `dialog` | the desktop's file dialog |
//! | `saving` | pictures and settings on disk |
//! | `app` | the state, and what each request does to it |
//! | `subject` | the head, its strands in motion, both on the GPU |
//! | `pointer` | who owns a drag; what keys mean |
//! | `motion` | the head's pose: by hand, by scene, back to rest |
//! | `pick` | what lies under the pointer |
//! | `loader` | loading and sampling on a thread of their own |
//! | `panel`, `rows`, `overlay` | the interface |

mod action;
mod app;
mod dialog;
mod loader;
mod motion;
mod open;
mod overlay;
mod panel;
mod pick;
mod pointer;
mod rows;
mod saving;
mod subject;
mod window;

pub use crate::bindings::BINDINGS;

use crate::config::Config;
use std::path::PathBuf;

/// What to show.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Every setting.
    pub config: Config,
    /// Where the settings came from, and where saving puts them.
    pub config_path: Option<PathBuf>,
    /// A head file; absent: the head that ships with the program.
    pub head: Option<PathBuf>,
}

/// Why the window could not be opened or kept.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// There is no display to open a window on.
    #[error(
        "cannot open a window: {0}\n\
         To draw without one:  mohawk render -o head.png   (or head.gif --scene swing)"
    )]
    NoDisplay(String),
    /// The graphics driver is not up to it.
    #[error(
        "cannot draw in a window: {0}\n\
         Update the graphics driver, or try Mesa's software renderer:  LIBGL_ALWAYS_SOFTWARE=1 mohawk\n\
         To draw without a window:  mohawk render -o head.png"
    )]
    Graphics(String),
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// [`ViewerError`] when there is no display or no usable OpenGL.
pub fn run(options: Options) -> Result<(), ViewerError> {
    window::run(options)
}
