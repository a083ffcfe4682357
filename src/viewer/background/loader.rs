//! Loading, sampling and growing on a thread of their own, so that the window never freezes.

use crate::viewer::background::style_job::{Change, Work, Worn};
use glam::Vec3;
use mohawk::config::Config;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::SampleError;
use mohawk::sim::{Field, FieldSettings};
use mohawk::style::{Model, OpenError, Saved, Style, Styler, with_skin};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// Work that takes longer than this is worth telling about.
pub(crate) const SLOW: Duration = Duration::from_millis(150);

/// Where a head comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HeadSource {
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

/// A head to load.
pub(crate) struct Order {
    pub(crate) source: HeadSource,
    pub(crate) config: Config,
    /// A style comes with its own settings, which count instead.
    pub(crate) own_settings: bool,
    /// What it wears already.
    pub(crate) kept: Option<Box<Kept>>,
}

/// A style that goes on on a head that is read again, and where its edited roots are.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) style: Style,
    pub(crate) roots: BTreeMap<u32, Vec3>,
}

/// A head, and its hair if any can grow.
pub(crate) struct LoadedHead {
    pub(crate) source: HeadSource,
    /// What to call it in a style that is saved.
    pub(crate) model: Model,
    /// What it was read with.
    pub(crate) settings: HeadSettings,
    /// When reading its files began.
    pub(crate) since: SystemTime,
    pub(crate) head: Arc<Head>,
    /// The session with its style; `None`: nothing can grow on it.
    pub(crate) styler: Option<Box<Styler>>,
    pub(crate) worn: Option<Worn>,
    /// It wears what it was told to keep.
    pub(crate) keeps_style: bool,
    /// It is a style, whose settings take the place of those that there were.
    pub(crate) takes_over: bool,
    /// Why it has no hair although it is painted.
    pub(crate) problem: Option<String>,
}

/// What the thread has done.
pub(crate) enum Loaded {
    /// Another head.
    Head(Box<LoadedHead>),
    /// A session with a style comes back, with what was done.
    Styled(Box<Styler>, Result<Box<Change>, Stopped>),
    /// It did not work out; what is shown stays.
    Failed(String),
}

enum Job {
    Head(Box<Order>),
    /// Something to a style, or a new one.
    Style(Box<Styler>, Work),
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Job::Head(..) => "Loading the head",
            Job::Style(_, work) => work.name(),
        }
    }
}

/// The loading thread. A newer job cancels the one that runs.
pub(crate) struct Loader {
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
    pub(crate) fn new(wake: impl Fn() + Send + 'static) -> Self {
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
                // A style has to come back, whatever becomes of the work.
                if !is_newest() && !matches!(job, Job::Style(..)) {
                    continue;
                }
                // A fault in here must not leave the window waiting for ever.
                let done = catch_unwind(AssertUnwindSafe(|| run(job, &mut progress)));
                let loaded = match done {
                    Ok(Some(loaded)) => loaded,
                    Ok(None) => continue,
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

    /// Loads a head, or a style with its head, and plants its hair.
    pub(crate) fn load(&mut self, order: Order) {
        self.submit(Job::Head(Box::new(order)));
    }

    /// Has something done to a style, which comes back whatever becomes of it.
    pub(crate) fn style(&mut self, styler: Box<Styler>, work: Work) {
        self.submit(Job::Style(styler, work));
    }

    /// Breaks off what is being done to a style.
    pub(crate) fn cancel(&mut self) {
        self.shared.newest.fetch_add(1, Ordering::AcqRel);
        self.running = None;
    }

    fn submit(&mut self, job: Job) {
        let ticket = self.shared.newest.fetch_add(1, Ordering::AcqRel) + 1;
        self.shared.progress.store(0, Ordering::Release);
        self.running = Some((job.name(), Instant::now()));
        // The thread lives as long as this sender.
        let _ = self.jobs.send((ticket, job));
    }

    /// When what runs becomes worth telling about.
    pub(crate) fn tells_at(&self) -> Option<Instant> {
        self.running.map(|(_, since)| since + SLOW)
    }

    /// What runs and its finished share, once it takes long enough to be worth telling.
    pub(crate) fn progress(&self) -> Option<(&'static str, f32)> {
        let (name, since) = self.running?;
        let share = self.shared.progress.load(Ordering::Acquire) as f32 / 1e6;
        (since.elapsed() >= SLOW).then_some((name, share))
    }

    /// Results, one by one: those of the newest job, and styles that come back from older ones.
    pub(crate) fn poll(&mut self) -> Option<Loaded> {
        let newest = self.shared.newest.load(Ordering::Acquire);
        let wanted = |(ticket, loaded): &(u64, Loaded)| {
            *ticket == newest || matches!(loaded, Loaded::Styled(..))
        };
        let (ticket, loaded) = self.results.try_iter().find(wanted)?;
        if ticket == newest {
            self.running = None;
        }
        Some(loaded)
    }
}

/// Why a job ended without a result.
pub(crate) enum Stopped {
    Cancelled,
    Failed(String),
}

impl From<SampleError> for Stopped {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Cancelled => Stopped::Cancelled,
            error => Stopped::Failed(error.to_string()),
        }
    }
}

