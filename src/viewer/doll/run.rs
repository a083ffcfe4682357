//! The window of a doll without a head.

use super::app::{DollApp, Leave};
use crate::viewer::ViewerError;
use crate::viewer::window_host::Desk;
use crate::viewer::window_host::platform::event_loop;
use mohawk::doll::DollSession;
use std::path::PathBuf;
use winit::event_loop::ControlFlow;
use winit::platform::run_return::EventLoopExtRunReturn;

/// A doll and its window. Fields are dropped in this order: GPU resources before the context.
struct DollWindow {
    doll: DollApp,
    desk: Desk,
}

/// Opens the window and runs until it is closed.
pub(crate) fn run(session: DollSession, file: Option<PathBuf>) -> Result<(), ViewerError> {
    let mut event_loop = event_loop()?;
    let desk = Desk::open(&event_loop, "mohawk – doll")?;
    let doll = DollApp::new(&desk, session, file, false)?;
    let mut window = DollWindow { doll, desk };
    let mut failure = None;
    event_loop.run_return(|event, _, control| {
        let DollWindow { doll, desk } = &mut window;
        if let Err(error) = doll.handle(desk, event) {
            failure = Some(error);
        }
        *control = match failure.is_some() || doll.leaves == Some(Leave::Quit) {
            true => ControlFlow::Exit,
            false => desk.next_wake(doll.next_change()),
        };
    });
    failure.map_or(Ok(()), Err)
}
