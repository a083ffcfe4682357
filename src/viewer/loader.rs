//! Loading and sampling on a thread of their own, so that the window never freezes.

use crate::config::Config;
use crate::head::{Head, HeadSettings};
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::Scalp;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Where a head comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HeadSource {
    /// Embedded in the program.
    Shipped,
    /// A file.
    File(PathBuf),
}

/// What the thread has done.
pub(super) enum Loaded {
    /// A head and what grows from it.
    Head(Box<LoadedHead>),
    /// Other roots on the scalp that is shown.
    Roots(Roots),
    /// It did not work out; what is shown stays.
    Failed(String),
}

/// A head, its scalp if it has one, and roots for it.
pub(super) struct LoadedHead {
    pub(super) head: Box<Head>,
    pub(super) scalp: Option<Arc<Scalp>>,
    pub(super) roots: Option<Roots>,
    pub(super) sampled_with: RootSettings,
}

enum Job {
    Head(HeadSource, HeadSettings, RootSettings),
    Roots(Arc<Scalp>, RootSettings),
}

/// The loading thread. A newer job cancels the one that runs.
pub(super) struct Loader {
    jobs: Sender<(u64, Job)>,
    results: Receiver<(u64, Loaded)>,
    shared: Arc<Shared>,
    started: Instant,
    what: &'static str,
}

struct Shared {
    newest: AtomicU64,
    /// Finished share of the running job, in millionths.
    progress: AtomicU32,
}

impl Loader {
    /// `wake` is called from the thread whenever there is news.
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let (jobs, incoming) = channel::<(u64, Job)>();
        let (outgoing, results) = channel();
        let shared = Arc::new(Shared {
            newest: AtomicU64::new(0),
            progress: AtomicU32::new(0),
        });
        let worker = shared.clone();
        std::thread::spawn(move || {
            for (ticket, job) in incoming {
                if ticket != worker.newest.load(Ordering::Acquire) {
                    continue;
                }
                let mut reported = Instant::now();
                let mut progress = |share: f32| {
                    if ticket != worker.newest.load(Ordering::Acquire) {
                        return ControlFlow::Break(());
                    }
                    worker
                        .progress
                        .store((share * 1e6) as u32, Ordering::Release);
                    if reported.elapsed() > Duration::from_millis(50) {
                        reported = Instant::now();
                        wake();
                    }
                    ControlFlow::Continue(())
                };
                let loaded = match run(job, &mut progress) {
                    Ok(loaded) => loaded,
                    Err(Stopped::Failed(why)) => Loaded::Failed(why),
                    Err(Stopped::Cancelled) => continue,
                };
                // The window may be gone; then nobody needs the result.
                let _ = outgoing.send((ticket, loaded));
                wake();
            }
        });
        Self {
            jobs,
            results,
            shared,
            started: Instant::now(),
            what: "",
        }
    }

    /// Loads a head and samples its scalp.
    pub(super) fn load(&mut self, source: HeadSource, config: &Config) {
        self.submit(
            Job::Head(source, config.head.clone(), config.roots.clone()),
            "Loading the head",
        );
    }

    /// Samples new roots on a scalp.
    pub(super) fn resample(&mut self, scalp: Arc<Scalp>, settings: &RootSettings) {
        // A head on its way brings roots of its own.
        if self.what != "Loading the head" {
            self.submit(Job::Roots(scalp, settings.clone()), "Planting roots");
        }
    }

    fn submit(&mut self, job: Job, what: &'static str) {
        let ticket = self.shared.newest.fetch_add(1, Ordering::AcqRel) + 1;
        self.shared.progress.store(0, Ordering::Release);
        self.started = Instant::now();
        self.what = what;
        // The thread lives as long as this sender.
        let _ = self.jobs.send((ticket, job));
    }

    /// Something is being worked on.
    pub(super) fn is_busy(&self) -> bool {
        !self.what.is_empty()
    }

    /// What runs and its finished share, once it takes long enough to be worth telling.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        let slow = self.started.elapsed() > Duration::from_millis(150);
        let share = self.shared.progress.load(Ordering::Acquire) as f32 / 1e6;
        (self.is_busy() && slow).then_some((self.what, share))
    }

    /// The result of the newest job, once.
    pub(super) fn poll(&mut self) -> Option<Loaded> {
        let newest = self.shared.newest.load(Ordering::Acquire);
        let loaded = self
            .results
            .try_iter()
            .filter(|(ticket, _)| *ticket == newest)
            .last()?
            .1;
        self.what = "";
        Some(loaded)
    }
}

/// Why a job ended without a result.
enum Stopped {
    Cancelled,
    Failed(String),
}

fn sample(
    scalp: &Scalp,
    settings: &RootSettings,
    progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<Roots, Stopped> {
    Roots::sample(scalp, settings, progress).map_err(|error| match error {
        SampleError::Cancelled => Stopped::Cancelled,
        error => Stopped::Failed(error.to_string()),
    })
}

fn load(source: &HeadSource, settings: &HeadSettings) -> Result<Box<Head>, Stopped> {
    let loaded = match source {
        HeadSource::Shipped => Head::shipped(settings),
        HeadSource::File(path) => Head::load(path, settings),
    };
    loaded
        .map(Box::new)
        .map_err(|error| Stopped::Failed(error.to_string()))
}

fn run(job: Job, progress: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Result<Loaded, Stopped> {
    match job {
        Job::Roots(scalp, settings) => sample(&scalp, &settings, progress).map(Loaded::Roots),
        Job::Head(source, head_settings, root_settings) => {
            let head = load(&source, &head_settings)?;
            let scalp = Scalp::of_head(&head).map(Arc::new);
            let roots = match &scalp {
                Some(scalp) => Some(sample(scalp, &root_settings, progress)?),
                None => None,
            };
            Ok(Loaded::Head(Box::new(LoadedHead {
                head,
                scalp,
                roots,
                sampled_with: root_settings,
            })))
        }
    }
}
