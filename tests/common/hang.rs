//! A guard for work that must end.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Hangs are reported after this time, which no work takes on any machine.
const HANG: Duration = Duration::from_secs(600);

/// Runs work that must end. If it hangs, the tests abort with a message.
pub fn ends<T>(work: impl FnOnce() -> T) -> T {
    let (done, ended) = channel::<()>();
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    std::thread::spawn(move || {
        if ended.recv_timeout(HANG) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{name} hangs");
            std::process::abort();
        }
    });
    let result = work();
    drop(done);
    result
}
