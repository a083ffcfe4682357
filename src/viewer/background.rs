//! Work beside the picture: every long job runs on a thread of its own, in a page in turns with the
//! picture, and wakes the window when it has news. The jobs load heads (`load`), change styles
//! (`style_job`), and measure and plant skin (`skin`).

mod load;
mod skin;
mod style_job;

pub(crate) use load::*;
pub(crate) use skin::*;
pub(crate) use style_job::*;

use crate::viewer::news::WindowNews;
pub(crate) use crate::viewer::platform::Wake;
use crate::viewer::platform::{give_way, spawn};
use mohawk::roots::SampleError;
use mohawk::style::{OpenError, PaintError};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use web_time::{Duration, Instant};

/// The window is woken for progress no more often than this.
const WAKE_INTERVAL: Duration = Duration::from_millis(50);

/// Jobs that take longer than this show their progress.
const SLOW: Duration = Duration::from_millis(150);

/// Receives the finished share of a job, and says whether the job shall go on.
pub(crate) type Progress<'a> = &'a mut (dyn FnMut(f32) -> ControlFlow<()> + Send);

/// The reason why a job ended without a result.
pub(crate) enum Stopped {
    Cancelled,
    /// The reason, for the user.
    Failed(String),
}

impl From<OpenError> for Stopped {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Sample(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}

impl From<PaintError> for Stopped {
    fn from(error: PaintError) -> Self {
        match error {
            PaintError::Sample(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}

impl From<SampleError> for Stopped {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Cancelled => Stopped::Cancelled,
            error => Stopped::Failed(error.to_string()),
        }
    }
}

/// The progress of a job.
pub(crate) struct TaskProgress {
    pub(crate) name: &'static str,
    /// The finished share.
    pub(crate) share: f32,
    /// The time when it was begun.
    pub(crate) since: Instant,
    /// The time from which it is shown: short jobs show none.
    pub(crate) shows_at: Instant,
}

/// Runs one job at a time. Dropped, it tells the job to stop.
pub(crate) struct BackgroundTask<T> {
    running: Option<Running<T>>,
}

impl<T> Default for BackgroundTask<T> {
    fn default() -> Self {
        Self { running: None }
    }
}

struct Running<T> {
    name: &'static str,
    since: Instant,
    /// False: the job is cancelled.
    wanted: Arc<AtomicBool>,
    /// Finished share, in millionths.
    progress: Arc<AtomicU32>,
    result: Receiver<Result<T, String>>,
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Release);
    }
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Begins a job, and drops the one that runs. `name` is shown with its progress. Progress and
    /// the result wake the window.
    pub(crate) fn begin(
        &mut self,
        wake: &Wake,
        name: &'static str,
        job: impl FnOnce(Progress) -> Result<T, Stopped> + Send + 'static,
    ) {
        let (outgoing, result) = channel();
        let running = Running {
            name,
            since: Instant::now(),
            wanted: Arc::new(AtomicBool::new(true)),
            progress: Arc::default(),
            result,
        };
        let (wanted, progress) = (running.wanted.clone(), running.progress.clone());
        let wake = wake.clone();
        self.running = Some(running);
        spawn(move || {
            let wake = || wake.send(WindowNews::BackgroundTask);
            let mut woken = Instant::now();
            let mut report = |share: f32| {
                progress.store((share * 1e6) as u32, Ordering::Release);
                if woken.elapsed() > WAKE_INTERVAL {
                    woken = Instant::now();
                    wake();
                }
                give_way();
                match wanted.load(Ordering::Acquire) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            };
            // Otherwise the window would never learn of a panic.
            let done = match catch_unwind(AssertUnwindSafe(|| job(&mut report))) {
                Ok(Err(Stopped::Cancelled)) => return,
                Ok(Err(Stopped::Failed(why))) => Err(why),
                Ok(Ok(done)) => Ok(done),
                Err(_) => Err("an internal error of mohawk ended the work".to_owned()),
            };
            let _ = outgoing.send(done);
            wake();
        });
    }

    /// Tells the job to stop. If it has a result all the same, [`poll`](Self::poll) returns it.
    pub(crate) fn cancel(&mut self) {
        if let Some(running) = &self.running {
            running.wanted.store(false, Ordering::Release);
        }
    }

    /// Waits for the job, and returns what [`poll`](Self::poll) would.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn finish(&mut self) -> Option<Result<T, String>> {
        self.running.take()?.result.recv().ok()
    }

    /// Returns the progress of the job, unless it is cancelled.
    pub(crate) fn progress(&self) -> Option<TaskProgress> {
        let running = self.running.as_ref()?;
        let wanted = running.wanted.load(Ordering::Acquire);
        wanted.then(|| TaskProgress {
            name: running.name,
            share: running.progress.load(Ordering::Acquire) as f32 / 1e6,
            since: running.since,
            shows_at: running.since + SLOW,
        })
    }

    /// Returns the result once, or for the user why there is none.
    pub(crate) fn poll(&mut self) -> Option<Result<T, String>> {
        let done = match self.running.as_ref()?.result.try_recv() {
            Ok(done) => Some(done),
            Err(TryRecvError::Empty) => return None,
            // It was cancelled.
            Err(TryRecvError::Disconnected) => None,
        };
        self.running = None;
        done
    }
}
