//! What is unsaved, kept on disk by a thread of its own: a crash loses none.

use mohawk::autosave::{Autosave, LeftBehind, Unsaved};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// It is written no more often.
const EVERY: Duration = Duration::from_secs(3);

enum Order<T> {
    Keep(Box<T>, Option<PathBuf>),
    Clear,
    /// Tells whether what was to be kept last is on disk.
    Tell(Sender<bool>),
}

/// Keeps what is unsaved of this session.
pub(crate) struct AutosaveWorker<T> {
    orders: Option<Sender<Order<T>>>,
    /// The thread ends when the orders do.
    thread: Option<std::thread::JoinHandle<()>>,
    problems: Receiver<String>,
    /// The state that was handed over last, and when.
    kept: Option<(u64, Instant)>,
}

impl<T> AutosaveWorker<T>
where
    T: Unsaved<Error: Display> + Send + 'static,
{
    /// Begins a session, if it is one of a person and there is a place for it.
    pub(crate) fn new(wanted: bool) -> Self {
        let (told, problems) = channel();
        let folder = Autosave::<T>::folder().filter(|_| wanted);
        let begun = folder.map(|folder| Autosave::<T>::begin(&folder));
        let autosave = match begun {
            Some(Ok(autosave)) => autosave,
            Some(Err(error)) => {
                tracing::warn!("what is unsaved cannot be kept: {error}");
                return Self::without(problems);
            }
            None => return Self::without(problems),
        };
        let (orders, incoming) = channel::<Order<T>>();
        let thread = std::thread::spawn(move || {
            let mut kept = false;
            while let Ok(mut order) = incoming.recv() {
                // Only the newest counts.
                while !matches!(order, Order::Tell(_))
                    && let Ok(newer) = incoming.try_recv()
                {
                    if let (Order::Keep(..), Order::Tell(_)) = (&order, &newer) {
                        do_it(&autosave, order, &told, &mut kept);
                    }
                    order = newer;
                }
                do_it(&autosave, order, &told, &mut kept);
            }
        });
        Self {
            orders: Some(orders),
            thread: Some(thread),
            problems,
            kept: None,
        }
    }

    fn without(problems: Receiver<String>) -> Self {
        Self {
            orders: None,
            thread: None,
            problems,
            kept: None,
        }
    }

    /// When a state that is not saved is to be kept; `None`: it is, or there is no place for it.
    pub(crate) fn due(&self, state: u64) -> Option<Instant> {
        self.orders.as_ref()?;
        match self.kept {
            None => Some(Instant::now()),
            Some((kept, _)) if kept == state => None,
            Some((_, at)) => Some(at + EVERY),
        }
    }

    /// Keeps a state of it.
    pub(crate) fn keep(&mut self, state: u64, saved: T, file: Option<PathBuf>) {
        self.kept = Some((state, Instant::now()));
        self.send(Order::Keep(Box::new(saved), file));
    }

    /// Nothing is unsaved.
    pub(crate) fn clear(&mut self) {
        if self.kept.take().is_some() {
            self.send(Order::Clear);
        }
    }

    /// Waits until what was handed over is on disk; false: it is not.
    pub(crate) fn flush(&self) -> bool {
        let (done, wait) = channel();
        self.send(Order::Tell(done));
        wait.recv_timeout(EVERY * 3).unwrap_or(false)
    }

    fn send(&self, order: Order<T>) {
        if let Some(orders) = &self.orders {
            // The thread lives as long as this sender.
            let _ = orders.send(order);
        }
    }

    /// Why it could not be kept.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problems.try_iter().last()
    }

    /// What sessions that broke off have left, the newest first.
    pub(crate) fn left_behind() -> Vec<LeftBehind> {
        Autosave::<T>::folder().map_or(Vec::new(), |folder| LeftBehind::all::<T>(&folder))
    }
}

impl<T> Drop for AutosaveWorker<T> {
    fn drop(&mut self) {
        // What is still to be kept is, and what belongs to this session goes with it.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn do_it<T: Unsaved<Error: Display>>(
    autosave: &Autosave<T>,
    order: Order<T>,
    told: &Sender<String>,
    kept: &mut bool,
) {
    match order {
        Order::Clear => {
            autosave.clear();
            *kept = false;
        }
        Order::Keep(saved, file) => match autosave.save(&saved, file.as_deref()) {
            Ok(()) => {
                tracing::debug!("kept what is unsaved");
                *kept = true;
            }
            Err(error) => {
                *kept = false;
                // The window may be closing; then nobody needs to know.
                let _ = told.send(error.to_string());
            }
        },
        Order::Tell(done) => _ = done.send(*kept),
    }
}
