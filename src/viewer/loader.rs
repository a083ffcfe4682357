//! Loading, sampling and growing on a thread of their own, so that the window never freezes.

use crate::config::Config;
use crate::groom::{Groom, GroomSettings};
use crate::head::{Head, HeadSettings};
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::Scalp;
use crate::style::Saved;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// Work that takes longer than this is worth telling about.
pub(super) const SLOW: Duration = Duration::from_millis(150);

/// Where a head comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HeadSource {
    /// Embedded in the program.
    Shipped,
    /// A file.
    File(PathBuf),
}

impl fmt::Display for HeadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeadSource::Shipped => f.write_str("the head that ships with the program"),
            HeadSource::File(path) => path.display().fmt(f),
        }
    }
}

/// What decides how hair is planted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlantSettings {
    roots: RootSettings,
    groom: GroomSettings,
}

impl PlantSettings {
    pub(super) fn of(config: &Config) -> Self {
        Self {
            roots: config.roots.clone(),
            groom: config.groom.clone(),
        }
    }
}

/// Hair that has been planted.
pub(super) struct Planted {
    /// All roots, whatever the density.
    pub(super) whole: Arc<Roots>,
    /// Those that the density leaves.
    pub(super) roots: Arc<Roots>,
    pub(super) groom: Groom,
    pub(super) settings: PlantSettings,
}

/// A head, its scalp if it has one, and its hair.
pub(super) struct LoadedHead {
    pub(super) source: HeadSource,
    /// What it was read with.
    pub(super) settings: HeadSettings,
    /// When reading its files began.
    pub(super) since: SystemTime,
    pub(super) head: Arc<Head>,
    pub(super) scalp: Option<Arc<Scalp>>,
    pub(super) hair: Option<Planted>,
    /// Why it has no hair although it has a scalp.
    pub(super) problem: Option<String>,
}

/// What the thread has done.
pub(super) enum Loaded {
    /// Another head.
    Head(Box<LoadedHead>),
    /// Other hair for the head that is shown.
    Hair(Box<Planted>),
    /// It did not work out; what is shown stays.
    Failed(String),
}

enum Job {
    Head(HeadSource, HeadSettings, PlantSettings),
    /// New roots on a scalp.
    Plant(Arc<Scalp>, PlantSettings),
    /// Other strands from the same roots.
    Grow(Arc<Scalp>, Arc<Roots>, PlantSettings),
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Job::Head(..) => "Loading the head",
            Job::Plant(..) => "Planting roots",
            Job::Grow(..) => "Growing strands",
        }
    }
}

/// The loading thread. A newer job cancels the one that runs.
pub(super) struct Loader {
    jobs: Sender<(u64, Job)>,
    results: Receiver<(u64, Loaded)>,
    shared: Arc<Shared>,
    /// What runs, and since when.
    running: Option<(&'static str, Instant)>,
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
                let is_newest = || ticket == worker.newest.load(Ordering::Acquire);
                let mut reported = Instant::now();
                let mut progress = |share: f32| {
                    let millionths = (share * 1e6) as u32;
                    worker.progress.store(millionths, Ordering::Release);
                    if reported.elapsed() > Duration::from_millis(50) {
                        reported = Instant::now();
                        wake();
                    }
                    if is_newest() {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                };
                if !is_newest() {
                    continue;
                }
                // A fault in here must not leave the window waiting for ever.
                let done = catch_unwind(AssertUnwindSafe(|| run(job, &mut progress)));
                let loaded = match done {
                    Ok(Ok(loaded)) => loaded,
                    Ok(Err(Stopped::Failed(why))) => Loaded::Failed(why),
                    Ok(Err(Stopped::Cancelled)) => continue,
                    Err(_) => Loaded::Failed("loading broke off: a fault in mohawk itself".into()),
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
            running: None,
        }
    }

    /// Loads a head and plants its hair.
    pub(super) fn load(&mut self, source: HeadSource, config: &Config) {
        self.submit(Job::Head(
            source,
            config.head.clone(),
            PlantSettings::of(config),
        ));
    }

    /// Plants new roots on a scalp.
    pub(super) fn plant(&mut self, scalp: Arc<Scalp>, settings: PlantSettings) {
        self.submit(Job::Plant(scalp, settings));
    }

    /// Grows other strands, from the hair's own roots if these may stay.
    pub(super) fn grow(&mut self, hair: &Planted, scalp: &Arc<Scalp>, settings: PlantSettings) {
        if hair.settings.roots == settings.roots {
            self.submit(Job::Grow(scalp.clone(), hair.whole.clone(), settings));
        } else {
            self.plant(scalp.clone(), settings);
        }
    }

    fn submit(&mut self, job: Job) {
        let ticket = self.shared.newest.fetch_add(1, Ordering::AcqRel) + 1;
        self.shared.progress.store(0, Ordering::Release);
        self.running = Some((job.name(), Instant::now()));
        // The thread lives as long as this sender.
        let _ = self.jobs.send((ticket, job));
    }

    /// When what runs becomes worth telling about.
    pub(super) fn tells_at(&self) -> Option<Instant> {
        self.running.map(|(_, since)| since + SLOW)
    }

    /// What runs and its finished share, once it takes long enough to be worth telling.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        let (name, since) = self.running?;
        let share = self.shared.progress.load(Ordering::Acquire) as f32 / 1e6;
        (since.elapsed() >= SLOW).then_some((name, share))
    }

