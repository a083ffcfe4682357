//! One piece of work on a thread of its own, while the window goes on: baking the skin's field,
//! planting bald skin.
//!
//! Not on the loading thread: what people ask for next must not wait for it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Progress is told no more often.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// Tells how far the work is, and whether to go on.
pub(crate) type Hear<'a> = &'a mut (dyn FnMut(f32) -> ControlFlow<()> + Send);

/// What came of it, or why nothing did, for people.
type Outcome<T> = Result<T, String>;

/// Called whenever there is news, from any thread.
#[derive(Clone)]
pub(crate) struct Wake(Arc<Mutex<dyn Fn() + Send>>);

impl Wake {
    pub(crate) fn new(wake: impl Fn() + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(wake)))
    }

    fn call(&self) {
        if let Ok(wake) = self.0.lock() {
            wake();
        }
    }
}

/// Does one thing at a time; another voids what was begun.
pub(crate) struct BackgroundTask<T> {
    running: Option<Running<T>>,
    wake: Wake,
}

struct Running<T> {
    since: Instant,
    wanted: Arc<AtomicBool>,
    /// Finished share, in millionths.
    progress: Arc<AtomicU32>,
    result: Receiver<Outcome<T>>,
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Release);
    }
}

impl<T: Send + 'static> BackgroundTask<T> {
    pub(crate) fn new(wake: Wake) -> Self {
        Self {
            running: None,
            wake,
        }
    }

    /// Begins with something, and ends what was begun before. `work` gives `None` when it was told
    /// not to go on.
    pub(crate) fn begin(&mut self, work: impl FnOnce(Hear) -> Option<Outcome<T>> + Send + 'static) {
        let (outgoing, result) = channel();
        let running = Running {
            since: Instant::now(),
            wanted: Arc::new(AtomicBool::new(true)),
            progress: Arc::default(),
            result,
        };
        let (wanted, progress) = (running.wanted.clone(), running.progress.clone());
        let wake = self.wake.clone();
        self.running = Some(running);
        std::thread::spawn(move || {
            let mut told = Instant::now();
            let mut hear = |share: f32| {
                progress.store((share * 1e6) as u32, Ordering::Release);
                if told.elapsed() > TELL_EVERY {
                    told = Instant::now();
                    wake.call();
                }
                if wanted.load(Ordering::Acquire) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            // A fault in here must not leave people waiting for ever.
            let done = match catch_unwind(AssertUnwindSafe(|| work(&mut hear))) {
                Ok(None) => return,
                Ok(Some(done)) => done,
                Err(_) => Err("a fault in mohawk itself".to_owned()),
            };
            // The window may be gone; then nobody needs the result.
            let _ = outgoing.send(done);
            wake.call();
        });
    }

    /// Ends what was begun.
    pub(crate) fn forget(&mut self) {
        self.running = None;
    }

    /// Since when it works, and the finished share.
    pub(crate) fn progress(&self) -> Option<(Instant, f32)> {
        let running = self.running.as_ref()?;
        let share = running.progress.load(Ordering::Acquire) as f32 / 1e6;
        Some((running.since, share))
    }

    /// What came of it, once.
    pub(crate) fn poll(&mut self) -> Option<Outcome<T>> {
        let done = match self.running.as_ref()?.result.try_recv() {
            Ok(done) => done,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("the thread has ended".to_owned()),
        };
        self.running = None;
        Some(done)
    }
}
