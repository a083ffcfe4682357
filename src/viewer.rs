//! The window: drag the head and watch its hair follow.
//!
//! | module | what it holds |
//! |---|---|
//! | `window` | events, frames when there is a reason to draw; `capture` of a frame |
//! | `window_host` | the window itself, whatever it shows; the file dialog |
//! | `input` | keys and pointer events, translated to requests |
//! | `address` | what the address of a page says |
//! | `app` | the state as a whole, and what each request does to it |
//! | `settings` | the settings in use, and the user's own while a scene overrides some |
//! | `loading` | the head that is shown and the one that is on its way; files that are watched |
//! | `view` | the camera, one view or two |
//! | `scenes` | the scene that plays, and the scene file that was opened last |
//! | `statistics` | the pace of pictures and of the simulation |
//! | `background` | work on other threads: loading, sampling, style jobs, measuring |
//! | `detail` | what is saved on pictures in motion |
//! | `subject` | the head and its moving strands, on the GPU; two simulations side by side |
//! | `news` | what reaches the window from other threads, jobs and the page |
//! | `paths` | names of new files, and paths in messages |
//! | `platform` | what a desktop and a page do differently |
//! | `presets` | the strip of presets, and which of them is in use |
//! | `probe` | measures of the hair for a page around this one |
//! | `playback` | the head's motion; slow motion |
//! | `styling` | brushes, strokes and the canvas |
//! | `lab` | the laboratory: overlays that show what the simulation does, and graphs |
//! | `panel` | its places, the search, rows of settings and buttons |
//! | `panel_state` | what the panel shows besides the settings: what is searched, typed and open |
//! | `remembered` | what the next run finds: colours, sizes, place, recent files |
//! | `interface` | messages, questions, rows and other parts that every window has |
//! | `files` | pictures, strokes, autosaves and recovery |
//! | `doll` | the 2D doll in the window |

#[cfg(any(target_arch = "wasm32", test))]
pub(crate) mod address;
mod app;
mod background;
mod detail;
mod doll;
mod files;
mod input;
mod interface;
mod lab;
mod loading;
mod news;
mod panel;
mod panel_state;
mod paths;
mod platform;
mod playback;
mod presets;
#[cfg(any(target_arch = "wasm32", test))]
mod probe;
mod remembered;
mod scenes;
mod settings;
mod statistics;
mod styling;
mod subject;
mod view;
mod window;
mod window_host;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use doll::run as run_doll;
#[cfg(target_arch = "wasm32")]
pub(crate) use platform::page;
#[cfg(target_arch = "wasm32")]
pub(crate) use window::open;
#[cfg(not(target_arch = "wasm32"))]
pub use window::run;

use mohawk::config::Config;
use mohawk::presets::Preset;
use mohawk::render::RenderError;
use mohawk::scene_file::SceneSetup;
use mohawk::sim::SolverKind;
use serde::Serialize;
use std::path::PathBuf;

/// The contents of a window.
#[derive(Default)]
pub struct Options {
    /// Every setting.
    pub config: Config,
    /// The file that the settings came from, and that saving writes.
    pub config_path: Option<PathBuf>,
    /// A head file; absent: the head that ships with the program.
    pub head: Option<PathBuf>,
    /// The style to begin with, on its own head or with its settings on `head`.
    pub preset: Option<Preset>,
    /// A scene to play.
    pub scene: Option<Opening>,
    /// A picture to take and then quit, for tests of the whole program.
    pub snapshot: Option<Snapshot>,
    /// A solver to compare with that of the settings, in a view beside.
    pub split: Option<SolverKind>,
    /// Show graphs from the beginning.
    pub graphs: bool,
    /// Reload the head, the files it names and the settings file when they change.
    pub watch: Option<ReadConfig>,
}

/// A scene to open the window with.
#[derive(Debug)]
pub struct Opening {
    /// The scene.
    pub setup: SceneSetup,
    /// Every setting, the scene's among them.
    pub config: Config,
}

/// Reads the settings anew as they were read for [`Options::config`], overrides and all.
pub type ReadConfig = Box<dyn Fn() -> anyhow::Result<Config> + Send>;

/// A picture of the window, panel included, that ends the program.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The delay after the head is first shown, seconds.
    pub delay_secs: f64,
    /// The PNG file to write.
    pub path: PathBuf,
}

/// The report of a window, made when it is closed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The name of the last head; `None`: none was shown.
    pub head: Option<String>,
    /// The number of its triangles.
    pub triangles: usize,
    /// The number of its strands.
    pub strands: usize,
    /// The name of the graphics driver.
    pub renderer: String,
    /// The number of pictures drawn.
    pub pictures: u64,
    /// The time from the GL context to the first picture of a head with its hair on the screen.
    pub first_picture_seconds: Option<f64>,
    /// The picture that was asked for.
    pub screenshot: Option<PathBuf>,
}

/// An error that prevents or ends a window, or prevents a [`Snapshot`].
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// There is no display to open a window on.
    #[error(
        "cannot open a window: {0}\n\
         To draw without one:  mohawk render -o head.png   (or head.gif --scene swing), \
         mohawk doll -o doll.png"
    )]
    NoDisplay(String),
    /// The graphics driver lacks something that is needed.
    #[error(
        "cannot draw in a window: {0}\n\
         Update the graphics driver, or try Mesa's software renderer:  LIBGL_ALWAYS_SOFTWARE=1 mohawk\n\
         To draw without a window:  mohawk render -o head.png"
    )]
    Graphics(String),
    /// A [`Snapshot`] was asked for, but there is no head or no hair.
    #[cfg(not(target_arch = "wasm32"))]
    #[error("{0}")]
    Head(String),
    /// The window was closed before the [`Snapshot`] was due.
    #[cfg(not(target_arch = "wasm32"))]
    #[error("the window was closed before {} could be taken", path.display())]
    Closed {
        /// The picture.
        path: PathBuf,
    },
    /// The [`Snapshot`] could not be written.
    #[error("{} could not be written", path.display())]
    Screenshot {
        /// The picture.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl From<RenderError> for ViewerError {
    fn from(error: RenderError) -> Self {
        ViewerError::Graphics(error.to_string())
    }
}
