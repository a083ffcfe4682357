//! The window of a doll without a head.

use super::app::{DollApp, Leave};
use crate::viewer::ViewerError;
use crate::viewer::window_host::WindowHost;
use crate::viewer::window_host::platform::event_loop;
use mohawk::doll::DollSession;
use std::path::PathBuf;
use winit::event_loop::ControlFlow;
use winit::platform::run_return::EventLoopExtRunReturn;

/// A doll and its window. Fields are dropped in this order: GPU resources before the context.
struct DollWindow {
    doll: DollApp,
    host: WindowHost,
}

/// Opens a window with a doll, which may be one that was saved, and runs until it is closed.
///
/// # Errors
/// [`ViewerError`] when there is no display or no usable OpenGL.
pub(crate) fn run(session: DollSession, file: Option<PathBuf>) -> Result<(), ViewerError> {
    let mut event_loop = event_loop()?;
    let host = WindowHost::open(&event_loop, "mohawk – doll")?;
    let doll = DollApp::new(&host, session, file, false)?;
    let mut window = DollWindow { doll, host };
    let mut failure = None;
    event_loop.run_return(|event, _, control| {
        let DollWindow { doll, host } = &mut window;
        if let Err(error) = doll.handle(host, event) {
            failure = Some(error);
        }
        *control = match failure.is_some() || doll.leaves == Some(Leave::Quit) {
            true => ControlFlow::Exit,
            false => host.next_wake(doll.next_change()),
        };
    });
    failure.map_or(Ok(()), Err)
}
