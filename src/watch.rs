//! Files that others write while the program runs: told when they have come to rest.
//!
//! Their folders are what the system watches: editors save by renaming a new file over the old
//! one, and a file that is missing may come. A missing folder is waited for in the next one up.

use notify::Watcher as _;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// Files have come to rest when nothing has happened to them for so long.
const QUIET: Duration = Duration::from_millis(150);
/// How often to look where the system does not tell.
const POLL: Duration = Duration::from_millis(500);

/// Watches files on a thread of its own until it is dropped.
pub(crate) struct Watcher {
    orders: Sender<Order>,
}

enum Order {
    /// Watch these from now on; tell of new ones that were written since then.
    Files(Vec<PathBuf>, SystemTime),
    Happened(notify::Result<Event>),
    Stop,
}

impl Watcher {
    /// Watches nothing yet. `changed` is called from the thread with the files that changed, as
    /// they were named in [`Watcher::set_files`].
    pub(crate) fn new(changed: impl Fn(Vec<PathBuf>) + Send + 'static) -> notify::Result<Self> {
        Self::with(changed, |events| {
            match RecommendedWatcher::new(events.clone(), Config::default()) {
                Ok(system) => Ok(Box::new(system)),
                Err(error) => {
                    tracing::debug!(
                        "the system does not tell of changes ({error}): looking at times"
                    );
                    poll(events)
                }
            }
        })
    }

    fn with(
        changed: impl Fn(Vec<PathBuf>) + Send + 'static,
        open: impl FnOnce(Events) -> notify::Result<System>,
    ) -> notify::Result<Self> {
        let (orders, incoming) = channel();
        let events = Events(orders.clone());
        let mut desk = Desk {
            system: open(events.clone())?,
            events,
            polls: false,
            targets: Vec::new(),
            folders: BTreeSet::new(),
        };
        std::thread::spawn(move || desk.work(&incoming, changed));
        Ok(Self { orders })
    }

    /// Watches these files from now on and no others; a folder stands for the glTF buffers
    /// (`.bin`) in it. New ones that were written since `since`, which is when somebody began to
    /// read them, have changed already.
    pub(crate) fn set_files(&self, files: Vec<PathBuf>, since: SystemTime) {
        // The thread lives as long as this sender.
        let _ = self.orders.send(Order::Files(files, since));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Stop);
    }
}

type System = Box<dyn notify::Watcher + Send>;

/// Where the system puts what happens.
#[derive(Clone)]
struct Events(Sender<Order>);

impl notify::EventHandler for Events {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        // The thread may have ended; then nobody needs to know.
        let _ = self.0.send(Order::Happened(event));
    }
}

fn poll(events: Events) -> notify::Result<System> {
    let config = Config::default().with_poll_interval(POLL);
    Ok(Box::new(PollWatcher::new(events, config)?))
}

/// A file to watch.
struct Target {
    /// As somebody named it.
    named: PathBuf,
    /// Where it is, and where the link leads if it is one.
    places: Vec<PathBuf>,
}

impl Target {
    fn new(named: PathBuf) -> Self {
        let place = std::path::absolute(&named).unwrap_or_else(|_| named.clone());
        // The system tells of files by the true names of their folders.
        let folder = place.ancestors().skip(1).find_map(|folder| {
            let rest = place.strip_prefix(folder).ok()?;
            Some(folder.canonicalize().ok()?.join(rest))
        });
        let mut places = vec![folder.unwrap_or(place)];
        if let Ok(target) = named.canonicalize()
            && target != places[0]
        {
            places.push(target);
        }
        Self { named, places }
    }

