//! Work that takes long: without the GIL, with progress, until Ctrl-C.

use crate::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The time between two looks at signals and progress.
const POLL: Duration = Duration::from_millis(20);
/// The stack of the thread that works, as large as that of main threads.
const STACK_BYTES: usize = 8 << 20;

/// Runs work in a thread of its own and waits for it without the GIL. Meanwhile signals are handled,
/// and `progress` is called with the finished share, 0 to 1, at last with 1 if the work succeeds. An
/// exception of either stops the work where it looks at its progress; other work ends by itself, later.
pub fn run<T: Send + 'static, E: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn FnMut(f32) -> ControlFlow<()>) -> Result<T, E> + Send + 'static,
) -> PyResult<Result<T, E>> {
    check_process()?;
    let state = Arc::new((AtomicU32::new(0), AtomicBool::new(false)));
    let seen = state.clone();
    let mut tell = move |share: f32| {
        seen.0.store(share.to_bits(), Relaxed);
        match seen.1.load(Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let (sender, mut receiver) = sync_channel(1);
    let work = move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut tell)));
        _ = sender.send(done); // Nobody receives it after an exception.
    };
    let thread = std::thread::Builder::new().name("mohawk".into());
    thread.stack_size(STACK_BYTES).spawn(work)?;
    let mut told = 0.0;
    let done = loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(POLL);
            (receiver, received)
        });
        match received {
            Err(RecvTimeoutError::Timeout) => {
                let share = f32::from_bits(state.0.load(Relaxed)).max(told).min(1.0);
                let news = (share > told && share < 1.0).then_some(share);
                told = share;
                let looked = py.check_signals().and_then(|()| match (progress, news) {
                    (Some(progress), Some(share)) => progress.call1((share,)).map(drop),
                    _ => Ok(()),
                });
                if let Err(exception) = looked {
                    state.1.store(true, Relaxed);
                    return Err(exception);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(own_error("its thread has ended")),
            Ok(done) => break done,
        }
    };
    let done = done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        own_error(
            text.or(panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic"),
        )
    })?;
    if let (Ok(_), Some(progress)) = (&done, progress) {
        progress.call1((1.0,))?;
    }
    Ok(done)
}

fn own_error(text: &str) -> PyErr {
    PyRuntimeError::new_err(format!(
        "an error of mohawk itself: {text}. Please report it"
    ))
}

/// Returns an error in a process that was forked from one that has worked: its threads are not
/// there, and work would wait for them for ever.
pub fn check_process() -> PyResult<()> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let own = std::process::id();
    match *FIRST.get_or_init(|| own) == own {
        true => Ok(()),
        false => Err(Error::new_err(
            "this process was forked from one that has used mohawk_hair, whose threads it lacks: \
             use multiprocessing.get_context(\"spawn\")",
        )),
    }
}
