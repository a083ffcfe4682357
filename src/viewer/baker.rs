//! Baking the distance field of a head's skin on threads of their own, once hair can collide with it.
//!
//! Not on rayon's common threads: those carry the simulation, which goes on meanwhile.

use crate::head::Head;
use crate::sim::{Field, FieldError, FieldSettings};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Progress is told no more often.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// The field, or why there is none, for people.
type Baked = Result<Arc<Field>, String>;

/// Bakes fields; another head voids what was begun.
pub(super) struct Baker {
    running: Option<Running>,
    /// Called whenever there is news, from any thread.
    wake: Arc<Mutex<dyn Fn() + Send>>,
}

struct Running {
    since: Instant,
    wanted: Arc<AtomicBool>,
    /// Finished share, in millionths.
    progress: Arc<AtomicU32>,
    result: Receiver<Baked>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Release);
    }
}

impl Baker {
    /// `wake` is called from other threads whenever there is news.
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Self {
        Self {
            running: None,
            wake: Arc::new(Mutex::new(wake)),
        }
    }

    /// Begins with a head, and ends what was begun with another.
    pub(super) fn bake(&mut self, head: Arc<Head>) {
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
            let tell = || {
                if let Ok(wake) = wake.lock() {
                    wake();
                }
            };
            let mut told = Instant::now();
            let mut hear = |share: f32| {
                progress.store((share * 1e6) as u32, Ordering::Release);
                if told.elapsed() > TELL_EVERY {
                    told = Instant::now();
                    tell();
                }
                if wanted.load(Ordering::Acquire) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            // A fault in here must not leave people waiting for ever.
            let done = catch_unwind(AssertUnwindSafe(|| bake(&head, &mut hear)));
            let baked = match done {
                Ok(Err(FieldError::Cancelled)) => return,
                Ok(Ok(field)) => Ok(Arc::new(field)),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("a fault in mohawk itself".to_owned()),
            };
            // The window may be gone; then nobody needs the result.
            let _ = outgoing.send(baked);
            tell();
        });
    }

    /// Ends what was begun.
    pub(super) fn forget(&mut self) {
        self.running = None;
    }

    /// Since when it bakes, and the finished share.
    pub(super) fn progress(&self) -> Option<(Instant, f32)> {
        let running = self.running.as_ref()?;
        let share = running.progress.load(Ordering::Acquire) as f32 / 1e6;
        Some((running.since, share))
    }

    /// What came of it, once.
    pub(super) fn poll(&mut self) -> Option<Baked> {
        let baked = match self.running.as_ref()?.result.try_recv() {
            Ok(baked) => baked,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("the thread has ended".to_owned()),
        };
        self.running = None;
        Some(baked)
    }
}

fn bake(
    head: &Head,
    hear: &mut (dyn FnMut(f32) -> ControlFlow<()> + Send),
) -> Result<Field, FieldError> {
    let settings = FieldSettings::default();
    let threads = rayon::ThreadPoolBuilder::new().build();
    match threads {
        Ok(threads) => threads.install(|| Field::bake(head, &settings, hear)),
        // No threads to be had: this one can do it.
        Err(_) => Field::bake(head, &settings, hear),
    }
}