type Progress<'a> = &'a mut dyn FnMut(f32) -> ControlFlow<()>;

/// `None`: nobody waits for it.
fn run(job: Job, progress: Progress) -> Option<Loaded> {
    match job {
        Job::Head(order) => match load(*order, progress) {
            Ok(head) => Some(Loaded::Head(Box::new(head))),
            Err(Stopped::Failed(why)) => Some(Loaded::Failed(why)),
            Err(Stopped::Cancelled) => None,
        },
        Job::Style(mut styler, work) => {
            let done = work.run(&mut styler, progress).map(Box::new);
            Some(Loaded::Styled(styler, done))
        }
    }
}

fn load(order: Order, progress: Progress) -> Result<LoadedHead, Stopped> {
    let Order {
        source,
        config,
        own_settings,
        kept,
    } = order;
    let since = SystemTime::now();
    let saved = saved(&source)?;
    let is_style = matches!(&source, HeadSource::File(path) if Saved::is_named(path));
    let keeps_style = kept.is_some();
    let takes_over = is_style && own_settings && kept.is_none();
    let config = match takes_over {
        true => saved.style.config.clone(),
        false => config,
    };
    let head = saved.model.load(&config.head);
    let head = Arc::new(head.map_err(|error| Stopped::Failed(error.to_string()))?);
    let model = saved.model.clone();
    let settings = config.head.clone();
    let worn = match kept {
        Some(kept) => Saved {
            style: kept.style,
            roots: kept.roots,
            ..saved
        },
        None => saved,
    };
    let must_fit = !worn.style.is_plain();
    let moves = worn.moves_to(&config.roots);
    let field = moves.then(|| skin(&head)).flatten();
    let (mut styler, mut problem) = (None, None);
    match Styler::open(head.clone(), field, worn, config, progress) {
        Ok(begun) => styler = Some(Box::new(begun)),
        Err(OpenError::Sample(SampleError::Cancelled)) => return Err(Stopped::Cancelled),
        Err(error) if must_fit => return Err(Stopped::Failed(format!("{source}: {error}"))),
        Err(OpenError::Sample(error)) if head.scalp_part.is_some() => {
            problem = Some(error.to_string());
        }
        // Without paint nothing was to grow yet.
        Err(_) => {}
    }
    Ok(LoadedHead {
        worn: styler.as_deref().map(Worn::of),
        source,
        model,
        settings,
        since,
        head,
        styler,
        keeps_style,
        takes_over,
        problem,
    })
}

/// The skin that edits are kept out of while they go over to other roots; the window measures it
/// again for all that comes later, and tells if that cannot be done.
fn skin(head: &Arc<Head>) -> Option<Arc<Field>> {
    let go_on = &mut |_| ControlFlow::Continue(());
    let baked = Field::bake(&with_skin(head), &FieldSettings::default(), go_on);
    baked.ok().map(Arc::new)
}

/// What a source names: a style, or a head without one.
fn saved(source: &HeadSource) -> Result<Saved, Stopped> {
    match source {
        HeadSource::Shipped => Ok(Saved::default()),
        HeadSource::File(path) if Saved::is_named(path) => {
            Saved::open(path).map_err(|error| Stopped::Failed(error.to_string()))
        }
        HeadSource::File(path) => Ok(Saved {
            model: Model::File(path.clone()),
            ..Saved::default()
        }),
    }
}
