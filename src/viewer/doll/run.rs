//! A window with nothing but a doll.

use super::{DollApp, Leave};
use crate::viewer::ViewerError;
use crate::viewer::desk::Desk;
use crate::viewer::open::event_loop;
use mohawk::doll::DollSession;
use std::path::PathBuf;
use winit::event_loop::ControlFlow;
use winit::platform::run_return::EventLoopExtRunReturn;

/// A window with its doll. Fields are dropped in this order: what lives on the GPU goes before the
/// context.
struct Shown {
    doll: DollApp,
    desk: Desk,
}

/// Opens the window and runs until it is closed.
pub(crate) fn run(session: DollSession, file: Option<PathBuf>) -> Result<(), ViewerError> {
    let mut event_loop = event_loop()?;
    let desk = Desk::open(&event_loop, "mohawk – doll")?;
    let doll = DollApp::new(&desk, session, file, false)?;
    let mut shown = Shown { doll, desk };
    let mut failure = None;
    event_loop.run_return(|event, _, control| {
        let Shown { doll, desk } = &mut shown;
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
