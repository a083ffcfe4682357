//! Recovers unsaved documents after a crash: each session keeps a copy where the next one finds it.
//!
//! ```text
//! PID-NANOSECONDS/     one folder per session
//!   lock               locked as long as the session runs
//!   document.mohawk    its unsaved style, or .doll
//!   source             the path of the file that it was opened from or saved to
//! ```
//!
//! Whoever holds the lock owns the folder, and only its owner deletes it. No name is used twice.

use crate::files::{disk as fs, process_id, read_plain, user_folder, write_whole};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use web_time::SystemTime;

/// The largest number of crashed sessions whose files are kept.
const MAX_CRASHED: usize = 20;
/// The number of attempts to create a session.
const MAX_ATTEMPTS: usize = 100;
/// The file with the path of the document's source.
const SOURCE: &str = "source";
/// The variable that names the folder for the state of programs, and that folder without it.
const STATE: [&str; 2] = ["XDG_STATE_HOME", ".local/state"];
/// The largest size of that file, bytes.
const MAX_PATH: u64 = 1 << 16;

/// A document that is saved while it has unsaved changes.
pub trait Unsaved {
    /// The name of the folder of its sessions.
    const FOLDER: &'static str;
    /// The extension of its files.
    const EXTENSION: &'static str;

    /// Writes it to a file in another folder than its own. The file is written whole or not at all.
    ///
    /// # Errors
    ///
    /// The file cannot be written; the error names it.
    fn write(&self, file: &Path) -> io::Result<()>;
}

/// The autosave of a running session, which the next start of the program finds if this session
/// crashes. One thread at a time may use it.
#[derive(Debug)]
pub struct Autosave {
    /// The file of the document.
    file: PathBuf,
    /// `true` if the files outlive the session.
    is_kept: AtomicBool,
    /// Locked while it is open.
    _lock: Lock,
}

impl Autosave {
    /// Returns the folder for sessions of this user: `autosave` or `dolls` in the
    /// [`state_folder`]. `None`: the user has no such place.
    pub fn folder<T: Unsaved>() -> Option<PathBuf> {
        Some(state_folder()?.join(T::FOLDER))
    }

    /// Begins a session with documents of one type in a folder, and creates the folder if
    /// necessary.
    ///
    /// # Errors
    ///
    /// The folder cannot be created or written to, or cannot lock files.
    pub fn begin<T: Unsaved>(folder: &Path) -> io::Result<Self> {
        for _ in 0..MAX_ATTEMPTS {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let (process, now) = (process_id(), now.unwrap_or_default().as_nanos());
            let session = folder.join(format!("{process}-{now}"));
            create_private(&session)?;
            let file = session.join("document").with_extension(T::EXTENSION);
            // A program that starts now may take the session for a crashed one and delete it.
            if let Some(_lock) = lock(&file)? {
                return Ok(Self {
                    file,
                    is_kept: AtomicBool::new(false),
                    _lock,
                });
            }
        }
        Err(io::Error::other("no session could be locked"))
    }

    /// Writes a document, whole or not at all. `source` is the file that it was opened from or
    /// saved to last.
    ///
    /// # Errors
    ///
    /// The files cannot be written. The last autosave stays then.
    pub fn save(&self, document: &impl Unsaved, source: Option<&Path>) -> io::Result<()> {
        document.write(&self.file)?;
        let path = source.map(std::path::absolute).transpose()?;
        let path = path.unwrap_or_default();
        let bytes = path.as_os_str().as_encoded_bytes();
        let file = self.file.with_file_name(SOURCE);
        // It seldom changes.
        if fs::read(&file).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        write_whole(&file, bytes).map_err(|error| {
            io::Error::other(format!("{} cannot be written: {error}", file.display()))
        })
    }

    /// Deletes the autosave: nothing is unsaved. The session goes on.
    pub fn clear(&self) {
        clear(&self.file);
    }

    /// Lets the session end like one that crashed: the next start of the program finds the document.
    pub fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }
}

/// Ends the session, and deletes its files unless they are [kept](Autosave::keep) or this thread
/// panics.
impl Drop for Autosave {
    fn drop(&mut self) {
        if !*self.is_kept.get_mut() && !std::thread::panicking() {
            delete(&self.file);
        }
    }
}