    /// The result of the newest job, once.
    pub(super) fn poll(&mut self) -> Option<Loaded> {
        let newest = self.shared.newest.load(Ordering::Acquire);
        let results = self.results.try_iter();
        let (_, loaded) = results.filter(|(ticket, _)| *ticket == newest).last()?;
        self.running = None;
        Some(loaded)
    }
}

/// Why a job ended without a result.
enum Stopped {
    Cancelled,
    Failed(String),
}

fn run(job: Job, progress: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Result<Loaded, Stopped> {
    let hair = |hair| Loaded::Hair(Box::new(hair));
    match job {
        Job::Head(source, head, settings) => {
            load(source, &head, settings, progress).map(|head| Loaded::Head(Box::new(head)))
        }
        Job::Plant(scalp, settings) => plant(&scalp, settings, progress).map(hair),
        Job::Grow(scalp, roots, settings) => Ok(hair(grow(&scalp, roots, settings))),
    }
}

fn load(
    source: HeadSource,
    head_settings: &HeadSettings,
    settings: PlantSettings,
    progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<LoadedHead, Stopped> {
    let since = SystemTime::now();
    if let HeadSource::File(path) = &source
        && Saved::is_named(path)
    {
        let path = path.display();
        let advice = "the window does not open styles yet; `mohawk render` shows them";
        return Err(Stopped::Failed(format!("{path}: {advice}")));
    }
    let loaded = match &source {
        HeadSource::Shipped => Head::shipped(head_settings),
        HeadSource::File(path) => Head::load(path, head_settings),
    };
    let head = loaded.map_err(|error| Stopped::Failed(error.to_string()))?;
    let scalp = Scalp::of_head(&head).map(Arc::new);
    let (mut hair, mut problem) = (None, None);
    if let Some(scalp) = &scalp {
        match plant(scalp, settings, progress) {
            Ok(planted) => hair = Some(planted),
            Err(Stopped::Failed(why)) => problem = Some(why),
            Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
        }
    }
    Ok(LoadedHead {
        source,
        settings: head_settings.clone(),
        since,
        head: Arc::new(head),
        scalp,
        hair,
        problem,
    })
}

fn plant(
    scalp: &Scalp,
    settings: PlantSettings,
    progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<Planted, Stopped> {
    match Roots::sample(scalp, &settings.roots, progress) {
        Ok(roots) => Ok(grow(scalp, Arc::new(roots), settings)),
        Err(SampleError::Cancelled) => Err(Stopped::Cancelled),
        Err(error) => Err(Stopped::Failed(error.to_string())),
    }
}

fn grow(scalp: &Scalp, whole: Arc<Roots>, settings: PlantSettings) -> Planted {
    let roots = whole.thinned(scalp, settings.groom.density);
    Planted {
        groom: Groom::grow(&roots, &settings.groom, settings.roots.seed),
        whole,
        roots: Arc::new(roots),
        settings,
    }
}
