//! Opening the window, and running it on a desktop.

use super::HeadWindow;
use crate::file_watcher::Watcher;
use crate::viewer::app::{App, LOADING};
use crate::viewer::interface::kept::KeptInterface;
use crate::viewer::loading::{Watched, start_loading};
use crate::viewer::news::WindowNews;
use crate::viewer::platform::{Wake, event_loop};
use crate::viewer::remembered::Memory;
use crate::viewer::window_host::WindowHost;
use crate::viewer::{Options, Report, ViewerError};
use web_time::Instant;
#[cfg(not(target_arch = "wasm32"))]
use winit::event_loop::ControlFlow;
use winit::event_loop::EventLoop;

/// Opens the window of these options; it is drawn once its events are handled.
///
/// # Errors
/// [`ViewerError`] when there is no display or no usable OpenGL.
pub(crate) fn open(
    mut options: Options,
) -> Result<(EventLoop<WindowNews>, HeadWindow), ViewerError> {
    let event_loop = event_loop()?;
    let wake = Wake::new(&event_loop);
    let watched = options.watch.take().map(|watch| {
        let wake = wake.clone();
        let tell = move |files| wake.send(WindowNews::Changed(files));
        Watched::new(Watcher::new(tell), watch, &options)
    });
    // Pictures for tests show nothing of the user's, and leave nothing behind.
    let (memory, remembered) = match options.snapshot {
        None => Memory::of_user(),
        Some(_) => Memory::none(),
    };
    // The head is loaded while the window opens and the graphics driver starts.
    let head = start_loading(&options, &remembered, &wake);
    let host = WindowHost::open(&event_loop, LOADING, &remembered)?;
    let since = Instant::now();
    let mut window = HeadWindow {
        app: App::new(options, remembered, head, wake, &host.gl),
        memory,
        doll: None,
        at_doll: false,
        goes_to_doll: false,
        other_may_go: false,
        interface: KeptInterface::default(),
        host,
        brush_is_lent: false,
        dropped: Vec::new(),
        acted: false,
        touched: since,
        picked: None,
        since,
        report: Report::default(),
        #[cfg(target_arch = "wasm32")]
        around: Default::default(),
        hovered: None,
    };
    window.app.loading.watched = watched;
    window.app.panel.shown = window.host.has_room_for_panel();
    if cfg!(target_arch = "wasm32") {
        window.host.put_off();
    }
    Ok((event_loop, window))
}

/// Opens the window, runs until it is closed, and returns what it has shown.
///
/// # Errors
/// [`ViewerError`] when there is no display or no usable OpenGL, or when a
/// [`Snapshot`](crate::viewer::Snapshot) that was asked for cannot be taken.
#[cfg(not(target_arch = "wasm32"))]
pub fn run(options: Options) -> Result<Report, ViewerError> {
    use winit::platform::run_return::EventLoopExtRunReturn;
    let (mut event_loop, mut window) = open(options)?;
    let mut failure = None;
    event_loop.run_return(|event, _, control| match window.step(event) {
        Ok(next) => *control = next,
        Err(error) => {
            // The next run offers what is unsaved.
            window.app.document.keep_autosave();
            (window.doll.iter()).for_each(|doll| doll.document.keep_autosave());
            failure = Some(error);
            *control = ControlFlow::Exit;
        }
    });
    window.keep_memory();
    match failure {
        Some(error) => Err(error),
        None => window.report(),
    }
}
