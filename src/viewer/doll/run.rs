//! A window of its own for the doll.

use super::{DollApp, Leave};
use crate::viewer::ViewerError;
use crate::viewer::platform::event_loop;
use crate::viewer::remembered::Memory;
use crate::viewer::window_host::WindowHost;
use mohawk::doll::DollSession;
use std::path::PathBuf;
use winit::event::Event;
use winit::event_loop::ControlFlow;
use winit::platform::run_return::EventLoopExtRunReturn;

/// Opens a window with a doll, which may be one that was saved, and runs until it is closed.
///
/// # Errors
/// [`ViewerError`] when there is no display or no usable OpenGL.
pub(crate) fn run(session: DollSession, file: Option<PathBuf>) -> Result<(), ViewerError> {
    let mut event_loop = event_loop()?;
    // The doll is dropped before the host: GPU resources before their context.
    let (_, remembered) = Memory::of_user();
    let mut host = WindowHost::open(&event_loop, "mohawk – doll", &remembered)?;
    let mut doll = DollApp::new(&host, session, file, false);
    let mut result = Ok(());
    event_loop.run_return(|event, _, control| {
        if matches!(event, Event::MainEventsCleared) {
            doll.autosave(false);
        }
        if let Err(error) = doll.handle(&mut host, event) {
            doll.document.keep_autosave();
            result = Err(error);
        }
        *control = match result.is_err() || doll.leaves == Some(Leave::Quit) {
            true => ControlFlow::Exit,
            false => host.next_wake(doll.next_change(), doll.autosave_due()),
        };
    });
    doll.end_recording();
    result
}