/// The autosave of a crashed session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoverable {
    /// The file of the document. It may be damaged.
    pub file: PathBuf,
    /// The time when it was written.
    pub saved: SystemTime,
    /// The file that it was opened from or saved to.
    pub source: Option<PathBuf>,
}

impl Recoverable {
    /// Returns all with documents of this extension in a folder, the newest first. Running sessions
    /// have none, and neither has a folder that cannot be read. At most 20 are kept: older ones are
    /// deleted.
    pub fn all(folder: &Path, extension: &'static str) -> Vec<Self> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !is_session(&entry.file_name().to_string_lossy()) {
                continue;
            }
            let file = entry.path().join("document").with_extension(extension);
            let Ok(Some(lock)) = lock(&file) else {
                continue;
            };
            let data = fs::symlink_metadata(&file);
            let data = data.ok().filter(fs::Metadata::is_file);
            let Some(saved) = data.and_then(|data| data.modified().ok()) else {
                delete(&file);
                continue;
            };
            let source = read_source(&file);
            let left = Self {
                file,
                saved,
                source,
            };
            all.push((left, lock));
        }
        all.sort_by(|(a, _), (b, _)| (b.saved, &a.file).cmp(&(a.saved, &b.file)));
        for (old, _lock) in all.drain(all.len().min(MAX_CRASHED)..) {
            delete(&old.file);
        }
        all.into_iter().map(|(session, _)| session).collect()
    }

    /// Deletes it.
    pub fn discard(self) {
        if let Ok(Some(_lock)) = lock(&self.file) {
            delete(&self.file);
        }
    }
}

/// Creates a folder that only this user may look into.
fn create_private(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut builder = fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(folder)
    }
    #[cfg(not(unix))]
    fs::create_dir_all(folder)
}

/// Sessions of a page cannot be locked: every one but its own counts as crashed.
#[cfg(target_arch = "wasm32")]
type Lock = ();
#[cfg(not(target_arch = "wasm32"))]
type Lock = fs::File;

#[cfg(target_arch = "wasm32")]
fn lock(_: &Path) -> io::Result<Option<Lock>> {
    Ok(Some(()))
}

/// Locks the session of a document; `None`: somebody else has locked or deleted it.
#[cfg(not(target_arch = "wasm32"))]
fn lock(document: &Path) -> io::Result<Option<Lock>> {
    let path = document.with_file_name("lock");
    let mut options = fs::File::options();
    let lock = match options.create(true).truncate(false).write(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        lock => lock?,
    };
    match lock.try_lock() {
        Ok(()) => Ok(path.exists().then_some(lock)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

fn read_source(document: &Path) -> Option<PathBuf> {
    let bytes = read_plain(&document.with_file_name(SOURCE), MAX_PATH).ok()?;
    #[cfg(unix)]
    let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = OsString::from(String::from_utf8(bytes).ok()?);
    Some(PathBuf::from(path)).filter(|path| path.is_absolute())
}

/// Deletes a document and the name of its source.
fn clear(document: &Path) {
    fs::remove_file(document).ok();
    fs::remove_file(document.with_file_name(SOURCE)).ok();
}

/// Deletes the session of a document.
fn delete(document: &Path) {
    // After a crash on the way the rest counts as a session without a document.
    clear(document);
    document.parent().map(fs::remove_dir_all);
}

/// Returns `true` if a folder has the name of a session.
fn is_session(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u128>().is_ok();
    let numbers = name.split_once('-');
    numbers.is_some_and(|(process, time)| is_number(process) && is_number(time))
}

/// Returns the folder for the state of this program: `mohawk` where the system keeps the state of
/// programs (`XDG_STATE_HOME` or `~/.local/state`; `~/Library/Application Support` on macOS,
/// `%LOCALAPPDATA%` on Windows). `None`: the user has no such place.
pub fn state_folder() -> Option<PathBuf> {
    user_folder(STATE[0], STATE[1], |name| std::env::var_os(name))
}

#[cfg(test)]
mod tests;
