//! A thread that autosaves a document, so that a crash loses little.

use mohawk::autosave::{Autosave, LeftBehind, Unsaved};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The shortest time between two autosaves.
const INTERVAL: Duration = Duration::from_secs(3);

enum Command<T> {
    /// Saves the document, which belongs to a file.
    Save(Box<T>, Option<PathBuf>),
    /// Deletes what was saved.
    Clear,
    /// Answers whether the last document is on disk.
    Confirm(Sender<bool>),
}

/// Autosaves the document of this session.
pub(crate) struct AutosaveWorker<T> {
    /// `None`: there is no autosave.
    commands: Option<Sender<Command<T>>>,
    /// The thread, which ends with the commands.
    thread: Option<JoinHandle<()>>,
    problems: Receiver<String>,
    /// The state that was autosaved last, and when.
    last: Option<(u64, Instant)>,
}

impl<T> AutosaveWorker<T>
where
    T: Unsaved<Error: Display> + Send + 'static,
{
    /// Begins a session, if it is `wanted` and the system has a place for it.
    pub(crate) fn new(wanted: bool) -> Self {
        let (report, problems) = channel();
        let folder = Autosave::<T>::folder().filter(|_| wanted);
        let autosave = match folder.map(|folder| Autosave::<T>::begin(&folder)) {
            Some(Ok(autosave)) => Some(autosave),
            Some(Err(error)) => {
                tracing::warn!("there is no autosave: {error}");
                None
            }
            None => None,
        };
        let (commands, incoming) = channel();
        let thread =
            autosave.map(|autosave| std::thread::spawn(move || run(&autosave, &incoming, &report)));
        Self {
            commands: thread.is_some().then_some(commands),
            thread,
            problems,
            last: None,
        }
    }

    /// Returns when an unsaved state is due; `None`: it has been autosaved, or cannot be.
    pub(crate) fn due(&self, state: u64) -> Option<Instant> {
        self.commands.as_ref()?;
        match self.last {
            None => Some(Instant::now()),
            Some((last, _)) if last == state => None,
            Some((_, at)) => Some(at + INTERVAL),
        }
    }

    /// Autosaves a state of the document, which belongs to `file`.
    pub(crate) fn save(&mut self, state: u64, document: T, file: Option<PathBuf>) {
        self.last = Some((state, Instant::now()));
        self.send(Command::Save(Box::new(document), file));
    }

    /// Deletes the autosave: nothing is unsaved.
    pub(crate) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.send(Command::Clear);
        }
    }

    /// Waits until the last state is written. Returns whether it is on disk.
    pub(crate) fn flush(&self) -> bool {
        let (answer, wait) = channel();
        self.send(Command::Confirm(answer));
        wait.recv_timeout(INTERVAL * 3).unwrap_or(false)
    }

    fn send(&self, command: Command<T>) {
        if let Some(commands) = &self.commands {
            // The thread lives as long as this sender.
            let _ = commands.send(command);
        }
    }

    /// Returns why the last autosave failed, once.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problems.try_iter().last()
    }

    /// Returns the autosaves of sessions that crashed, the newest first.
    pub(crate) fn left_behind() -> Vec<LeftBehind> {
        Autosave::<T>::folder().map_or(Vec::new(), |folder| LeftBehind::all::<T>(&folder))
    }
}

/// Runs the last command, and then deletes the autosave.
impl<T> Drop for AutosaveWorker<T> {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs commands until there will be no more. Of several that wait, only the newest document is
/// saved.
fn run<T: Unsaved<Error: Display>>(
    autosave: &Autosave<T>,
    commands: &Receiver<Command<T>>,
    report: &Sender<String>,
) {
    let mut is_on_disk = false;
    while let Ok(mut command) = commands.recv() {
        while !matches!(command, Command::Confirm(_))
            && let Ok(newer) = commands.try_recv()
        {
            if let (Command::Save(..), Command::Confirm(_)) = (&command, &newer) {
                execute(autosave, command, report, &mut is_on_disk);
            }
            command = newer;
        }
        execute(autosave, command, report, &mut is_on_disk);
    }
}

fn execute<T: Unsaved<Error: Display>>(
    autosave: &Autosave<T>,
    command: Command<T>,
    report: &Sender<String>,
    is_on_disk: &mut bool,
) {
    match command {
        Command::Clear => {
            autosave.clear();
            *is_on_disk = false;
        }
        Command::Save(document, file) => match autosave.save(&document, file.as_deref()) {
            Ok(()) => {
                tracing::debug!("autosaved");
                *is_on_disk = true;
            }
            Err(error) => {
                *is_on_disk = false;
                // The window may be closing; then nobody reads it.
                let _ = report.send(error.to_string());
            }
        },
        Command::Confirm(answer) => _ = answer.send(*is_on_disk),
    }
}