    /// Folders whose events can be about this file: its own, and the one that tells when that
    /// is replaced.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.places.iter().flat_map(|place| {
            let folders = place.ancestors().filter(|folder| folder.is_dir());
            folders.take(2).map(Path::to_owned)
        })
    }

    fn is_met_by(&self, event: &Event) -> bool {
        let moved = matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        let meets = |place: &PathBuf, path: &PathBuf| {
            // Any file would be too many: somebody may keep a log there of what is told here.
            let is_buffer = || path.extension().is_some_and(|extension| extension == "bin");
            // A folder that comes or goes takes all in it along.
            path == place
                || moved && place.starts_with(path)
                || path.parent() == Some(place) && is_buffer()
        };
        event.need_rescan()
            || (self.places.iter()).any(|place| event.paths.iter().any(|path| meets(place, path)))
    }

    fn was_written_since(&self, since: SystemTime) -> bool {
        let written = self.named.metadata().and_then(|meta| meta.modified());
        written.is_ok_and(|written| written >= since)
    }
}

/// What the thread works on.
struct Desk {
    system: System,
    events: Events,
    /// `system` is the second best.
    polls: bool,
    targets: Vec<Target>,
    /// What the system watches.
    folders: BTreeSet<PathBuf>,
}

impl Desk {
    fn work(&mut self, incoming: &Receiver<Order>, changed: impl Fn(Vec<PathBuf>)) {
        let mut restless = BTreeSet::new();
        let mut until = Instant::now();
        loop {
            let order = if restless.is_empty() {
                incoming.recv().map_err(RecvTimeoutError::from)
            } else {
                incoming.recv_timeout(until.saturating_duration_since(Instant::now()))
            };
            let met: Vec<PathBuf> = match order {
                Ok(Order::Files(files, since)) => {
                    let written = self.take_on(files, since);
                    restless.retain(|named| self.targets.iter().any(|t| t.named == *named));
                    written
                }
                Ok(Order::Happened(Ok(event))) => self.met_by(&event),
                Ok(Order::Happened(Err(error))) => {
                    tracing::warn!("changes of files may go unnoticed: {error}");
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {
                    // Folders may have come, or been replaced.
                    self.arm();
                    changed(std::mem::take(&mut restless).into_iter().collect());
                    continue;
                }
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            };
            if !met.is_empty() {
                until = Instant::now() + QUIET;
                restless.extend(met);
            }
        }
    }

    /// Watches other files; gives those that have been written already.
    fn take_on(&mut self, files: Vec<PathBuf>, since: SystemTime) -> Vec<PathBuf> {
        let before = std::mem::take(&mut self.targets);
        let known = |target: &&Target| before.iter().any(|old| old.named == target.named);
        self.targets = files.into_iter().map(Target::new).collect();
        let new = self.targets.iter().filter(|target| !known(target));
        let written = new.filter(|target| target.was_written_since(since));
        let written = written.map(|target| target.named.clone()).collect();
        self.arm();
        written
    }

    fn met_by(&mut self, event: &Event) -> Vec<PathBuf> {
        let is_news = match event.kind {
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            _ => true,
        };
        if !is_news {
            return Vec::new(); // We read files too.
        }
        if matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        ) {
            for path in &event.paths {
                // Whatever comes in its place has to be watched anew.
                if self.folders.remove(path) {
                    let _ = self.system.unwatch(path);
                }
            }
        }
        let met = self.targets.iter().filter(|target| target.is_met_by(event));
        met.map(|target| target.named.clone()).collect()
    }

    /// Has the system watch what there is of the targets' folders.
    fn arm(&mut self) {
        let wanted: BTreeSet<_> = self.targets.iter().flat_map(Target::folders).collect();
        for folder in self.folders.difference(&wanted) {
            let _ = self.system.unwatch(folder); // It may be gone.
        }
        let mut refused = None;
        for folder in wanted.difference(&self.folders) {
            tracing::debug!("watching {}", folder.display());
            let watched = self.system.watch(folder, RecursiveMode::NonRecursive);
            refused = watched.err().or(refused);
        }
        self.folders = wanted;
        let Some(error) = refused else { return };
        match poll(self.events.clone()) {
            // Systems watch so many folders and no more.
            Ok(system) if !self.polls => {
                tracing::debug!("the system does not watch ({error}): looking at times");
                self.system = system;
                self.polls = true;
                self.folders.clear();
                self.arm();
            }
            _ => tracing::warn!("changes of files may go unnoticed: {error}"),
        }
    }
}

#[cfg(test)]
mod tests;
