//! Unsaved styles, kept on disk by a thread of its own: a crash loses none.

use crate::style::{Autosave, LeftBehind, Saved};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The style is written no more often.
const EVERY: Duration = Duration::from_secs(3);

enum Order {
    Keep(Box<Saved>, Option<PathBuf>),
    Clear,
    /// Tells whether what was to be kept last is on disk.
    Tell(Sender<bool>),
}

/// Keeps the style of this session until it is saved.
pub(in crate::viewer) struct Keeper {
    orders: Option<Sender<Order>>,
    /// The thread ends when the orders do.
    thread: Option<std::thread::JoinHandle<()>>,
    problems: Receiver<String>,
    /// The state that was handed over last, and when.
    kept: Option<(u64, Instant)>,
}

impl Keeper {
    /// Begins a session, if it is one of a person and there is a place for it.
    pub(in crate::viewer) fn new(wanted: bool) -> Self {
        let (told, problems) = channel();
        let folder = Autosave::folder().filter(|_| wanted);
        let begun = folder.map(|folder| Autosave::begin(&folder));
        let autosave = match begun {
            Some(Ok(autosave)) => autosave,
            Some(Err(error)) => {
                tracing::warn!("unsaved styles cannot be kept: {error}");
                return Self::without(problems);
            }
            None => return Self::without(problems),
        };
        let (orders, incoming) = channel::<Order>();
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
    pub(in crate::viewer) fn due(&self, state: u64) -> Option<Instant> {
        self.orders.as_ref()?;
        match self.kept {
            None => Some(Instant::now()),
            Some((kept, _)) if kept == state => None,
            Some((_, at)) => Some(at + EVERY),
        }
    }

    /// Keeps a state of the style.
    pub(in crate::viewer) fn keep(&mut self, state: u64, saved: Saved, file: Option<PathBuf>) {
        self.kept = Some((state, Instant::now()));
        self.send(Order::Keep(Box::new(saved), file));
    }

    /// Nothing is unsaved.
    pub(in crate::viewer) fn clear(&mut self) {
        if self.kept.take().is_some() {
            self.send(Order::Clear);
        }
    }

    /// Waits until what was handed over is on disk; false: it is not.
    pub(in crate::viewer) fn flush(&self) -> bool {
        let (done, wait) = channel();
        self.send(Order::Tell(done));
        wait.recv_timeout(EVERY * 3).unwrap_or(false)
    }

    fn send(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // The thread lives as long as this sender.
            let _ = orders.send(order);
        }
    }

    /// Why the style could not be kept.
    pub(in crate::viewer) fn problem(&self) -> Option<String> {
        self.problems.try_iter().last()
    }

    /// Styles of sessions that broke off, the newest first.
    pub(in crate::viewer) fn left_behind() -> Vec<LeftBehind> {
        Autosave::folder().map_or(Vec::new(), |folder| LeftBehind::all(&folder))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // What is still to be kept is, and what belongs to this session goes with it.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn do_it(autosave: &Autosave, order: Order, told: &Sender<String>, kept: &mut bool) {
    match order {
        Order::Clear => {
            autosave.clear();
            *kept = false;
        }
        Order::Keep(saved, file) => match autosave.save(&saved, file.as_deref()) {
            Ok(()) => {
                tracing::debug!("kept the unsaved style");
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
