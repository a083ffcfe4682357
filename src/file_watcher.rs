//! Files that others write while the program runs: told when they have come to rest.
//!
//! Their folders are what the system watches: editors save by renaming a new file over the old
//! one, and a file that is missing may come. A missing folder is waited for in the next one up.
//! Where the system does not tell, the files are looked at now and then.

use notify::Watcher as _;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// Files have come to rest when nothing has happened to them for so long.
const QUIET: Duration = Duration::from_millis(150);
/// The interval of looking at folders that the system cannot watch.
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
    pub(crate) fn new(changed: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        Self::with(changed, |events| {
            let system = RecommendedWatcher::new(events, Config::default());
            system.inspect_err(looks_instead).ok()
        })
    }

    fn with(
        changed: impl Fn(Vec<PathBuf>) + Send + 'static,
        open: impl FnOnce(Events) -> Option<RecommendedWatcher>,
    ) -> Self {
        let (orders, incoming) = channel();
        let mut debouncer = Debouncer {
            system: open(Events(orders.clone())),
            targets: Vec::new(),
            folders: BTreeSet::new(),
        };
        std::thread::spawn(move || debouncer.work(&incoming, changed));
        Self { orders }
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

fn looks_instead(error: &notify::Error) {
    tracing::debug!("the system does not tell of changes ({error}): looking now and then");
}

/// The receiver of the system's events.
struct Events(Sender<Order>);

impl notify::EventHandler for Events {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        // The thread may have ended; then nobody needs to know.
        let _ = self.0.send(Order::Happened(event));
    }
}

/// A file to watch.
struct Target {
    /// The path as it was given.
    named: PathBuf,
    /// The absolute path, and the target of a link.
    places: Vec<PathBuf>,
    /// The last known state.
    look: Vec<Look>,
}

/// A file, the time it was written, and its length.
type Look = (PathBuf, Option<SystemTime>, u64);

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
        let look = look(&named);
        Self {
            named,
            places,
            look,
        }
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
            // A folder that comes or goes takes all in it along.
            path == place
                || moved && place.starts_with(path)
                || path.parent() == Some(place) && is_buffer(path)
        };
        event.need_rescan()
            || (self.places.iter()).any(|place| event.paths.iter().any(|path| meets(place, path)))
    }

    fn was_written_since(&self, since: SystemTime) -> bool {
        let written = self.named.metadata().and_then(|meta| meta.modified());
        written.is_ok_and(|written| written >= since)
    }
}

/// Returns the state of a file, or of the buffers in a folder.
fn look(path: &Path) -> Vec<Look> {
    let look = |path: &Path| {
        let meta = path.metadata().ok()?;
        Some((path.to_owned(), meta.modified().ok(), meta.len()))
    };
    match std::fs::read_dir(path) {
        Ok(entries) => {
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let buffers = paths.filter(|path| is_buffer(path));
            let mut looks: Vec<Look> = buffers.filter_map(|path| look(&path)).collect();
            looks.sort();
            looks
        }
        Err(_) => look(path).into_iter().collect(),
    }
}

/// Whether a file of a watched folder counts. Other files change too often: messages may be logged
/// to the same folder.
fn is_buffer(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bin")
}

/// The state of the thread.
struct Debouncer {
    /// Absent: nobody tells, so look.
    system: Option<RecommendedWatcher>,
    targets: Vec<Target>,
    /// The folders that the system watches.
    folders: BTreeSet<PathBuf>,
}

impl Debouncer {
    fn work(&mut self, incoming: &Receiver<Order>, changed: impl Fn(Vec<PathBuf>)) {
        let mut restless = BTreeSet::new();
        let mut until = Instant::now();
        loop {
            let order = match (&self.system, restless.is_empty()) {
                (Some(_), true) => incoming.recv().map_err(RecvTimeoutError::from),
                (None, true) => incoming.recv_timeout(POLL),
                _ => incoming.recv_timeout(until.saturating_duration_since(Instant::now())),
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
                    let met = self.look();
                    if met.is_empty() && !restless.is_empty() {
                        // Folders may have come, or been replaced.
                        self.arm();
                        changed(std::mem::take(&mut restless).into_iter().collect());
                    }
                    met
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
        let mut before = std::mem::take(&mut self.targets);
        let mut written = Vec::new();
        for named in BTreeSet::from_iter(files) {
            let mut target = Target::new(named);
            match before.iter_mut().find(|old| old.named == target.named) {
                // What has changed since it was last looked at is still to be told.
                Some(old) => target.look = std::mem::take(&mut old.look),
                None if target.was_written_since(since) => written.push(target.named.clone()),
                None => {}
            }
            self.targets.push(target);
        }
        self.arm();
        written
    }

    /// Returns the targets that have changed, in folders that the system does not watch.
    fn look(&mut self) -> Vec<PathBuf> {
        if self.system.is_some() {
            return Vec::new();
        }
        let mut met = Vec::new();
        for target in &mut self.targets {
            let now = look(&target.named);
            if now != target.look {
                target.look = now;
                met.push(target.named.clone());
            }
        }
        met
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
                if self.folders.remove(path)
                    && let Some(system) = &mut self.system
                {
                    let _ = system.unwatch(path);
                }
            }
        }
        let met = self.targets.iter().filter(|target| target.is_met_by(event));
        met.map(|target| target.named.clone()).collect()
    }

    /// Makes the system watch the folders of the targets that exist.
    fn arm(&mut self) {
        let Some(system) = &mut self.system else {
            return;
        };
        let wanted: BTreeSet<_> = self.targets.iter().flat_map(Target::folders).collect();
        for folder in self.folders.difference(&wanted) {
            let _ = system.unwatch(folder); // It may be gone.
        }
        let mut refused = None;
        for folder in wanted.difference(&self.folders) {
            tracing::debug!("watching {}", folder.display());
            let watched = system.watch(folder, RecursiveMode::NonRecursive);
            refused = watched.err().or(refused);
        }
        self.folders = wanted;
        if let Some(error) = refused {
            // Systems watch so many folders and no more.
            looks_instead(&error);
            self.system = None;
        }
    }
}

#[cfg(test)]
mod tests;
