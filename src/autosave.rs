//! What is unsaved outlives a crash: each session keeps a copy where the next one finds it.
//!
//! ```text
//! session-PID-N.lock     locked as long as the session runs
//! session-PID-N.mohawk   its unsaved style, or .doll
//! session-PID-N.of       the file that it was opened from or saved to
//! folder.lock            locked while sessions begin, end and are looked for
//! ```

mod folder;

use crate::files::write_whole;
use folder::{Guard, Session};
use std::fs::{self, File, TryLockError};
use std::io;
use std::marker::PhantomData;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The largest number of crashed sessions whose files are kept.
const MOST: usize = 20;
/// The largest number of sessions of one process.
const MOST_SESSIONS: u32 = 10_000;

/// A document that is saved while it has unsaved changes.
pub trait Unsaved {
    /// The name of the folder of its sessions.
    const FOLDER: &'static str;
    /// The extension of its files.
    const EXTENSION: &'static str;
    /// The error of writing.
    type Error;

    /// Writes it to a file in another folder than its own. The file is written whole or not at all.
    ///
    /// # Errors
    ///
    /// An error for the user.
    fn write(&self, file: &Path) -> Result<(), Self::Error>;

    /// Returns the error for a file beside it that could not be written.
    fn failed(file: &Path, error: io::Error) -> Self::Error;
}

/// The autosave of a running session, which the next start of the program finds if this session
/// crashes. Threads may share it.
#[derive(Debug)]
pub struct Autosave<T> {
    session: Session,
    /// The lock file, locked while it is open.
    lock: Option<File>,
    /// Serialises writes and deletions.
    turns: Mutex<()>,
    of: PhantomData<fn(T)>,
}

impl<T: Unsaved> Autosave<T> {
    /// Returns the folder for sessions of this user: `mohawk/autosave` or `mohawk/dolls` where the
    /// system keeps the state of programs (`XDG_STATE_HOME` or `~/.local/state`;
    /// `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows). `None`: the user has
    /// no such place.
    pub fn folder() -> Option<PathBuf> {
        Some(folder::of_user(|name| std::env::var_os(name))?.join(T::FOLDER))
    }

    /// Begins a session in a folder, and creates the folder if necessary.
    ///
    /// # Errors
    ///
    /// The folder cannot be created or written to, or cannot lock files.
    pub fn begin(folder: &Path) -> io::Result<Self> {
        let folder = path::absolute(folder)?;
        folder::make(&folder)?;
        let _guard = Guard::of(&folder)?;
        for number in 0..MOST_SESSIONS {
            let session = Session::new(&folder, T::EXTENSION, std::process::id(), number);
            // The autosave of a crashed session with this name is kept.
            if session.copy().exists() {
                continue;
            }
            let lock = match File::create_new(session.lock()) {
                Ok(lock) => lock,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            if let Err(error) = lock.try_lock() {
                fs::remove_file(session.lock()).ok();
                return Err(error.into());
            }
            return Ok(Self {
                session,
                lock: Some(lock),
                turns: Mutex::new(()),
                of: PhantomData,
            });
        }
        Err(io::Error::other("there are too many sessions"))
    }

    /// Writes a document, whole or not at all. `file` is the file that it was opened from or saved
    /// to last.
    ///
    /// # Errors
    ///
    /// As [`Unsaved::write`]. The last autosave stays then.
    pub fn save(&self, unsaved: &T, file: Option<&Path>) -> Result<(), T::Error> {
        let _turn = self.turn();
        unsaved.write(&self.session.copy())?;
        let written = self.session.write_of(file);
        written.map_err(|error| T::failed(&self.session.of(), error))
    }
}

impl<T> Autosave<T> {
    /// Deletes the autosave: nothing is unsaved.
    pub fn clear(&self) {
        let _turn = self.turn();
        self.session.delete_copy();
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the session, and deletes its files.
impl<T> Drop for Autosave<T> {
    fn drop(&mut self) {
        self.clear();
        // Under the guard, because other processes cannot tell a lock that is about to be released
        // from one that is about to be taken.
        let guard = Guard::of(&self.session.folder);
        self.lock = None;
        if guard.is_ok() {
            fs::remove_file(self.session.lock()).ok();
        }
    }
}

/// The autosave of a crashed session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftBehind {
    /// The file of the document. It may be damaged.
    pub file: PathBuf,
    /// The time when it was written.
    pub saved: SystemTime,
    /// The file that it was opened from or saved to.
    pub of: Option<PathBuf>,
    session: Session,
}

impl LeftBehind {
    /// Returns all in a folder, the newest first. Running sessions have none, and neither has a
    /// folder that cannot be read. At most 20 are kept: older ones are deleted.
    pub fn all<T: Unsaved>(folder: &Path) -> Vec<Self> {
        let Ok(folder) = path::absolute(folder) else {
            return Vec::new();
        };
        if !folder.is_dir() {
            return Vec::new();
        }
        let Ok(_guard) = Guard::of(&folder) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for session in Session::all(&folder, T::EXTENSION) {
            if session.is_running() {
                continue;
            }
            match session.written() {
                Some(saved) => all.push(Self {
                    file: session.copy(),
                    saved,
                    of: session.read_of(),
                    session,
                }),
                None => session.delete(),
            }
        }
        all.sort_by(|a, b| (b.saved, &a.file).cmp(&(a.saved, &b.file)));
        for old in all.split_off(all.len().min(MOST)) {
            old.session.delete();
        }
        all
    }

    /// Deletes it.
    pub fn discard(self) {
        let guard = Guard::of(&self.session.folder);
        if guard.is_ok() && !self.session.is_running() {
            self.session.delete();
        }
    }
}

#[cfg(test)]
mod tests;
